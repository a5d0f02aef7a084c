//! Authorized views: what one caller may discover.
//!
//! A [`Selection`] says which tools a caller has; a [`View`] is its answer over one registry
//! snapshot. Without a selection there are no tools.

mod cache;
mod page;
mod selection;

use std::sync::Arc;

use once_cell::sync::OnceCell;
use roaring::RoaringBitmap;

pub(crate) use cache::ViewCache;
pub use page::{Page, PageRequest};
pub use selection::{Selection, Term};

use crate::{
    registry::Snapshot,
    search::Scope,
    source::Source,
    tool::{Exposure, Tool},
};

/// The tools of one snapshot that one caller may discover: authorized and not hidden.
///
/// Shared between all callers who may discover the same tools.
#[derive(Debug)]
pub struct View {
    snapshot: Arc<Snapshot>,
    tools: Arc<RoaringBitmap>,
    scope: OnceCell<Scope>,
    by_name: OnceCell<Box<[u32]>>,
}

/// A source as far as a view reaches it.
#[derive(Debug, Clone)]
pub struct ReachedSource {
    /// The source; its tools may be more than those of the view.
    pub source: Arc<Source>,
    /// Tools of the view that are declared from the start.
    pub direct: usize,
    /// Tools of the view that are reached from scripts.
    pub codemode: usize,
    /// Tools of the view that are reached by tool search.
    pub deferred: usize,
}

impl View {
    fn new(snapshot: &Arc<Snapshot>, tools: RoaringBitmap) -> Self {
        Self {
            snapshot: Arc::clone(snapshot),
            tools: Arc::new(tools),
            scope: OnceCell::new(),
            by_name: OnceCell::new(),
        }
    }

    /// The snapshot this is a view of.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// How many tools the caller may discover.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len() as usize
    }

    /// Whether the caller may discover nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tool of this public name, if the caller may know it.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.slot_tool(self.snapshot.slot(name)?)
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> impl DoubleEndedIterator<Item = &Arc<Tool>> + ExactSizeIterator {
        let tool = |slot: &u32| {
            self.snapshot
                .tools
                .get(*slot)
                .expect("a view holds slots of its own snapshot")
        };
        self.sorted().iter().map(tool)
    }

    /// Names of the sources that have a tool in this view, sorted.
    #[must_use]
    pub fn sources(&self) -> Vec<Arc<str>> {
        let seen = |name: &&Arc<str>| {
            let tools = self.snapshot.facets.source(name);
            tools.is_some_and(|tools| !tools.is_disjoint(&self.tools))
        };
        self.snapshot.sources.keys().filter(seen).cloned().collect()
    }

    /// Whether a tool of one exposure is among them.
    pub(crate) fn has(&self, exposure: Exposure) -> bool {
        !self
            .tools
            .is_disjoint(self.snapshot.facets.exposure(exposure))
    }

    /// The sources that have a tool in this view, sorted by name, and how many tools of each
    /// exposure they have in it.
    #[must_use]
    pub fn reached_sources(&self) -> Vec<ReachedSource> {
        let facets = &self.snapshot.facets;
        let reached = |source: &Arc<Source>| {
            let tools = facets.source(source.name())? & self.tools.as_ref();
            let of = |exposure| tools.intersection_len(facets.exposure(exposure)) as usize;
            (!tools.is_empty()).then(|| ReachedSource {
                source: Arc::clone(source),
                direct: of(Exposure::Direct),
                codemode: of(Exposure::Codemode),
                deferred: of(Exposure::Deferred),
            })
        };
        self.snapshot.sources().filter_map(reached).collect()
    }

    /// Names of the tools of one exposure, sorted.
    pub(crate) fn tools_of(&self, exposure: Exposure) -> Vec<Arc<str>> {
        let slots = self.tools.as_ref() & self.snapshot.facets.exposure(exposure);
        let mut names: Vec<_> = slots
            .iter()
            .filter_map(|slot| self.slot_tool(slot))
            .map(|tool| Arc::clone(tool.name()))
            .collect();
        names.sort_unstable();
        names
    }

    /// Up to `limit` names of this view that look like `text`, best first.
    #[must_use]
    pub fn near_names(&self, text: &str, limit: usize) -> Vec<Arc<str>> {
        let slots = self.snapshot.index.near_names(self.scope(), text, limit);
        slots
            .into_iter()
            .filter_map(|slot| self.slot_tool(slot))
            .map(|tool| Arc::clone(tool.name()))
            .collect()
    }

    pub(crate) fn slot_tool(&self, slot: u32) -> Option<&Arc<Tool>> {
        if self.tools.contains(slot) {
            self.snapshot.tools.get(slot)
        } else {
            None
        }
    }

    /// The statistics of exactly these tools, for ranking; counted at the first search.
    pub(crate) fn scope(&self) -> &Scope {
        self.scope
            .get_or_init(|| self.snapshot.index.scope(&self.tools))
    }

    fn sorted(&self) -> &[u32] {
        self.by_name.get_or_init(|| {
            let mut slots: Vec<u32> = self.tools.iter().collect();
            slots.sort_unstable_by(|a, b| self.name(*a).cmp(&self.name(*b)));
            slots.into()
        })
    }

    fn name(&self, slot: u32) -> Option<&str> {
        self.snapshot
            .tools
            .get(slot)
            .map(|tool| tool.name().as_ref())
    }
}
