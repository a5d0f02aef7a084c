use std::cell::Cell;

use serde_json::Value;

use crate::schema::node::{Node, Part};

/// Most work of one conversion for one target, over all depths that are tried. One unit is one
/// schema, listed value or name, or [`TEXT`] bytes of text, looked at or copied once. The largest
/// of the hard schemas of `docs/schema-conversion.md` takes 66,000 for all depths together; a
/// schema made to take all of it holds its thread for less than a second in a release build. What
/// stops here is declared in a shorter form, and a note says so.
pub(super) const MAX_WORK: usize = 1_000_000;
/// What is set aside for each of the short forms that are tried once [`MAX_WORK`] is spent.
pub(super) const SHORT_FORM_WORK: usize = MAX_WORK / 2;
/// Bytes of text that count as one unit.
const TEXT: usize = 64;

/// What is left to spend. A count, not a clock: equal schemas end at the same place everywhere.
#[derive(Debug)]
pub(super) struct Work(Cell<usize>);

impl Work {
    pub(super) fn new(most: usize) -> Self {
        Self(Cell::new(most))
    }

    /// Takes `amount` off. Whoever walks a schema asks [`Self::is_spent`] at every step of it.
    pub(super) fn spend(&self, amount: usize) {
        self.0.set(self.0.get().saturating_sub(amount));
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// The work of copying `node` with everything below it.
pub(super) fn whole(node: &Node) -> usize {
    own(node)
        + node
            .children()
            .map(|(_, child)| whole(child))
            .sum::<usize>()
}

/// The work of copying `node` without the schemas below it.
pub(super) fn own(node: &Node) -> usize {
    let parts = node.parts().iter().map(|(_, part)| match part {
        Part::Data(value) => data(value),
        Part::Names(names) => names.iter().map(|name| text(name)).sum(),
        Part::Map(map) => map.iter().map(|(key, _)| key.len() / TEXT).sum(),
        Part::One(_) | Part::Many(_) => 0,
    });
    1 + parts.sum::<usize>()
}

fn data(value: &Value) -> usize {
    match value {
        Value::String(it) => text(it),
        Value::Array(items) => 1 + items.iter().map(data).sum::<usize>(),
        Value::Object(map) => {
            1 + map
                .iter()
                .map(|(key, value)| text(key) + data(value))
                .sum::<usize>()
        }
        _ => 1,
    }
}

fn text(text: &str) -> usize {
    1 + text.len() / TEXT
}
