use serde_json::{Map, Value};

use crate::name::TOOL_SEARCH;
use crate::provider::Target;
use crate::{Limits, json};

/// A call as the model made it, in no provider's words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelCall {
    /// The provider's id; some have none.
    pub id: Option<String>,
    /// The name as the model wrote it; possibly of no tool at all.
    pub name: String,
    /// OpenAI's namespace, which must be sent back with the call.
    pub namespace: Option<String>,
    /// The call is of the provider's own search tool, which wants its own kind of answer.
    pub is_provider_search: bool,
    /// The arguments in the form of the declaration; see [`crate::provider::Declaration::restore`].
    pub arguments: CallArguments,
}

/// What the model gave as arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum CallArguments {
    /// An object; empty where the model gave nothing.
    Given(Value),
    /// Text that is no JSON object. The call fails with a problem that the model can mend.
    Unreadable {
        /// What the model wrote.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Default for CallArguments {
    fn default() -> Self {
        Self::Given(Map::new().into())
    }
}

impl CallArguments {
    /// As JSON text, or as the text that is none.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Given(value) => value.to_string(),
            Self::Unreadable { text, .. } => text.clone(),
        }
    }
}

/// Reads every call of one answer, in order. Takes the provider's whole response, its message, or
/// the list of parts; anything else holds no call. Calls that the provider runs itself are left out.
#[must_use]
pub fn decode_calls(target: Target, answer: &Value, limits: &Limits) -> Vec<ModelCall> {
    let read = |id: Option<&Value>, name: &Value, arguments: Option<&Value>| {
        Some(ModelCall {
            id: id
                .and_then(Value::as_str)
                .filter(|id| !id.is_empty())
                .map(str::to_owned),
            name: name.as_str()?.to_owned(),
            namespace: None,
            is_provider_search: false,
            arguments: arguments_of(arguments, limits),
        })
    };
    match target {
        Target::AnthropicMessages => parts(answer, &["/content"])
            .filter(|part| part["type"] == "tool_use")
            .filter_map(|part| read(part.get("id"), &part["name"], part.get("input")))
            .collect(),
        Target::OpenAiResponses => parts(answer, &["/output"])
            .filter_map(|item| {
                let search = item["type"] == "tool_search_call" && item["execution"] == "client";
                let name = if search {
                    Value::from(TOOL_SEARCH)
                } else if item["type"] == "function_call" {
                    item["name"].clone()
                } else {
                    return None;
                };
                let mut call = read(item.get("call_id"), &name, item.get("arguments"))?;
                call.namespace = item["namespace"].as_str().map(str::to_owned);
                call.is_provider_search = search;
                Some(call)
            })
            .collect(),
        Target::OpenAiChat | Target::Mistral | Target::Ollama | Target::Compatible => {
            let at = [
                "/choices/0/message/tool_calls",
                "/message/tool_calls",
                "/tool_calls",
            ];
            parts(answer, &at)
                .filter_map(|call| {
                    let function = &call["function"];
                    read(call.get("id"), &function["name"], function.get("arguments"))
                })
                .collect()
        }
        Target::GeminiParameters | Target::GeminiJsonSchema => parts(
            answer,
            &["/candidates/0/content/parts", "/content/parts", "/parts"],
        )
        .filter_map(|part| part.get("functionCall"))
        .filter_map(|call| read(call.get("id"), &call["name"], call.get("args")))
        .collect(),
        Target::BedrockConverse | Target::BedrockClaude => parts(
            answer,
            &["/output/message/content", "/message/content", "/content"],
        )
        .filter_map(|part| part.get("toolUse"))
        .filter_map(|call| read(call.get("toolUseId"), &call["name"], call.get("input")))
        .collect(),
        Target::Mcp => {
            let params = answer.get("params").unwrap_or(answer);
            read(None, &params["name"], params.get("arguments"))
                .into_iter()
                .collect()
        }
    }
}

/// The elements of the first list that is found, or of `answer` itself.
fn parts<'a>(answer: &'a Value, at: &[&str]) -> impl Iterator<Item = &'a Value> {
    let list = at
        .iter()
        .find_map(|pointer| answer.pointer(pointer).and_then(Value::as_array));
    list.or_else(|| answer.as_array()).into_iter().flatten()
}

fn arguments_of(given: Option<&Value>, limits: &Limits) -> CallArguments {
    match given {
        None | Some(Value::Null) => CallArguments::Given(Map::new().into()),
        Some(object @ Value::Object(_)) => CallArguments::Given(object.clone()),
        Some(Value::String(text)) => from_text(text, limits, true),
        Some(other) => unreadable(other.to_string(), "not a JSON object"),
    }
}

fn from_text(text: &str, limits: &Limits, again: bool) -> CallArguments {
    if text.trim().is_empty() {
        return CallArguments::Given(Map::new().into());
    }
    if text.len() > limits.max_arguments_bytes {
        // A little too much is kept, so that nobody can take it for less than it was.
        let kept = json::cut(text, limits.max_arguments_bytes + 4);
        return unreadable(kept.to_owned(), "longer than max_arguments_bytes");
    }
    match json::parse("arguments", text, limits) {
        Ok(_) if json::has_lost_digits(text) => unreadable(text.to_owned(), json::LOST_DIGITS),
        Ok(object @ Value::Object(_)) => CallArguments::Given(object),
        Ok(Value::Null) => CallArguments::Given(Map::new().into()),
        // Some servers encode twice.
        Ok(Value::String(inner)) if again => from_text(&inner, limits, false),
        Ok(_) => unreadable(text.to_owned(), "not a JSON object"),
        Err(why) => unreadable(text.to_owned(), &why.to_string()),
    }
}

/// Takes no arguments for given whose digits were lost when the answer was read.
pub(crate) fn without_lost_digits(calls: &mut [ModelCall]) {
    for call in calls {
        if let CallArguments::Given(value) = &call.arguments
            && json::may_have_lost_digits(value)
        {
            call.arguments = unreadable(json::spelled_out(value), json::LOST_DIGITS);
        }
    }
}

fn unreadable(text: String, problem: &str) -> CallArguments {
    CallArguments::Unreadable {
        text,
        problem: problem.to_owned(),
    }
}
