//! OpenAI Responses and Chat Completions.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    Verdict, depth, description, free_of, known_format, list, must, name, only, only_of,
    properties, refuse, required, root_object, simple_pattern, types, unique, valid_2020, walk,
};

pub fn check_responses(tools: &Value) -> Verdict {
    let mut names = Vec::new();
    for tool in list(tools)? {
        if tool["type"] == "tool_search" {
            only(tool, &["type", "execution", "description", "parameters"])?;
            must(tool["description"].is_string(), || {
                "tool_search without a description".into()
            })?;
            continue;
        }
        const FIELDS: [&str; 6] = [
            "type",
            "name",
            "description",
            "parameters",
            "strict",
            "defer_loading",
        ];
        only(tool, &FIELDS)?;
        // Left out, the server makes of the schema what it likes.
        must(tool["strict"].is_boolean(), || "strict is not said".into())?;
        names.push(function(tool)?);
    }
    unique(&names)
}

pub fn check_chat(tools: &Value) -> Verdict {
    let tools = list(tools)?;
    must(tools.len() <= 128, || {
        "Invalid 'tools': array too long. Expected an array with maximum length 128".into()
    })?;
    let mut names = Vec::new();
    for tool in tools {
        only(tool, &["type", "function"])?;
        only(
            &tool["function"],
            &["name", "description", "parameters", "strict"],
        )?;
        names.push(function(&tool["function"])?);
        must(tool["type"] == "function", || "type is not function".into())?;
    }
    unique(&names)
}

fn function(function: &Value) -> Result<String, String> {
    let name = name(function, 64, "_-")?;
    description(function)?;
    let schema = &function["parameters"];
    root_object(schema)?;
    free_of(schema, &["oneOf", "anyOf", "allOf", "enum", "not"])?;
    walk(schema, &mut |node, _| plain_node(node))?;
    // Its complaints are those of a validator of the meta-schema.
    valid_2020(schema)?;
    if function["strict"] == true {
        strict(schema)?;
    }
    Ok(name)
}

fn plain_node(node: &Map<String, Value>) -> Verdict {
    if types(node).contains(&"object") {
        must(node.contains_key("properties"), || {
            "object schema missing properties".into()
        })?;
    }
    if types(node).contains(&"array") {
        must(node.contains_key("items"), || {
            "array schema missing items".into()
        })?;
    }
    Ok(())
}

fn strict(schema: &Value) -> Verdict {
    let mut sum = Sum::default();
    walk(schema, &mut |node, root| {
        strict_node(node, root)?;
        sum.add(node)
    })?;
    must(sum.properties <= 5_000, || {
        "more than 5,000 properties".into()
    })?;
    must(sum.values <= 1_000, || "more than 1,000 enum values".into())?;
    must(sum.text <= 120_000, || {
        "more than 120,000 characters".into()
    })?;
    must(depth(schema) <= 10, || "nested deeper than 10".into())
}

fn strict_node(node: &Map<String, Value>, root: bool) -> Verdict {
    const SUPPORTED: [&str; 20] = [
        "type",
        "description",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "pattern",
        "format",
    ];
    const FORMATS: [&str; 9] = [
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ];
    only_of(node, &SUPPORTED)?;
    must(!node.contains_key("$defs") || root, || {
        "$defs below the root".into()
    })?;
    let typed = ["type", "$ref", "anyOf", "enum", "const"]
        .iter()
        .any(|k| node.contains_key(*k));
    must(typed, || "schema must have a 'type' key".into())?;
    must(!node.contains_key("$ref") || node.len() == 1, || {
        "$ref cannot have keywords beside it".into()
    })?;
    let closed = node.get("additionalProperties") == Some(&Value::Bool(false));
    if types(node).contains(&"object") || node.contains_key("properties") {
        let keys: HashSet<&str> = properties(node).map(|(k, _)| k.as_str()).collect();
        must(keys == required(node), || {
            "'required' must include every key in properties".into()
        })?;
        must(node.contains_key("required") && closed, || {
            "'additionalProperties' is required to be false".into()
        })?;
    } else if node.contains_key("additionalProperties") && !closed {
        return refuse("'additionalProperties' is required to be false");
    }
    simple_pattern(node)?;
    known_format(node, &FORMATS)
}

#[derive(Default)]
struct Sum {
    properties: usize,
    values: usize,
    text: usize,
}

impl Sum {
    fn add(&mut self, node: &Map<String, Value>) -> Verdict {
        let definitions = node.get("$defs").and_then(Value::as_object);
        let names = properties(node).chain(definitions.into_iter().flatten());
        self.text += names.map(|(name, _)| name.chars().count()).sum::<usize>();
        self.properties += properties(node).count();
        let listed = node.get("enum").and_then(Value::as_array);
        let listed: Vec<&Value> = listed.into_iter().flatten().collect();
        let text = |value: &&Value| value.as_str().map_or(0, |t| t.chars().count());
        let long: usize = listed.iter().map(text).sum();
        must(listed.len() <= 250 || long <= 15_000, || {
            "an enum of more than 15,000 characters".into()
        })?;
        self.values += listed.len();
        self.text += long + node.get("const").as_ref().map_or(0, text);
        Ok(())
    }
}
