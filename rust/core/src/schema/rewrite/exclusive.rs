//! Whether alternatives exclude each other.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::Node;
use crate::schema::types::Type;

/// Most pairs that are looked at one by one. Beyond it alternatives count as not exclusive, which
/// their note says: a server may list tens of thousands.
const MOST_PAIRS: usize = 50_000;

/// Whether no value can fit two alternatives, as far as types, constants and enums tell.
pub(super) fn exclusive(branches: &[Node]) -> bool {
    if branches.len() < 2 {
        return true;
    }
    if branches.iter().any(|b| b.reference.is_some()) {
        return false;
    }
    let (listing, others): (Vec<&Node>, Vec<&Node>) =
        branches.iter().partition(|b| !listed(b).is_empty());
    if !list_apart(&listing) {
        return false;
    }
    if others.len() > 1 && tagged_apart(&others) && listing.is_empty() {
        return true;
    }
    if others.len() * branches.len() > MOST_PAIRS {
        return false;
    }
    let others: Vec<Outline<'_>> = others.into_iter().map(Outline::of).collect();
    let listing: Vec<Outline<'_>> = listing.into_iter().map(Outline::of).collect();
    others.iter().enumerate().all(|(at, a)| {
        let behind = others[at + 1..].iter().chain(&listing);
        behind.into_iter().all(|b| a.is_apart_from(b))
    })
}

/// The values to which a constant or an enum restricts a schema; none where nothing does.
fn listed(node: &Node) -> &[Value] {
    match node.data(Keyword::Const) {
        Some(constant) => std::slice::from_ref(constant),
        None => node.values(Keyword::Enum),
    }
}

fn disjoint_types(a: &Node, b: &Node) -> bool {
    !a.types.is_any() && !b.types.is_any() && a.types.intersection(b.types).is_none()
}

/// Whether schemas that all list their values list none twice, where their types meet.
fn list_apart(nodes: &[&Node]) -> bool {
    let mut holders: HashMap<&Value, Vec<usize>> = HashMap::new();
    nodes.iter().enumerate().all(|(at, node)| {
        listed(node).iter().all(|value| {
            let before = holders.entry(value).or_default();
            if before.last() == Some(&at) {
                return true;
            }
            let apart = before.iter().all(|b| disjoint_types(nodes[*b], node));
            // As many as there are types: the others were not apart.
            before.push(at);
            apart
        })
    })
}

/// Whether one property, required by all, has other values in each, as a discriminator does.
fn tagged_apart(nodes: &[&Node]) -> bool {
    const MOST_TAGS: usize = 8;
    let Some((first, others)) = nodes.split_first() else {
        return false;
    };
    let first = tags(first);
    first.iter().take(MOST_TAGS).any(|(key, values)| {
        let mut seen: HashSet<&Value> = values.iter().collect();
        others.iter().all(|node| {
            tag(node, key).is_some_and(|values| {
                let fresh = values.iter().all(|value| !seen.contains(value));
                seen.extend(values);
                fresh
            })
        })
    })
}

/// The required properties of an object that list their values.
fn tags(node: &Node) -> Vec<(&str, &[Value])> {
    if node.types.single() != Some(Type::Object) {
        return Vec::new();
    }
    let required = node.required();
    node.map(Keyword::Properties)
        .iter()
        .filter(|(key, _)| required.contains(key.as_str()))
        .map(|(key, property)| (key.as_str(), listed(property)))
        .filter(|(_, values)| !values.is_empty())
        .collect()
}

fn tag<'n>(node: &'n Node, key: &str) -> Option<&'n [Value]> {
    if node.types.single() != Some(Type::Object)
        || !node.names(Keyword::Required).iter().any(|n| n == key)
    {
        return None;
    }
    let (_, property) = node
        .map(Keyword::Properties)
        .iter()
        .find(|(k, _)| k == key)?;
    Some(listed(property)).filter(|values| !values.is_empty())
}

/// What tells a schema from another.
struct Outline<'n> {
    node: &'n Node,
    lists: bool,
    tags: HashMap<&'n str, HashSet<&'n Value>>,
}

impl<'n> Outline<'n> {
    fn of(node: &'n Node) -> Self {
        let tags = tags(node).into_iter();
        Self {
            node,
            lists: !listed(node).is_empty(),
            tags: tags
                .map(|(key, values)| (key, values.iter().collect()))
                .collect(),
        }
    }

    /// Not for two that both list their values.
    fn is_apart_from(&self, other: &Self) -> bool {
        debug_assert!(!(self.lists && other.lists));
        if disjoint_types(self.node, other.node) {
            return true;
        }
        let (few, many) = if self.tags.len() <= other.tags.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.tags.iter().any(|(key, values)| {
            let others = many.tags.get(key);
            others.is_some_and(|others| values.is_disjoint(others))
        })
    }
}
