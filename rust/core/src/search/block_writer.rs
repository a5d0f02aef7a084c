//! Writes a new block from an old one and changes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::block::{Block, Names, Postings, Shapes, Term, bucket};
use super::bound::Highest;
use super::entry::{Entry, Lengths, Occurrence, TermId};
use super::fields::FIELDS;
use super::near::Fingerprint;
use super::score::Totals;
use super::slot_set::SlotSet;

/// What becomes of slots: a new tool, or none.
pub(super) type Changes = BTreeMap<u16, Option<Box<Entry>>>;

/// `old` with `changes`; `None` if no tool is left. Tools without a change are copied, not read
/// again.
pub(super) fn rewrite(old: Option<&Block>, changes: &Changes) -> Option<Block> {
    let mut occupied = SlotSet::empty();
    let (mut text, mut ends) = (String::new(), Vec::new());
    let (mut fingerprints, mut lengths) = (Vec::new(), Vec::new());
    let mut totals = Totals::default();

    for (slot, tool) in tools(old, changes) {
        let rows = usize::from(slot);
        ends.resize(rows, text.len() as u32);
        fingerprints.resize(rows, Fingerprint::default());
        lengths.resize(rows, [0; FIELDS]);
        occupied.insert(slot);
        text.push_str(tool.name);
        ends.push(text.len() as u32);
        fingerprints.push(tool.fingerprint);
        lengths.push(*tool.lengths);
        totals.add_tool(tool.lengths);
    }
    if totals.tools == 0 {
        return None;
    }
    let postings = merge(old.map(|block| &block.postings), changes, &lengths);
    Some(Block {
        occupied,
        names: Names {
            text: text.into(),
            ends: ends.into(),
        },
        fingerprints: fingerprints.into(),
        lengths: lengths.into(),
        totals,
        postings,
    })
}

struct Row<'a> {
    name: &'a str,
    fingerprint: Fingerprint,
    lengths: &'a Lengths,
}

/// The tools of the new block, by slot.
fn tools<'a>(
    old: Option<&'a Block>,
    changes: &'a Changes,
) -> impl Iterator<Item = (u16, Row<'a>)> + 'a {
    let kept = old.into_iter().flat_map(move |block| {
        let unchanged = move |slot: &u16| !changes.contains_key(slot);
        block.occupied.iter().filter(unchanged).map(move |slot| {
            let row = Row {
                name: block.names.get(slot),
                fingerprint: block.fingerprints[usize::from(slot)],
                lengths: &block.lengths[usize::from(slot)],
            };
            (slot, row)
        })
    });
    let added = changes.iter().filter_map(|(&slot, entry)| {
        let entry = entry.as_deref()?;
        let row = Row {
            name: &entry.name,
            fingerprint: entry.fingerprint,
            lengths: &entry.lengths,
        };
        Some((slot, row))
    });
    merged(kept, added, |(slot, _)| *slot)
}

/// Merges two sequences that ascend by `key`; `a` goes first where keys are equal.
fn merged<T, K: Ord>(
    a: impl Iterator<Item = T>,
    b: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> impl Iterator<Item = T> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(x), Some(y)) if key(x) > key(y) => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    })
}

/// A term, the new tool that holds it, and its occurrences there.
type NewPosting<'a> = (TermId, u16, &'a [(TermId, Occurrence)]);

fn merge(old: Option<&Postings>, changes: &Changes, lengths: &[Lengths]) -> Postings {
    let mut changed = SlotSet::empty();
    let mut added: Vec<NewPosting<'_>> = Vec::new();
    for (&slot, entry) in changes {
        changed.insert(slot);
        if let Some(entry) = entry {
            let by_term = entry.occurrences.chunk_by(|a, b| a.0 == b.0);
            added.extend(by_term.map(|same| (same[0].0, slot, same)));
        }
    }
    added.sort_unstable_by_key(|&(term, slot, _)| (term, slot));

    let mut writer = Writer::with_capacity(old.map_or(0, |o| o.slots.len()) + added.len());
    let mut added = added.into_iter().peekable();
    let empty = Postings::default();
    let old = old.unwrap_or(&empty);
    let mut new_shape = vec![None; old.shapes.starts.len()];
    for (old_term, list) in old.lists() {
        let term = old_term.id;
        let mut as_before = true;
        while let Some((term, slot, same)) = added.next_if(|&(new, ..)| new < term) {
            writer.push_new(term, slot, same);
        }
        for (&slot, &shape) in list.slots.iter().zip(list.shapes) {
            while let Some((term, slot, same)) =
                added.next_if(|&(new, new_slot, _)| new == term && new_slot < slot)
            {
                as_before = false;
                writer.push_new(term, slot, same);
            }
            if changed.contains(slot) {
                as_before = false;
                continue;
            }
            let shape = *new_shape[shape as usize]
                .get_or_insert_with(|| writer.shape(old.shapes.get(shape)));
            writer.push(term, slot, shape);
        }
        if as_before {
            writer.set_highest(old_term.highest);
        }
    }
    for (term, slot, same) in added {
        writer.push_new(term, slot, same);
    }
    writer.finish(lengths)
}

/// Takes postings in the order (term, slot).
#[derive(Default)]
struct Writer {
    terms: Vec<Term>,
    slots: Vec<u16>,
    shapes_of: Vec<u32>,
    shapes: FxHashMap<Box<[Occurrence]>, u32>,
    shape_starts: Vec<u32>,
    shape_occurrences: Vec<Occurrence>,
}

impl Writer {
    fn with_capacity(postings: usize) -> Self {
        Self {
            slots: Vec::with_capacity(postings),
            shapes_of: Vec::with_capacity(postings),
            ..Self::default()
        }
    }

    fn push_new(&mut self, term: TermId, slot: u16, same: &[(TermId, Occurrence)]) {
        let occurrences: Vec<Occurrence> = same.iter().map(|&(_, occurrence)| occurrence).collect();
        let shape = self.shape(&occurrences);
        self.push(term, slot, shape);
        self.set_highest(Highest::default());
    }

    fn push(&mut self, term: TermId, slot: u16, shape: u32) {
        if self.terms.last().is_none_or(|last| last.id != term) {
            self.start(term);
        }
        self.slots.push(slot);
        self.shapes_of.push(shape);
    }

    fn start(&mut self, id: TermId) {
        let start = self.slots.len() as u32;
        let highest = Highest::default();
        self.terms.push(Term { id, start, highest });
    }

    /// Of the term that was written last; it is counted in the end where it is not known.
    fn set_highest(&mut self, highest: Highest) {
        if let Some(term) = self.terms.last_mut() {
            term.highest = highest;
        }
    }

    /// The number of a shape, which is new if it was not seen before.
    fn shape(&mut self, occurrences: &[Occurrence]) -> u32 {
        if let Some(&shape) = self.shapes.get(occurrences) {
            return shape;
        }
        let shape = self.shape_starts.len() as u32;
        self.shape_starts.push(self.shape_occurrences.len() as u32);
        self.shape_occurrences.extend_from_slice(occurrences);
        self.shapes.insert(occurrences.into(), shape);
        shape
    }

    fn finish(mut self, lengths: &[Lengths]) -> Postings {
        let bucket_bits = (self.terms.len() / 2).max(1).ilog2();
        let mut buckets = vec![0; (1 << bucket_bits) + 1];
        for term in &self.terms {
            buckets[bucket(term.id, bucket_bits) + 1] += 1;
        }
        for i in 1..buckets.len() {
            buckets[i] += buckets[i - 1];
        }
        self.start(TermId(u64::MAX));
        self.shape_starts.push(self.shape_occurrences.len() as u32);
        let mut postings = Postings {
            terms: self.terms.into(),
            buckets: buckets.into(),
            bucket_bits,
            slots: self.slots.into(),
            shapes_of: self.shapes_of.into(),
            shapes: Shapes {
                starts: self.shape_starts.into(),
                occurrences: self.shape_occurrences.into(),
            },
        };
        postings.count_highest(lengths);
        postings
    }
}
