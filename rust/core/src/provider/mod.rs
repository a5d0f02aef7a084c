//! Declarations in each provider's wire format, and the way back from a model's call.
//!
//! A tool is declared once per [`Target`]; the session keeps declarations in the order of its active
//! set and joins them, so that a growing list keeps an exact byte prefix.

mod declaration;
mod declare;
mod envelope;
mod strict;
mod target;
mod tool_name;

pub use crate::schema::{Effect, Note, Weight};
pub use declaration::Declaration;
pub use declare::{DeclareOptions, DeclaredTool, Rejection, declare, declare_with};
pub use target::{Target, Wrapping};
