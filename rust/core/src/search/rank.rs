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
use super::plan::{Alternative, Plan, Score, from_units};
use super::scope::{Scope, ScopedBlock, Statistics, saturate};
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
        .map(|at| (plan.remaining(at)[0], at))
        .filter(|&(bound, _)| bound > 0)
        .collect();
    blocks.sort_unstable_by_key(|&(bound, at)| (std::cmp::Reverse(bound), at));

    let mut scores = BlockScores::new();
    for (bound, at) in blocks {
        if bound < best.threshold() {
            break;
        }
        let scoped = &scope.blocks[at];
        match query.filter {
            None => scores.block(&plan, at, scope, scoped.seen(), &mut best),
            Some(filter) => {
                let wanted = SlotSet::of_bitmap(filter, scoped.first).intersection(scoped.seen());
                if !wanted.is_empty() {
                    scores.block(&plan, at, scope, &wanted, &mut best);
                }
            }
        }
    }
    best.into_hits()
}

impl Plan {
    /// For each group, what a tool of the block can get from it and all groups after it, at most.
    /// One more item, 0, at the end.
    fn remaining(&self, at: usize) -> Vec<Score> {
        let located = self.located(at);
        let mut remaining = vec![0; self.groups.len() + 1];
        for (i, group) in self.groups.iter().enumerate().rev() {
            let present = group.clone().filter(|&a| located[a].0 < located[a].1);
            let bound = present.map(|a| self.alternatives[a].bound()).max();
            remaining[i] = bound.unwrap_or(0).saturating_add(remaining[i + 1]);
        }
        remaining
    }
}

/// Scores of the tools of one block; all 0 between blocks.
struct BlockScores {
    totals: Box<[Score]>,
    /// Tools with a score, each once.
    touched: Vec<u16>,
    /// The best alternative of the current group, so far.
    of_group: Box<[Score]>,
    touched_of_group: Vec<u16>,
}

impl BlockScores {
    fn new() -> Self {
        Self {
            totals: vec![0; BLOCK_SLOTS].into(),
            touched: Vec::new(),
            of_group: vec![0; BLOCK_SLOTS].into(),
            touched_of_group: Vec::new(),
        }
    }

    /// Scores the `wanted` tools of the scope's block `at` and offers them to `best`.
    fn block<'a>(
        &mut self,
        plan: &Plan,
        at: usize,
        scope: &'a Scope,
        wanted: &SlotSet,
        best: &mut Best<'a>,
    ) {
        let scoped: &'a ScopedBlock = &scope.blocks[at];
        let block: &'a Block = &scoped.block;
        let located = plan.located(at);
        let remaining = plan.remaining(at);
        let threshold = best.threshold();

        for (group, &remaining) in plan.groups.iter().zip(&remaining) {
            for alternative in group.clone() {
                let list = block.postings.list(located[alternative]);
                let alternative = &plan.alternatives[alternative];
                let reaches = |total: Score| total.saturating_add(remaining) >= threshold;
                self.alternative(block, &scope.statistics, alternative, list, wanted, reaches);
            }
            for slot in self.touched_of_group.drain(..) {
                let slot_index = usize::from(slot);
                if self.totals[slot_index] == 0 {
                    self.touched.push(slot);
                }
                let of_group = std::mem::take(&mut self.of_group[slot_index]);
                self.totals[slot_index] = self.totals[slot_index].saturating_add(of_group);
            }
        }
        for slot in self.touched.drain(..) {
            let score = std::mem::take(&mut self.totals[usize::from(slot)]);
            if score >= threshold {
                let name = block.names.get(slot);
                let slot = scoped.first + u32::from(slot);
                best.offer(Candidate { score, name, slot });
            }
        }
    }

    #[inline]
    fn alternative(
        &mut self,
        block: &Block,
        statistics: &Statistics,
        alternative: &Alternative,
        list: PostingList<'_>,
        wanted: &SlotSet,
        reaches: impl Fn(Score) -> bool,
    ) {
        for (&slot, &shape) in list.slots.iter().zip(list.shapes) {
            let at = usize::from(slot);
            if !reaches(self.totals[at]) || !wanted.contains(slot) {
                continue;
            }
            let occurrences = block.postings.shapes.get(shape);
            let count = statistics.weighted_count(occurrences, &block.lengths[at]);
            let score = alternative.score(saturate(count));
            if self.of_group[at] == 0 {
                self.touched_of_group.push(slot);
            }
            self.of_group[at] = self.of_group[at].max(score);
        }
    }
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
    /// The worst on top.
    candidates: BinaryHeap<Candidate<'a>>,
}

impl<'a> Best<'a> {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            highest: 0,
            candidates: BinaryHeap::new(),
        }
    }

    /// A lower score than this is of no interest.
    fn threshold(&self) -> Score {
        let floor = (f64::from(self.highest) * f64::from(RELATIVE_FLOOR)) as Score;
        match self.candidates.peek() {
            Some(worst) if self.candidates.len() == self.limit => worst.score.max(floor),
            _ => floor,
        }
    }

    fn offer(&mut self, candidate: Candidate<'a>) {
        self.highest = self.highest.max(candidate.score);
        self.candidates.push(candidate);
        if self.candidates.len() > self.limit {
            self.candidates.pop();
        }
    }

    fn into_hits(self) -> Vec<Hit> {
        let floor = (f64::from(self.highest) * f64::from(RELATIVE_FLOOR)) as Score;
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
