//! Which of Toolcrib's own tools a session offers, and what it has to wait for.
//!
//! Both follow from what the caller may use now, be it here or still to come, and from nothing
//! else: `codemode` is offered where a tool of that exposure is reached and the service runs
//! scripts, `tool_search` where one is reached by it alone, neither for `direct` tools. A tool of
//! the caller's that has the name of one of ours takes its place.

use std::sync::Arc;

use serde::Deserialize;

use super::{Builtin, Session, State};
use crate::{
    call::{CallRequest, Refusal},
    json,
    name::{CALL_TOOL, CODEMODE, DESCRIBE_TOOL, TOOL_SEARCH, is_of_source},
    provider::{Endpoint, meant},
    tool::Exposure,
};

/// How the model comes to tools that are not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// By `tool_search`.
    Search,
    /// From scripts alone.
    Scripts,
    /// By nothing of ours.
    Nothing,
}

/// What a session is about to do, as far as it matters to sources that are still to come.
#[derive(Debug)]
pub enum Step<'a> {
    /// Declare tools for the first time.
    Render,
    /// Search, or run a script.
    Search,
    /// Handle a call.
    Call(&'a CallRequest<'a>),
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Session {
    /// The sources that are to come, may be known to the caller, and would make a difference to
    /// `step`, sorted by name: worth waiting for.
    #[must_use]
    pub fn awaits(&self, step: &Step<'_>) -> Vec<Arc<str>> {
        let (name, endpoint) = match step {
            Step::Render => return self.state().expected_with(Exposure::Direct),
            Step::Search => return self.state().expected_names(),
            Step::Call(call) => (call.name, call.endpoint.as_ref()),
        };
        let own = self.own_tool(name, endpoint);
        let inner = match (step, own) {
            (Step::Call(call), Some(own)) if [CALL_TOOL, DESCRIBE_TOOL].contains(&own.name) => {
                let limits = self.registry.limits();
                let arguments = json::parse("the arguments", call.arguments, limits);
                let named = arguments.ok().and_then(|of| Named::deserialize(of).ok());
                named.map(|named| named.name)
            }
            _ => None,
        };
        let searches = |own: &Builtin| [TOOL_SEARCH, CODEMODE].contains(&own.name);
        let (name, own) = match &inner {
            Some(inner) => (inner.as_str(), self.own_tool(inner, endpoint)),
            None => (name, own),
        };
        if own.is_some_and(searches) {
            return self.state().expected_names();
        }
        if own.is_some() || self.tool_meant(name).is_some() {
            return Vec::new();
        }
        self.state().expected_source_of(name).into_iter().collect()
    }

    /// The one of our tools that a call of `name` comes to.
    pub(crate) fn own_tool(
        &self,
        name: &str,
        endpoint: Option<&Endpoint>,
    ) -> Option<&'static Builtin> {
        let builtin = Builtin::called(meant(name), endpoint)?;
        let offered = self.state().offers(builtin.name, endpoint);
        offered.then_some(builtin)
    }

    /// The refusal of a call of which nothing is known to the caller.
    pub(crate) fn not_found(&self, name: &str) -> Refusal {
        let state = self.state();
        let expected = state.expected_source_of(name);
        Refusal::not_found(&state.view, name, expected, state.reach())
    }

    /// How the model comes to tools that are not declared.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.state().reach()
    }
}

impl State {
    /// Whether the caller may run scripts.
    pub(super) fn has_scripts(&self) -> bool {
        self.scripts && self.may_have(Exposure::Codemode) && self.view.tool(CODEMODE).is_none()
    }

    /// Whether there is something that the caller reaches by a search and in no other way.
    pub(super) fn has_search(&self) -> bool {
        // Without room for it `codemode` is not declared.
        let scripts = || self.has_scripts() && self.journal.is_active(CODEMODE);
        self.may_have(Exposure::Deferred) || self.may_have(Exposure::Codemode) && !scripts()
    }

    /// Whether our tool of this name is offered. Where another of the name cannot be declared ours
    /// is, even to who may use the other.
    pub(super) fn offers(&self, name: &str, endpoint: Option<&Endpoint>) -> bool {
        let kept = || name == TOOL_SEARCH && endpoint.is_some_and(Endpoint::keeps_search_name);
        match name {
            CODEMODE => self.has_scripts() && self.journal.is_active(CODEMODE),
            _ => self.has_search() && (self.view.tool(name).is_none() || kept()),
        }
    }

    pub(super) fn reach(&self) -> Reach {
        if self.offers(TOOL_SEARCH, None) {
            Reach::Search
        } else if self.offers(CODEMODE, None) {
            Reach::Scripts
        } else {
            Reach::Nothing
        }
    }

    /// The names of all sources that are to come, sorted.
    pub(super) fn expected_names(&self) -> Vec<Arc<str>> {
        let all = self.expected.iter();
        all.map(|source| Arc::clone(&source.name)).collect()
    }

    /// The names of those that may have a tool of this exposure.
    pub(super) fn expected_with(&self, exposure: Exposure) -> Vec<Arc<str>> {
        let of_it = self.expected.iter().filter(|s| s.may_have(exposure));
        of_it.map(|source| Arc::clone(&source.name)).collect()
    }

    /// The one whose tools are named like this.
    fn expected_source_of(&self, name: &str) -> Option<Arc<str>> {
        let name = meant(name);
        let mut expected = self.expected.iter();
        let source = expected.find(|source| is_of_source(name, &source.name))?;
        Some(Arc::clone(&source.name))
    }

    fn may_have(&self, exposure: Exposure) -> bool {
        self.view.has(exposure) || self.expected.iter().any(|source| source.may_have(exposure))
    }
}
