//! The core of Toolcrib: it keeps every tool of an organisation, shows each caller only what the
//! caller may use, shows the model only what the task needs, and checks every call again.
//!
//! The modules carry the words of the project:
//!
//! * [`name`]: the public name of a tool, a pure function of its source and its own name.
//! * [`tool`], [`source`]: definitions as they come in, and the checked form the registry keeps.
//! * [`registry`]: all tools of all sources, published as immutable, versioned snapshots.
//! * [`view`]: what one caller may discover, as a set shared between callers with equal rights.
//! * [`search`]: one index for everybody; statistics are those of the caller's own view.
//! * [`session`]: one conversation: view, active set and journal.
//! * [`schema`], [`provider`]: declarations in each provider's wire format, and the way back.
//! * [`call`]: from a model's call to validated arguments, and from a result to its preview.
//!
//! Nothing here knows of JNI, blocks on I/O or starts a thread; everything is `Send + Sync`.

pub mod call;
pub mod error;
pub mod json;
pub mod limits;
pub mod name;
pub mod provider;
pub mod registry;
pub mod schema;
pub mod search;
pub mod session;
pub mod source;
pub mod tool;
pub mod view;

pub use error::{Error, Result};
pub use limits::Limits;
