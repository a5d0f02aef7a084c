//! What happens to a set when unrelated real tools are mixed in.

use rustc_hash::FxHashSet;

use crate::data::{Set, Tool};
use crate::engine::Kind;
use crate::measure;
use crate::metrics::Figures;

/// The sets measured: two English, one Chinese, one of real MCP servers.
pub const SETS: [&str; 4] = ["metatool", "seal-tools", "acebench-zh", "livemcpbench"];

/// Tools mixed in; the last step is all there are.
const STEPS: [usize; 5] = [0, 10_000, 50_000, 100_000, usize::MAX];

/// Questions asked of each set, spread evenly over it.
const MAX_QUESTIONS: usize = 400;

/// Figures of one set with a number of unrelated tools in the pool.
pub struct Row {
    pub set: String,
    pub added: usize,
    pub figures: Figures,
}

/// Measures `set` with more and more of the `catalogue`.
pub fn rows(set: &Set, catalogue: &[Tool]) -> Vec<Row> {
    let names: FxHashSet<&str> = set.tools.iter().map(|tool| tool.name.as_str()).collect();
    let texts: FxHashSet<&str> = set
        .tools
        .iter()
        .map(|tool| tool.description.as_str())
        .collect();
    let is_unrelated = |tool: &&Tool| {
        !names.contains(tool.name.as_str())
            && (tool.description.is_empty() || !texts.contains(tool.description.as_str()))
    };
    let unrelated: Vec<&Tool> = catalogue.iter().filter(is_unrelated).collect();
    let questions = spread(&set.questions, MAX_QUESTIONS);
    let mut rows = Vec::new();
    for step in STEPS {
        let added = spread(&unrelated, step);
        if step != usize::MAX && step > unrelated.len() {
            continue;
        }
        let pool: Vec<&Tool> = set
            .tools
            .iter()
            .chain(added.iter().map(|tool| **tool))
            .collect();
        let figures = measure::pool(Kind::Toolcrib, &pool, &questions);
        rows.push(Row {
            set: set.name.clone(),
            added: added.len(),
            figures,
        });
    }
    rows
}

/// At most `most` items, evenly spread.
fn spread<T>(items: &[T], most: usize) -> Vec<&T> {
    let taken = items.len().min(most);
    (0..taken)
        .map(|i| &items[i * items.len() / taken])
        .collect()
}
