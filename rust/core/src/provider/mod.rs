//! Declarations in each provider's wire format, and the way back from a model's call.
//!
//! A tool is declared once per [`Endpoint`]; the session keeps declarations in the order of its
//! active set and renders them, so that a growing list keeps an exact byte prefix. What the model
//! answers is read by [`decode_calls`], and what it is answered is written by [`encode_results`].

mod calls;
mod declaration;
mod declare;
mod endpoint;
mod envelope;
mod render;
mod results;
mod strict;
mod target;
mod tool_name;
pub mod tool_search;

pub use crate::schema::{Effect, Note, Weight};
pub(crate) use calls::without_lost_digits;
pub use calls::{CallArguments, ModelCall, decode_calls};
pub use declaration::Declaration;
pub use declare::{DeclareOptions, DeclaredTool, Rejection, declare, declare_with};
pub use endpoint::{Activation, Budget, Endpoint};
pub(crate) use render::meant;
pub use render::{Form, Rendered, fit, named, render};
pub use results::{CallOutcome, ResultPart, call_id, encode_results};
pub use target::{Target, Wrapping};
pub(crate) use tool_name::legal;
