//! What providers refuse of a history because of tools.

use std::collections::HashSet;

use serde_json::Value;
use toolcrib_core::provider::Target;

use super::{Verdict, must, refuse};

/// `messages` holds what a request's history says of calls and their results, beside its tools.
pub fn check_history(target: Target, tools: &Value, messages: &Value) -> Verdict {
    match target {
        Target::AnthropicMessages => {
            let names: HashSet<&str> = tools
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|tool| tool["name"].as_str())
                .collect();
            visit(messages, &mut |part| {
                let name = part["tool_name"].as_str().unwrap_or_default();
                must(
                    part["type"] != "tool_reference" || names.contains(name),
                    || format!("Tool reference '{name}' not found in available tools"),
                )
            })
        }
        Target::Mistral => visit(messages, &mut |part| {
            let id = part["tool_call_id"]
                .as_str()
                .or_else(|| part.get("function").and_then(|_| part["id"].as_str()));
            let legal = |id: &str| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric());
            must(id.is_none_or(legal), || {
                "Tool call id has to be defined in a-z, A-Z, 0-9, with a length of 9".into()
            })
        }),
        Target::GeminiParameters | Target::GeminiJsonSchema => visit(messages, &mut |part| {
            let Some(response) = part.get("functionResponse") else {
                return Ok(());
            };
            must(response["response"].is_object(), || {
                "a response is an object".into()
            })?;
            visit(&response["response"], &mut |inner| {
                must(inner.get("$ref").is_none(), || {
                    "a $ref in a response".into()
                })
            })
        }),
        _ => refuse("no gatekeeper"),
    }
}

/// Calls `look` for every object.
fn visit(value: &Value, look: &mut dyn FnMut(&Value) -> Verdict) -> Verdict {
    match value {
        Value::Object(map) => {
            look(value)?;
            map.values().try_for_each(|v| visit(v, look))
        }
        Value::Array(items) => items.iter().try_for_each(|v| visit(v, look)),
        _ => Ok(()),
    }
}
