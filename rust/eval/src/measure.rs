//! Runs every question of a set through an engine.

use rustc_hash::FxHashMap;

use crate::data::{Question, Set, Tool};
use crate::engine::Kind;
use crate::metrics::Figures;
use crate::report::Languages;

/// Figures of `kind` over all questions of `set`.
pub fn set(kind: Kind, set: &Set) -> Figures {
    let tools: Vec<&Tool> = set.tools.iter().collect();
    let questions: Vec<&Question> = set.questions.iter().collect();
    pool(kind, &tools, &questions)
}

/// Figures of `kind` for `questions` over the pool `tools`; gold is found in it by name.
pub fn pool(kind: Kind, tools: &[&Tool], questions: &[&Question]) -> Figures {
    let engine = kind.build(tools);
    let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, tool) in tools.iter().enumerate() {
        positions.entry(tool.name.as_str()).or_insert(at);
    }
    let figures: Vec<Figures> = questions
        .iter()
        .map(|question| {
            let gold = question.gold.iter();
            let gold: Vec<usize> = gold
                .filter_map(|name| positions.get(name.as_str()).copied())
                .collect();
            Figures::of(&engine.search(&question.query), &gold)
        })
        .collect();
    Figures::mean(&figures)
}

/// The language of most questions of the set.
pub fn language(set: &Set) -> Languages {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let chinese = set
        .questions
        .iter()
        .filter(|q| q.query.contains(is_han))
        .count();
    match chinese * 2 > set.questions.len() {
        true => Languages::Chinese,
        false => Languages::English,
    }
}
