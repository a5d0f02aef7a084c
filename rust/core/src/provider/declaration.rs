use serde_json::Value;

use crate::schema::{Note, WayBack, Weight};

/// A tool as one provider wants to see it, and the way back from the model's arguments.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub(super) name: Box<str>,
    pub(super) tool: Box<str>,
    pub(super) json: Box<str>,
    pub(super) notes: Box<[Note]>,
    pub(super) way_back: WayBack,
    pub(super) deferred: bool,
    pub(super) weight: Weight,
    /// The plain form of a strict declaration, for requests whose budget is spent.
    pub(super) plain: Option<Box<Declaration>>,
}

impl Declaration {
    /// The name in the declaration and in the model's calls; differs from [`Self::tool`] only where
    /// no provider would take that.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tool's public name.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// One element of the provider's tools array: compact JSON, equal for equal tools.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// What had to be changed, in the order of the schema; bounded.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the provider holds the model to the schema.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.plain.is_some()
    }

    /// Whether the declaration is kept from the model until the history refers to it.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.deferred
    }

    /// What it counts against the budgets of strict declarations.
    #[must_use]
    pub fn weight(&self) -> Weight {
        self.weight
    }

    /// The form that is not strict; itself where it is that already.
    #[must_use]
    pub fn plain(&self) -> &Self {
        self.plain.as_deref().unwrap_or(self)
    }

    /// Turns the model's arguments into what the tool wants: keys renamed back, nulls that stand for
    /// nothing dropped, JSON text parsed, a wrapped root unwrapped. Arguments that do not fit the
    /// declaration come back unchanged where they do not: validation names the problem.
    ///
    /// `arguments` are nested no deeper than `Limits::max_json_depth`.
    #[must_use]
    pub fn restore(&self, arguments: Value) -> Value {
        if self.way_back.is_empty() {
            arguments
        } else {
            self.way_back.restore(arguments)
        }
    }
}
