//! Schemas that stand one level off their place.

use serde_json::{Map, Value};

use crate::schema::keyword::Keyword;
use crate::schema::node::Node;
use crate::schema::read::Reader;

/// Frameworks leak their own wrapper around the schema.
pub(super) fn unwrapped(raw: &Value) -> &Value {
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

impl Reader {
    /// A whole object schema that was put under `properties`.
    pub(super) fn misplaced_properties(&mut self, node: &mut Node, map: &Map<String, Value>) {
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
}

pub(super) fn is_whole_schema(properties: &Map<String, Value>) -> bool {
    properties.get("type").is_some_and(Value::is_string)
        && properties.get("properties").is_some_and(Value::is_object)
}
