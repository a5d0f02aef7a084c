//! A block: the tools of [`BLOCK_SLOTS`] neighbouring slots with an inverted index of their own.
//!
//! A block never changes. A new tool costs the rewriting of its block, whatever the size of the
//! catalogue, and snapshots share all the others.

use super::entry::{Lengths, Occurrence, TermId};
use super::fields::FIELDS;
use super::near::Fingerprint;
use super::slot_set::SlotSet;

/// An immutable inverted index over the tools of one block. Slots are positions in the block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) occupied: SlotSet,
    /// Fields by slot; where no tool is, the values mean nothing.
    pub(super) names: Names,
    pub(super) fingerprints: Box<[Fingerprint]>,
    pub(super) lengths: Box<[Lengths]>,
    pub(super) totals: Totals,
    pub(super) postings: Postings,
}

/// Sums over tools, from which averages are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    pub(super) tools: u64,
    /// Tools that have the field.
    pub(super) with_field: [u64; FIELDS],
    /// Terms in the field, over all tools.
    pub(super) length: [u64; FIELDS],
}

impl Totals {
    pub(super) fn add_tool(&mut self, lengths: &Lengths) {
        self.tools += 1;
        for (field, &length) in lengths.iter().enumerate() {
            self.with_field[field] += u64::from(length > 0);
            self.length[field] += u64::from(length);
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.tools += other.tools;
        for field in 0..FIELDS {
            self.with_field[field] += other.with_field[field];
            self.length[field] += other.length[field];
        }
    }
}

/// Names one after the other.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) text: Box<str>,
    /// Where the name of each slot ends.
    pub(super) ends: Box<[u32]>,
}

impl Names {
    pub(super) fn get(&self, slot: u16) -> &str {
        let slot = usize::from(slot);
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[slot] as usize]
    }
}

/// For each term the tools that hold it, in parallel arrays.
#[derive(Debug, Default)]
pub(super) struct Postings {
    /// Ascending.
    pub(super) terms: Box<[TermId]>,
    /// Where the postings of each term start; one more at the end.
    pub(super) starts: Box<[u32]>,
    /// The tool of each posting; ascending within a term.
    pub(super) slots: Box<[u16]>,
    /// In which fields and how often, as an index into `shapes`.
    pub(super) shapes_of: Box<[u32]>,
    pub(super) shapes: Shapes,
    /// `buckets[i]` is the first term whose leading `bucket_bits` bits are at least `i`.
    pub(super) buckets: Box<[u32]>,
    pub(super) bucket_bits: u32,
}

/// The distinct ways in which a term occurs in a tool ("once in the name, twice in the
/// description"). Most postings share a few hundred of them.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) starts: Box<[u32]>,
    pub(super) occurrences: Box<[Occurrence]>,
}

impl Shapes {
    #[inline]
    pub(super) fn get(&self, shape: u32) -> &[Occurrence] {
        let shape = shape as usize;
        &self.occurrences[self.starts[shape] as usize..self.starts[shape + 1] as usize]
    }
}

/// The postings of one term in one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct PostingList<'a> {
    pub(super) slots: &'a [u16],
    pub(super) shapes: &'a [u32],
}

impl Postings {
    /// Where the postings of `term` lie; empty if no tool holds it. Hashes are spread evenly, so
    /// a bucket holds one or two terms.
    #[inline]
    pub(super) fn find(&self, term: TermId) -> (u32, u32) {
        let bucket = term.0.checked_shr(64 - self.bucket_bits).unwrap_or(0) as usize;
        let range = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        for at in range {
            if self.terms[at] == term {
                return (self.starts[at], self.starts[at + 1]);
            }
        }
        (0, 0)
    }

    #[inline]
    pub(super) fn list(&self, (start, end): (u32, u32)) -> PostingList<'_> {
        let range = start as usize..end as usize;
        PostingList {
            slots: &self.slots[range.clone()],
            shapes: &self.shapes_of[range],
        }
    }
}
