//! What goes into the history behind a turn of calls.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::provider::{Activation, Declaration, Endpoint, ModelCall, Target};

/// A piece of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultPart {
    /// Text for the model.
    Text(String),
    /// An image.
    Image {
        /// For example `image/png`.
        media_type: String,
        /// The bytes in base64.
        base64: String,
    },
}

/// How one call ended.
#[derive(Debug, Clone, Default)]
pub struct CallOutcome<'a> {
    /// What the model reads.
    pub parts: Vec<ResultPart>,
    /// The call failed.
    pub is_error: bool,
    /// Tools that the call, a search, activated; declared by
    /// [`Endpoint::declare_activated`].
    pub activated: Vec<&'a Declaration>,
}

const NOT_EXECUTED: &str = "The call was not executed.";
const EMPTY: &str = "(empty result)";

/// The messages or items that answer all calls of one turn, to be appended in this order behind the
/// model's own answer. Every provider wants an answer to every call, so a call without an outcome
/// gets one that says so.
#[must_use]
pub fn encode_results(
    endpoint: &Endpoint,
    turn: &[(&ModelCall, Option<&CallOutcome<'_>>)],
) -> Vec<Value> {
    let missing = CallOutcome {
        parts: vec![ResultPart::Text(NOT_EXECUTED.to_owned())],
        is_error: true,
        activated: Vec::new(),
    };
    let answered: Vec<(usize, &ModelCall, &CallOutcome<'_>)> = turn
        .iter()
        .enumerate()
        .map(|(at, (call, outcome))| (at, *call, outcome.unwrap_or(&missing)))
        .collect();
    if answered.is_empty() {
        return Vec::new();
    }
    let target = endpoint.target();
    match target {
        Target::AnthropicMessages => {
            let blocks = answered.iter().map(|(at, call, outcome)| {
                let mut block = json!({
                    "type": "tool_result",
                    "tool_use_id": id_of(target, call, *at),
                    "content": anthropic_content(endpoint, outcome),
                });
                if outcome.is_error {
                    block["is_error"] = true.into();
                }
                block
            });
            vec![json!({"role": "user", "content": blocks.collect::<Vec<_>>()})]
        }
        Target::OpenAiResponses => answered
            .iter()
            .flat_map(|(at, call, o)| responses_items(endpoint, *at, call, o))
            .collect(),
        Target::OpenAiChat | Target::Mistral | Target::Ollama | Target::Compatible => {
            chat_messages(target, &answered)
        }
        Target::GeminiParameters | Target::GeminiJsonSchema => {
            let mut parts: Vec<Value> = answered
                .iter()
                .map(|(_, call, o)| gemini_response(call, o))
                .collect();
            for (media_type, data) in answered.iter().flat_map(|(_, _, o)| images(o)) {
                parts.push(json!({"inlineData": {"mimeType": media_type, "data": data}}));
            }
            vec![json!({"role": "user", "parts": parts})]
        }
        Target::BedrockConverse | Target::BedrockClaude => {
            let blocks = answered.iter().map(|(at, call, outcome)| {
                let flagged = target == Target::BedrockClaude;
                let mut content = vec![json!({"text": text(outcome, !flagged)})];
                content.extend(images(outcome).map(|(media_type, data)| {
                    let format = media_type.rsplit('/').next().unwrap_or("png");
                    json!({"image": {"format": format, "source": {"bytes": data}}})
                }));
                let mut result = json!({"toolUseId": id_of(target, call, *at), "content": content});
                if flagged && outcome.is_error {
                    result["status"] = "error".into();
                }
                json!({"toolResult": result})
            });
            vec![json!({"role": "user", "content": blocks.collect::<Vec<_>>()})]
        }
        Target::Mcp => answered
            .iter()
            .map(|(_, _, outcome)| {
                let content: Vec<Value> = outcome
                    .parts
                    .iter()
                    .map(|part| match part {
                        ResultPart::Text(text) => json!({"type": "text", "text": text}),
                        ResultPart::Image { media_type, base64 } => {
                            json!({"type": "image", "mimeType": media_type, "data": base64})
                        }
                    })
                    .collect();
                json!({"content": content, "isError": outcome.is_error})
            })
            .collect(),
    }
}

fn anthropic_content(endpoint: &Endpoint, outcome: &CallOutcome<'_>) -> Value {
    if endpoint.activation() == Activation::AnthropicReference && !outcome.activated.is_empty() {
        // Nothing beside them: the provider expands each to the tool's definition.
        return outcome
            .activated
            .iter()
            .map(|d| json!({"type": "tool_reference", "tool_name": d.name()}))
            .collect::<Vec<_>>()
            .into();
    }
    let mut pictures = images(outcome).peekable();
    if pictures.peek().is_none() {
        return text(outcome, false).into();
    }
    let mut content = vec![json!({"type": "text", "text": text(outcome, false)})];
    content.extend(pictures.map(|(media_type, data)| {
        json!({
            "type": "image",
            "source": {"type": "base64", "media_type": media_type, "data": data},
        })
    }));
    content.into()
}

fn responses_items(
    endpoint: &Endpoint,
    at: usize,
    call: &ModelCall,
    outcome: &CallOutcome<'_>,
) -> Vec<Value> {
    let id = id_of(Target::OpenAiResponses, call, at);
    // Elements are JSON by construction.
    let tools = || -> Vec<Value> {
        outcome
            .activated
            .iter()
            .filter_map(|d| crate::json::value(d.json()).ok())
            .collect()
    };
    if call.is_provider_search {
        return vec![json!({
            "type": "tool_search_output",
            "execution": "client",
            "call_id": id,
            "status": "completed",
            "tools": tools(),
        })];
    }
    let mut pictures = images(outcome).peekable();
    let output = if pictures.peek().is_none() {
        Value::from(text(outcome, true))
    } else {
        let mut parts = vec![json!({"type": "input_text", "text": text(outcome, true)})];
        parts.extend(pictures.map(|(media_type, data)| {
            json!({"type": "input_image", "image_url": data_url(media_type, data)})
        }));
        parts.into()
    };
    let mut items = vec![json!({"type": "function_call_output", "call_id": id, "output": output})];
    let adds = endpoint.activation() == Activation::OpenAiAdditionalTools;
    if adds && !outcome.activated.is_empty() {
        items.push(json!({"type": "additional_tools", "role": "developer", "tools": tools()}));
    }
    items
}

fn chat_messages(target: Target, answered: &[(usize, &ModelCall, &CallOutcome<'_>)]) -> Vec<Value> {
    let mut messages = Vec::with_capacity(answered.len() + 1);
    let mut shown = Vec::new();
    for (at, call, outcome) in answered {
        let mut message = json!({"role": "tool", "content": text(outcome, true)});
        match target {
            Target::Ollama => {
                message["tool_name"] = call.name.as_str().into();
                if let Some(id) = &call.id {
                    message["tool_call_id"] = id.as_str().into();
                }
                let data: Vec<Value> = images(outcome).map(|(_, data)| data.into()).collect();
                if !data.is_empty() {
                    message["images"] = data.into();
                }
            }
            _ => {
                message["tool_call_id"] = id_of(target, call, *at).into();
                if target == Target::Mistral {
                    message["name"] = call.name.as_str().into();
                }
                for (media_type, data) in images(outcome) {
                    if target == Target::Compatible {
                        // Not every endpoint takes images at all.
                        let text = message["content"].as_str().unwrap_or_default();
                        message["content"] = format!("{text}\n(an image was left out)").into();
                    } else {
                        let url = data_url(media_type, data);
                        shown.push(json!({"type": "image_url", "image_url": {"url": url}}));
                    }
                }
            }
        }
        messages.push(message);
    }
    if !shown.is_empty() {
        shown.insert(
            0,
            json!({"type": "text", "text": "Images of the results above:"}),
        );
        messages.push(json!({"role": "user", "content": shown}));
    }
    messages
}

/// The text is never sent as an object of its own: Gemini reads a `$ref` in it.
fn gemini_response(call: &ModelCall, outcome: &CallOutcome<'_>) -> Value {
    let key = if outcome.is_error { "error" } else { "output" };
    let mut response = json!({"name": call.name, "response": {key: text(outcome, false)}});
    if let Some(id) = &call.id {
        response["id"] = id.as_str().into();
    }
    json!({"functionResponse": response})
}

/// All text of a result; where the provider has no flag for it, an error says so itself.
fn text(outcome: &CallOutcome<'_>, say_error: bool) -> String {
    let pieces: Vec<&str> = outcome
        .parts
        .iter()
        .filter_map(|part| match part {
            ResultPart::Text(text) => Some(text.as_str()),
            ResultPart::Image { .. } => None,
        })
        .collect();
    let text = pieces.join("\n");
    let text = if text.is_empty() {
        EMPTY.to_owned()
    } else {
        text
    };
    if say_error && outcome.is_error {
        format!("Error: {text}")
    } else {
        text
    }
}

fn images<'a>(outcome: &'a CallOutcome<'_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    outcome.parts.iter().filter_map(|part| match part {
        ResultPart::Image { media_type, base64 } => Some((media_type.as_str(), base64.as_str())),
        ResultPart::Text(_) => None,
    })
}

fn data_url(media_type: &str, base64: &str) -> String {
    format!("data:{media_type};base64,{base64}")
}

fn id_of(target: Target, call: &ModelCall, at: usize) -> String {
    match &call.id {
        Some(id) => call_id(target, id),
        None => call_id(target, &format!("call_{at}")),
    }
}

/// An id that `target` takes, for an id that may come from another provider: the same id where it is
/// legal, otherwise a hash of it, so that a call and its result meet again.
#[must_use]
pub fn call_id(target: Target, id: &str) -> String {
    const MISTRAL_LENGTH: usize = 9;
    let plain = |extra: &str| {
        !id.is_empty()
            && id.len() <= 64
            && id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || extra.contains(c))
    };
    let legal = match target {
        Target::Mistral => plain("") && id.len() == MISTRAL_LENGTH,
        Target::AnthropicMessages => plain("_-"),
        Target::BedrockConverse | Target::BedrockClaude => plain("_.:-"),
        Target::OpenAiResponses | Target::OpenAiChat | Target::Compatible => {
            !id.is_empty() && id.len() <= 64
        }
        Target::Ollama | Target::GeminiParameters | Target::GeminiJsonSchema | Target::Mcp => true,
    };
    if legal {
        return id.to_owned();
    }
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    Sha256::digest(id)
        .iter()
        .take(MISTRAL_LENGTH)
        .map(|byte| char::from(DIGITS[usize::from(*byte) % DIGITS.len()]))
        .collect()
}
