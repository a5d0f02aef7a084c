//! The public name of a tool: a pure function of its source and its own name.
//!
//! A name never depends on which other tools exist, in which order they came or who asks, so that
//! it tells no secret, breaks no prompt cache and means the same after a restart.

use sha2::{Digest, Sha256};

/// Longest public name; the smallest of the providers' limits.
pub const MAX_NAME_LEN: usize = 64;

/// Names that Toolcrib or a provider gives a meaning of their own.
///
/// A tool of one of these names is published with a hash behind it.
pub const RESERVED: &[&str] = &[
    TOOL_SEARCH,
    FIND_TOOLS,
    DESCRIBE_TOOL,
    CALL_TOOL,
    PLACEHOLDER,
    CODEMODE,
    "tool_search_tool_bm25",
    "tool_search_tool_regex",
];

/// The tool that every session starts with.
pub const TOOL_SEARCH: &str = "tool_search";

/// What [`TOOL_SEARCH`] is declared as where the provider keeps that name for itself.
pub const FIND_TOOLS: &str = "find_tools";

/// Shows the declaration of a tool, where the declared tools never change.
pub const DESCRIBE_TOOL: &str = "describe_tool";

/// Calls a tool by its name, where the declared tools never change.
pub const CALL_TOOL: &str = "call_tool";

/// Declared to Anthropic beside deferred tools; does nothing.
pub const PLACEHOLDER: &str = "tool_placeholder";

/// The tool that runs a script which calls tools.
pub const CODEMODE: &str = "codemode";

/// The tools that Toolcrib itself offers. A source named by [`Naming::Replacing`] may have tools of
/// these names; to who may use one of them ours is not offered.
pub const OWN: &[&str] = &[TOOL_SEARCH, DESCRIBE_TOOL, CALL_TOOL, CODEMODE];

/// What stands before the names of tools of an MCP server.
const NAMESPACE_PREFIX: &str = "mcp__";
const SEPARATOR: &str = "__";
const HASH_DIGITS: usize = 8;

/// How the tools of a source are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Naming {
    /// `mcp__<source>__<tool>`: tools that come from a server.
    #[default]
    Namespaced,
    /// The tool's own name: tools of the service's own code.
    Plain,
    /// As [`Naming::Plain`], but the names of [`OWN`] may be had as well: tools of the service's own
    /// code that take the place of Toolcrib's.
    Replacing,
}

/// Whether a tool could have this public name.
pub(crate) fn is_public_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_LEN && name.chars().all(is_kept)
}

fn is_kept(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// The public name of `tool` in `source`.
///
/// Only `[A-Za-z0-9_-]` is kept and at most [`MAX_NAME_LEN`] characters. If anything had to be
/// replaced or cut, if the source contains `__` or ends in `_` (the separator would be ambiguous),
/// or if a plain name is reserved or looks namespaced, the name ends in `_` and the first eight hex
/// digits of SHA-256 over source, NUL, tool.
///
/// ```
/// use toolcrib_core::name::{Naming, public_name};
///
/// assert_eq!(public_name(Naming::Namespaced, "github", "create_issue"), "mcp__github__create_issue");
/// assert_eq!(public_name(Naming::Plain, "orders", "cancel_order"), "cancel_order");
/// assert!(public_name(Naming::Plain, "orders", "cancel order").starts_with("cancel_order_"));
/// ```
#[must_use]
pub fn public_name(naming: Naming, source: &str, tool: &str) -> String {
    let (raw, mut exact) = match naming {
        Naming::Namespaced => (
            [NAMESPACE_PREFIX, source, SEPARATOR, tool].concat(),
            !source.contains(SEPARATOR) && !source.ends_with('_'),
        ),
        Naming::Plain | Naming::Replacing => {
            let reserved = RESERVED.contains(&tool) && !replaces(naming, tool);
            (
                tool.to_owned(),
                !reserved && !tool.starts_with(NAMESPACE_PREFIX),
            )
        }
    };
    let mut name = kept(&raw);
    exact &= name == raw;
    if exact && name.len() <= MAX_NAME_LEN {
        return name;
    }
    name.truncate(MAX_NAME_LEN - HASH_DIGITS - 1);
    name.push('_');
    let digest = Sha256::new()
        .chain_update(source)
        .chain_update([0])
        .chain_update(tool)
        .finalize();
    for byte in &digest[..HASH_DIGITS / 2] {
        name.push_str(&format!("{byte:02x}"));
    }
    name
}

/// Whether a tool takes the place of one of [`OWN`].
pub(crate) fn replaces(naming: Naming, tool: &str) -> bool {
    naming == Naming::Replacing && OWN.contains(&tool)
}

/// Whether `name` can be the public name of a tool of the namespaced source `source`.
pub(crate) fn is_of_source(name: &str, source: &str) -> bool {
    let mut namespace = kept(&[NAMESPACE_PREFIX, source, SEPARATOR].concat());
    namespace.truncate(MAX_NAME_LEN - HASH_DIGITS - 1);
    name.starts_with(&namespace)
}

/// `raw` with `_` in place of everything that a public name has not.
fn kept(raw: &str) -> String {
    raw.chars()
        .map(|c| if is_kept(c) { c } else { '_' })
        .collect()
}
