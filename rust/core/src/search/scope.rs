//! What one caller's search sees: the tools of the view, and statistics counted over them alone.

use std::sync::{Arc, PoisonError, RwLock};

use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use super::block::{Block, PostingList};
use super::entry::TermId;
use super::index::SearchIndex;
use super::score::{Statistics, Totals};
use super::slot_set::SlotSet;

/// Most document frequencies kept by one scope.
const CACHED_FREQUENCIES: usize = 4_096;

/// The tools of one view in one [`SearchIndex`], with their statistics.
///
/// Made once per view and shared by all searches on it; costs one bit per slot of each block that
/// the view sees in part. Nothing in it depends on a tool outside the view.
#[derive(Debug)]
pub struct Scope {
    pub(super) blocks: Vec<ScopedBlock>,
    pub(super) statistics: Statistics,
    frequencies: RwLock<FxHashMap<TermId, u32>>,
}

/// A block of which the view sees at least one tool.
#[derive(Debug)]
pub(super) struct ScopedBlock {
    /// The slot of the block's first position.
    pub(super) first: u32,
    pub(super) block: Arc<Block>,
    pub(super) visible: Visible,
}

/// Which tools of a block the view sees.
#[derive(Debug)]
pub(super) enum Visible {
    All,
    Some(Box<SlotSet>),
}

impl Scope {
    pub(super) fn new(index: &SearchIndex, view: &RoaringBitmap) -> Self {
        let mut totals = Totals::default();
        let mut blocks = Vec::new();
        for (first, block) in index.blocks() {
            let seen = SlotSet::of_bitmap(view, first).intersection(&block.occupied);
            if seen.is_empty() {
                continue;
            }
            let visible = if seen == block.occupied {
                totals.add(&block.totals);
                Visible::All
            } else {
                for slot in seen.iter() {
                    totals.add_tool(&block.lengths[usize::from(slot)]);
                }
                Visible::Some(Box::new(seen))
            };
            blocks.push(ScopedBlock {
                first,
                block: Arc::clone(block),
                visible,
            });
        }
        Self {
            blocks,
            statistics: Statistics::new(&totals),
            frequencies: RwLock::default(),
        }
    }

    /// How many tools of the view are searched.
    #[must_use]
    pub fn tools(&self) -> u64 {
        self.statistics.tools
    }

    /// How many tools of the view hold each of `terms`. Counted at most once per term, as long as
    /// the cache has room.
    pub(super) fn frequencies(&self, terms: &[TermId], count: impl Fn(usize) -> u32) -> Vec<u32> {
        let known: Vec<Option<u32>> = {
            let cache = self
                .frequencies
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            terms.iter().map(|term| cache.get(term).copied()).collect()
        };
        if known.iter().all(Option::is_some) {
            return known.into_iter().flatten().collect();
        }
        let frequencies: Vec<u32> = known
            .into_iter()
            .enumerate()
            .map(|(i, known)| known.unwrap_or_else(|| count(i)))
            .collect();
        let mut cache = self
            .frequencies
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if cache.len() + terms.len() > CACHED_FREQUENCIES {
            cache.clear();
        }
        cache.extend(terms.iter().copied().zip(frequencies.iter().copied()));
        frequencies
    }

    /// The block of `slot` and the position in it, if the view sees a tool there.
    pub(super) fn locate(&self, slot: u32) -> Option<(&ScopedBlock, u16)> {
        let at = self
            .blocks
            .partition_point(|b| b.first <= slot)
            .checked_sub(1)?;
        let scoped = &self.blocks[at];
        let position = u16::try_from(slot - scoped.first).ok()?;
        scoped.visible(position).then_some((scoped, position))
    }
}

impl ScopedBlock {
    /// Whether the view sees a tool at `slot` of this block.
    pub(super) fn visible(&self, slot: u16) -> bool {
        usize::from(slot) < super::slot_set::BLOCK_SLOTS && self.seen().contains(slot)
    }

    /// The tools of this block that the view sees.
    pub(super) fn seen(&self) -> &SlotSet {
        match &self.visible {
            Visible::All => &self.block.occupied,
            Visible::Some(seen) => seen,
        }
    }

    /// How many tools of `list` the view sees.
    pub(super) fn count(&self, list: PostingList<'_>) -> u32 {
        match &self.visible {
            Visible::All => list.slots.len() as u32,
            Visible::Some(seen) => list
                .slots
                .iter()
                .map(|&s| u32::from(seen.contains(s)))
                .sum(),
        }
    }
}
