//! A block: the tools of [`BLOCK_SLOTS`] neighbouring slots with an inverted index of their own.
//!
//! A block never changes. A new tool costs the rewriting of its block, whatever the size of the
//! catalogue, and snapshots share all the others.

use super::bound::Highest;
use super::entry::{Lengths, Occurrence, TermId};
use super::near::Fingerprint;
use super::score::Totals;
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

/// For each term the tools that hold it.
#[derive(Debug, Default)]
pub(super) struct Postings {
    /// Ascending by term; a last one marks the end.
    pub(super) terms: Box<[Term]>,
    /// `buckets[i]` is the first term whose leading `bucket_bits` bits are at least `i`.
    pub(super) buckets: Box<[u32]>,
    pub(super) bucket_bits: u32,
    /// The tool of each posting; ascending within a term.
    pub(super) slots: Box<[u16]>,
    /// In which fields and how often, as an index into `shapes`.
    pub(super) shapes_of: Box<[u32]>,
    pub(super) shapes: Shapes,
}

/// A term of a block, where its postings start and what it counts at most. Kept side by side, so
/// that finding all that reads one place in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) id: TermId,
    pub(super) start: u32,
    pub(super) highest: Highest,
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
    /// The position of a term in `terms`, if a tool holds it. Hashes are spread evenly, so a bucket
    /// holds one or two terms.
    #[inline]
    pub(super) fn find(&self, id: TermId) -> Option<u32> {
        let bucket = bucket(id, self.bucket_bits);
        let (start, end) = (self.buckets[bucket], self.buckets[bucket + 1]);
        (start..end).find(|&at| self.terms[at as usize].id == id)
    }

    /// The postings of the term at a position of `terms`.
    #[inline]
    pub(super) fn list(&self, at: u32) -> PostingList<'_> {
        let [term, next] = [at, at + 1].map(|at| self.terms[at as usize].start as usize);
        PostingList {
            slots: &self.slots[term..next],
            shapes: &self.shapes_of[term..next],
        }
    }

    /// Finds out what terms count at most, of which that is not known.
    pub(super) fn count_highest(&mut self, lengths: &[Lengths]) {
        for at in 0..self.terms.len().saturating_sub(1) {
            if !self.terms[at].highest.is_unknown() {
                continue;
            }
            let mut highest = Highest::default();
            let list = self.list(at as u32);
            for (&slot, &shape) in list.slots.iter().zip(list.shapes) {
                highest.add(self.shapes.get(shape), &lengths[usize::from(slot)]);
            }
            self.terms[at].highest = highest;
        }
    }

    /// Each term with its postings.
    pub(super) fn lists(&self) -> impl Iterator<Item = (Term, PostingList<'_>)> {
        let count = self.terms.len().saturating_sub(1);
        (0..count).map(|at| (self.terms[at], self.list(at as u32)))
    }
}

/// The leading `bits` bits of a term, fewer than 32.
#[inline]
pub(super) fn bucket(id: TermId, bits: u32) -> usize {
    id.0.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
}
