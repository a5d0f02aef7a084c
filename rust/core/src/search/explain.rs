//! Where a score comes from.

use super::fields::Field;
use super::plan::{Plan, from_units};
use super::scope::Scope;

/// The parts of one tool's score.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explanation {
    /// The score as a search gives it; 0 if the tool does not match or is not in the scope.
    pub score: f32,
    /// What adds up to the score, the largest first.
    pub contributions: Vec<Contribution>,
}

/// What one term in one field adds to a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// Where the term was found.
    pub field: Field,
    /// The term as analyzed (stemmed, folded), which may be an alternative of a word of the query.
    pub term: String,
    /// Its part of the score.
    pub score: f32,
}

pub(super) fn explain(scope: &Scope, text: &str, slot: u32) -> Explanation {
    let Some((scoped, slot)) = scope.locate(slot) else {
        return Explanation::default();
    };
    let postings = &scoped.block.postings;
    let lengths = &scoped.block.lengths[usize::from(slot)];
    let plan = Plan::new(scope, text);
    let mut score = 0;
    let mut contributions = Vec::new();
    for group in &plan.groups {
        let matching = plan.alternatives[group.clone()]
            .iter()
            .filter_map(|alternative| {
                let list = postings.list(postings.find(alternative.term)?);
                let at = list.slots.binary_search(&slot).ok()?;
                let occurrences = postings.shapes.get(list.shapes[at]);
                let count = scope.statistics.saturated_count(occurrences, lengths);
                Some((alternative.score(count), alternative, occurrences))
            });
        let Some((best, alternative, occurrences)) = matching.max_by_key(|found| found.0) else {
            continue;
        };
        score += best;
        let count = scope.statistics.weighted_count(occurrences, lengths);
        for occurrence in occurrences {
            let alone = std::slice::from_ref(occurrence);
            let part = scope.statistics.weighted_count(alone, lengths) / count;
            contributions.push(Contribution {
                field: occurrence.field,
                term: alternative.text.clone().into_owned(),
                score: from_units(best) * part,
            });
        }
    }
    contributions.sort_by(|a, b| b.score.total_cmp(&a.score));
    Explanation {
        score: from_units(score),
        contributions,
    }
}
