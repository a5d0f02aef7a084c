//! The properties of several objects as those of one.

use std::collections::{HashMap, HashSet};

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};

/// Gives `root` the properties of all `branches`, and the names that all of them require.
pub(super) fn union_into(root: &mut Node, mut branches: Vec<Node>) {
    let closed = |node: &Node| {
        node.one(Keyword::AdditionalProperties)
            .is_some_and(|n| n.never)
    };
    let all_closed = !branches.is_empty() && branches.iter().all(closed);
    let required = required_of_all(root, &branches);
    let listed = root.has(Keyword::Properties);
    let properties = properties_of_all(root, &mut branches);
    if listed || !properties.is_empty() {
        root.put(Keyword::Properties, Part::Map(properties));
    }
    if !required.is_empty() {
        root.put(Keyword::Required, Part::Names(required));
    }
    if all_closed && !root.has(Keyword::AdditionalProperties) {
        root.put(
            Keyword::AdditionalProperties,
            Part::One(Box::new(Node::never())),
        );
    }
}

fn properties_of_all(root: &mut Node, branches: &mut [Node]) -> Vec<(String, Node)> {
    let own = match root.take(Keyword::Properties) {
        Some(Part::Map(own)) => own,
        _ => Vec::new(),
    };
    let listed = own.len();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (at, (key, _)) in own.iter().enumerate() {
        places.insert(key.clone(), at);
    }
    let mut all: Vec<(String, Either)> = own
        .into_iter()
        .map(|(key, node)| (key, Either::One(node)))
        .collect();
    for branch in branches {
        let Some(Part::Map(theirs)) = branch.take(Keyword::Properties) else {
            continue;
        };
        for (key, node) in theirs {
            match places.get(&key) {
                // Both the root and the branch restrict it; the root's word suffices.
                Some(at) if *at < listed => {}
                Some(at) => all[*at].1.or(node),
                None => {
                    places.insert(key.clone(), all.len());
                    all.push((key, Either::One(node)));
                }
            }
        }
    }
    all.into_iter()
        .map(|(key, either)| (key, either.into_node()))
        .collect()
}

/// The root's own required names, and behind them those of the first branch that all others
/// require too.
fn required_of_all(root: &Node, branches: &[Node]) -> Vec<String> {
    let mut required = root.names(Keyword::Required).to_vec();
    let Some((first, others)) = branches.split_first() else {
        return required;
    };
    let mut everywhere = first.required();
    for other in others {
        if everywhere.is_empty() {
            break;
        }
        let theirs = other.required();
        everywhere.retain(|name| theirs.contains(name));
    }
    let own: HashSet<&str> = root.required();
    let more = first
        .names(Keyword::Required)
        .iter()
        .filter(|name| everywhere.contains(name.as_str()) && !own.contains(name.as_str()));
    required.extend(more.cloned());
    required
}

/// What several schemas accept together.
enum Either {
    One(Node),
    /// Alternatives in one flat list, none of them twice.
    Several {
        branches: Vec<Node>,
        known: HashSet<Node>,
    },
}

impl Either {
    fn or(&mut self, other: Node) {
        match self {
            Self::One(one) if *one == other || one.is_any() => {}
            Self::One(one) if other.is_any() => *one = other,
            Self::One(one) => {
                let branches = match one.only_many(Keyword::AnyOf) {
                    Some(branches) => std::mem::take(branches),
                    None => vec![std::mem::take(one)],
                };
                *self = Self::Several {
                    known: branches.iter().cloned().collect(),
                    branches,
                };
                self.or(other);
            }
            Self::Several { .. } if other.is_any() => *self = Self::One(other),
            Self::Several { branches, known } => {
                let again = other.parts().len() == 1 && other.many(Keyword::AnyOf) == branches;
                if !again && known.insert(other.clone()) {
                    branches.push(other);
                }
            }
        }
    }

    fn into_node(self) -> Node {
        match self {
            Self::One(node) => node,
            Self::Several { branches, .. } => {
                let mut node = Node::default();
                node.put(Keyword::AnyOf, Part::Many(branches));
                node
            }
        }
    }
}
