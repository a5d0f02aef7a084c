//! From a definition to a checked tool.

use std::sync::Arc;

use serde_json::Value;

use super::{Exposure, Tool, ToolDefinition};
use crate::{
    Error, Limits, Result, json,
    name::{public_name, replaces},
    source::{SourceDefinition, check_tags},
};

/// A tool and its parsed input schema, which the index reads and nobody keeps.
pub(crate) struct Built {
    pub tool: Tool,
    pub input_schema: Value,
}

/// The schema of a tool that takes no arguments.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;

/// Checks `definition` against `limits` and gives it its public name and exposure.
pub(crate) fn build(
    definition: ToolDefinition,
    source: &SourceDefinition,
    source_name: &Arc<str>,
    limits: &Limits,
) -> Result<Built> {
    if definition.name.is_empty() {
        return Err(Error::InvalidArgument("a tool needs a name".into()));
    }
    Error::check_limit(
        "tool name bytes",
        "max_name_bytes",
        definition.name.len(),
        limits.max_name_bytes,
    )?;
    for (what, text) in [
        ("title", definition.title.as_deref().unwrap_or_default()),
        ("description", definition.description.as_str()),
    ] {
        Error::check_limit(
            &format!("tool {what} bytes"),
            "max_description_bytes",
            text.len(),
            limits.max_description_bytes,
        )?;
    }
    check_tags(&definition.tags, definition.domain.as_deref(), limits)?;
    check_tags(&definition.keywords, None, limits)?;
    let json_bytes = definition.input_schema.len()
        + definition.output_schema.as_deref().map_or(0, str::len)
        + definition.meta.as_deref().map_or(0, str::len);
    Error::check_limit(
        "bytes of the tool's schemas and _meta",
        "max_tool_bytes",
        json_bytes,
        limits.max_tool_bytes,
    )?;

    let input_text = match definition.input_schema.trim() {
        "" | "null" => NO_ARGUMENTS,
        text => text,
    };
    let input_schema = schema("inputSchema", input_text, limits)?;
    let output_schema = match definition.output_schema.as_deref().map(str::trim) {
        None | Some("" | "null") => None,
        Some(text) => Some(schema("outputSchema", text, limits)?),
    };
    let meta = match definition.meta.as_deref() {
        None => None,
        Some(text) => Some(compact(&json::parse("_meta", text, limits)?)),
    };

    let mut tags = source.tags.clone();
    tags.extend(definition.tags);
    tags.sort_unstable();
    tags.dedup();
    let exposure = source
        .exposure
        .exposure_of(&definition.name, definition.exposure);
    let exposure = match exposure {
        // What ours is not offered for has to be declared, or nothing would be found any more.
        Exposure::Codemode | Exposure::Deferred if replaces(source.naming, &definition.name) => {
            Exposure::Direct
        }
        exposure => exposure,
    };
    let tool = Tool {
        name: public_name(source.naming, source_name, &definition.name).into(),
        source: Arc::clone(source_name),
        title: definition
            .title
            .filter(|t| !t.trim().is_empty())
            .map(Into::into),
        description: definition.description.into(),
        input_schema: compact(&input_schema),
        output_schema: output_schema.as_ref().map(compact),
        annotations: definition.annotations,
        meta,
        domain: definition
            .domain
            .or_else(|| source.domain.clone())
            .map(Into::into),
        tags: tags.into_iter().map(Into::into).collect(),
        keywords: definition.keywords.into_iter().map(Into::into).collect(),
        exposure,
        local_name: definition.name.into(),
        declarations: Default::default(),
    };
    Ok(Built { tool, input_schema })
}

fn schema(what: &str, text: &str, limits: &Limits) -> Result<Value> {
    let value = json::parse(what, text, limits)?;
    if value.is_object() || value.is_boolean() {
        return Ok(value);
    }
    let found = match value {
        Value::Null => "null",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        _ => "an array",
    };
    Err(Error::InvalidArgument(format!(
        "{what} is {found}; a JSON Schema is an object (or true or false)"
    )))
}

fn compact(value: &Value) -> Box<str> {
    value.to_string().into()
}
