//! A query made ready for one scope: its terms, what each is worth there, and where they lie.

use super::analyze::Analyzer;
use super::entry::TermId;
use super::scope::Scope;
use super::score::MAX_SATURATION;

/// Scores are sums of whole units, so that no order of addition, and with it no order of tools,
/// blocks or words, can change a score in its last bit.
pub(super) const UNITS: f32 = 65_536.0;

/// A score in units of 1/[`UNITS`].
pub(super) type Score = u32;

pub(super) fn to_units(score: f32) -> Score {
    (score * UNITS + 0.5) as Score
}

pub(super) fn from_units(score: Score) -> f32 {
    score as f32 / UNITS
}

/// A query in one scope.
pub(super) struct Plan {
    /// Each a range of `alternatives`, the most valuable group first.
    pub(super) groups: Vec<std::ops::Range<usize>>,
    pub(super) alternatives: Vec<Alternative>,
    /// Where the postings of each alternative lie, block by block of the scope.
    located: Vec<Option<u32>>,
}

/// A term that may stand for a word of the query.
pub(super) struct Alternative {
    pub(super) term: TermId,
    /// The term as analyzed.
    pub(super) text: String,
    /// What a tool that holds the term gets, times its saturated count.
    pub(super) factor: f32,
}

impl Alternative {
    /// What a tool gets at most.
    pub(super) fn bound(&self) -> Score {
        to_units(self.factor * MAX_SATURATION) + 1
    }

    pub(super) fn score(&self, saturated_count: f32) -> Score {
        // A match is never worth nothing: rankings rely on a score of 0 meaning "no match".
        to_units(self.factor * saturated_count).max(1)
    }
}

impl Plan {
    pub(super) fn new(scope: &Scope, text: &str) -> Self {
        let query = Analyzer.query(text);
        let mut groups = Vec::new();
        let mut alternatives = Vec::new();
        for group in query.groups {
            let start = alternatives.len();
            alternatives.extend(
                group
                    .alternatives
                    .into_iter()
                    .map(|(text, weight)| Alternative {
                        term: TermId::word(&text),
                        text,
                        factor: group.count * weight,
                    }),
            );
            groups.push(start..alternatives.len());
        }
        for text in query.identifiers {
            let start = alternatives.len();
            alternatives.push(Alternative {
                term: TermId::identifier(&text),
                text,
                factor: 1.0,
            });
            groups.push(start..alternatives.len());
        }
        let mut plan = Self {
            groups,
            alternatives,
            located: Vec::new(),
        };
        plan.locate(scope);
        plan.weigh(scope);
        plan
    }

    fn locate(&mut self, scope: &Scope) {
        self.located = scope
            .blocks
            .iter()
            .flat_map(|scoped| {
                let postings = &scoped.block.postings;
                self.alternatives.iter().map(|a| postings.find(a.term))
            })
            .collect();
    }

    fn weigh(&mut self, scope: &Scope) {
        let terms: Vec<TermId> = self.alternatives.iter().map(|a| a.term).collect();
        let frequencies = scope.frequencies(&terms, |alternative| {
            let blocks = scope.blocks.iter().enumerate();
            blocks
                .filter_map(|(at, scoped)| {
                    let term = self.located(at)[alternative]?;
                    Some(scoped.count(scoped.block.postings.list(term)))
                })
                .sum()
        });
        for (alternative, frequency) in self.alternatives.iter_mut().zip(frequencies) {
            alternative.factor *= scope.statistics.inverse_frequency(frequency);
        }
        let bound = |group: &std::ops::Range<usize>| {
            let alternatives = &self.alternatives[group.clone()];
            alternatives.iter().map(Alternative::bound).max()
        };
        self.groups
            .sort_by_key(|group| std::cmp::Reverse(bound(group)));
    }

    /// Where the postings of each alternative lie in the scope's block `at`.
    pub(super) fn located(&self, at: usize) -> &[Option<u32>] {
        let width = self.alternatives.len();
        &self.located[at * width..(at + 1) * width]
    }

    /// For each group, what a tool of the scope's block `at` can get from it and all groups after
    /// it, at most; one more item, 0, at the end.
    pub(super) fn remaining(&self, at: usize) -> Vec<Score> {
        let located = self.located(at);
        let mut remaining: Vec<Score> = vec![0; self.groups.len() + 1];
        for (i, group) in self.groups.iter().enumerate().rev() {
            let present = group.clone().filter(|&a| located[a].is_some());
            let best = present.map(|a| self.alternatives[a].bound()).max();
            remaining[i] = best.unwrap_or(0).saturating_add(remaining[i + 1]);
        }
        remaining
    }
}
