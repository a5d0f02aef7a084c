//! Endpoints with OpenAI's chat format: Mistral, Ollama, and the rest taken together.

use serde_json::{Map, Value};

use super::{
    Verdict, description, free_of, list, must, name, only, only_of, root_object, types, unique,
    valid_2020, walk,
};

pub fn check_mistral(tools: &Value) -> Verdict {
    check(tools, &["name", "description", "parameters", "strict"])?;
    each_schema(tools, |schema| {
        free_of(schema, &["oneOf", "anyOf", "allOf"])?;
        valid_2020(schema)
    })
}

pub fn check_ollama(tools: &Value) -> Verdict {
    check(tools, &["name", "description", "parameters"])?;
    each_schema(tools, |schema| walk(schema, &mut ollama_node))
}

/// What DeepSeek, Qwen, Kimi, LM Studio and their like take, together. The name must not start with
/// a digit (Kimi).
pub fn check_compatible(tools: &Value) -> Verdict {
    must(list(tools)?.len() <= 128, || "more than 128 tools".into())?;
    check(tools, &["name", "description", "parameters"])?;
    for tool in list(tools)? {
        let digit = tool["function"]["name"]
            .as_str()
            .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
        must(!digit, || "name starts with a digit".into())?;
    }
    each_schema(tools, |schema| {
        free_of(schema, &["oneOf", "anyOf", "allOf"])?;
        valid_2020(schema)?;
        walk(schema, &mut |node, _| compatible_node(node))
    })
}

fn check(tools: &Value, fields: &[&str]) -> Verdict {
    let mut names = Vec::new();
    for tool in list(tools)? {
        only(tool, &["type", "function"])?;
        must(tool["type"] == "function", || "type is not function".into())?;
        let function = &tool["function"];
        only(function, fields)?;
        names.push(name(function, 64, "_-")?);
        description(function)?;
    }
    unique(&names)
}

fn each_schema(tools: &Value, rule: impl Fn(&Value) -> Verdict) -> Verdict {
    list(tools)?.iter().try_for_each(|tool| {
        let schema = &tool["function"]["parameters"];
        root_object(schema)?;
        rule(schema)
    })
}

/// The server keeps these and drops everything else without a word; what is dropped has to be in
/// the description, so nothing else may be sent.
fn ollama_node(node: &Map<String, Value>, root: bool) -> Verdict {
    const ROOT: [&str; 4] = ["type", "items", "required", "properties"];
    const PROPERTY: [&str; 7] = [
        "type",
        "anyOf",
        "items",
        "description",
        "enum",
        "properties",
        "required",
    ];
    only_of(node, if root { &ROOT } else { &PROPERTY })
        .map_err(|why| format!("would be dropped: {why}"))?;
    must(!root || node.contains_key("properties"), || {
        "properties is no object".into()
    })
}

fn compatible_node(node: &Map<String, Value>) -> Verdict {
    const REFUSED: [&str; 16] = [
        "$ref",
        "$defs",
        "$schema",
        "not",
        "oneOf",
        "allOf",
        "if",
        "then",
        "else",
        "prefixItems",
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
        "dependentRequired",
        "dependentSchemas",
    ];
    let has = |key: &str| node.contains_key(key);
    let found = REFUSED.iter().find(|k| has(k));
    must(found.is_none(), || format!("{found:?} is not known"))?;
    must(!(has("type") && has("anyOf")), || {
        "when using anyOf, type should be defined in anyOf items instead of the parent".into()
    })?;
    must(has("type") || has("anyOf"), || {
        "a property without type".into()
    })?;
    must(!node.get("type").is_some_and(Value::is_array), || {
        "type list".into()
    })?;
    let others = node.get("additionalProperties");
    must(
        !others.is_some_and(|o| o.as_object().is_some_and(Map::is_empty)),
        || "additionalProperties without a type".into(),
    )?;
    must(
        !types(node).contains(&"object") || has("properties"),
        || "object without properties".into(),
    )?;
    must(!types(node).contains(&"array") || has("items"), || {
        "array without items".into()
    })
}
