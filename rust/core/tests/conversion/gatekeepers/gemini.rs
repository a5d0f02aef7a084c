//! Gemini `generateContent`: a parser of protocol buffers behind `parameters`, and a reader of a part
//! of JSON Schema behind `parametersJsonSchema`.

use serde_json::{Map, Value};

use super::{
    Verdict, depth, description, list, must, name, only, properties, refuse, required, root_object,
    types, unique, valid_2020, walk,
};

/// The number is not published.
const DEEPEST: usize = 16;

pub fn check(tools: &Value) -> Verdict {
    let mut names = Vec::new();
    for tool in list(tools)? {
        only(tool, &["functionDeclarations"])?;
        for declaration in list(&tool["functionDeclarations"])? {
            names.push(check_declaration(declaration)?);
        }
    }
    unique(&names)
}

fn check_declaration(tool: &Value) -> Result<String, String> {
    only(
        tool,
        &["name", "description", "parameters", "parametersJsonSchema"],
    )?;
    // 128 and a colon on the current backend; older ones said 64 and none.
    let name = name(tool, 64, "_-.")?;
    must(
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
        || "Invalid function name. Must start with a letter or an underscore".into(),
    )?;
    description(tool)?;
    let (parameters, json_schema) = (tool.get("parameters"), tool.get("parametersJsonSchema"));
    must(parameters.is_none() || json_schema.is_none(), || {
        "parameters and parametersJsonSchema exclude each other".into()
    })?;
    if let Some(schema) = parameters {
        root_object(schema)?;
        walk(schema, &mut |node, _| proto_node(node))?;
    }
    if let Some(schema) = json_schema {
        root_object(schema)?;
        walk(schema, &mut |node, _| json_node(node))?;
        valid_2020(schema)?;
        ends(schema)?;
    }
    let deepest = depth(parameters.or(json_schema).unwrap_or(&Value::Null));
    must(deepest <= DEEPEST, || {
        "exceeds the maximum allowed nesting depth".into()
    })?;
    Ok(name)
}

fn proto_node(node: &Map<String, Value>) -> Verdict {
    const FIELDS: [&str; 22] = [
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "items",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "propertyOrdering",
        "minProperties",
        "maxProperties",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "anyOf",
        "default",
    ];
    for (key, value) in node {
        must(FIELDS.contains(&key.as_str()), || {
            format!("Unknown name \"{key}\": Cannot find field")
        })?;
        let fits = match key.as_str() {
            "nullable" => value.is_boolean(),
            "minimum" | "maximum" => value.is_number(),
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties"
            | "maxProperties" => value.is_u64(),
            "title" | "description" | "format" | "pattern" => value.is_string(),
            "properties" => value.is_object(),
            "items" => value.is_object(),
            _ => true,
        };
        must(fits, || format!("Invalid value at '{key}'"))?;
    }
    must(!node.get("type").is_some_and(Value::is_array), || {
        "Proto field is not repeating".into()
    })?;
    if node.contains_key("anyOf") {
        let allowed = |k: &String| matches!(k.as_str(), "anyOf" | "description" | "nullable");
        return must(node.keys().all(allowed), || "fields beside anyOf".into());
    }
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
    if let Some(values) = node.get("enum") {
        must(kind == "string", || {
            "enum: only allowed for STRING type".into()
        })?;
        let filled = |v: &Value| v.as_str().is_some_and(|s| !s.is_empty());
        let listed = values.as_array().filter(|l| !l.is_empty());
        must(listed.is_some_and(|l| l.iter().all(filled)), || {
            "enum value".into()
        })?;
    }
    let formats: &[&str] = match kind {
        "string" => &["enum", "date-time"],
        "number" => &["float", "double"],
        "integer" => &["int32", "int64"],
        _ => &[],
    };
    super::known_format(node, formats)?;
    match kind {
        "string" | "number" | "integer" | "boolean" => Ok(()),
        "array" => must(node.contains_key("items"), || "items: missing field".into()),
        "object" => proto_object(node),
        _ => refuse(format!("type {kind:?} is not specified")),
    }
}

fn proto_object(node: &Map<String, Value>) -> Verdict {
    must(properties(node).next().is_some(), || {
        "properties: should be non-empty for OBJECT type".into()
    })?;
    for (key, _) in properties(node) {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let first = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        must(first && key.len() <= 64 && key.chars().all(legal), || {
            format!("parameter name {key:?}")
        })?;
    }
    for name in required(node) {
        must(properties(node).any(|(key, _)| key == name), || {
            format!("required: {name} is not defined")
        })?;
    }
    Ok(())
}

fn json_node(node: &Map<String, Value>) -> Verdict {
    const KEYWORDS: [&str; 21] = [
        "$id",
        "$defs",
        "$ref",
        "$anchor",
        "type",
        "format",
        "title",
        "description",
        "enum",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "anyOf",
        "oneOf",
        "properties",
        "additionalProperties",
        "required",
        "propertyOrdering",
    ];
    if node.contains_key("$ref") {
        let allowed = |k: &String| k.starts_with('$') || k == "description" || k == "default";
        return must(node.keys().all(allowed), || "fields beside $ref".into());
    }
    for key in node.keys() {
        must(KEYWORDS.contains(&key.as_str()), || {
            format!("Unknown name \"{key}\"")
        })?;
    }
    if node.contains_key("anyOf") {
        return must(!node.contains_key("type"), || "type beside anyOf".into());
    }
    must(!types(node).is_empty(), || "a schema without a type".into())?;
    if let Some(values) = node.get("enum").and_then(Value::as_array) {
        must(
            values.iter().all(|v| v.is_string() || v.is_number()),
            || "enum value".into(),
        )?;
    }
    Ok(())
}

/// Whoever follows only what must be there comes to an end.
fn ends(schema: &Value) -> Verdict {
    must_be_there(schema, schema, &mut Vec::new())?;
    let definitions = schema["$defs"].as_object();
    for (name, definition) in definitions.into_iter().flatten() {
        must_be_there(definition, schema, &mut vec![format!("#/$defs/{name}")])?;
    }
    Ok(())
}

fn must_be_there(value: &Value, root: &Value, open: &mut Vec<String>) -> Verdict {
    let Value::Object(node) = value else {
        return Ok(());
    };
    if let Some(text) = node.get("$ref").and_then(Value::as_str) {
        must(!open.iter().any(|o| o == text), || {
            "a cycle of references through required properties".into()
        })?;
        let target = text.strip_prefix('#').and_then(|p| root.pointer(p));
        open.push(text.to_owned());
        must_be_there(target.unwrap_or(&Value::Null), root, open)?;
        open.pop();
    }
    let needed = required(node);
    let needed = properties(node).filter(|(key, _)| needed.contains(key.as_str()));
    let mut below: Vec<&Value> = needed.map(|(_, child)| child).collect();
    below.extend(node.get("items"));
    for list in ["anyOf", "oneOf", "prefixItems"] {
        below.extend(
            node.get(list)
                .and_then(Value::as_array)
                .into_iter()
                .flatten(),
        );
    }
    below
        .into_iter()
        .try_for_each(|child| must_be_there(child, root, open))
}
