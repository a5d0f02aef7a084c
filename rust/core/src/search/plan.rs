//! A query made ready for one scope: its terms, what each is worth there, and where they lie.

use std::borrow::Cow;
use std::ops::Range;

use super::analyze::Analyzer;
use super::entry::TermId;
use super::scope::Scope;
use super::score::saturate;

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
    /// Each a range of `alternatives`.
    pub(super) groups: Vec<Range<usize>>,
    pub(super) alternatives: Vec<Alternative>,
    /// The postings of each alternative, block by block of the scope.
    located: Vec<Option<Located>>,
}

/// A term that may stand for a word of the query.
pub(super) struct Alternative {
    pub(super) term: TermId,
    /// The term as analyzed.
    pub(super) text: Cow<'static, str>,
    /// What a tool that holds the term gets, times its saturated count.
    pub(super) factor: f32,
}

impl Alternative {
    pub(super) fn score(&self, saturated_count: f32) -> Score {
        // A match is never worth nothing: rankings rely on a score of 0 meaning "no match".
        to_units(self.factor * saturated_count).max(1)
    }
}

/// A term in one block.
#[derive(Clone, Copy)]
pub(super) struct Located {
    /// Its position among the terms of the block.
    pub(super) term: u32,
    /// What a tool of the block gets for it at most.
    pub(super) bound: Score,
}

/// What a tool of one block can get, at most.
#[derive(Default)]
pub(super) struct Outlook {
    /// The groups that some tool of the block may match, the most valuable first.
    pub(super) groups: Vec<(Score, usize)>,
    /// For each of them what it and all after it are worth; one more item, 0, at the end.
    pub(super) remaining: Vec<Score>,
}

impl Plan {
    pub(super) fn new(scope: &Scope, text: &str) -> Self {
        let query = Analyzer.query(text);
        let mut groups = Vec::with_capacity(query.groups.len() + query.identifiers.len());
        let mut alternatives = Vec::with_capacity(query.terms.len() + query.identifiers.len());
        let mut terms = query.terms.into_iter();
        for group in query.groups {
            let of_group = terms.by_ref().take(group.terms.len());
            alternatives.extend(of_group.map(|term| Alternative {
                term: term.id,
                text: term.text,
                factor: group.count * term.weight,
            }));
            groups.push(group.terms);
        }
        for text in query.identifiers {
            groups.push(alternatives.len()..alternatives.len() + 1);
            alternatives.push(Alternative {
                term: TermId::identifier(&text),
                text: Cow::Owned(text),
                factor: 1.0,
            });
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
                self.alternatives.iter().map(|alternative| {
                    let term = postings.find(alternative.term)?;
                    Some(Located { term, bound: 0 })
                })
            })
            .collect();
    }

    fn weigh(&mut self, scope: &Scope) {
        let terms: Vec<TermId> = self.alternatives.iter().map(|a| a.term).collect();
        let frequencies = scope.frequencies(&terms, |alternative| {
            let blocks = scope.blocks.iter().enumerate();
            blocks
                .filter_map(|(at, scoped)| {
                    let located = self.located(at)[alternative]?;
                    Some(scoped.count(scoped.block.postings.list(located.term)))
                })
                .sum()
        });
        for (alternative, frequency) in self.alternatives.iter_mut().zip(frequencies) {
            alternative.factor *= scope.statistics.inverse_frequency(frequency);
        }
        let width = self.alternatives.len().max(1);
        for (scoped, row) in scope.blocks.iter().zip(self.located.chunks_mut(width)) {
            let terms = &scoped.block.postings.terms;
            for (alternative, located) in self.alternatives.iter().zip(row) {
                if let Some(located) = located {
                    let highest = terms[located.term as usize].highest;
                    let count = highest.count(&scope.statistics.excess);
                    located.bound = alternative.score(saturate(count)) + 1;
                }
            }
        }
    }

    /// The postings of each alternative in the scope's block `at`.
    pub(super) fn located(&self, at: usize) -> &[Option<Located>] {
        let width = self.alternatives.len();
        &self.located[at * width..(at + 1) * width]
    }

    /// What a tool of the scope's block `at` gets for each group at most.
    fn bounds(&self, at: usize) -> impl Iterator<Item = Score> {
        let located = self.located(at);
        self.groups.iter().map(|group| {
            let present = located[group.clone()].iter().flatten();
            present.map(|located| located.bound).max().unwrap_or(0)
        })
    }

    /// What a tool of the scope's block `at` gets at most.
    pub(super) fn bound(&self, at: usize) -> Score {
        self.bounds(at).fold(0, Score::saturating_add)
    }

    /// Looks at the scope's block `at`.
    pub(super) fn look(&self, at: usize, outlook: &mut Outlook) {
        let Outlook { groups, remaining } = outlook;
        groups.clear();
        groups.extend(self.bounds(at).zip(0..).filter(|&(bound, _)| bound > 0));
        groups.sort_unstable_by_key(|&(bound, group)| (std::cmp::Reverse(bound), group));
        remaining.clear();
        remaining.resize(groups.len() + 1, 0);
        for (i, &(bound, _)) in groups.iter().enumerate().rev() {
            remaining[i] = remaining[i + 1].saturating_add(bound);
        }
    }
}
