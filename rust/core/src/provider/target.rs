/// A wire format of tool declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// Anthropic `POST /v1/messages`.
    AnthropicMessages,
    /// OpenAI `POST /v1/responses`.
    OpenAiResponses,
    /// OpenAI `POST /v1/chat/completions`.
    OpenAiChat,
    /// A tool of an MCP `tools/list` result.
    Mcp,
}

/// What stands around the joined elements of a tools array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrapping {
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
    ];

    /// What turns elements joined by `,` into the value of the request's `tools` field.
    #[must_use]
    pub fn wrapping(self) -> Wrapping {
        Wrapping {
            prefix: "[",
            suffix: "]",
        }
    }
}
