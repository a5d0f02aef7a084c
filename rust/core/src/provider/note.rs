use std::fmt;

/// What a change did to the set of arguments that a schema accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Another form of the same meaning.
    Rewritten,
    /// The declaration accepts less than the tool does.
    Narrowed,
    /// The declaration accepts more than the tool does; the call is still validated against the
    /// tool's own schema.
    Loosened,
}

/// One change that was made to a schema so that a provider accepts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// JSON Pointer into the tool's schema; empty for the schema itself.
    pub pointer: String,
    /// What was changed, usually a keyword.
    pub what: &'static str,
    /// Why, as a short clause.
    pub why: &'static str,
    /// What the change did to the meaning.
    pub effect: Effect,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}: {}: {}", self.pointer, self.what, self.why)
    }
}

/// Why a tool has no declaration for one target. It keeps its declarations for the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Even the shortest form of the declaration is over the limit.
    #[error(
        "the declaration takes {bytes} bytes even with everything below the parameters cut, the limit is {limit} (max_declaration_bytes)"
    )]
    TooLarge {
        /// Bytes of the shortest form.
        bytes: usize,
        /// `max_declaration_bytes`.
        limit: usize,
    },
    /// The schema is neither an object nor a boolean.
    #[error("the input schema is {found}, not a JSON Schema")]
    NotASchema {
        /// The JSON type that stands where a schema should.
        found: &'static str,
    },
}
