//! Listed values.

use std::collections::HashSet;

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};

/// Drops what is not among `theirs`.
pub(super) fn keep_shared(ours: &mut Vec<Value>, theirs: &[Value]) {
    let theirs: HashSet<&Value> = theirs.iter().collect();
    ours.retain(|value| theirs.contains(value));
}

/// Appends those of `theirs` that are not among `ours`.
pub(super) fn unite(ours: &mut Vec<Value>, theirs: Vec<Value>) {
    let known: HashSet<&Value> = ours.iter().collect();
    let fresh: Vec<Value> = theirs
        .into_iter()
        .filter(|value| !known.contains(value))
        .collect();
    ours.extend(fresh);
}

/// Listed values that the merged types exclude can go; none left means no value.
pub(super) fn narrow(node: &mut Node) {
    let types = node.types;
    if let Some(constant) = node.data(Keyword::Const)
        && !types.admits(constant)
    {
        *node = Node::never();
        return;
    }
    let Some(Part::Data(Value::Array(values))) = node.get_mut(Keyword::Enum) else {
        return;
    };
    values.retain(|value| types.admits(value));
    if values.is_empty() {
        *node = Node::never();
    }
}
