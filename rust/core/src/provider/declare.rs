use serde_json::{Map, Value, json};

use crate::Limits;
use crate::provider::{Declaration, Effect, Note, Rejection, Target, tool_name};
use crate::tool::Annotations;

/// What a declaration is made of; need not be a tool of the registry.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredTool<'a> {
    /// The public name.
    pub name: &'a str,
    /// A title for people; only MCP has a place for it.
    pub title: Option<&'a str>,
    /// What the model reads; left out where empty.
    pub description: &'a str,
    /// JSON Schema of the arguments, any draft, its depth within `Limits::max_json_depth`.
    pub input_schema: &'a Value,
    /// JSON Schema of the structured result, its depth within `Limits::max_json_depth`.
    pub output_schema: Option<&'a Value>,
    /// Behaviour hints; only MCP has a place for them.
    pub annotations: Option<&'a Annotations>,
}

/// Declares `tool` for `target`. Pure: equal tools give equal bytes, whoever asks and whatever
/// other tools exist.
///
/// # Errors
///
/// A [`Rejection`] keeps the tool away from this target only.
pub fn declare(
    tool: &DeclaredTool<'_>,
    target: Target,
    limits: &Limits,
) -> Result<Declaration, Rejection> {
    let mut notes = Vec::new();
    let parameters = object_root(tool.input_schema, &mut notes)?;
    let name = tool_name::legal(tool.name);
    let mut element = Map::new();
    let description = (!tool.description.trim().is_empty()).then_some(tool.description);
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            element.insert(key.to_owned(), value);
        }
    };
    match target {
        Target::AnthropicMessages => {
            put("name", Some(name.as_str().into()));
            put("description", description.map(Into::into));
            put("input_schema", Some(parameters));
        }
        Target::OpenAiResponses => {
            put("type", Some("function".into()));
            put("name", Some(name.as_str().into()));
            put("description", description.map(Into::into));
            put("parameters", Some(parameters));
            put("strict", Some(false.into()));
        }
        Target::OpenAiChat => {
            put("type", Some("function".into()));
            let mut function = json!({ "name": name });
            if let Some(description) = description {
                function["description"] = description.into();
            }
            function["parameters"] = parameters;
            function["strict"] = false.into();
            put("function", Some(function));
        }
        Target::Mcp => {
            put("name", Some(name.as_str().into()));
            put("title", tool.title.map(Into::into));
            put("description", description.map(Into::into));
            put("inputSchema", Some(parameters));
            put(
                "annotations",
                tool.annotations.and_then(|a| serde_json::to_value(a).ok()),
            );
        }
    }
    let json = Value::Object(element).to_string();
    if json.len() > limits.max_declaration_bytes {
        return Err(Rejection::TooLarge {
            bytes: json.len(),
            limit: limits.max_declaration_bytes,
        });
    }
    Ok(Declaration {
        name: name.into(),
        json: json.into(),
        notes: notes.into(),
    })
}

const ROOT_COMBINATORS: [&str; 8] = [
    "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum",
];

fn object_root(schema: &Value, notes: &mut Vec<Note>) -> Result<Value, Rejection> {
    let mut root = match schema {
        Value::Object(root) => root.clone(),
        Value::Bool(_) => Map::new(),
        Value::Null => return Err(Rejection::NotASchema { found: "null" }),
        Value::Number(_) => return Err(Rejection::NotASchema { found: "a number" }),
        Value::String(_) => return Err(Rejection::NotASchema { found: "a string" }),
        Value::Array(_) => return Err(Rejection::NotASchema { found: "an array" }),
    };
    root.shift_remove("$schema");
    for keyword in ROOT_COMBINATORS {
        if root.shift_remove(keyword).is_some() {
            notes.push(Note {
                pointer: String::new(),
                what: keyword,
                why: "not allowed at the root",
                effect: Effect::Loosened,
            });
        }
    }
    root.insert("type".to_owned(), "object".into());
    if !root.get("properties").is_some_and(Value::is_object) {
        root.insert("properties".to_owned(), json!({}));
    }
    Ok(Value::Object(root))
}
