//! References that lead back to themselves without going into a part of the value. They say nothing
//! and would send a validator or a rewrite around forever.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Definitions, Node};
use crate::schema::note::Effect;
use crate::schema::read::Document;
use crate::schema::simplify::simplify;

/// Longest chain of definitions that apply to one and the same value.
const MAX_CHAIN: usize = 32;

/// Removes every reference that closes such a circle or makes a chain too long.
pub(super) fn cut(document: &mut Document) {
    let index: HashMap<Arc<str>, usize> = document
        .definitions
        .iter()
        .enumerate()
        .map(|(i, (name, _))| (name.clone(), i))
        .collect();
    let edges: Vec<Vec<usize>> = document
        .definitions
        .iter()
        .map(|(_, node)| {
            let mut found = Vec::new();
            in_place_references(node, &mut |name| found.extend(index.get(name)));
            found
        })
        .collect();
    let broken = broken_edges(&edges);
    // A definition is walked once, however many of its references have to go.
    let mut targets: BTreeMap<usize, HashSet<Arc<str>>> = BTreeMap::new();
    for (from, to) in broken {
        let target = document.definitions[to].0.clone();
        document.notes.jump("");
        document.notes.add(
            "$ref",
            "refers back to itself without going into the value",
            Effect::Rewritten,
        );
        targets.entry(from).or_default().insert(target);
    }
    for (from, targets) in targets {
        remove_references(&mut document.definitions[from].1, &targets);
    }
}

/// Edges whose removal leaves no circle and no chain above [`MAX_CHAIN`]. Without recursion: a
/// document may hold a chain of many thousand definitions.
fn broken_edges(edges: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut broken = Vec::new();
    // 0: not seen, usize::MAX: on the stack, otherwise the length of the longest chain from here.
    let mut height = vec![0usize; edges.len()];
    for start in 0..edges.len() {
        if height[start] != 0 {
            continue;
        }
        height[start] = usize::MAX;
        let mut stack = vec![(start, 0usize, 1usize)];
        while let Some((at, next, longest)) = stack.pop() {
            let Some(&to) = edges[at].get(next) else {
                height[at] = longest;
                continue;
            };
            match height[to] {
                0 => {
                    // Come back to this very edge once `to` is done.
                    stack.push((at, next, longest));
                    height[to] = usize::MAX;
                    stack.push((to, 0, 1));
                }
                known if known >= MAX_CHAIN => {
                    broken.push((at, to));
                    stack.push((at, next + 1, longest));
                }
                known => stack.push((at, next + 1, longest.max(known + 1))),
            }
        }
    }
    broken
}

fn in_place_references(node: &Node, found: &mut impl FnMut(&Arc<str>)) {
    if let Some(name) = &node.reference {
        found(name);
    }
    for (keyword, child) in node.children() {
        if keyword.is_in_place() {
            in_place_references(child, found);
        }
    }
}

fn remove_references(node: &mut Node, targets: &HashSet<Arc<str>>) {
    if node
        .reference
        .as_ref()
        .is_some_and(|name| targets.contains(name))
    {
        node.reference = None;
    }
    for (keyword, child) in node.children_mut() {
        if keyword.is_in_place() {
            remove_references(child, targets);
        }
    }
    simplify(node);
}

/// How definitions lead back to themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recursion {
    None,
    /// Only by way of a property that may be absent.
    Optional,
    /// Also without one.
    Required,
}

impl Recursion {
    pub(super) fn of(definitions: &Definitions) -> Self {
        if definitions.is_empty() {
            return Self::None;
        }
        let index: HashMap<&str, usize> = definitions
            .iter()
            .enumerate()
            .map(|(i, (n, _))| (n.as_ref(), i))
            .collect();
        let edges = |keep: fn(bool) -> bool| -> Vec<Vec<usize>> {
            definitions
                .iter()
                .map(|(_, node)| {
                    let mut found = Vec::new();
                    references(node, false, &mut |name, optional| {
                        if keep(optional) {
                            found.extend(index.get(name));
                        }
                    });
                    found
                })
                .collect()
        };
        if has_circle(&edges(|optional| !optional)) {
            Self::Required
        } else if has_circle(&edges(|_| true)) {
            Self::Optional
        } else {
            Self::None
        }
    }
}

fn has_circle(edges: &[Vec<usize>]) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    for start in 0..edges.len() {
        if states[start] != State::New {
            continue;
        }
        states[start] = State::Open;
        let mut stack = vec![(start, 0usize)];
        while let Some((at, next)) = stack.pop() {
            let Some(&to) = edges[at].get(next) else {
                states[at] = State::Done;
                continue;
            };
            stack.push((at, next + 1));
            match states[to] {
                State::Open => return true,
                State::New => {
                    states[to] = State::Open;
                    stack.push((to, 0));
                }
                State::Done => {}
            }
        }
    }
    false
}

/// Every reference below `node`, and whether an optional property leads there.
fn references(node: &Node, optional: bool, found: &mut impl FnMut(&str, bool)) {
    if let Some(name) = &node.reference {
        found(name, optional);
    }
    let properties = node.map(Keyword::Properties);
    let required = if properties.is_empty() {
        HashSet::new()
    } else {
        node.required()
    };
    for (key, property) in properties {
        let may_be_absent = !required.contains(key.as_str());
        references(property, optional || may_be_absent, found);
    }
    for (keyword, child) in node.children() {
        if keyword != Keyword::Properties {
            references(child, optional, found);
        }
    }
}

/// Drops definitions that nothing refers to.
pub(super) fn prune(root: &Node, definitions: &mut Definitions) {
    let mut reached: HashSet<Arc<str>> = HashSet::new();
    let mut pending: Vec<Arc<str>> = Vec::new();
    let mut follow = |node: &Node, pending: &mut Vec<Arc<str>>| {
        references(node, false, &mut |name, _| {
            if !reached.contains(name) {
                reached.insert(name.into());
                pending.push(name.into());
            }
        });
    };
    follow(root, &mut pending);
    let index: HashMap<Arc<str>, usize> = definitions
        .iter()
        .enumerate()
        .map(|(i, (n, _))| (n.clone(), i))
        .collect();
    while let Some(name) = pending.pop() {
        if let Some(at) = index.get(&name) {
            follow(&definitions[*at].1, &mut pending);
        }
    }
    definitions.retain(|(name, _)| reached.contains(name));
}
