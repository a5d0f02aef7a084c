//! What a script can reach: the one thing outside of the sandbox.

use serde::Serialize;

use crate::Outcome;

/// Gives one script its tools.
///
/// Every method is called on a thread of the [`Pool`](crate::Pool) and must return quickly: the
/// script, and its clock, stand still meanwhile. What takes longer is begun by [`Host::call`] and
/// [`Host::refresh`] and completed by [`Script::complete`](crate::Script::complete), from any thread.
///
/// All names that a host gives away are names that the script's caller may know.
pub trait Host: Send + Sync + 'static {
    /// Begins a call. `id` counts the calls of the script from 1; `name` is one that
    /// [`Host::resolve`] gave; `arguments` is JSON text of an object.
    fn call(&self, id: u32, name: &str, arguments: &str);

    /// Begins to ask again what the caller may use, before a lookup. `id` is none of a call. Where it
    /// cannot be asked, [`Completion::Unknown`](crate::Completion::Unknown) says so.
    fn refresh(&self, id: u32);

    /// The script will not read what comes of this call, which may be under way or done.
    fn abandon(&self, id: u32);

    /// The tool that a script means by `name`.
    fn resolve(&self, name: &str) -> Resolved;

    /// Tools that match a query, best first.
    fn search(&self, search: &Search) -> Vec<Summary>;

    /// The declaration of a tool; None where there is none of this name.
    fn describe(&self, name: &str) -> Option<String>;

    /// The namespace of this name.
    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>>;

    /// The first tools by name, and how many there are.
    fn tools(&self, limit: usize) -> (Vec<Summary>, usize);

    /// What an earlier script of the session stored under `key`, as JSON.
    fn load(&self, key: &str) -> Option<String>;

    /// Keeps what a script stored, now that it succeeded; None removes. All or nothing.
    ///
    /// # Errors
    ///
    /// What is over which limit, for the model to read.
    fn commit(&self, writes: Vec<(String, Option<String>)>) -> Result<(), String>;

    /// Called once, when all is done. Nothing but [`Host::overran`] is called later.
    fn finished(&self, outcome: Outcome);

    /// The engine did not answer in time and still has the thread; the script was given up, and
    /// [`Host::finished`] called. For logs.
    fn overran(&self) {}
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// The tool of this public name.
    Tool(String),
    /// No tool; names of the caller's that look like it.
    Unknown(Vec<String>),
    /// The name, with `_` for what no identifier may have, stands for each of these.
    Ambiguous(Vec<String>),
}

/// A search for tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// What the tool should do.
    pub query: String,
    /// Most hits; the host has a default and a maximum.
    pub limit: Option<i64>,
    /// The name of a namespace to search in.
    pub namespace: Option<String>,
}

/// A tool as lists have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The public name.
    pub name: String,
    /// The beginning of its description.
    pub description: String,
}

/// A source as a script sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// How it wants to be used.
    pub instructions: String,
    /// The names of its tools that the script may call.
    pub tools: Vec<String>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// How it ended.
    pub kind: ReplyKind,
    /// What a model would read.
    pub text: String,
    /// The structured result as JSON.
    pub structured: Option<String>,
    /// The content blocks of MCP as JSON; None stands for one of the text.
    pub content: Option<String>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReplyKind {
    /// The tool did its work.
    Completed,
    /// The tool was executed and failed.
    Failed,
    /// The arguments did not fit; nothing was executed.
    InvalidArguments,
    /// The caller may not do this.
    Refused,
    /// The caller has no such tool.
    NotFound,
    /// The tool cannot be executed now.
    Unavailable,
}

impl ReplyKind {
    /// All kinds; the position of each is its number on the wire.
    pub const ALL: [Self; 6] = [
        Self::Completed,
        Self::Failed,
        Self::InvalidArguments,
        Self::Refused,
        Self::NotFound,
        Self::Unavailable,
    ];

    /// The word for it, in scripts and in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::InvalidArguments => "invalid_arguments",
            Self::Refused => "refused",
            Self::NotFound => "not_found",
            Self::Unavailable => "unavailable",
        }
    }
}
