//! Where the references of a raw schema point.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::schema::note::push_escaped;
use crate::schema::unique::Unique;

/// Keys under which documents keep definitions, in the order in which a broken reference is looked
/// up.
const CONTAINERS: [&str; 3] = ["/$defs", "/definitions", "/components/schemas"];

/// Most bytes of pointers that are kept for anchors, and for references: many names below one very
/// long key would take the square of the document. Names beyond it lead nowhere.
const MAX_POINTERS: usize = 16 << 20;

/// The references of one document, resolved once.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Text of a reference → name of the definition; `None` where nothing is found.
    by_text: HashMap<String, Option<Arc<str>>>,
    /// Pointer in the raw document → name of the definition.
    by_pointer: HashMap<String, Arc<str>>,
    /// Pointers and names, definitions of the document before hoisted places.
    pub(super) targets: Vec<(String, Arc<str>)>,
}

impl References {
    pub(super) fn find(document: &Value) -> Self {
        let mut seen = Scan::default();
        seen.walk(document, &mut String::new());
        let mut found = Self::default();
        if seen.references.is_empty() {
            return found;
        }
        let mut resolved = Vec::new();
        let mut left = MAX_POINTERS;
        for text in seen.references {
            let pointer = if left > 0 {
                resolve(document, &text, &seen.anchors)
            } else {
                None
            };
            left = left.saturating_sub(pointer.as_ref().map_or(0, String::len));
            resolved.push((text, pointer));
        }
        let mut names = Unique::default();
        let mut ordered: Vec<&String> = resolved.iter().filter_map(|(_, p)| p.as_ref()).collect();
        ordered.sort_by_key(|pointer| own_definition(pointer).is_none());
        for pointer in ordered {
            if !found.by_pointer.contains_key(pointer) {
                let name: Arc<str> = unique_name(pointer, &mut names).into();
                found.by_pointer.insert(pointer.clone(), Arc::clone(&name));
                found.targets.push((pointer.clone(), name));
            }
        }
        for (text, pointer) in resolved {
            let name = pointer.and_then(|p| found.by_pointer.get(&p).cloned());
            found.by_text.insert(text, name);
        }
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_text.is_empty()
    }

    pub(super) fn definition(&self, reference: &str) -> Option<Arc<str>> {
        self.by_text.get(reference).cloned().flatten()
    }

    pub(super) fn at(&self, pointer: &str) -> Option<&Arc<str>> {
        self.by_pointer.get(pointer)
    }
}

#[derive(Default)]
struct Scan {
    references: Vec<String>,
    known: HashSet<String>,
    /// `$anchor`, `$id` and their kin → pointer.
    anchors: HashMap<String, String>,
    anchored: usize,
}

impl Scan {
    fn anchor(&mut self, name: String, pointer: &str) {
        if self.anchored < MAX_POINTERS
            && let Entry::Vacant(free) = self.anchors.entry(name)
        {
            self.anchored += pointer.len();
            free.insert(pointer.to_owned());
        }
    }

    fn walk(&mut self, value: &Value, pointer: &mut String) {
        match value {
            Value::Object(map) => {
                for (key, child) in map {
                    match (key.as_str(), child) {
                        ("$ref" | "$recursiveRef" | "$dynamicRef", Value::String(text)) => {
                            if self.known.insert(text.clone()) {
                                self.references.push(text.clone());
                            }
                        }
                        ("$anchor" | "$dynamicAnchor", Value::String(name)) => {
                            self.anchor(format!("#{name}"), pointer);
                        }
                        ("$id" | "id", Value::String(id)) => {
                            self.anchor(id.trim_end_matches('#').to_owned(), pointer);
                        }
                        _ => {
                            let mark = pointer.len();
                            pointer.push('/');
                            push_escaped(pointer, key);
                            self.walk(child, pointer);
                            pointer.truncate(mark);
                        }
                    }
                }
            }
            Value::Array(items) => {
                for (index, child) in items.iter().enumerate() {
                    let mark = pointer.len();
                    pointer.push_str(&format!("/{index}"));
                    self.walk(child, pointer);
                    pointer.truncate(mark);
                }
            }
            _ => {}
        }
    }
}

/// The canonical pointer that `reference` means inside `document`.
fn resolve(document: &Value, reference: &str, anchors: &HashMap<String, String>) -> Option<String> {
    if let Some(pointer) = anchors.get(reference.trim_end_matches('#')) {
        return Some(pointer.clone());
    }
    let (resource, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    if !resource.is_empty() {
        // A name of this document's own, or of a definition in it; never something to fetch.
        let base = anchors.get(resource).map(String::as_str);
        let local = !resource.contains(':') && fragment.is_empty();
        return match base {
            Some(base) => exact(document, &format!("{base}{}", decoded(fragment))),
            None if local => contained(document, resource.rsplit('/').next()?),
            None => None,
        };
    }
    let pointer = decoded(fragment);
    exact(document, &pointer).or_else(|| contained(document, pointer.rsplit('/').next()?))
}

fn exact(document: &Value, pointer: &str) -> Option<String> {
    let target = document.pointer(pointer)?;
    (target.is_object() || target.is_boolean()).then(|| pointer.to_owned())
}

fn contained(document: &Value, token: &str) -> Option<String> {
    if token.is_empty() {
        return None;
    }
    CONTAINERS
        .iter()
        .find_map(|container| exact(document, &format!("{container}/{token}")))
}

fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let bytes = fragment.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| fragment.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The key of a definition that stands where definitions stand.
fn own_definition(pointer: &str) -> Option<&str> {
    CONTAINERS
        .iter()
        .find_map(|c| pointer.strip_prefix(c)?.strip_prefix('/'))
        .filter(|key| !key.contains('/'))
}

fn unique_name(pointer: &str, taken: &mut Unique) -> String {
    let wanted = own_definition(pointer)
        .or_else(|| {
            pointer
                .rsplit('/')
                .find(|t| !t.is_empty() && t.parse::<usize>().is_err())
        })
        .unwrap_or("root");
    let base: String = wanted
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "_.-".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    taken.name(base, "_")
}
