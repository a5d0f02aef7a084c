//! Codemode: scripts that call tools, in a sandbox inside the process.
//!
//! A [`Pool`] runs scripts in QuickJS-NG, each in a fresh engine on a thread of known stack. What a
//! script reaches is a [`Host`] and nothing else; what bounds it are the [`ScriptLimits`]; what came
//! of it is an [`Outcome`].

mod clock;
mod collections;
mod engine;
mod host;
mod limits;
mod memory;
mod natives;
mod outcome;
mod output;
mod pool;
mod sandbox;
mod script;
mod watchdog;

pub use host::{Host, Namespace, Reply, ReplyKind, Resolved, Search, Summary};
pub use limits::ScriptLimits;
pub use outcome::{CallRecord, CallState, Failure, FailureKind, Outcome};
pub use pool::{Pool, Refused, ThreadHooks};
pub use script::{Completion, Script};
