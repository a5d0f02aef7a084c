//! The tools that Toolcrib itself shows to the model.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::Limits;
use crate::name::{CALL_TOOL, DESCRIBE_TOOL, TOOL_SEARCH};
use crate::provider::{Declaration, DeclaredTool, Rejection, Target, declare};
use crate::tool::Annotations;

/// Models that are told how to ask find more: a sentence carries service, action and object, a
/// keyword only one of them.
const SEARCH_DESCRIPTION: &str = "Finds tools that you may use but that are not listed yet. Search \
    here before you say that something cannot be done. Ask with one full sentence, in the user's \
    language, that names the service, the action and the object, for example: Create an issue in a \
    GitHub repository. \
    Search once for each thing you need. Tools that are found can be called from then on.";

const QUERY_DESCRIPTION: &str =
    "One full sentence that names the service, the action and the object.";

static SEARCH_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": QUERY_DESCRIPTION},
            "limit": {
                "type": "integer",
                "description": "Most tools to find; 5 if left out.",
                "minimum": 1,
                "maximum": 20
            }
        },
        "required": ["query"],
        "additionalProperties": false
    })
});

const DESCRIBE_DESCRIPTION: &str =
    "Shows what a tool that was found does and which arguments it takes.";

static DESCRIBE_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {"name": {"type": "string", "description": "The tool's name."}},
        "required": ["name"],
        "additionalProperties": false
    })
});

const CALL_DESCRIPTION: &str =
    "Calls a tool that was found, with arguments as its description wants them.";

static CALL_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The tool's name."},
            "arguments": {
                "type": "object",
                "description": "The tool's arguments.",
                "properties": {},
                "additionalProperties": true
            }
        },
        "required": ["name", "arguments"],
        "additionalProperties": false
    })
});

static READS: LazyLock<Annotations> = LazyLock::new(|| Annotations {
    title: None,
    read_only_hint: Some(true),
    destructive_hint: Some(false),
    idempotent_hint: Some(true),
    open_world_hint: Some(false),
});

/// `tool_search`: query, and optionally how many tools at most.
#[must_use]
pub fn tool() -> DeclaredTool<'static> {
    own(
        TOOL_SEARCH,
        SEARCH_DESCRIPTION,
        &SEARCH_SCHEMA,
        Some(&READS),
    )
}

/// `describe_tool`, for endpoints whose tools never change.
#[must_use]
pub fn describe_tool() -> DeclaredTool<'static> {
    own(
        DESCRIBE_TOOL,
        DESCRIBE_DESCRIPTION,
        &DESCRIBE_SCHEMA,
        Some(&READS),
    )
}

/// `call_tool`, for endpoints whose tools never change.
#[must_use]
pub fn call_tool() -> DeclaredTool<'static> {
    own(CALL_TOOL, CALL_DESCRIPTION, &CALL_SCHEMA, None)
}

fn own(
    name: &'static str,
    description: &'static str,
    input_schema: &'static Value,
    annotations: Option<&'static Annotations>,
) -> DeclaredTool<'static> {
    DeclaredTool {
        name,
        title: None,
        description,
        input_schema,
        output_schema: None,
        annotations,
    }
}

/// OpenAI's own kind of tool for a search that the application runs.
pub(crate) fn declare_as_client_tool(limits: &Limits) -> Result<Declaration, Rejection> {
    let mut declaration = declare(&tool(), Target::OpenAiResponses, limits)?;
    declaration.json = json!({
        "type": "tool_search",
        "execution": "client",
        "description": SEARCH_DESCRIPTION,
        "parameters": *SEARCH_SCHEMA,
    })
    .to_string()
    .into();
    Ok(declaration)
}
