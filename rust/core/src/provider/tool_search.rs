//! The tools that Toolcrib itself shows to the model.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::Limits;
use crate::name::{CALL_TOOL, CODEMODE, DESCRIBE_TOOL, TOOL_SEARCH};
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

/// Constant: what a script finds depends on who asks, how it looks for it does not.
const CODEMODE_DESCRIPTION: &str = "\
Runs a JavaScript program that calls tools, and gives back only what the program returns or writes with text(value). \
Use it where several calls are needed and the steps are clear: call in parallel, branch, filter large results down to what matters.

await searchTools(query, {namespace, limit}) finds tools: [{name, description}]. Ask with one full sentence. \
await describeTool(name) gives a tool's declaration with its arguments and its result; return it and read it before the first call of a tool that you do not know. \
await describeNamespace(name) gives the tools of one source. \
await tools.NAME({...}) calls a tool and gives {structuredContent, content}; it throws where the tool fails or refuses. \
store(key, value) and load(key) keep JSON between programs. \
There are no modules, no network, no files and no timers.

const [orders, stock] = await Promise.all([tools.list_orders({status: \"open\"}), tools.list_stock({})]);
const short = new Set(stock.structuredContent.items.filter(i => i.count === 0).map(i => i.sku));
return orders.structuredContent.orders.filter(o => short.has(o.sku)).map(o => o.id);";

static CODEMODE_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "code": {
                "type": "string",
                "description": "The program: the body of an async function; await and return may stand anywhere in it."
            }
        },
        "required": ["code"],
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

/// `codemode`, where a caller has tools that scripts reach.
#[must_use]
pub fn codemode() -> DeclaredTool<'static> {
    own(CODEMODE, CODEMODE_DESCRIPTION, &CODEMODE_SCHEMA, None)
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
