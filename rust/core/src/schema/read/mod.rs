//! From the JSON of any draft, and what servers really send, to the normal form.

mod drafts;
mod misplaced;

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::schema::cycles;
use crate::schema::keyword::{Keyword, Kind};
use crate::schema::node::{Definitions, Node, Part};
use crate::schema::note::{Effect, Notes};
use crate::schema::pattern::{Budget, Verdict};
use crate::schema::refs::References;
use crate::schema::simplify::simplify;
use crate::schema::types::{Named, Type, Types};

/// A whole schema in normal form.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) root: Node,
    pub(crate) definitions: Definitions,
    pub(crate) notes: Notes,
}

impl Document {
    /// Reads any JSON value; what cannot be a schema says nothing.
    pub(crate) fn read(raw: &Value) -> Self {
        let raw = misplaced::unwrapped(raw);
        let references = References::find(raw);
        let old_draft = raw
            .get("$schema")
            .and_then(Value::as_str)
            .is_some_and(|uri| {
                ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"]
                    .iter()
                    .any(|draft| uri.contains(draft))
            });
        let mut reader = Reader {
            references,
            notes: Notes::default(),
            old_draft,
            patterns: Budget::default(),
            patterns_left_out: 0,
        };
        let root = reader.schema(raw, true);
        let mut definitions = Vec::with_capacity(reader.references.targets.len());
        for at in 0..reader.references.targets.len() {
            let (pointer, name) = reader.references.targets[at].clone();
            if let Some(target) = raw.pointer(&pointer) {
                reader.notes.jump(&pointer);
                let node = reader.schema(target, true);
                definitions.push((name, node));
            }
        }
        reader.notes.jump("");
        let mut document = Self {
            root,
            definitions,
            notes: reader.notes,
        };
        cycles::cut(&mut document);
        cycles::prune(&document.root, &mut document.definitions);
        document
    }
}

/// Why a pattern is left out that may be as valid as any.
const TOO_LARGE: &str = "the patterns of the schema are too large";
/// A pattern that every name matches.
const ANY_NAME: &str = "^";

struct Reader {
    references: References,
    notes: Notes,
    /// Up to draft 7 keywords beside `$ref` are ignored.
    old_draft: bool,
    patterns: Budget,
    patterns_left_out: usize,
}

impl Reader {
    fn repaired(&mut self, what: &'static str, why: &'static str) {
        self.notes.add(what, why, Effect::Rewritten);
    }

    /// `whole` is set for the root and for a definition: there the place itself is meant, not a
    /// reference to it.
    fn schema(&mut self, raw: &Value, whole: bool) -> Node {
        if !whole
            && !self.references.is_empty()
            && let Some(name) = self.references.at(self.notes.path())
        {
            return Node::refer(name.clone());
        }
        match raw {
            Value::Object(map) => self.object(map),
            Value::Bool(false) => Node::never(),
            _ => Node::default(),
        }
    }

    fn object(&mut self, map: &Map<String, Value>) -> Node {
        let mut node = Node::default();
        for (key, value) in map {
            let Some(keyword) = Keyword::from_name(key) else {
                continue;
            };
            let mark = self.notes.enter(key);
            let left_out = self.patterns_left_out;
            let part = self.part(keyword, value);
            let is_looser = self.patterns_left_out > left_out;
            if let Some(part) = part {
                self.put(&mut node, keyword, part, is_looser);
            } else if !keyword.is_annotation() && !is_looser && !says_nothing(keyword, value) {
                self.repaired(keyword.name(), "not a valid value for the keyword");
            }
            self.notes.leave(mark);
        }
        self.types(&mut node, map);
        self.earlier_drafts(&mut node, map);
        self.misplaced_properties(&mut node, map);
        drafts::required_in_properties(&mut node, map);
        self.reference(&mut node, map);
        drafts::nullable(&mut node, map);
        simplify(&mut node);
        node
    }

    /// Puts `part` where it was read. One that `is_looser` than it was written, because patterns
    /// were left out of it, must not make the schema around it refuse more than it did.
    fn put(&mut self, node: &mut Node, keyword: Keyword, part: Part, is_looser: bool) {
        match keyword {
            Keyword::Not | Keyword::If | Keyword::Contains if is_looser => {
                self.too_large(keyword.name(), "has a pattern that is too large");
            }
            Keyword::OneOf if is_looser && !node.has(Keyword::AnyOf) => {
                self.too_large(
                    "oneOf",
                    "read as anyOf, since it has a pattern that is too large",
                );
                node.put(Keyword::AnyOf, part);
            }
            Keyword::OneOf if is_looser => {
                self.too_large("oneOf", "has a pattern that is too large");
            }
            _ => node.put(keyword, part),
        }
    }

    /// Notes that something is left out, or read as less, since patterns are too large.
    fn too_large(&mut self, what: &'static str, why: &'static str) {
        self.patterns_left_out += 1;
        self.notes.add(what, why, Effect::Loosened);
    }

    fn part(&mut self, keyword: Keyword, value: &Value) -> Option<Part> {
        Some(match keyword.kind() {
            Kind::Text => {
                let text = value.as_str().filter(|t| !t.trim().is_empty())?;
                if keyword == Keyword::Pattern {
                    match self.patterns.verdict(text) {
                        Verdict::Taken => {}
                        Verdict::Invalid => return None,
                        Verdict::TooLarge => {
                            self.too_large("pattern", TOO_LARGE);
                            return None;
                        }
                    }
                }
                Part::Data(value.clone())
            }
            Kind::Any => Part::Data(value.clone()),
            Kind::Values => {
                let mut values: Vec<Value> = Vec::new();
                let mut seen = HashSet::new();
                for one in value.as_array()? {
                    if seen.insert(one.to_string()) {
                        values.push(one.clone());
                    }
                }
                if values.is_empty() {
                    return None;
                }
                Part::Data(values.into())
            }
            Kind::Count => Part::Data(count(value)?.into()),
            Kind::Number => {
                let valid = value
                    .as_f64()
                    .is_some_and(|n| keyword != Keyword::MultipleOf || n > 0.0);
                valid.then(|| Part::Data(value.clone()))?
            }
            Kind::Flag => value.as_bool()?.then(|| Part::Data(true.into()))?,
            Kind::Names => {
                let names = names(value)?;
                if names.is_empty() {
                    return None;
                }
                Part::Names(names)
            }
            Kind::NameMap => {
                let map: Map<String, Value> = value
                    .as_object()?
                    .iter()
                    .filter_map(|(k, v)| Some((k.clone(), names(v)?.into())))
                    .collect();
                (!map.is_empty()).then(|| Part::Data(map.into()))?
            }
            Kind::Schema => {
                if !(value.is_object() || value.is_boolean()) {
                    return None;
                }
                Part::One(Box::new(self.schema(value, false)))
            }
            Kind::Schemas => Part::Many(self.schemas(value.as_array()?)?),
            Kind::SchemaMap => Part::Map(self.schema_map(keyword, value.as_object()?)),
        })
    }

    fn schemas(&mut self, list: &[Value]) -> Option<Vec<Node>> {
        let mut nodes = Vec::with_capacity(list.len());
        for (index, one) in list.iter().enumerate() {
            let mark = self.notes.enter_index(index);
            if one.is_object() || one.is_boolean() {
                nodes.push(self.schema(one, false));
            } else {
                self.repaired("schema", "neither an object nor a boolean");
            }
            self.notes.leave(mark);
        }
        (!nodes.is_empty()).then_some(nodes)
    }

    fn schema_map(&mut self, keyword: Keyword, map: &Map<String, Value>) -> Vec<(String, Node)> {
        let mut nodes = Vec::with_capacity(map.len());
        let is_misplaced = keyword == Keyword::Properties && misplaced::is_whole_schema(map);
        let mut is_open = false;
        for (key, one) in map {
            if is_misplaced {
                continue;
            }
            if keyword == Keyword::PatternProperties {
                match self.patterns.verdict(key) {
                    Verdict::Taken => {}
                    Verdict::Invalid => continue,
                    Verdict::TooLarge => {
                        self.too_large("patternProperties", TOO_LARGE);
                        is_open = true;
                        continue;
                    }
                }
            }
            let mark = self.notes.enter(key);
            match one {
                Value::Object(_) | Value::Bool(_) => {
                    let node = self.schema(one, false);
                    nodes.push((key.clone(), node));
                }
                Value::String(name) if matches!(Named::read(name), Named::Standard(_)) => {
                    self.repaired("schema", "a type name in place of a schema");
                    let mut node = Node::default();
                    self.type_name(name, &mut node);
                    nodes.push((key.clone(), node));
                }
                _ => self.repaired("schema", "neither an object nor a boolean"),
            }
            self.notes.leave(mark);
        }
        if is_open && !map.contains_key(ANY_NAME) {
            // Any name may have been meant, and what is meant is not among the additional ones.
            nodes.push((ANY_NAME.to_owned(), Node::default()));
        }
        nodes
    }

    fn types(&mut self, node: &mut Node, map: &Map<String, Value>) {
        match map.get("type") {
            None => {}
            Some(Value::String(name)) => self.type_name(name, node),
            Some(Value::Array(list)) => {
                let mut open = false;
                for one in list {
                    match one.as_str() {
                        Some(name) => {
                            let before = node.types;
                            self.type_name(name, node);
                            open |= matches!(name, "any" | "mixed" | "unknown")
                                || before == node.types && before.is_any();
                        }
                        None => self.repaired("type", "not a type name"),
                    }
                }
                if open {
                    node.types = Types::ANY;
                }
            }
            Some(_) => self.repaired("type", "not a type name"),
        }
    }

    fn type_name(&mut self, name: &str, node: &mut Node) {
        if !matches!(Named::read(name), Named::Standard(_)) {
            self.repaired("type", "not one of JSON Schema's types");
        }
        for name in name.split('|') {
            match Named::read(name.trim()) {
                Named::Standard(one) | Named::Meant(one) => node.types = node.types.with(one),
                Named::ListOf(element) => {
                    node.types = node.types.with(Type::Array);
                    if let Named::Standard(one) | Named::Meant(one) = *element
                        && !node.has(Keyword::Items)
                    {
                        node.put(Keyword::Items, Part::One(Box::new(Node::of_type(one))));
                    }
                }
                Named::Unknown => {}
            }
        }
    }

    fn reference(&mut self, node: &mut Node, map: &Map<String, Value>) {
        let Some(text) = ["$ref", "$recursiveRef", "$dynamicRef"]
            .iter()
            .find_map(|key| map.get(*key).and_then(Value::as_str))
        else {
            return;
        };
        match self.references.definition(text) {
            Some(name) => {
                if self.old_draft && node.parts().iter().any(|(k, _)| !k.is_annotation()) {
                    self.repaired("$ref", "the declared draft ignores keywords beside it");
                }
                if self.old_draft {
                    node.retain(Keyword::is_annotation);
                    node.types = Types::ANY;
                }
                node.reference = Some(name);
            }
            None => {
                self.notes
                    .add("$ref", "refers to nothing in the schema", Effect::Loosened);
            }
        }
    }
}

/// Values that are no mistake although nothing is kept of them.
fn says_nothing(keyword: Keyword, value: &Value) -> bool {
    match keyword.kind() {
        Kind::Flag | Kind::Names => {
            value.is_boolean() || value.as_array().is_some_and(Vec::is_empty)
        }
        Kind::NameMap => value.as_object().is_some_and(Map::is_empty),
        // Read as a bound and as a tuple.
        Kind::Number => value.is_boolean(),
        Kind::Schema => keyword == Keyword::Items && value.is_array(),
        _ => false,
    }
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        // Exact in a double, so nothing is lost by the cast.
        (float.fract() == 0.0 && (0.0..9e15).contains(&float)).then_some(float as u64)
    })
}

fn names(value: &Value) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for name in value.as_array()?.iter().filter_map(Value::as_str) {
        if seen.insert(name) {
            names.push(name.to_owned());
        }
    }
    Some(names)
}
