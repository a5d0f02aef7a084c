//! From the JSON of any draft, and what servers really send, to the normal form.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::schema::cycles;
use crate::schema::keyword::{Keyword, Kind};
use crate::schema::node::{Definitions, Node, Part};
use crate::schema::note::{Effect, Notes};
use crate::schema::refs::References;
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
        let raw = unwrapped(raw);
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

/// Frameworks leak their own wrapper around the schema.
fn unwrapped(raw: &Value) -> &Value {
    let Value::Object(map) = raw else { return raw };
    let about = |key: &str| matches!(key, "description" | "title" | "name" | "$schema");
    if map
        .keys()
        .any(|k| k == "type" || k == "properties" || k == "$ref")
    {
        return raw;
    }
    for key in [
        "jsonSchema",
        "json_schema",
        "inputSchema",
        "input_schema",
        "schema",
        "json",
    ] {
        let inner = map.get(key).filter(|v| v.is_object());
        if let Some(inner) = inner
            && map.keys().all(|k| k == key || about(k))
        {
            return unwrapped(inner);
        }
    }
    raw
}

struct Reader {
    references: References,
    notes: Notes,
    /// Up to draft 7 keywords beside `$ref` are ignored.
    old_draft: bool,
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
            if let Some(part) = self.part(keyword, value) {
                node.put(keyword, part);
            } else if !keyword.is_annotation() && !says_nothing(keyword, value) {
                self.repaired(keyword.name(), "not a valid value for the keyword");
            }
            self.notes.leave(mark);
        }
        self.types(&mut node, map);
        self.old_bounds(&mut node, map);
        self.old_items(&mut node, map);
        self.dependencies(&mut node, map);
        self.misplaced_properties(&mut node, map);
        self.required_in_properties(&mut node, map);
        self.reference(&mut node, map);
        nullable(&mut node, map);
        simplify(&mut node);
        node
    }

    fn part(&mut self, keyword: Keyword, value: &Value) -> Option<Part> {
        Some(match keyword.kind() {
            Kind::Text => {
                let text = value.as_str().filter(|t| !t.trim().is_empty())?;
                if keyword == Keyword::Pattern && !is_pattern(text) {
                    return None;
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
        let misplaced = keyword == Keyword::Properties && is_whole_schema(map);
        for (key, one) in map {
            if misplaced || keyword == Keyword::PatternProperties && !is_pattern(key) {
                continue;
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

    /// Draft 4: `exclusiveMinimum: true` beside `minimum`.
    fn old_bounds(&mut self, node: &mut Node, map: &Map<String, Value>) {
        for (old, bound, exclusive) in [
            (
                "exclusiveMinimum",
                Keyword::Minimum,
                Keyword::ExclusiveMinimum,
            ),
            (
                "exclusiveMaximum",
                Keyword::Maximum,
                Keyword::ExclusiveMaximum,
            ),
        ] {
            if map.get(old) == Some(&Value::Bool(true))
                && let Some(value) = node.take(bound)
            {
                node.put(exclusive, value);
            }
        }
    }

    /// Up to 2019-09 a tuple was an array under `items`.
    fn old_items(&mut self, node: &mut Node, map: &Map<String, Value>) {
        if let Some(Value::Array(list)) = map.get("items") {
            let mark = self.notes.enter("items");
            let prefix = self.schemas(list);
            self.notes.leave(mark);
            if let (Some(prefix), false) = (prefix, node.has(Keyword::PrefixItems)) {
                node.put(Keyword::PrefixItems, Part::Many(prefix));
                if let Some(rest) = map.get("additionalItems").filter(|r| !r.is_array()) {
                    let mark = self.notes.enter("additionalItems");
                    let rest = self.schema(rest, false);
                    self.notes.leave(mark);
                    node.put(Keyword::Items, Part::One(Box::new(rest)));
                }
            }
        }
    }

    /// Up to draft 7 `dependencies` held both kinds.
    fn dependencies(&mut self, node: &mut Node, map: &Map<String, Value>) {
        let Some(Value::Object(all)) = map.get("dependencies") else {
            return;
        };
        let (mut required, mut schemas) = (Map::new(), Vec::new());
        let mark = self.notes.enter("dependencies");
        for (key, value) in all {
            if let Some(names) = names(value) {
                required.insert(key.clone(), names.into());
            } else if value.is_object() || value.is_boolean() {
                let inner = self.notes.enter(key);
                let schema = self.schema(value, false);
                self.notes.leave(inner);
                schemas.push((key.clone(), schema));
            }
        }
        self.notes.leave(mark);
        if !required.is_empty() && !node.has(Keyword::DependentRequired) {
            node.put(Keyword::DependentRequired, Part::Data(required.into()));
        }
        if !schemas.is_empty() && !node.has(Keyword::DependentSchemas) {
            node.put(Keyword::DependentSchemas, Part::Map(schemas));
        }
    }

    /// A whole object schema that was put under `properties`.
    fn misplaced_properties(&mut self, node: &mut Node, map: &Map<String, Value>) {
        let Some(Value::Object(inner)) = map.get("properties") else {
            return;
        };
        if !is_whole_schema(inner) {
            return;
        }
        self.repaired(
            "properties",
            "a whole schema in place of a map of properties",
        );
        let mark = self.notes.enter("properties");
        let inner = self.object(inner);
        self.notes.leave(mark);
        node.take(Keyword::Properties);
        for (keyword, part) in inner.parts() {
            if !node.has(*keyword) {
                node.put(*keyword, part.clone());
            }
        }
    }

    /// Draft 3 and many since: `required: true` in a property.
    fn required_in_properties(&mut self, node: &mut Node, map: &Map<String, Value>) {
        let Some(Value::Object(properties)) = map.get("properties") else {
            return;
        };
        let mut required = node.names(Keyword::Required).to_vec();
        let before = required.len();
        for (key, property) in properties {
            if property.get("required") == Some(&Value::Bool(true)) && !required.contains(key) {
                required.push(key.clone());
            }
        }
        if required.len() > before {
            node.put(Keyword::Required, Part::Names(required));
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

fn is_whole_schema(properties: &Map<String, Value>) -> bool {
    properties.get("type").is_some_and(Value::is_string)
        && properties.get("properties").is_some_and(Value::is_object)
}

fn is_pattern(pattern: &str) -> bool {
    const LONGEST: usize = 2_000;
    pattern.len() <= LONGEST
        && jsonschema::options()
            .offline()
            .build(&serde_json::json!({ "pattern": pattern }))
            .is_ok()
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

/// OpenAPI 3.0: the type, and the values where they are listed, also admit null.
fn nullable(node: &mut Node, map: &Map<String, Value>) {
    if map.get("nullable") != Some(&Value::Bool(true)) {
        return;
    }
    if !node.types.is_any() {
        node.types = node.types.with(Type::Null);
    }
    if let Some(constant) = node.take(Keyword::Const) {
        let Part::Data(constant) = constant else {
            return;
        };
        node.put(Keyword::Enum, Part::Data(vec![constant].into()));
    }
    let values = node.values(Keyword::Enum);
    if !values.is_empty() && !values.contains(&Value::Null) {
        let mut values = values.to_vec();
        values.push(Value::Null);
        node.put(Keyword::Enum, Part::Data(values.into()));
    }
    let in_place = node.reference.is_some()
        || [Keyword::AnyOf, Keyword::OneOf]
            .iter()
            .any(|k| node.has(*k));
    if in_place && node.types.is_any() {
        let mut about = Node::default();
        for keyword in [Keyword::Title, Keyword::Description, Keyword::Default] {
            if let Some(part) = node.take(keyword) {
                about.put(keyword, part);
            }
        }
        let inner = std::mem::take(node);
        about.put(
            Keyword::AnyOf,
            Part::Many(vec![inner, Node::of_type(Type::Null)]),
        );
        *node = about;
    }
}

/// What says the same in fewer words, in every draft.
pub(super) fn simplify(node: &mut Node) {
    if node.one(Keyword::Not).is_some_and(|n| n.is_any()) {
        *node = Node::never();
        return;
    }
    for keyword in [Keyword::AnyOf, Keyword::OneOf] {
        let Some(Part::Many(mut branches)) = node.take(keyword) else {
            continue;
        };
        branches.retain(|b| !b.never);
        match branches.len() {
            0 => {
                *node = Node::never();
                return;
            }
            1 => absorb(node, branches.remove(0)),
            _ if keyword == Keyword::AnyOf && branches.iter().any(Node::is_any) => {}
            _ => node.put(keyword, Part::Many(branches)),
        }
    }
    if let Some(Part::Many(mut all)) = node.take(Keyword::AllOf) {
        all.retain(|b| !b.is_empty());
        match all.len() {
            0 => {}
            1 => absorb(node, all.remove(0)),
            _ => node.put(Keyword::AllOf, Part::Many(all)),
        }
    }
    // Where a position accepts nothing, the array ends before it.
    let end = node.many(Keyword::PrefixItems).iter().position(|n| n.never);
    if let Some(end) = end
        && let Some(Part::Many(mut prefix)) = node.take(Keyword::PrefixItems)
    {
        prefix.truncate(end);
        if !prefix.is_empty() {
            node.put(Keyword::PrefixItems, Part::Many(prefix));
        }
        node.put(Keyword::Items, Part::One(Box::new(Node::never())));
    }
    let length = node.many(Keyword::PrefixItems).len() as u64;
    // A closed tuple or an array without elements: its length says the same, and every draft reads that alike.
    if node.one(Keyword::Items).is_some_and(|i| i.never) {
        node.take(Keyword::Items);
        let most = node
            .data(Keyword::MaxItems)
            .and_then(Value::as_u64)
            .unwrap_or(length);
        node.put(Keyword::MaxItems, Part::Data(most.min(length).into()));
    }
}

/// Joins the only member of a combinator into `node` where no keyword meets another; otherwise
/// it stays a member of `allOf`.
pub(super) fn absorb(node: &mut Node, member: Node) {
    if member.never {
        *node = Node::never();
        return;
    }
    let clash = (!node.types.is_any() && !member.types.is_any() && node.types != member.types)
        || (node.reference.is_some() && member.reference.is_some())
        || member
            .parts()
            .iter()
            .any(|(k, _)| node.has(*k) && !matches!(k, Keyword::Title | Keyword::Description))
        || scope_sensitive(node) && scope_sensitive(&member);
    if clash {
        let mut all = match node.take(Keyword::AllOf) {
            Some(Part::Many(all)) => all,
            _ => Vec::new(),
        };
        all.push(member);
        node.put(Keyword::AllOf, Part::Many(all));
        return;
    }
    if node.types.is_any() {
        node.types = member.types;
    }
    if node.reference.is_none() {
        node.reference.clone_from(&member.reference);
    }
    for (keyword, part) in member.parts() {
        if !node.has(*keyword) {
            node.put(*keyword, part.clone());
        }
    }
}

/// Whether some keyword's meaning depends on which keywords stand beside it.
fn scope_sensitive(node: &Node) -> bool {
    node.parts().iter().any(|(k, _)| {
        matches!(
            k,
            Keyword::AdditionalProperties
                | Keyword::UnevaluatedProperties
                | Keyword::UnevaluatedItems
                | Keyword::Properties
                | Keyword::PatternProperties
                | Keyword::Items
                | Keyword::PrefixItems
                | Keyword::Contains
                | Keyword::MinContains
                | Keyword::MaxContains
                | Keyword::If
                | Keyword::Then
                | Keyword::Else
        )
    })
}
