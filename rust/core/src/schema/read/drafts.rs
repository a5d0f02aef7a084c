//! Keywords that earlier drafts and OpenAPI wrote differently.

use serde_json::{Map, Value};

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::read::{Reader, names};
use crate::schema::types::Type;

impl Reader {
    /// Reads what `map` says in the words of an earlier draft.
    pub(super) fn earlier_drafts(&mut self, node: &mut Node, map: &Map<String, Value>) {
        old_bounds(node, map);
        self.old_items(node, map);
        self.dependencies(node, map);
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
}

/// Draft 4: `exclusiveMinimum: true` beside `minimum`.
fn old_bounds(node: &mut Node, map: &Map<String, Value>) {
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

/// Draft 3 and many since: `required: true` in a property.
pub(super) fn required_in_properties(node: &mut Node, map: &Map<String, Value>) {
    let Some(Value::Object(properties)) = map.get("properties") else {
        return;
    };
    let known = node.required();
    let more: Vec<String> = properties
        .iter()
        .filter(|(_, property)| property.get("required") == Some(&Value::Bool(true)))
        .filter(|(key, _)| !known.contains(key.as_str()))
        .map(|(key, _)| key.clone())
        .collect();
    if !more.is_empty() {
        let mut required = node.names(Keyword::Required).to_vec();
        required.extend(more);
        node.put(Keyword::Required, Part::Names(required));
    }
}

/// OpenAPI 3.0: the type, and the values where they are listed, also admit null.
pub(super) fn nullable(node: &mut Node, map: &Map<String, Value>) {
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
