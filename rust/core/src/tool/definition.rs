use crate::tool::{Annotations, Exposure};

/// A tool as its author or its server wrote it; nothing is checked yet.
///
/// Schemas and `_meta` are JSON text and stay text until somebody needs more of them, so that a
/// large catalogue costs little more than its own bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolDefinition {
    /// The name within its source.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What the model reads to choose the tool; any language.
    pub description: String,
    /// JSON Schema of the arguments, of any draft. Empty text means: no arguments.
    pub input_schema: String,
    /// JSON Schema of the structured result.
    pub output_schema: Option<String>,
    /// Behaviour hints.
    pub annotations: Annotations,
    /// `_meta` as JSON text.
    pub meta: Option<String>,
    /// The business domain, for selection and search; one word or a short phrase.
    pub domain: Option<String>,
    /// Action and subject tags, for selection and search.
    pub tags: Vec<String>,
    /// Other words for the tool, searched like its name.
    pub keywords: Vec<String>,
    /// Overrides the exposure of the source.
    pub exposure: Option<Exposure>,
}
