use serde_json::Value;

use crate::name::{FIND_TOOLS, TOOL_SEARCH};

use crate::provider::{
    Declaration, DeclareOptions, DeclaredTool, Rejection, Target, declare_with, tool_search,
};
use crate::{Error, Limits, Result};

/// How a tool that was found comes before the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Activation {
    /// Its declaration is appended to the tools of the next request. Every provider has that; the
    /// cached prefix is written anew, and providers that bind thinking to the prefix may refuse.
    GrowingList,
    /// Anthropic: its declaration is appended as deferred and stays for ever; the result of
    /// `tool_search` refers to it.
    AnthropicReference,
    /// OpenAI Responses: `tool_search` is the provider's own client tool and its answer carries the
    /// declarations, which stay in the history.
    OpenAiClientSearch,
    /// OpenAI Responses: an `additional_tools` item behind the result of `tool_search` carries the
    /// declarations, which stay in the history. More models take it than client search.
    OpenAiAdditionalTools,
    /// The tools never change; found tools are described in text and called through `call_tool`.
    MetaTool,
}

impl Activation {
    /// All; the position of each is its number on the wire.
    pub const ALL: &'static [Self] = &[
        Self::GrowingList,
        Self::AnthropicReference,
        Self::OpenAiClientSearch,
        Self::OpenAiAdditionalTools,
        Self::MetaTool,
    ];

    /// The name in configuration and documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GrowingList => "growing-list",
            Self::AnthropicReference => "anthropic-reference",
            Self::OpenAiClientSearch => "openai-client-search",
            Self::OpenAiAdditionalTools => "openai-additional-tools",
            Self::MetaTool => "meta-tool",
        }
    }

    /// The activation of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.name() == name)
    }

    /// Whether requests of `target` can carry it.
    #[must_use]
    pub fn suits(self, target: Target) -> bool {
        match self {
            Self::GrowingList | Self::MetaTool => true,
            Self::AnthropicReference => target == Target::AnthropicMessages,
            Self::OpenAiClientSearch | Self::OpenAiAdditionalTools => {
                target == Target::OpenAiResponses
            }
        }
    }
}

/// What one request may hold; `None` where nothing is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Tools of one request.
    pub max_tools: Option<usize>,
    /// Strict tools among them.
    pub max_strict: Option<usize>,
    /// Optional properties over all strict tools.
    pub max_strict_optional: Option<usize>,
    /// Unions over all strict tools.
    pub max_strict_unions: Option<usize>,
}

impl Budget {
    /// What the provider documents.
    #[must_use]
    pub fn of(target: Target) -> Self {
        let none = Self::default();
        match target {
            Target::AnthropicMessages | Target::BedrockClaude => Self {
                max_strict: Some(20),
                max_strict_optional: Some(24),
                max_strict_unions: Some(16),
                ..none
            },
            Target::OpenAiChat | Target::Compatible => Self {
                max_tools: Some(128),
                ..none
            },
            _ => none,
        }
    }
}

/// What one endpoint can do. The user picks or describes it; gateways forward, refuse or silently
/// drop features, so nothing is ever guessed from the name of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    target: Target,
    activation: Activation,
    strict: bool,
    cache_breakpoint: bool,
    search_renamed: bool,
    budget: Budget,
}

impl Endpoint {
    /// What every endpoint of `target` can do: plain declarations, a growing list, no cache marks.
    #[must_use]
    pub fn new(target: Target) -> Self {
        Self {
            target,
            activation: Activation::GrowingList,
            strict: false,
            cache_breakpoint: false,
            search_renamed: false,
            budget: Budget::of(target),
        }
    }

    /// What the provider's own endpoint of `target` can do today with its current models.
    #[must_use]
    pub fn native(target: Target) -> Self {
        let activation = match target {
            Target::AnthropicMessages => Activation::AnthropicReference,
            Target::OpenAiResponses => Activation::OpenAiClientSearch,
            Target::Mcp => Activation::MetaTool,
            _ => Activation::GrowingList,
        };
        let cache_breakpoint = matches!(target, Target::AnthropicMessages | Target::BedrockClaude);
        Self {
            activation,
            cache_breakpoint,
            ..Self::new(target)
        }
    }

    /// The same with another way of activation.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] where the target has no such thing.
    pub fn with_activation(self, activation: Activation) -> Result<Self> {
        if !activation.suits(self.target) {
            return Err(Error::InvalidArgument(format!(
                "{} has no activation by {}",
                self.target.name(),
                activation.name()
            )));
        }
        Ok(Self { activation, ..self })
    }

    /// The same with strict declarations wanted, which is ignored where the target has none.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// The same with a mark behind the last tool that is not deferred, up to which the provider
    /// caches. Ignored where the target has no marks.
    #[must_use]
    pub fn with_cache_breakpoint(self, cache_breakpoint: bool) -> Self {
        Self {
            cache_breakpoint,
            ..self
        }
    }

    /// The same with `tool_search` declared as `find_tools`: some endpoints refuse every request with
    /// a function of the first name, which they have a tool of their own for.
    #[must_use]
    pub fn with_search_renamed(self, search_renamed: bool) -> Self {
        Self {
            search_renamed,
            ..self
        }
    }

    /// The same with other limits per request.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The wire format.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// How found tools come before the model.
    #[must_use]
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Whether strict declarations are wanted.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Whether the tools get a cache mark.
    #[must_use]
    pub fn has_cache_breakpoint(&self) -> bool {
        self.cache_breakpoint
    }

    /// Whether no function may be named `tool_search`, for the endpoint has a tool of that name.
    pub(crate) fn keeps_search_name(&self) -> bool {
        self.search_renamed || self.activation == Activation::OpenAiClientSearch
    }

    /// The name under which the model knows `tool_search`.
    #[must_use]
    pub fn search_name(&self) -> &'static str {
        let own_kind = self.activation == Activation::OpenAiClientSearch;
        match self.search_renamed && !own_kind {
            true => FIND_TOOLS,
            false => TOOL_SEARCH,
        }
    }

    /// Limits per request.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Whether activated tools stand in the request's tools; otherwise only in the history.
    #[must_use]
    pub fn lists_activated(&self) -> bool {
        matches!(
            self.activation,
            Activation::GrowingList | Activation::AnthropicReference
        )
    }

    /// Declares a tool that is there from the start.
    ///
    /// # Errors
    ///
    /// As [`declare_with`].
    pub fn declare(
        &self,
        tool: &DeclaredTool<'_>,
        limits: &Limits,
    ) -> Result<Declaration, Rejection> {
        let options = DeclareOptions {
            strict: self.strict,
            deferred: false,
        };
        declare_with(tool, self.target, options, limits)
    }

    /// Declares a tool that was activated later.
    ///
    /// # Errors
    ///
    /// As [`declare_with`].
    pub fn declare_activated(
        &self,
        tool: &DeclaredTool<'_>,
        limits: &Limits,
    ) -> Result<Declaration, Rejection> {
        let deferred = matches!(
            self.activation,
            Activation::AnthropicReference | Activation::OpenAiClientSearch
        );
        let options = DeclareOptions {
            strict: self.strict,
            deferred,
        };
        declare_with(tool, self.target, options, limits)
    }

    /// Declares what stays of an activated tool that the caller may no longer use, where the
    /// provider refuses a history that refers to a tool that is gone: the name, and nothing else.
    /// `None` where the tool simply leaves the list.
    #[must_use]
    pub fn declare_withdrawn(&self, name: &str, limits: &Limits) -> Option<Declaration> {
        if self.activation != Activation::AnthropicReference {
            return None;
        }
        let tool = DeclaredTool {
            name,
            title: None,
            description: "",
            input_schema: &Value::Null,
            output_schema: None,
            annotations: None,
        };
        let options = DeclareOptions {
            strict: false,
            deferred: true,
        };
        declare_with(&tool, self.target, options, limits).ok()
    }

    /// Declares `tool_search` as this endpoint wants to see it.
    ///
    /// # Errors
    ///
    /// As [`declare_with`].
    pub fn declare_tool_search(&self, limits: &Limits) -> Result<Declaration, Rejection> {
        if self.activation == Activation::OpenAiClientSearch {
            return tool_search::declare_as_client_tool(limits);
        }
        // Plain: an optional limit is worth more than a strict query.
        declare_with(
            &DeclaredTool {
                name: self.search_name(),
                ..tool_search::tool()
            },
            self.target,
            DeclareOptions::default(),
            limits,
        )
    }
}
