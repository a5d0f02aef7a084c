//! What a query asks for.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::super::entry::TermId;
use super::super::expand;
use super::{Analyzer, fold, scan::is_cjk};

/// Longest query in bytes; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 2 << 10;

/// Most groups of one query; later terms are ignored.
pub const MAX_GROUPS: usize = 512;

/// Most groups that get alternatives. A longer text says what it wants by itself, and every
/// alternative costs time.
const MAX_EXPANDED: usize = 128;

/// What a bare number counts beside a word.
const NUMBER: f32 = 0.5;

/// What a single character of a Chinese, Japanese or Korean word counts beside a pair of them. In a
/// list that is mostly English the characters of a word are rarer than the word that translates it,
/// and would outweigh it.
const SINGLE_CHARACTER: f32 = 0.5;

/// A query, ready to be scored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnalyzedQuery {
    /// One group per distinct term, in the order of first occurrence.
    pub groups: Vec<TermGroup>,
    /// The terms of all groups, one group after the other.
    pub terms: Vec<QueryTerm>,
    /// Identifiers typed as such, in the form of [`Analyzer::identifier`], each once.
    pub identifiers: Vec<String>,
}

/// A word of the query and the words that may stand for it.
#[derive(Debug, Clone, PartialEq)]
pub struct TermGroup {
    /// What the word counts: the square root of how often it occurs in the query, since a word
    /// said twice is not twice as important; half of that for a bare number, which is more often
    /// a value to pass on than part of a tool, and for a single character of a Chinese word.
    pub count: f32,
    /// Which of the query's terms: the word itself, then others. The one that scores best in a
    /// document counts, not the sum.
    pub terms: Range<usize>,
}

/// A term that a document may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// As analyzed.
    pub text: Cow<'static, str>,
    /// 1 for a word of the query, above 0 and below 1 for one that may stand for it.
    pub weight: f32,
    pub(in crate::search) id: TermId,
}

pub(super) fn analyze(analyzer: &Analyzer, text: &str) -> AnalyzedQuery {
    let text = &text[..text.floor_char_boundary(MAX_QUERY_BYTES)];
    let mut words: Vec<(f32, QueryTerm)> = Vec::new();
    let mut seen: FxHashMap<TermId, usize> = FxHashMap::default();
    analyzer.terms(text, &mut |term| {
        let id = TermId::word(term);
        if let Some(&at) = seen.get(&id) {
            words[at].0 += 1.0;
        } else if words.len() < MAX_GROUPS {
            seen.insert(id, words.len());
            let text = Cow::Owned(term.to_owned());
            let weight = 1.0;
            words.push((1.0, QueryTerm { text, weight, id }));
        }
    });
    let mut groups = Vec::with_capacity(words.len());
    let mut terms = Vec::with_capacity(4 * words.len());
    for (occurrences, word) in words {
        let start = terms.len();
        let count = occurrences.sqrt() * kind_weight(&word.text);
        let related = (groups.len() < MAX_EXPANDED).then(|| expand::related(&word.text));
        terms.push(word);
        for (text, weight) in related.into_iter().flatten() {
            let id = TermId::word(text);
            // A word that the query has anyway stands for itself only.
            if !seen.contains_key(&id) {
                let text = Cow::Borrowed(text);
                terms.push(QueryTerm { text, weight, id });
            }
        }
        groups.push(TermGroup {
            count,
            terms: start..terms.len(),
        });
    }
    AnalyzedQuery {
        groups,
        terms,
        identifiers: identifiers(analyzer, text),
    }
}

fn kind_weight(term: &str) -> f32 {
    let mut characters = term.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) if is_cjk(only) => SINGLE_CHARACTER,
        _ if term.chars().all(char::is_numeric) => NUMBER,
        _ => 1.0,
    }
}

/// Words that look like code (`get_weather`, `getWeather`, `a.b`), and a query of one word.
fn identifiers(analyzer: &Analyzer, text: &str) -> Vec<String> {
    let folded = fold::fold(text);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let mut found: Vec<String> = Vec::new();
    for word in folded.split(|c| !is_part(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() || !(looks_like_code(word) || word.len() == folded.trim().len()) {
            continue;
        }
        let key = analyzer.identifier(word);
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}

fn looks_like_code(word: &str) -> bool {
    let separated = word.contains(['_', '-', '.', '/', ':']);
    let humped = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    separated || humped
}
