//! Calls: from what a model sent to validated arguments, and from a result to what the model reads.
//!
//! Executing a tool and deciding whether the caller may do it now are not done here: the caller of
//! this crate does both between [`Session::prepare`](crate::session::Session::prepare) and
//! [`Preview::of`].

mod effort;
mod prepare;
mod preview;
mod problem;
mod validator;
mod validator_cache;

pub(crate) use prepare::read_arguments;
pub use prepare::{CallRequest, Prepared, ReadyCall, Refusal};
pub use preview::Preview;
pub use problem::Problem;
pub use validator::ArgumentValidator;
pub(crate) use validator_cache::ValidatorCache;
