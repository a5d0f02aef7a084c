use serde_json::Value;

use crate::provider::Note;

/// A tool as one provider wants to see it, and the way back from the model's arguments.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub(super) name: Box<str>,
    pub(super) json: Box<str>,
    pub(super) notes: Box<[Note]>,
}

impl Declaration {
    /// The name in the declaration; differs from the tool's where a provider forbids that.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One element of the provider's tools array: compact JSON, equal for equal tools.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// What had to be changed, in the order of the schema.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Turns the model's arguments into what the tool wants. Arguments that do not fit the
    /// declaration come back unchanged where they do not: validation names the problem.
    #[must_use]
    pub fn restore(&self, arguments: Value) -> Value {
        arguments
    }
}
