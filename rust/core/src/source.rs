//! Sources: where tools come from. One MCP server, one Spring bean, one file.

use std::sync::Arc;

use crate::{
    Error, Limits, Result,
    name::Naming,
    tool::{Exposure, ToolDefinition},
};

/// A source as it is handed in; replaces the whole source of the same name.
#[derive(Debug, Clone, Default)]
pub struct SourceDefinition {
    /// The source's name; the namespace of its tools.
    pub name: String,
    /// What the source is for, in any language. Searched with a low weight.
    pub description: String,
    /// How the source wants to be used, for the model.
    pub instructions: String,
    /// How its tools are named.
    pub naming: Naming,
    /// The domain of tools that name none.
    pub domain: Option<String>,
    /// Tags that every tool of the source has besides its own.
    pub tags: Vec<String>,
    /// How its tools reach the model.
    pub exposure: ExposureRules,
    /// Its tools, in any mixture of forms.
    pub tools: Vec<ToolInput>,
    /// Whatever tells this state of the source from others: a prepared call comes back with it, so
    /// that what came with the same state executes the call.
    pub revision: u64,
}

/// A source that is to come, with what is said of it before its tools are known.
///
/// A caller may know of it if the caller's rights select every tool that it could have, each taken
/// to be of the source's domain and tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedSource {
    /// The source's name.
    pub name: Arc<str>,
    /// What exposures its tools may have. Nobody is told of a source that could only have hidden
    /// ones, or none.
    pub exposures: Vec<Exposure>,
    /// The domain of its tools.
    pub domain: Option<String>,
    /// Tags of each of its tools.
    pub tags: Vec<String>,
}

/// One way to hand in tools.
#[derive(Debug, Clone)]
pub enum ToolInput {
    /// One definition.
    Definition(Box<ToolDefinition>),
    /// JSON text with raw MCP tools: a `tools/list` result (any revision, any page), a JSON-RPC
    /// response around one, an array of tools, or tools one after the other (JSON lines).
    ToolsList(String),
}

/// The exposure of a source's tools: exact names before patterns, patterns in their order, then
/// the source's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExposureRules {
    /// For tools that no rule names and that say nothing themselves.
    pub default: Exposure,
    /// Names within the source, or patterns in which `*` stands for any run of characters.
    pub overrides: Vec<(String, Exposure)>,
}

impl ExposureRules {
    /// The exposure of the tool that its source calls `local_name` and that asked for `own`.
    #[must_use]
    pub fn exposure_of(&self, local_name: &str, own: Option<Exposure>) -> Exposure {
        let exact = self.overrides.iter().find(|(key, _)| key == local_name);
        exact
            .or_else(|| {
                self.overrides
                    .iter()
                    .find(|(key, _)| matches_pattern(key, local_name))
            })
            .map(|(_, exposure)| *exposure)
            .or(own)
            .unwrap_or(self.default)
    }
}

/// Whether `text` is what `pattern` describes; only `*` is special, both ends are anchored.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(head) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// A source in the registry.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    pub(crate) name: Arc<str>,
    pub(crate) description: Box<str>,
    pub(crate) instructions: Box<str>,
    pub(crate) tools: Box<[Arc<str>]>,
    pub(crate) quarantined: Box<[Quarantined]>,
    pub(crate) revision: u64,
}

impl Source {
    /// The source's name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// What the source is for; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// How the source wants to be used; may be empty.
    #[must_use]
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// Public names of its tools, sorted.
    #[must_use]
    pub fn tools(&self) -> &[Arc<str>] {
        &self.tools
    }

    /// The tools that were handed in and not published, in the order they came.
    #[must_use]
    pub fn quarantined(&self) -> &[Quarantined] {
        &self.quarantined
    }
}

/// A tool that was not published, and why. The others of its list were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// The tool's own name, cut to 128 bytes, or its place in the list where it has none.
    pub tool: String,
    /// Why it was not published.
    pub reason: QuarantineReason,
}

/// Why a tool was not published.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuarantineReason {
    /// The definition cannot be read or breaks a limit.
    #[error(transparent)]
    Unreadable(#[from] Error),
    /// The source has an earlier tool of this name.
    #[error("the list has an earlier tool of this name")]
    DuplicateName,
    /// Another source already publishes a tool under the same public name.
    #[error("source \"{source_name}\" already publishes a tool named {name}; rename one of them")]
    NameTaken {
        /// The public name.
        name: String,
        /// The source that has it.
        source_name: String,
    },
    /// The registry is full.
    #[error("the registry holds its limit of {limit} tools (max_tools)")]
    RegistryFull {
        /// The limit in force.
        limit: usize,
    },
}

impl QuarantineReason {
    /// The stable code of this reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(error) => error.code(),
            Self::DuplicateName => "duplicate_name",
            Self::NameTaken { .. } => "name_taken",
            Self::RegistryFull { .. } => "registry_full",
        }
    }
}

impl ExpectedSource {
    /// Whether it could have a tool of this exposure.
    #[must_use]
    pub fn may_have(&self, exposure: Exposure) -> bool {
        self.exposures.contains(&exposure)
    }

    /// Whether it could have a tool that anybody may reach.
    pub(crate) fn is_reachable(&self) -> bool {
        self.exposures
            .iter()
            .any(|exposure| *exposure != Exposure::Hidden)
    }

    pub(crate) fn check(&self, limits: &Limits) -> Result<()> {
        check_name(&self.name, limits)?;
        check_tags(&self.tags, self.domain.as_deref(), limits)
    }
}

fn check_name(name: &str, limits: &Limits) -> Result<()> {
    if name.trim().is_empty() {
        return Err(Error::InvalidArgument(
            "a source needs a name that is not blank".into(),
        ));
    }
    Error::check_limit(
        "source name bytes",
        "max_name_bytes",
        name.len(),
        limits.max_name_bytes,
    )
}

impl SourceDefinition {
    /// Checks what concerns the source as a whole.
    pub(crate) fn check(&self, limits: &Limits) -> Result<()> {
        check_name(&self.name, limits)?;
        for (what, text) in [
            ("description", &self.description),
            ("instructions", &self.instructions),
        ] {
            Error::check_limit(
                &format!("source {what} bytes"),
                "max_description_bytes",
                text.len(),
                limits.max_description_bytes,
            )?;
        }
        check_tags(&self.tags, self.domain.as_deref(), limits)
    }
}

/// Checks the words that selections and search use.
pub(crate) fn check_tags(tags: &[String], domain: Option<&str>, limits: &Limits) -> Result<()> {
    Error::check_limit("number of tags", "max_tags", tags.len(), limits.max_tags)?;
    for tag in tags.iter().map(String::as_str).chain(domain) {
        Error::check_limit(
            "tag bytes",
            "max_tag_bytes",
            tag.len(),
            limits.max_tag_bytes,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_names_win_over_patterns_and_the_first_pattern_over_later_ones() {
        let rules = ExposureRules {
            default: Exposure::Deferred,
            overrides: vec![
                ("get_*".into(), Exposure::Direct),
                ("*_secret".into(), Exposure::Hidden),
                ("get_secret".into(), Exposure::Codemode),
            ],
        };
        assert_eq!(rules.exposure_of("get_secret", None), Exposure::Codemode);
        assert_eq!(
            rules.exposure_of("get_other_secret", None),
            Exposure::Direct
        );
        assert_eq!(
            rules.exposure_of("put_secret", Some(Exposure::Direct)),
            Exposure::Hidden
        );
        assert_eq!(
            rules.exposure_of("put", Some(Exposure::Direct)),
            Exposure::Direct
        );
        assert_eq!(rules.exposure_of("put", None), Exposure::Deferred);
    }

    #[test]
    fn a_pattern_is_anchored_at_both_ends() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abc", true),
            ("a*c", "abcd", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "ac", false),
            ("aa*aa", "aaa", false),
            ("*a", "ba", true),
            ("a*", "ba", false),
        ] {
            assert_eq!(
                matches_pattern(pattern, text),
                expected,
                "{pattern} on {text}"
            );
        }
    }
}
