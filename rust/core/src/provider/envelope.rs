//! The JSON around a schema, per target.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::provider::Target;
use crate::tool::Annotations;

/// Everything that may go into an element of a tools array.
pub(super) struct Envelope<'a> {
    pub(super) name: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) description: Option<&'a str>,
    /// `None` where the target wants no schema for a tool without parameters.
    pub(super) schema: Option<&'a RawValue>,
    pub(super) output_schema: Option<&'a RawValue>,
    pub(super) annotations: Option<&'a Annotations>,
    pub(super) strict: bool,
    pub(super) deferred: bool,
}

#[derive(Serialize)]
struct Anthropic<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "is_false")]
    strict: bool,
    #[serde(skip_serializing_if = "is_false")]
    defer_loading: bool,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    parameters: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

/// OpenAI's Chat format, and those made after it.
#[derive(Serialize)]
struct Chat<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Responses<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    function: Function<'a>,
    #[serde(skip_serializing_if = "is_false")]
    defer_loading: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gemini<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters_json_schema: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Bedrock<'a> {
    tool_spec: ToolSpec<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolSpec<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    input_schema: BedrockSchema<'a>,
    #[serde(skip_serializing_if = "is_false")]
    strict: bool,
}

#[derive(Serialize)]
struct BedrockSchema<'a> {
    json: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mcp<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a Annotations>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde wants"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Envelope<'_> {
    /// Compact JSON of the element.
    pub(super) fn json(&self, target: Target) -> serde_json::Result<String> {
        let function = |strict: Option<bool>| Function {
            name: self.name,
            description: self.description,
            parameters: self.schema,
            strict,
        };
        let chat = |strict| Chat {
            r#type: "function",
            function: function(strict),
        };
        match target {
            Target::AnthropicMessages => serde_json::to_string(&Anthropic {
                name: self.name,
                description: self.description,
                input_schema: self.schema,
                strict: self.strict,
                defer_loading: self.deferred,
            }),
            Target::OpenAiResponses => serde_json::to_string(&Responses {
                r#type: "function",
                // Left out, the server would try strict by itself.
                function: function(Some(self.strict)),
                defer_loading: self.deferred,
            }),
            Target::OpenAiChat => serde_json::to_string(&chat(Some(self.strict))),
            Target::Mistral => serde_json::to_string(&chat(Some(false))),
            Target::Ollama | Target::Compatible => serde_json::to_string(&chat(None)),
            Target::GeminiParameters | Target::GeminiJsonSchema => {
                let json_schema = target == Target::GeminiJsonSchema;
                serde_json::to_string(&Gemini {
                    name: self.name,
                    description: self.description,
                    parameters: self.schema.filter(|_| !json_schema),
                    parameters_json_schema: self.schema.filter(|_| json_schema),
                })
            }
            Target::BedrockConverse | Target::BedrockClaude => serde_json::to_string(&Bedrock {
                tool_spec: ToolSpec {
                    name: self.name,
                    description: self.description,
                    input_schema: BedrockSchema { json: self.schema },
                    strict: self.strict,
                },
            }),
            Target::Mcp => serde_json::to_string(&Mcp {
                name: self.name,
                title: self.title,
                description: self.description,
                input_schema: self.schema,
                output_schema: self.output_schema,
                annotations: self.annotations,
            }),
        }
    }
}
