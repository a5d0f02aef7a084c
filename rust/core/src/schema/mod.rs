//! Schemas: one reading of what servers send, and one rewrite for each family of providers.
//!
//! [`canonical`] is the schema that a tool means; it is what arguments are validated against.
//! [`crate::provider`] rewrites it for a target by the tables of `profile`.

mod bare;
mod convert;
mod cycles;
mod keys;
mod keyword;
mod merge;
mod node;
mod note;
pub(crate) mod pattern;
mod profile;
mod read;
mod refs;
mod rewrite;
mod simplify;
mod types;
mod typescript;
mod unique;
mod way_back;
mod words;
mod work;

pub use convert::Weight;
pub(crate) use convert::{Conversion, Failure, convert};
pub use note::{Effect, Note};
pub(crate) use profile::Profile;
pub(crate) use read::Document;
pub use typescript::typescript;
pub(crate) use way_back::WayBack;

pub(crate) mod profiles {
    //! The columns of the conversion matrix.
    pub(crate) use super::profile::{
        ANTHROPIC, ANTHROPIC_STRICT, BEDROCK, COMPATIBLE, GEMINI_JSON_SCHEMA, GEMINI_PARAMETERS,
        MCP, MISTRAL, OLLAMA, OPENAI, OPENAI_STRICT,
    };
}

/// The schema that `raw` means, as a schema of draft 2020-12 that every validator can compile.
///
/// Reads drafts 3 to 2020-12 and the mistakes servers make: types that do not exist, `required` as a
/// boolean, arrays under `items`, wrappers left around the schema, references that lead nowhere or
/// around. Patterns that are too large to be compiled, or are too large together, are left out, and
/// notes of [`Effect::Loosened`] say so. The notes name what was repaired. `raw` is nested no deeper than
/// `Limits::max_json_depth`.
#[must_use]
pub fn canonical(raw: &serde_json::Value) -> (serde_json::Value, Vec<Note>) {
    let document = Document::read(raw);
    let written = node::Written {
        node: &document.root,
        definitions: &document.definitions,
    };
    // Serialising a node to a value cannot fail: keys are strings, numbers come from JSON.
    let value = serde_json::to_value(&written).unwrap_or(serde_json::Value::Bool(true));
    (value, document.notes.into_list())
}
