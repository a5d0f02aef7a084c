//! `tool_search`, the tool that every session starts with.

use serde::Deserialize;

/// What the model reads. Constant: nothing about the registry or the caller stands here, so that it
/// never breaks a prompt cache.
pub const TOOL_SEARCH_DESCRIPTION: &str = "Find tools for a task. Only some of the tools you may use \
are declared; search here before you say that something cannot be done. Describe what you need in \
one full sentence that names the service or system, the action and the object, in the user's \
language, for example \"create an issue in the GitHub repository\" or \"\u{67e5}\u{8be2}\u{8ba2}\u{5355}\u{7684}\u{7269}\u{6d41}\u{72b6}\u{6001}\". \
Tools that match are declared from your next step on and can then be called by name.";

/// The arguments of `tool_search`.
pub const TOOL_SEARCH_SCHEMA: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"One sentence: which service or system, which action, on which object."},"limit":{"type":"integer","description":"How many tools at most; leave it out for the usual 5.","minimum":1,"maximum":20}},"required":["query"],"additionalProperties":false}"#;

/// The arguments of one call of `tool_search`, read leniently: a model that gets the limit wrong
/// still gets its tools.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolSearchArguments {
    pub query: String,
    #[serde(default, deserialize_with = "lenient_limit")]
    pub limit: Option<i64>,
}

fn lenient_limit<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let text = value.as_str().and_then(|text| text.trim().parse().ok());
    Ok(value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
        .or(text))
}
