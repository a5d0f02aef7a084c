//! Anthropic Messages, and what Claude wants of a schema wherever it runs.

use serde_json::{Map, Value};

use super::{
    Verdict, description, free_of, known_format, list, must, name, only, only_of, properties,
    refuse, required, root_object, simple_pattern, types, unique, valid_2020, walk,
};

pub fn check(tools: &Value) -> Verdict {
    const FIELDS: [&str; 6] = [
        "name",
        "description",
        "input_schema",
        "strict",
        "defer_loading",
        "cache_control",
    ];
    let tools = list(tools)?;
    let (mut names, mut eager, mut marks) = (Vec::new(), 0, 0);
    let mut strict = StrictSum::default();
    for tool in tools {
        only(tool, &FIELDS)?;
        // 128 in the live validator, but a reference to a deferred tool takes 64.
        names.push(name(tool, 64, "_-")?);
        description(tool)?;
        let deferred = tool["defer_loading"] == true;
        eager += usize::from(!deferred);
        marks += usize::from(tool.get("cache_control").is_some());
        must(!(deferred && tool.get("cache_control").is_some()), || {
            "cannot have both defer_loading and cache_control".into()
        })?;
        claude_schema(&tool["input_schema"])?;
        if tool["strict"] == true {
            strict.add(&tool["input_schema"])?;
        }
    }
    unique(&names)?;
    must(eager > 0, || {
        "at least one tool must have defer_loading=false".into()
    })?;
    must(names.len() - eager <= 10_000, || {
        "more than 10,000 deferred tools".into()
    })?;
    must(marks <= 4, || "more than four cache breakpoints".into())?;
    strict.within()
}

pub fn claude_schema(schema: &Value) -> Verdict {
    root_object(schema)?;
    free_of(schema, &["oneOf", "anyOf", "allOf"])?;
    valid_2020(schema)?;
    let keys = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys);
    for key in keys {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        must(
            (1..=64).contains(&key.len()) && key.chars().all(legal),
            || format!("property key {key:?} should match ^[a-zA-Z0-9_.-]{{1,64}}$"),
        )?;
    }
    Ok(())
}

/// What the strict tools of one request add up to.
#[derive(Default)]
pub struct StrictSum {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl StrictSum {
    pub fn within(&self) -> Verdict {
        must(self.tools <= 20, || "more than 20 strict tools".into())?;
        must(self.optional <= 24, || {
            "more than 24 optional parameters".into()
        })?;
        must(self.unions <= 16, || "more than 16 union parameters".into())
    }

    pub fn add(&mut self, schema: &Value) -> Verdict {
        self.tools += 1;
        walk(schema, &mut |node, _| {
            strict_node(node)?;
            let required = required(node);
            self.optional += properties(node)
                .filter(|(key, _)| !required.contains(key.as_str()))
                .count();
            self.unions += usize::from(node.contains_key("anyOf") || types(node).len() > 1);
            Ok(())
        })?;
        acyclic(schema, schema, &mut Vec::new())
    }
}

fn strict_node(node: &Map<String, Value>) -> Verdict {
    const SUPPORTED: [&str; 18] = [
        "type",
        "title",
        "description",
        "default",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
        "definitions",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "pattern",
        "format",
    ];
    const FORMATS: [&str; 10] = [
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ];
    only_of(node, &SUPPORTED)?;
    let closed = node.get("additionalProperties") == Some(&Value::Bool(false));
    let object = types(node).contains(&"object") || node.contains_key("properties");
    must(
        closed || !(object || node.contains_key("additionalProperties")),
        || "For 'object' type, 'additionalProperties' must be explicitly set to false".into(),
    )?;
    must(
        node.get("minItems").is_none_or(|n| n.as_u64() <= Some(1)),
        || "minItems above 1".into(),
    )?;
    if let Some(all) = node.get("allOf").and_then(Value::as_array) {
        let refers = |member: &Value| member.get("$ref").is_some();
        must(
            !node.contains_key("$ref") && !all.iter().any(refers),
            || "allOf with $ref".into(),
        )?;
    }
    let listed = node.get("enum").and_then(Value::as_array);
    let mut values = listed.into_iter().flatten().chain(node.get("const"));
    must(!values.any(|v| v.is_object() || v.is_array()), || {
        "an enum of objects or arrays".into()
    })?;
    simple_pattern(node)?;
    known_format(node, &FORMATS)
}

fn acyclic(value: &Value, root: &Value, open: &mut Vec<String>) -> Verdict {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get("$ref") {
                must(!open.contains(text), || "recursive schema".into())?;
                let Some(target) = text.strip_prefix('#').and_then(|p| root.pointer(p)) else {
                    return refuse(format!("external reference {text}"));
                };
                open.push(text.clone());
                acyclic(target, root, open)?;
                open.pop();
            }
            map.iter()
                .filter(|(k, _)| *k != "$defs")
                .try_for_each(|(_, v)| acyclic(v, root, open))
        }
        Value::Array(items) => items.iter().try_for_each(|v| acyclic(v, root, open)),
        _ => Ok(()),
    }
}
