//! Finds the best tools for a query.
//!
//! Blocks are scored one after the other, the most promising first, word by word. Once enough
//! tools are found, the score of the last of them is a threshold: a tool, or a whole block, that
//! could not reach it even with all words left is passed over. That changes no result.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use roaring::RoaringBitmap;

use super::block::{Block, PostingList};
use super::fields::RELATIVE_FLOOR;
use super::plan::{Located, Outlook, Plan, Score, from_units};
use super::scope::{Scope, ScopedBlock, Visible};
use super::slot_set::{BLOCK_SLOTS, SlotSet};

/// What to look for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Words in any language; no syntax. Untrusted: any length and any characters.
    pub text: &'a str,
    /// Most hits to return.
    pub limit: usize,
    /// Slots that hits are restricted to. Scores are not affected.
    pub filter: Option<&'a RoaringBitmap>,
}

/// A tool that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Its slot in the registry snapshot of the index.
    pub slot: u32,
    /// Comparable within one result only; above 0.
    pub score: f32,
}

pub(super) fn search(scope: &Scope, query: &Query<'_>) -> Vec<Hit> {
    let mut best = Best::new(query.limit.min(scope.tools() as usize));
    if best.limit == 0 {
        return Vec::new();
    }
    let plan = Plan::new(scope, query.text);
    let mut blocks: Vec<(Score, usize)> = (0..scope.blocks.len())
        .map(|at| (plan.bound(at), at))
        .filter(|&(bound, _)| bound > 0)
        .collect();
    blocks.sort_unstable_by_key(|&(bound, at)| (std::cmp::Reverse(bound), at));

    let mut outlook = Outlook::default();
    let mut scores = BlockScores::new();
    for (bound, at) in blocks {
        if bound < best.threshold {
            break;
        }
        plan.look(at, &mut outlook);
        let scoped = &scope.blocks[at];
        match (query.filter, &scoped.visible) {
            (None, Visible::All) => scores.block(&plan, at, &outlook, scope, None, &mut best),
            (None, Visible::Some(seen)) => {
                scores.block(&plan, at, &outlook, scope, Some(seen), &mut best);
            }
            (Some(filter), _) => {
                let wanted = SlotSet::of_bitmap(filter, scoped.first).intersection(scoped.seen());
                if !wanted.is_empty() {
                    scores.block(&plan, at, &outlook, scope, Some(&wanted), &mut best);
                }
            }
        }
    }
    best.into_hits()
}

/// Scores of the tools of one block; all 0 between blocks.
struct BlockScores {
    totals: Box<[Score; BLOCK_SLOTS]>,
    /// Tools with a total, each once.
    touched: Vec<u16>,
    /// The best alternative of the current group, so far.
    of_group: Box<[Score; BLOCK_SLOTS]>,
    touched_of_group: Vec<u16>,
    /// The highest totals of the block, the lowest of them first.
    highest: Vec<Score>,
}

/// Looking one tool up in a posting list costs about as much as reading so many postings.
const LOOKUP_COST: usize = 16;

impl BlockScores {
    fn new() -> Self {
        Self {
            totals: Box::new([0; BLOCK_SLOTS]),
            touched: Vec::with_capacity(BLOCK_SLOTS),
            of_group: Box::new([0; BLOCK_SLOTS]),
            touched_of_group: Vec::with_capacity(BLOCK_SLOTS),
            highest: Vec::new(),
        }
    }

    /// Scores the `wanted` tools of the scope's block `at`, or all of them, and offers them to `best`.
    fn block<'a>(
        &mut self,
        plan: &Plan,
        at: usize,
        outlook: &Outlook,
        scope: &'a Scope,
        wanted: Option<&SlotSet>,
        best: &mut Best<'a>,
    ) {
        let scoped: &'a ScopedBlock = &scope.blocks[at];
        let block: &'a Block = &scoped.block;
        let located = plan.located(at);
        let mut threshold = best.threshold;

        // Before, what is left could make up for any total.
        let mut worth_counting = outlook.remaining[0] / 2;
        for (&(_, group), remaining) in outlook.groups.iter().zip(outlook.remaining.windows(2)) {
            let group = &plan.groups[group];
            let (with_group, after_group) = (remaining[0], remaining[1]);
            if with_group < threshold {
                self.drop_below(threshold - with_group);
                if self.touched.is_empty() {
                    return;
                }
            }
            let alone = group.len() == 1;
            for alternative in group.clone() {
                let Some(Located { term, bound }) = located[alternative] else {
                    continue;
                };
                let list = block.postings.list(term);
                let alternative = &plan.alternatives[alternative];
                let score = |slot: u16, shape: u32| {
                    let occurrences = block.postings.shapes.get(shape);
                    let lengths = &block.lengths[usize::from(slot)];
                    alternative.score(scope.statistics.saturated_count(occurrences, lengths))
                };
                // Whether a tool that has nothing yet could come far enough.
                if bound.saturating_add(after_group) >= threshold {
                    match wanted {
                        None => self.add(list, alone, |_, _| true, score),
                        Some(wanted) => {
                            self.add(list, alone, |slot, _| wanted.contains(slot), score);
                        }
                    }
                } else if self.touched.len() * LOOKUP_COST < list.slots.len() {
                    self.look_up(list, alone, score);
                } else {
                    self.add(list, alone, |_, total| total > 0, score);
                }
            }
            self.close_group();
            // Totals only grow, so what enough tools have now is reached in the end. That takes
            // reading all totals, and tells more only when much less is left than last time.
            if after_group < worth_counting {
                threshold = threshold.max(self.reached(best.limit));
                worth_counting = after_group / 4 * 3;
            }
        }
        for slot in self.touched.drain(..) {
            let score = std::mem::take(&mut self.totals[usize::from(slot)]);
            if score >= best.threshold {
                let name = block.names.get(slot);
                let slot = scoped.first + u32::from(slot);
                best.offer(Candidate { score, name, slot });
            }
        }
    }

    /// A score that the last of the `limit` best tools of this block has at least.
    fn reached(&mut self, limit: usize) -> Score {
        if self.touched.len() < limit {
            return 0;
        }
        self.highest.clear();
        self.highest.resize(limit, 0);
        for &slot in &self.touched {
            let total = self.totals[position(slot)];
            if total > self.highest[0] {
                // Moves the lower ones down, of which the lowest falls out.
                let above = self.highest.iter().position(|&other| other >= total);
                let above = above.unwrap_or(limit);
                self.highest.copy_within(1..above, 0);
                self.highest[above - 1] = total;
            }
        }
        self.highest[0]
    }

    /// Forgets tools that have less than `least`.
    fn drop_below(&mut self, least: Score) {
        self.touched.retain(|&slot| {
            let total = &mut self.totals[usize::from(slot)];
            let stays = *total >= least;
            if !stays {
                *total = 0;
            }
            stays
        });
    }

    /// Scores all tools of `list` that are `admitted`, given their slot and total.
    #[inline]
    fn add(
        &mut self,
        list: PostingList<'_>,
        alone: bool,
        admitted: impl Fn(u16, Score) -> bool,
        score: impl Fn(u16, u32) -> Score,
    ) {
        for (&slot, &shape) in list.slots.iter().zip(list.shapes) {
            if admitted(slot, self.totals[position(slot)]) {
                self.offer(slot, alone, score(slot, shape));
            }
        }
    }

    /// Scores the tools that have a total and are in `list`.
    #[inline]
    fn look_up(&mut self, list: PostingList<'_>, alone: bool, score: impl Fn(u16, u32) -> Score) {
        for i in 0..self.touched.len() {
            let slot = self.touched[i];
            if let Ok(at) = list.slots.binary_search(&slot) {
                self.offer(slot, alone, score(slot, list.shapes[at]));
            }
        }
    }

    /// Takes the score of an alternative, which may be `alone` in its group.
    #[inline]
    fn offer(&mut self, slot: u16, alone: bool, score: Score) {
        if alone {
            self.credit(slot, score);
            return;
        }
        let best = &mut self.of_group[position(slot)];
        if *best == 0 {
            self.touched_of_group.push(slot);
        }
        *best = score.max(*best);
    }

    /// Adds the best alternatives to the totals.
    fn close_group(&mut self) {
        let mut touched = std::mem::take(&mut self.touched_of_group);
        for slot in touched.drain(..) {
            let best = std::mem::take(&mut self.of_group[position(slot)]);
            self.credit(slot, best);
        }
        self.touched_of_group = touched;
    }

    #[inline]
    fn credit(&mut self, slot: u16, score: Score) {
        let total = &mut self.totals[position(slot)];
        if *total == 0 {
            self.touched.push(slot);
        }
        *total = total.saturating_add(score);
    }
}

/// `slot` as a position in an array of a block. The remainder changes nothing but shows the
/// compiler that it is in bounds.
#[inline]
fn position(slot: u16) -> usize {
    usize::from(slot) % BLOCK_SLOTS
}

/// A scored tool. The greatest candidate is the worst one.
#[derive(PartialEq, Eq)]
struct Candidate<'a> {
    score: Score,
    name: &'a str,
    slot: u32,
}

impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.score.cmp(&self.score);
        by_score.then_with(|| self.name.cmp(other.name))
    }
}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best candidates so far.
struct Best<'a> {
    limit: usize,
    highest: Score,
    /// A lower score than this is of no interest.
    threshold: Score,
    /// The worst on top.
    candidates: BinaryHeap<Candidate<'a>>,
}

impl<'a> Best<'a> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            highest: 0,
            threshold: 0,
            candidates: BinaryHeap::new(),
        }
    }

    fn offer(&mut self, candidate: Candidate<'a>) {
        self.highest = self.highest.max(candidate.score);
        self.threshold = self.threshold.max(self.floor());
        self.candidates.push(candidate);
        if self.candidates.len() > self.limit {
            self.candidates.pop();
        }
        if self.candidates.len() == self.limit {
            let worst = self.candidates.peek().map_or(0, |worst| worst.score);
            self.threshold = self.threshold.max(worst);
        }
    }

    fn floor(&self) -> Score {
        (f64::from(self.highest) * f64::from(RELATIVE_FLOOR)) as Score
    }

    fn into_hits(self) -> Vec<Hit> {
        let floor = self.floor();
        let sorted = self.candidates.into_sorted_vec();
        let above = sorted.into_iter().filter(|c| c.score >= floor);
        above
            .map(|c| Hit {
                slot: c.slot,
                score: from_units(c.score),
            })
            .collect()
    }
}
