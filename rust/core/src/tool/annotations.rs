use serde::{Deserialize, Serialize};

/// The hints of MCP's `ToolAnnotations`. Untrusted unless the source is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Annotations {
    /// A title for people.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "lenient_text"
    )]
    pub title: Option<String>,
    /// The tool changes nothing.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "lenient_bool"
    )]
    pub read_only_hint: Option<bool>,
    /// A change may destroy something.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "lenient_bool"
    )]
    pub destructive_hint: Option<bool>,
    /// Calling again with the same arguments changes nothing more.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "lenient_bool"
    )]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches things outside its own closed world.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "lenient_bool"
    )]
    pub open_world_hint: Option<bool>,
}

// A hint of the wrong type is no reason to lose the tool: it counts as not given.
fn lenient_bool<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    Ok(serde_json::Value::deserialize(from)?.as_bool())
}

fn lenient_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(serde_json::Value::deserialize(from)?
        .as_str()
        .map(str::to_owned))
}
