//! Reading raw MCP tools, of any revision and in any wrapping that servers and files use.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Annotations, Exposure, ToolDefinition};
use crate::{Error, Limits, Result, json};

/// One tool of a list: its name, as far as it has one, and what could be read of it.
pub(crate) struct Listed {
    pub name: Option<String>,
    pub definition: Result<ToolDefinition>,
}

/// Reads the tools of one `tools/list` page, one by one; see
/// [`crate::source::ToolInput::ToolsList`] for the forms. Fails as a whole only where the text
/// around the tools cannot be read.
pub(crate) fn read(text: &str, limits: &Limits) -> Result<Vec<Listed>> {
    Error::check_limit(
        "tools/list bytes",
        "max_tools_list_bytes",
        text.len(),
        limits.max_tools_list_bytes,
    )?;
    let mut tools = Vec::new();
    // Raw values are skipped over without recursion: a tool that nests too deeply is found here
    // whole and refused alone.
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let value = value.map_err(|e| Error::InvalidJson(format!("tools/list: {e}")))?;
        unwrap(value, &mut tools, limits, true)?;
    }
    Ok(tools)
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
}

fn unwrap(
    value: &RawValue,
    tools: &mut Vec<Listed>,
    limits: &Limits,
    outermost: bool,
) -> Result<()> {
    let unreadable = |e: serde_json::Error| Error::InvalidJson(format!("tools/list: {e}"));
    if value.get().starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(value.get()).map_err(unreadable)?;
        tools.extend(list.into_iter().map(|tool| listed(tool, limits)));
        return Ok(());
    }
    let envelope: Envelope<'_> = serde_json::from_str(value.get()).map_err(unreadable)?;
    match envelope {
        Envelope { tools: Some(list), .. } => {
            tools.extend(list.into_iter().map(|tool| listed(tool, limits)));
            Ok(())
        }
        Envelope { name: Some(_), .. } => {
            tools.push(listed(value, limits));
            Ok(())
        }
        Envelope { result: Some(result), .. } if outermost => unwrap(result, tools, limits, false),
        Envelope { error: Some(_), .. } => Err(Error::InvalidArgument(
            "this is a JSON-RPC error, not a tools/list result".into(),
        )),
        _ => Err(Error::InvalidArgument(
            "neither a tools/list result, nor an array of tools, nor a tool: there is no \"tools\" and no \"name\"".into(),
        )),
    }
}

/// A tool on the wire. What is of the wrong type and not essential counts as absent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTool<'a> {
    name: String,
    #[serde(default, deserialize_with = "json::optional")]
    title: Option<serde_json::Value>,
    #[serde(default, deserialize_with = "json::optional")]
    description: Option<serde_json::Value>,
    #[serde(borrow, alias = "input_schema")]
    input_schema: Option<&'a RawValue>,
    #[serde(borrow, alias = "output_schema")]
    output_schema: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "json::optional")]
    annotations: Option<serde_json::Value>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(default, alias = "category")]
    domain: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default, alias = "aliases")]
    keywords: Vec<String>,
    #[serde(default)]
    exposure: Option<Exposure>,
}

fn listed(raw: &RawValue, limits: &Limits) -> Listed {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    Listed {
        // Reads nothing but the name, so that a tool that is refused can be called by it.
        name: serde_json::from_str::<Named>(raw.get())
            .ok()
            .map(|named| named.name),
        definition: read_tool(raw, limits),
    }
}

fn read_tool(raw: &RawValue, limits: &Limits) -> Result<ToolDefinition> {
    let text = raw.get();
    Error::check_limit(
        "tool definition bytes",
        "max_tool_bytes",
        text.len(),
        limits.max_tool_bytes,
    )?;
    // One level is the tool itself.
    Error::check_limit(
        "nesting depth of the tool definition",
        "max_json_depth",
        json::depth(text).saturating_sub(1),
        json::max_depth(limits),
    )?;
    let tool: WireTool<'_> =
        serde_json::from_str(text).map_err(|e| Error::InvalidJson(format!("tool: {e}")))?;
    let words =
        |value: Option<serde_json::Value>| value.and_then(|v| v.as_str().map(str::to_owned));
    let own = |value: Option<&RawValue>| value.map(|v| v.get().to_owned());
    Ok(ToolDefinition {
        name: tool.name,
        title: words(tool.title),
        description: words(tool.description).unwrap_or_default(),
        input_schema: own(tool.input_schema).unwrap_or_default(),
        output_schema: own(tool.output_schema),
        annotations: tool
            .annotations
            .and_then(|value| serde_json::from_value::<Annotations>(value).ok())
            .unwrap_or_default(),
        meta: own(tool.meta),
        domain: tool.domain.filter(|domain| !domain.trim().is_empty()),
        tags: tool.tags,
        keywords: tool.keywords,
        exposure: tool.exposure,
    })
}
