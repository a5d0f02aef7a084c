//! Sessions: one conversation of one caller.
//!
//! A session holds the caller's rights, the active set as a [`Journal`](EntryKind), and the order
//! in which tools were declared. It follows the registry and the rights lazily, at its next use:
//! names are carried over, never positions.

mod builtin;
mod journal;
mod meta_tools;
mod offer;
mod render;
mod script;
mod search;
mod snapshot;
mod stored;
mod tool_search;
mod turn;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use builtin::Builtin;
use journal::Journal;
pub use journal::{Entry, EntryKind};
pub use meta_tools::Description;
pub use offer::{Reach, Step};
pub use render::Rendered;
pub use script::{ScriptName, ScriptNamespace};
pub use search::{HitState, SearchHit, SearchOutcome, SearchRequest};
pub use stored::STORED_KEY_BYTES;
use stored::Stored;
pub use turn::{CallAnswer, FoundTool};

use crate::{
    Error, Result, json,
    name::{CODEMODE, MAX_NAME_LEN, OWN},
    provider,
    registry::Registry,
    source::ExpectedSource,
    tool::{Exposure, Tool},
    view::{Selection, View},
};

/// One conversation of one caller. All methods may be called from any thread.
#[derive(Debug)]
pub struct Session {
    registry: Arc<Registry>,
    state: Mutex<State>,
}

#[derive(Debug, Clone)]
struct State {
    rights: Arc<Selection>,
    view: Arc<View>,
    /// The sources that are to come and that the caller may know of.
    expected: Vec<Arc<ExpectedSource>>,
    /// Whether somebody runs the scripts of this session.
    scripts: bool,
    journal: Journal,
    orders: Orders,
    /// What scripts keep with the conversation.
    stored: Stored,
    /// The last rendering; the model's calls answer it even when the session has changed since.
    rendered: Option<Arc<Rendered>>,
    changed: bool,
}

/// What is settled about the declarations of a session; all names are active ones.
#[derive(Debug, Clone, Default)]
struct Orders {
    /// The order in which tools were declared. A tool keeps its place as long as it is declared;
    /// one that was away comes back at the end, since requests without it have been sent.
    declared: Vec<Arc<str>>,
    /// The same for endpoints whose history refers to tools: what a search activated keeps its
    /// place while it is away.
    places: Vec<Arc<str>>,
    /// Tools that went out plain because the budget for strict declarations was spent.
    plain: Vec<Arc<str>>,
    /// Requests without `tool_search` have been sent, so that where it comes its place is behind
    /// what was declared by then: that of [`LATE_SEARCH`] in the orders.
    search_is_late: bool,
}

/// Stands in an order for `tool_search` and what goes with it. No tool has this name.
const LATE_SEARCH: &str = "";

impl Orders {
    fn all(&self) -> [&Vec<Arc<str>>; 3] {
        [&self.declared, &self.places, &self.plain]
    }

    fn all_mut(&mut self) -> [&mut Vec<Arc<str>>; 3] {
        [&mut self.declared, &mut self.places, &mut self.plain]
    }
}

/// What has become of a name of the active set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Declared and callable.
    Active,
    /// Not registered at present; comes back with its source.
    Pending,
    /// Registered, but the caller has no right to it at present.
    Withheld,
}

/// A session as it is at one moment.
#[derive(Debug, Clone)]
pub struct SessionState {
    /// Every name of the active set, in the order of activation.
    pub tools: Vec<(Arc<str>, Standing)>,
    /// The journal, oldest entry first.
    pub journal: Vec<Entry>,
    /// How many tools the caller may discover.
    pub authorized: usize,
    /// The registry version this is true for.
    pub version: u64,
}

impl Session {
    /// Opens a session with these rights. `pinned` names are active from the start, in this order;
    /// then come the tools of `direct` exposure, sorted by name.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) for more pinned tools than
    /// `max_active_tools`; [`Error::InvalidArgument`](crate::Error::InvalidArgument) for a name that
    /// no tool can have.
    pub fn open(registry: &Arc<Registry>, rights: Arc<Selection>, pinned: &[&str]) -> Result<Self> {
        Self::open_with(registry, rights, pinned, registry.has_scripts())
    }

    /// As [`Session::open`], with scripts or without, whatever the registry says of them.
    ///
    /// # Errors
    ///
    /// As of [`Session::open`].
    pub fn open_with(
        registry: &Arc<Registry>,
        rights: Arc<Selection>,
        pinned: &[&str],
        scripts: bool,
    ) -> Result<Self> {
        let limits = registry.limits();
        Error::check_limit(
            "pinned tools",
            "max_active_tools",
            pinned.len(),
            limits.max_active_tools,
        )?;
        if pinned.contains(&"") {
            return Err(Error::InvalidArgument("no tool has an empty name".into()));
        }
        if let Some(name) = pinned.iter().find(|name| name.len() > MAX_NAME_LEN) {
            let shown = json::cut(name, MAX_NAME_LEN);
            return Err(Error::InvalidArgument(format!(
                "no tool can be named {shown}…: names have at most {MAX_NAME_LEN} bytes"
            )));
        }
        let mut journal = Journal::default();
        journal.add(
            EntryKind::Pinned,
            None,
            pinned.iter().map(|name| Arc::from(*name)),
            limits,
        )?;
        let new = (journal, Orders::default(), Stored::default());
        Self::start(registry, rights, new, scripts)
    }

    /// Takes up a session from its [`Session::snapshot`], on any node, with the caller's rights of
    /// today. [`Session::describe`] tells which of its tools are pending or withheld.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSnapshot`](crate::Error::InvalidSnapshot) or a limit; nothing of a snapshot
    /// is taken on trust.
    pub fn restore(
        registry: &Arc<Registry>,
        rights: Arc<Selection>,
        snapshot: &[u8],
    ) -> Result<Self> {
        Self::restore_with(registry, rights, snapshot, registry.has_scripts())
    }

    /// As [`Session::restore`], with scripts or without, whatever the registry says of them.
    ///
    /// # Errors
    ///
    /// As of [`Session::restore`].
    pub fn restore_with(
        registry: &Arc<Registry>,
        rights: Arc<Selection>,
        snapshot: &[u8],
        scripts: bool,
    ) -> Result<Self> {
        let kept = snapshot::decode(snapshot, registry.limits())?;
        Self::start(registry, rights, kept, scripts)
    }

    fn start(
        registry: &Arc<Registry>,
        rights: Arc<Selection>,
        (journal, orders, stored): (Journal, Orders, Stored),
        scripts: bool,
    ) -> Result<Self> {
        let view = registry.view(&rights);
        let mut state = State {
            expected: view.snapshot().expected(&rights),
            rights,
            view,
            scripts,
            journal,
            stored,
            orders,
            rendered: None,
            changed: true,
        };
        state.add_direct(registry)?;
        Ok(Self {
            registry: Arc::clone(registry),
            state: Mutex::new(state),
        })
    }

    /// A session of its own that starts where this one is.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            registry: Arc::clone(&self.registry),
            state: Mutex::new(self.lock().clone()),
        }
    }

    /// The stored form; see [`Session::restore`].
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = self.lock();
        snapshot::encode(&state.journal, &state.orders, &state.stored)
    }

    /// Sets what the caller may use from now on; returns the names of the active set that the
    /// caller loses by it, in their order.
    ///
    /// # Errors
    ///
    /// None but a limit on tools that become active at once.
    pub fn authorize(&self, rights: Arc<Selection>) -> Result<Vec<Arc<str>>> {
        let mut state = self.state();
        if state.rights == rights {
            return Ok(Vec::new());
        }
        let before = state.usable();
        let view = self.registry.view(&rights);
        state.rights = rights;
        state.see(view, &self.registry)?;
        Ok(before
            .into_iter()
            .filter(|name| !state.may_use(name))
            .collect())
    }

    /// Activates tools by name, as far as the caller may use them; returns the names added. Names
    /// that are unknown, not the caller's, or active already add nothing.
    ///
    /// # Errors
    ///
    /// A position that is too long.
    pub fn activate(&self, names: &[&str], position: Option<&str>) -> Result<Vec<Arc<str>>> {
        let mut state = self.state();
        let view = Arc::clone(&state.view);
        let known = names
            .iter()
            .filter_map(|name| view.tool(name))
            .map(|tool| Arc::clone(tool.name()));
        state.activate(EntryKind::Activate, position, known, &self.registry)
    }

    /// The present place in the journal, for [`Session::rewind`]. With a `position` it also leaves
    /// a mark there, so that [`Session::rewind_to`] finds the place, in a restored session too.
    ///
    /// # Errors
    ///
    /// A position that is too long, or more marks than `max_marks`.
    pub fn checkpoint(&self, position: Option<&str>) -> Result<u64> {
        let mut state = self.state();
        if let Some(position) = position {
            state.journal.mark(position, self.registry.limits())?;
        }
        Ok(state.journal.here())
    }

    /// Goes back to a checkpoint: what was activated after it is not active any more, and what
    /// scripts stored after it is forgotten.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownCheckpoint`](crate::Error::UnknownCheckpoint).
    pub fn rewind(&self, checkpoint: u64) -> Result<()> {
        self.go_back(|journal| journal.rewind(checkpoint))
    }

    /// Goes back to the last activation or mark at `position`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownCheckpoint`](crate::Error::UnknownCheckpoint).
    pub fn rewind_to(&self, position: &str) -> Result<()> {
        self.go_back(|journal| journal.rewind_to(position))
    }

    fn go_back(&self, back: impl FnOnce(&mut Journal) -> Result<()>) -> Result<()> {
        let mut state = self.state();
        back(&mut state.journal)?;
        state.changed = true;
        let State {
            journal,
            orders,
            stored,
            ..
        } = &mut *state;
        for order in orders.all_mut() {
            order.retain(|name| journal.is_active(name) || **name == *LATE_SEARCH);
        }
        stored.rewind(journal.here());
        state.add_direct(&self.registry)
    }

    /// The session as it is now.
    #[must_use]
    pub fn describe(&self) -> SessionState {
        let state = self.state();
        SessionState {
            tools: state
                .journal
                .active()
                .filter(|name| ***name != *CODEMODE || state.view.tool(name).is_some())
                .map(|name| (Arc::clone(name), state.standing(name)))
                .collect(),
            journal: state.journal.entries().to_vec(),
            authorized: state.view.len(),
            version: state.view.snapshot().version(),
        }
    }

    /// Whether `name` is in the active set; no statement about rights.
    #[must_use]
    pub fn is_active(&self, name: &str) -> bool {
        self.lock().journal.is_active(name)
    }

    /// The tool of the caller's that a model means by `name`: its public name, what models garble
    /// it to, or what stands in the declaration of an active tool whose own name no provider takes.
    pub(crate) fn tool_meant(&self, name: &str) -> Option<Arc<Tool>> {
        let state = self.state();
        let meant = provider::meant(name);
        let declared = || {
            let mut active = state.journal.active();
            let active = active.find(|active| provider::legal(active) == meant)?;
            state.view.tool(active)
        };
        let view = &state.view;
        let tool = view.tool(name).or_else(|| view.tool(meant));
        tool.or_else(declared).cloned()
    }

    /// What the caller may discover now.
    #[must_use]
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.state().view)
    }

    /// The registry that the session is of.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A state is changed in single steps that cannot leave it half-done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, brought up to the current registry version.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if state.view.snapshot().version() != self.registry.version() {
            let view = self.registry.view(&state.rights);
            // Direct tools that find no room are left out; that is no reason to fail here.
            let _ = state.see(view, &self.registry);
        }
        state
    }
}

impl State {
    fn see(&mut self, view: Arc<View>, registry: &Registry) -> Result<()> {
        let expected = view.snapshot().expected(&self.rights);
        if !Arc::ptr_eq(&self.view, &view) || self.expected != expected {
            self.view = view;
            self.expected = expected;
            self.changed = true;
        }
        self.add_direct(registry)
    }

    /// Tools of `direct` exposure are active as soon as the caller may use them, and `codemode` as
    /// soon as the caller may use one that scripts reach.
    fn add_direct(&mut self, registry: &Registry) -> Result<()> {
        let mut direct = self.view.tools_of(Exposure::Direct);
        // First what stands in place of ours: nothing else may take the last room.
        direct.sort_by_key(|name| !OWN.contains(&&**name));
        let scripts = self.has_scripts().then(|| Arc::from(CODEMODE));
        let new: Vec<_> = scripts
            .into_iter()
            .chain(direct)
            .filter(|name| !self.journal.is_active(name))
            .collect();
        if !new.is_empty() {
            self.activate(EntryKind::Direct, None, new, registry)?;
        }
        Ok(())
    }

    fn activate(
        &mut self,
        kind: EntryKind,
        position: Option<&str>,
        names: impl IntoIterator<Item = Arc<str>>,
        registry: &Registry,
    ) -> Result<Vec<Arc<str>>> {
        let added = self.journal.add(kind, position, names, registry.limits())?;
        if !added.is_empty() {
            self.changed = true;
        }
        Ok(added)
    }

    fn standing(&self, name: &str) -> Standing {
        if self.view.tool(name).is_some() {
            Standing::Active
        } else if self.view.snapshot().tool(name).is_some() {
            Standing::Withheld
        } else {
            Standing::Pending
        }
    }

    fn may_use(&self, name: &str) -> bool {
        self.view.tool(name).is_some() || name == CODEMODE && self.has_scripts()
    }

    /// The active names that the caller may use, in the order of activation.
    fn usable(&self) -> Vec<Arc<str>> {
        self.journal
            .active()
            .filter(|name| self.may_use(name))
            .cloned()
            .collect()
    }
}
