//! Searching in a session: what is found becomes active.

use std::{fmt::Write, sync::Arc};

use super::{EntryKind, Session};
use crate::{
    Result, json,
    search::Query,
    tool::Tool,
    view::{Selection, View},
};

/// A search in a session.
#[derive(Debug, Clone, Default)]
pub struct SearchRequest<'a> {
    /// What is looked for, in any language. No syntax; what exceeds `max_query_bytes` is ignored.
    pub query: &'a str,
    /// Most hits; clamped to 1 ..= `max_search_limit`, `default_search_limit` without it.
    pub limit: Option<i64>,
    /// The turn or message id for the journal.
    pub position: Option<&'a str>,
    /// Only tools that this selects as well; ranking is not changed by it.
    pub within: Option<&'a Selection>,
}

/// The three answers a search can have.
#[derive(Debug, Clone)]
pub enum SearchOutcome {
    /// Something was found, and some of it was new.
    Found {
        /// Best first; equal scores by name.
        hits: Vec<SearchHit>,
        /// The names that this search added to the active set, in the order of the hits.
        added: Vec<Arc<str>>,
        /// As [`SearchOutcome::not_ready`].
        not_ready: Vec<Arc<str>>,
    },
    /// Everything that was found is active already.
    AlreadyActive {
        /// Best first; equal scores by name.
        hits: Vec<SearchHit>,
        /// As [`SearchOutcome::not_ready`].
        not_ready: Vec<Arc<str>>,
    },
    /// Nothing was found.
    Nothing {
        /// Names out of the caller's own view that look like the query.
        near_names: Vec<Arc<str>>,
        /// Sources that have a tool in the caller's view, sorted.
        sources: Vec<Arc<str>>,
        /// As [`SearchOutcome::not_ready`].
        not_ready: Vec<Arc<str>>,
    },
}

/// One tool that was found.
#[derive(Debug, Clone)]
pub struct SearchHit {
    /// The tool.
    pub tool: Arc<Tool>,
    /// Its score; comparable within one answer only.
    pub score: f32,
    /// What this search did with it.
    pub state: HitState,
}

/// What a search did with a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HitState {
    /// It was added to the active set.
    Added,
    /// It was active before.
    AlreadyActive,
    /// The active set has no room for it.
    NoRoom,
}

/// How many near names an empty answer gives.
const NEAR_NAMES: usize = 5;
/// How many sources a list in the text of an answer names.
const SOURCES_IN_TEXT: usize = 20;
/// How much of a description a line of the answer has, in bytes.
const SUMMARY_BYTES: usize = 200;

impl Session {
    /// Searches the caller's tools and activates what is found.
    ///
    /// # Errors
    ///
    /// A position that is too long.
    pub fn search(&self, request: &SearchRequest<'_>) -> Result<SearchOutcome> {
        let limits = self.registry.limits();
        let mut state = self.state();
        let view = Arc::clone(&state.view);
        let hits = find(&view, request, limits);
        let not_ready = state.expected_names();
        if hits.is_empty() {
            return Ok(SearchOutcome::nothing(&view, request.query, not_ready));
        }
        let names = hits.iter().map(|(tool, _)| Arc::clone(tool.name()));
        let was_active: Vec<bool> = hits
            .iter()
            .map(|(tool, _)| state.journal.is_active(tool.name()))
            .collect();
        let added = state.activate(EntryKind::Search, request.position, names, &self.registry)?;
        let hits: Vec<SearchHit> = hits
            .into_iter()
            .zip(was_active)
            .map(|((tool, score), was_active)| SearchHit {
                state: match was_active {
                    true => HitState::AlreadyActive,
                    false if added.contains(tool.name()) => HitState::Added,
                    false => HitState::NoRoom,
                },
                tool,
                score,
            })
            .collect();
        if hits.iter().all(|hit| hit.state == HitState::AlreadyActive) {
            return Ok(SearchOutcome::AlreadyActive { hits, not_ready });
        }
        Ok(SearchOutcome::Found {
            hits,
            added,
            not_ready,
        })
    }
}

impl View {
    /// Searches this view and changes nothing: for listings and for callers without a session.
    #[must_use]
    pub fn search(
        &self,
        request: &SearchRequest<'_>,
        limits: &crate::Limits,
    ) -> Vec<(Arc<Tool>, f32)> {
        find(self, request, limits)
    }
}

fn find(view: &View, request: &SearchRequest<'_>, limits: &crate::Limits) -> Vec<(Arc<Tool>, f32)> {
    let limit = match request.limit {
        Some(limit) => usize::try_from(limit.max(1))
            .unwrap_or(usize::MAX)
            .min(limits.max_search_limit),
        None => limits.default_search_limit,
    };
    let within = request
        .within
        .map(|selection| selection.select(view.snapshot()));
    let query = Query {
        text: json::cut(request.query, limits.max_query_bytes),
        limit,
        filter: within.as_ref(),
    };
    let hits = view.snapshot().index.search(view.scope(), &query);
    hits.iter()
        .filter_map(|hit| Some((Arc::clone(view.slot_tool(hit.slot)?), hit.score)))
        .collect()
}

impl SearchOutcome {
    fn nothing(view: &View, query: &str, not_ready: Vec<Arc<str>>) -> Self {
        Self::Nothing {
            near_names: view.near_names(query, NEAR_NAMES),
            sources: view.sources(),
            not_ready,
        }
    }

    /// What was found, best first.
    #[must_use]
    pub fn hits(&self) -> &[SearchHit] {
        match self {
            Self::Found { hits, .. } | Self::AlreadyActive { hits, .. } => hits,
            Self::Nothing { .. } => &[],
        }
    }

    /// The names that the search added to the active set.
    #[must_use]
    pub fn added(&self) -> &[Arc<str>] {
        match self {
            Self::Found { added, .. } => added,
            _ => &[],
        }
    }

    /// Sources that are to come and that the caller may know of, sorted: their tools were not
    /// searched.
    #[must_use]
    pub fn not_ready(&self) -> &[Arc<str>] {
        match self {
            Self::Found { not_ready, .. }
            | Self::AlreadyActive { not_ready, .. }
            | Self::Nothing { not_ready, .. } => not_ready,
        }
    }

    /// The answer as the model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        match self {
            Self::Found { hits, added, .. } => {
                match added.len() {
                    0 => text.push_str("Your list of tools is full; nothing was added.\n"),
                    1 => text
                        .push_str("1 tool is available from your next step on; call it by name.\n"),
                    count => {
                        _ = writeln!(
                            text,
                            "{count} tools are available from your next step on; call them by name."
                        )
                    }
                }
                hits.iter().for_each(|hit| line(&mut text, hit));
            }
            Self::AlreadyActive { hits, .. } => {
                text.push_str("Everything that matches is available already; call it by name.\n");
                hits.iter().for_each(|hit| line(&mut text, hit));
            }
            Self::Nothing {
                near_names,
                sources,
                ..
            } => {
                text.push_str("No tool matches. Say in one sentence which service, which action and which object you need.\n");
                if !near_names.is_empty() {
                    _ = writeln!(text, "Similar names: {}", near_names.join(", "));
                }
                if !sources.is_empty() {
                    _ = writeln!(text, "Tools come from: {}", some(sources));
                }
            }
        }
        not_searched(&mut text, self.not_ready());
        text.truncate(text.trim_end().len());
        text
    }
}

/// Says which sources were not searched.
pub(super) fn not_searched(text: &mut String, not_ready: &[Arc<str>]) {
    if !not_ready.is_empty() {
        _ = writeln!(
            text,
            "Not searched, for their tools are not known yet: {}. Search again later.",
            some(not_ready)
        );
    }
}

/// The first sources, and how many more there are.
fn some(sources: &[Arc<str>]) -> String {
    let shown = &sources[..sources.len().min(SOURCES_IN_TEXT)];
    let named = shown.join(", ");
    match sources.len() - shown.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// A tool on one line: its name and what it does.
pub(super) fn line_of(tool: &Tool) -> String {
    let summary = tool.summary(SUMMARY_BYTES);
    match summary.as_str() {
        "" => tool.name().to_string(),
        summary => format!("{}: {summary}", tool.name()),
    }
}

fn line(text: &mut String, hit: &SearchHit) {
    _ = write!(text, "- {}", hit.tool.name());
    match hit.state {
        HitState::Added => {}
        HitState::AlreadyActive => text.push_str(" (available already)"),
        HitState::NoRoom => text.push_str(" (not available: your list of tools is full)"),
    }
    let summary = hit.tool.summary(SUMMARY_BYTES);
    if !summary.is_empty() {
        _ = write!(text, ": {summary}");
    }
    text.push('\n');
}
