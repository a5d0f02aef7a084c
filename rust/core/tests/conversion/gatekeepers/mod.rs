//! What each provider refuses, written from its documents and from reports of real refusals, without
//! a look at the converter. `check` takes the value of the request's tools field.
//!
//! Where a document says what is supported, everything else counts as refused. Left out for want of
//! facts: the nesting that Gemini takes (a number is not published; 16 stands for it), what makes a
//! strict schema "too complex", DeepSeek's strict mode and Gemini's Interactions, which no target
//! speaks.

mod anthropic;
mod bedrock;
mod chat;
mod gemini;
mod history;
mod mcp;
mod openai;

use std::collections::HashSet;

use serde_json::{Map, Value};
use toolcrib_core::provider::Target;

#[allow(unused_imports, reason = "not every test looks at histories")]
pub use history::check_history;

pub type Verdict = Result<(), String>;

pub fn check(target: Target, tools: &Value) -> Verdict {
    match target {
        Target::AnthropicMessages => anthropic::check(tools),
        Target::OpenAiResponses => openai::check_responses(tools),
        Target::OpenAiChat => openai::check_chat(tools),
        Target::GeminiParameters | Target::GeminiJsonSchema => gemini::check(tools),
        Target::BedrockConverse | Target::BedrockClaude => {
            bedrock::check(tools, target == Target::BedrockClaude)
        }
        Target::Mistral => chat::check_mistral(tools),
        Target::Ollama => chat::check_ollama(tools),
        Target::Compatible => chat::check_compatible(tools),
        Target::Mcp => mcp::check(tools),
        _ => refuse("no gatekeeper"),
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, String> {
    Err(why.into())
}

fn must(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

fn list(tools: &Value) -> Result<&Vec<Value>, String> {
    tools
        .as_array()
        .filter(|l| !l.is_empty())
        .ok_or_else(|| "tools is no filled list".into())
}

fn name(tool: &Value, most: usize, extra: &str) -> Result<String, String> {
    let name = tool["name"].as_str().ok_or("a name is missing")?;
    let legal = |c: char| c.is_ascii_alphanumeric() || extra.contains(c);
    must(
        (1..=most).contains(&name.len()) && name.chars().all(legal),
        || format!("name {name:?} is not legal"),
    )?;
    Ok(name.to_owned())
}

fn unique(names: &[String]) -> Verdict {
    let mut seen = HashSet::new();
    must(names.iter().all(|n| seen.insert(n)), || {
        "tool names must be unique".into()
    })
}

fn description(tool: &Value) -> Verdict {
    match tool.get("description") {
        None => Ok(()),
        Some(text) => must(text.is_string(), || "description is no string".into()),
    }
}

fn root_object(schema: &Value) -> Verdict {
    must(schema["type"] == "object", || {
        format!(
            "schema must be a JSON Schema of 'type: \"object\"', got 'type: {}'",
            schema["type"]
        )
    })
}

/// Fits the meta-schema of draft 2020-12, and every reference leads somewhere in it.
fn valid_2020(schema: &Value) -> Verdict {
    must(schema.is_object(), || "schema is no object".into())?;
    let mut plain = schema.clone();
    if let Some(map) = plain.as_object_mut() {
        map.shift_remove("$schema");
    }
    must(jsonschema::draft202012::meta::is_valid(&plain), || {
        "JSON schema is invalid. It must match JSON Schema draft 2020-12".into()
    })?;
    references_resolve(schema, schema)
}

fn references_resolve(value: &Value, root: &Value) -> Verdict {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get("$ref") {
                let found = text.strip_prefix('#').and_then(|p| root.pointer(p));
                must(found.is_some(), || format!("{text} refers to nothing"))?;
            }
            map.values().try_for_each(|v| references_resolve(v, root))
        }
        Value::Array(items) => items.iter().try_for_each(|v| references_resolve(v, root)),
        _ => Ok(()),
    }
}

/// Refuses every other key.
fn only(map: &Value, keys: &[&str]) -> Verdict {
    let map = map.as_object().ok_or("not an object")?;
    only_of(map, keys)
}

fn only_of(map: &Map<String, Value>, keys: &[&str]) -> Verdict {
    match map.keys().find(|k| !keys.contains(&k.as_str())) {
        Some(key) => refuse(format!("unknown field {key}")),
        None => Ok(()),
    }
}

fn free_of(schema: &Value, keywords: &[&str]) -> Verdict {
    match keywords.iter().find(|k| schema.get(**k).is_some()) {
        Some(keyword) => refuse(format!("{keyword} at the top level")),
        None => Ok(()),
    }
}

/// Calls `visit` for every schema, with whether it is the root.
fn walk(schema: &Value, visit: &mut dyn FnMut(&Map<String, Value>, bool) -> Verdict) -> Verdict {
    walk_at(schema, true, visit)
}

fn walk_at(
    schema: &Value,
    root: bool,
    visit: &mut dyn FnMut(&Map<String, Value>, bool) -> Verdict,
) -> Verdict {
    let Value::Object(node) = schema else {
        return must(schema.is_boolean(), || {
            format!("{schema} is not of type 'object', 'boolean'")
        });
    };
    visit(node, root)?;
    for (key, value) in node {
        match key.as_str() {
            "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => {
                let map = value
                    .as_object()
                    .ok_or_else(|| format!("{key} is no object"))?;
                for child in map.values() {
                    walk_at(child, false, visit)?;
                }
            }
            "items"
            | "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties" => walk_at(value, false, visit)?,
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                for child in value
                    .as_array()
                    .ok_or_else(|| format!("{key} is no list"))?
                {
                    walk_at(child, false, visit)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn types(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn required(node: &Map<String, Value>) -> HashSet<&str> {
    node.get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn properties(node: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    node.get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

/// Levels of objects and arrays, definitions counted by themselves.
fn depth(schema: &Value) -> usize {
    let below = |value: &Value| match value {
        Value::Object(map) => map.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    };
    let Value::Object(node) = schema else {
        return 0;
    };
    let nests = ["properties", "items", "prefixItems", "additionalProperties"];
    let own = usize::from(nests.iter().any(|k| node.contains_key(*k)));
    let inner = |keys: &[&str]| {
        keys.iter()
            .filter_map(|k| node.get(*k))
            .map(|v| {
                if v.is_object() && v.get("type").is_some() {
                    depth(v)
                } else {
                    below(v)
                }
            })
            .max()
            .unwrap_or(0)
    };
    (own + inner(&["properties", "items", "prefixItems", "additionalProperties"]))
        .max(inner(&["anyOf", "oneOf", "allOf"]))
        .max(inner(&["$defs"]))
}

/// What engines that compile patterns to a grammar refuse: looking around, referring back, word
/// boundaries, large repetitions.
fn simple_pattern(node: &Map<String, Value>) -> Verdict {
    let Some(pattern) = node.get("pattern").and_then(Value::as_str) else {
        return Ok(());
    };
    let odd = ["(?=", "(?!", "(?<", "\\b", "\\B", "\\k"];
    must(!odd.iter().any(|o| pattern.contains(o)), || {
        format!("pattern {pattern:?} is not supported")
    })?;
    let plain = pattern.replace("\\\\", "");
    let back = plain
        .split('\\')
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| ('1'..='9').contains(&c)));
    let large = plain.split('{').skip(1).any(|rest| {
        let inner = rest.split('}').next().unwrap_or_default();
        inner
            .split(',')
            .any(|n| n.parse::<u32>().is_ok_and(|n| n > 1_000))
    });
    must(!back && !large, || {
        format!("pattern {pattern:?} is not supported")
    })
}

fn known_format(node: &Map<String, Value>, formats: &[&str]) -> Verdict {
    match node.get("format").and_then(Value::as_str) {
        Some(format) if !formats.contains(&format) => {
            refuse(format!("format {format} is not supported"))
        }
        _ => Ok(()),
    }
}
