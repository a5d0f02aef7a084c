use crate::schema::{Profile, profiles};

/// A wire format of tool declarations.
///
/// Belongs to an endpoint, not to a model: pick it, never guess it from a model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// Anthropic `POST /v1/messages`.
    AnthropicMessages,
    /// OpenAI `POST /v1/responses`.
    OpenAiResponses,
    /// OpenAI `POST /v1/chat/completions`.
    OpenAiChat,
    /// A tool of an MCP `tools/list` result, any revision from 2025-06-18.
    Mcp,
    /// Gemini `generateContent`, schema under `parameters`: every backend takes it.
    GeminiParameters,
    /// Gemini `generateContent`, schema under `parametersJsonSchema`: keeps more of it.
    GeminiJsonSchema,
    /// Bedrock Converse with a model of any family.
    BedrockConverse,
    /// Bedrock Converse with a Claude model: keeps more of the schema.
    BedrockClaude,
    /// Mistral chat completions.
    Mistral,
    /// Ollama `/api/chat`.
    Ollama,
    /// Any endpoint with OpenAI's chat format: DeepSeek, Qwen, Kimi and those nobody has tested.
    Compatible,
}

/// What stands around the joined elements of a tools array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrapping {
    /// The field of the request that takes the whole.
    pub field: &'static str,
    /// Before the first element.
    pub prefix: &'static str,
    /// After the last element.
    pub suffix: &'static str,
}

impl Target {
    /// All targets; the position of each is its number on the wire.
    pub const ALL: &'static [Self] = &[
        Self::AnthropicMessages,
        Self::OpenAiResponses,
        Self::OpenAiChat,
        Self::Mcp,
        Self::GeminiParameters,
        Self::GeminiJsonSchema,
        Self::BedrockConverse,
        Self::BedrockClaude,
        Self::Mistral,
        Self::Ollama,
        Self::Compatible,
    ];

    /// The name in configuration and documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenAiChat => "openai-chat",
            Self::Mcp => "mcp",
            Self::GeminiParameters => "gemini-parameters",
            Self::GeminiJsonSchema => "gemini-json-schema",
            Self::BedrockConverse => "bedrock-converse",
            Self::BedrockClaude => "bedrock-claude",
            Self::Mistral => "mistral",
            Self::Ollama => "ollama",
            Self::Compatible => "compatible",
        }
    }

    /// The target of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|t| t.name() == name)
    }

    /// What turns elements joined by `,` into the value of the request's field. Where no tool is
    /// active, leave the field out: several providers refuse an empty list.
    #[must_use]
    pub fn wrapping(self) -> Wrapping {
        match self {
            Self::GeminiParameters | Self::GeminiJsonSchema => Wrapping {
                field: "tools",
                prefix: r#"[{"functionDeclarations":["#,
                suffix: "]}]",
            },
            Self::BedrockConverse | Self::BedrockClaude => Wrapping {
                field: "toolConfig",
                prefix: r#"{"tools":["#,
                suffix: "]}",
            },
            _ => Wrapping {
                field: "tools",
                prefix: "[",
                suffix: "]",
            },
        }
    }

    /// Whether the target has strict declarations.
    #[must_use]
    pub fn has_strict(self) -> bool {
        self.strict_profile().is_some()
    }

    pub(super) fn profile(self) -> &'static Profile {
        match self {
            Self::AnthropicMessages | Self::BedrockClaude => &profiles::ANTHROPIC,
            Self::OpenAiResponses | Self::OpenAiChat => &profiles::OPENAI,
            Self::Mcp => &profiles::MCP,
            Self::GeminiParameters => &profiles::GEMINI_PARAMETERS,
            Self::GeminiJsonSchema => &profiles::GEMINI_JSON_SCHEMA,
            Self::BedrockConverse => &profiles::BEDROCK,
            Self::Mistral => &profiles::MISTRAL,
            Self::Ollama => &profiles::OLLAMA,
            Self::Compatible => &profiles::COMPATIBLE,
        }
    }

    pub(super) fn strict_profile(self) -> Option<&'static Profile> {
        match self {
            Self::AnthropicMessages | Self::BedrockClaude => Some(&profiles::ANTHROPIC_STRICT),
            Self::OpenAiResponses | Self::OpenAiChat => Some(&profiles::OPENAI_STRICT),
            _ => None,
        }
    }
}
