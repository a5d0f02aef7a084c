//! One tool, analyzed and ready to be written into a block.

use std::hash::{DefaultHasher, Hasher};

use super::analyze::Analyzer;
use super::document::Document;
use super::fields::{FIELDS, Field, MAX_FIELD_TERMS};
use super::near::Fingerprint;

/// A term, known by its 64-bit hash alone. Over a million distinct terms two share a hash with a
/// probability of 3 in 10⁸; and who forges a tool that collides with a word gains what writing the
/// word itself would have given. So no index-wide dictionary has to be kept, cleaned and shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermId(pub(super) u64);

impl TermId {
    pub(super) fn word(term: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(term.as_bytes());
        Self(hasher.finish())
    }

    /// A whole identifier, in the form of [`Analyzer::identifier`]. Never equal to a word: no
    /// UTF-8 text starts with the byte written first.
    pub(super) fn identifier(key: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(0xFF);
        hasher.write(key.as_bytes());
        Self(hasher.finish())
    }
}

/// How often a term occurs in one field of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Occurrence {
    pub(super) field: Field,
    pub(super) count: u16,
}

/// Number of terms in each field of one tool, repetitions counted.
pub(super) type Lengths = [u16; FIELDS];

/// What the index keeps of one tool.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) fingerprint: Fingerprint,
    pub(super) lengths: Lengths,
    /// Sorted by term, then field.
    pub(super) occurrences: Vec<(TermId, Occurrence)>,
}

impl Entry {
    pub(super) fn new(document: &Document<'_>) -> Self {
        let analyzer = Analyzer;
        let mut lengths = [0; FIELDS];
        let mut terms: Vec<(TermId, Field)> = Vec::new();
        let mut add = |field: Field, term: TermId| {
            let length: &mut u16 = &mut lengths[field as usize];
            if *length < MAX_FIELD_TERMS {
                *length += 1;
                terms.push((term, field));
            }
        };
        document.texts(&mut |field, text| {
            analyzer.terms(text, &mut |term| add(field, TermId::word(term)));
        });
        let whole = analyzer.identifier(document.name);
        let local = analyzer.identifier(document.local_name);
        if local != whole && !local.is_empty() {
            add(Field::Identifier, TermId::identifier(&local));
        }
        if !whole.is_empty() {
            add(Field::Identifier, TermId::identifier(&whole));
        }

        terms.sort_unstable();
        let occurrences = terms
            .chunk_by(PartialEq::eq)
            .map(|same| {
                let (term, field) = same[0];
                let count = same.len() as u16;
                (term, Occurrence { field, count })
            })
            .collect();
        Self {
            name: document.name.into(),
            fingerprint: Fingerprint::of_name(document.local_name),
            lengths,
            occurrences,
        }
    }
}
