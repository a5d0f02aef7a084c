//! What the tests of conversion share.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod data;
pub mod gatekeepers;
pub mod sample;

use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    Declaration, DeclareOptions, DeclaredTool, Rejection, Target, declare_with,
};

/// Every target, and its strict form where it has one.
pub fn forms() -> impl Iterator<Item = (Target, bool)> {
    Target::ALL.iter().flat_map(|target| {
        [(*target, false), (*target, true)]
            .into_iter()
            .filter(|(target, strict)| !strict || target.has_strict())
    })
}

pub fn declared(schema: &Value, target: Target, strict: bool) -> Result<Declaration, Rejection> {
    declared_as("a_tool", "Does it.", schema, target, strict)
}

pub fn declared_as(
    name: &str,
    description: &str,
    schema: &Value,
    target: Target,
    strict: bool,
) -> Result<Declaration, Rejection> {
    let tool = DeclaredTool {
        name,
        title: None,
        description,
        input_schema: schema,
        output_schema: None,
        annotations: None,
    };
    let options = DeclareOptions {
        strict,
        deferred: false,
    };
    declare_with(&tool, target, options, &Limits::default())
}

/// Where the schema stands in an element of the tools array.
pub fn schema_pointer(target: Target) -> &'static str {
    match target {
        Target::AnthropicMessages => "/input_schema",
        Target::OpenAiResponses => "/parameters",
        Target::OpenAiChat | Target::Mistral | Target::Ollama | Target::Compatible => {
            "/function/parameters"
        }
        Target::GeminiParameters => "/parameters",
        Target::GeminiJsonSchema => "/parametersJsonSchema",
        Target::BedrockConverse | Target::BedrockClaude => "/toolSpec/inputSchema/json",
        Target::Mcp => "/inputSchema",
        _ => unreachable!("a target without a schema"),
    }
}

/// The schema of a declaration; that of no arguments where it has none.
pub fn schema_of(declaration: &Declaration, target: Target) -> Value {
    let element: Value = serde_json::from_str(declaration.json()).expect("JSON");
    element
        .pointer(schema_pointer(target))
        .cloned()
        .unwrap_or_else(|| json!({"type": "object"}))
}
