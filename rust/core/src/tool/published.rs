use std::sync::Arc;

use crate::{
    json,
    tool::{Annotations, Declarations, Exposure},
};

/// A checked tool in the registry. Immutable; shared by every snapshot that holds it.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    pub(crate) name: Arc<str>,
    pub(crate) source: Arc<str>,
    pub(crate) local_name: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Box<str>,
    pub(crate) input_schema: Box<str>,
    pub(crate) output_schema: Option<Box<str>>,
    pub(crate) annotations: Annotations,
    pub(crate) meta: Option<Box<str>>,
    pub(crate) domain: Option<Box<str>>,
    pub(crate) tags: Box<[Box<str>]>,
    pub(crate) keywords: Box<[Box<str>]>,
    pub(crate) exposure: Exposure,
    pub(crate) declarations: Declarations,
}

impl Tool {
    /// The public name, see [`crate::name`].
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The name of the source.
    #[must_use]
    pub fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// The name within the source.
    #[must_use]
    pub fn local_name(&self) -> &str {
        &self.local_name
    }

    /// A title for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What the model reads to choose the tool; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// JSON text of the input schema, parsed and within limits, otherwise as it came. An object,
    /// or a boolean schema.
    #[must_use]
    pub fn input_schema(&self) -> &str {
        &self.input_schema
    }

    /// JSON text of the output schema.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.output_schema.as_deref()
    }

    /// Behaviour hints.
    #[must_use]
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }

    /// JSON text of `_meta`.
    #[must_use]
    pub fn meta(&self) -> Option<&str> {
        self.meta.as_deref()
    }

    /// The business domain.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        self.domain.as_deref()
    }

    /// Tags, as given.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(AsRef::as_ref)
    }

    /// Other words for the tool.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.keywords.iter().map(AsRef::as_ref)
    }

    /// How the tool reaches the model.
    #[must_use]
    pub fn exposure(&self) -> Exposure {
        self.exposure
    }

    /// The first line of the description, or else the title, cut between characters to `bytes`.
    #[must_use]
    pub fn summary(&self, bytes: usize) -> String {
        let line = first_line(&self.description);
        let line = line.or(self.title().and_then(first_line));
        let line = line.unwrap_or_default();
        let shown = json::cut(line, bytes);
        if shown.len() < line.len() {
            format!("{}…", shown.trim_end())
        } else {
            line.to_owned()
        }
    }
}

/// The first line that is not blank. Ends at whatever a model may take for the end of a line, so
/// that no description can pass for several tools.
fn first_line(text: &str) -> Option<&str> {
    let ends_line = |c: char| matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut lines = text.split(ends_line).map(str::trim);
    lines.find(|line| !line.is_empty())
}
