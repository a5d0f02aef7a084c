//! Reading calls of `tool_search`; how it is declared stands in [`crate::provider::tool_search`].

use serde::Deserialize;

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
