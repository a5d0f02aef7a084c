//! Where a key stands in a list that only grows at its end.

use std::collections::{HashMap, HashSet};

use crate::schema::node::Node;

/// Shorter lists are searched; almost all of them are.
const SHORT: usize = 16;

#[derive(Default)]
pub(super) struct MapIndex {
    places: HashMap<String, usize>,
    known: usize,
}

impl MapIndex {
    pub(super) fn find(&mut self, map: &[(String, Node)], key: &str) -> Option<usize> {
        if map.len() <= SHORT {
            return map.iter().position(|(k, _)| k == key);
        }
        for (at, (key, _)) in map.iter().enumerate().skip(self.known) {
            self.places.entry(key.clone()).or_insert(at);
        }
        self.known = map.len();
        self.places.get(key).copied()
    }
}

#[derive(Default)]
pub(super) struct NameIndex {
    names: HashSet<String>,
    known: usize,
}

impl NameIndex {
    /// Appends those of `theirs` that are not among `ours`.
    pub(super) fn unite(&mut self, ours: &mut Vec<String>, theirs: Vec<String>) {
        for name in theirs {
            if !self.has(ours, &name) {
                ours.push(name);
            }
        }
    }

    fn has(&mut self, names: &[String], name: &String) -> bool {
        if names.len() <= SHORT {
            return names.contains(name);
        }
        self.names.extend(names[self.known..].iter().cloned());
        self.known = names.len();
        self.names.contains(name)
    }
}
