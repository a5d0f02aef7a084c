//! Property keys that a provider accepts.

use std::collections::{HashMap, HashSet};

use crate::schema::keyword::Keyword;
use crate::schema::node::Node;
use crate::schema::profile::Keys;
use crate::schema::read::Document;
use crate::schema::unique::Unique;

const MAX_KEY: usize = 64;

/// Legal names for keys that are not; one per key throughout a schema, and never the name of
/// another property of it, so that the way back is certain at every place.
#[derive(Debug)]
pub(super) struct LegalKeys {
    keys: Keys,
    names: Option<Unique>,
    renamed: HashMap<String, String>,
}

impl LegalKeys {
    pub(super) fn new(keys: Keys) -> Self {
        Self {
            keys,
            names: None,
            renamed: HashMap::new(),
        }
    }

    /// `None` where the key is legal as it is.
    pub(super) fn rename(&mut self, key: &str, document: &Document) -> Option<String> {
        if self.is_legal(key) {
            return None;
        }
        if let Some(known) = self.renamed.get(key) {
            return Some(known.clone());
        }
        let keys = self.keys;
        let names = self.names.get_or_insert_with(|| {
            let mut all = HashSet::new();
            collect(&document.root, &mut all);
            for (_, node) in &document.definitions {
                collect(node, &mut all);
            }
            Unique::of(all)
        });
        let name = names.name(sanitized(key, keys), "_");
        self.renamed.insert(key.to_owned(), name.clone());
        Some(name)
    }

    fn is_legal(&self, key: &str) -> bool {
        let length = (1..=MAX_KEY).contains(&key.len());
        match self.keys {
            Keys::All => true,
            Keys::Plain => {
                length
                    && key
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
            }
            Keys::Identifier => {
                length
                    && !key.as_bytes()[0].is_ascii_digit()
                    && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            }
        }
    }
}

fn sanitized(key: &str, keys: Keys) -> String {
    // Room for a count behind it.
    const LONGEST: usize = MAX_KEY - 8;
    let mut name: String = key
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() => c,
            '.' | '-' if keys == Keys::Plain => c,
            _ => '_',
        })
        .take(LONGEST)
        .collect();
    while name.ends_with('_') {
        name.pop();
    }
    name.drain(..name.len() - name.trim_start_matches('_').len());
    if name.is_empty() {
        return "key".to_owned();
    }
    if keys == Keys::Identifier && name.as_bytes()[0].is_ascii_digit() {
        name.insert(0, '_');
    }
    name
}

fn collect(node: &Node, all: &mut HashSet<String>) {
    for (key, _) in node.map(Keyword::Properties) {
        all.insert(key.clone());
    }
    all.extend(node.names(Keyword::Required).iter().cloned());
    for (_, child) in node.children() {
        collect(child, all);
    }
}
