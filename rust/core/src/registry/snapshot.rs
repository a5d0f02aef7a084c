use std::{collections::BTreeMap, sync::Arc};

use roaring::RoaringBitmap;

use super::{
    cow::{Shards, Slots},
    facets::Facets,
};
use crate::{
    search::SearchIndex,
    source::{ExpectedSource, Source},
    tool::{Exposure, Tool},
    view::Selection,
};

/// All tools of all sources at one moment. Never changes; a change publishes the next one.
///
/// Inside one snapshot a tool is a *slot*, its position in bitmaps and arrays. A later snapshot may
/// give the slot to another tool, so nothing outside keeps slots: identity is the public name.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(crate) version: u64,
    pub(crate) sources: Arc<BTreeMap<Arc<str>, Arc<Source>>>,
    pub(crate) expected: Arc<BTreeMap<Arc<str>, Arc<ExpectedSource>>>,
    pub(crate) tools: Slots<Arc<Tool>>,
    pub(crate) by_name: Shards<Arc<str>, u32>,
    pub(crate) live: Arc<RoaringBitmap>,
    pub(crate) facets: Facets,
    pub(crate) index: SearchIndex,
}

impl Snapshot {
    pub(crate) fn empty() -> Self {
        Self {
            version: 0,
            sources: Arc::default(),
            expected: Arc::default(),
            tools: Slots::new(),
            by_name: Shards::new(),
            live: Arc::default(),
            facets: Facets::default(),
            index: SearchIndex::new(),
        }
    }

    /// The version, which grows by one with every change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many tools are published.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live.len() as usize
    }

    /// Whether no tool is published.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The sources, sorted by name.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.sources.values()
    }

    /// The source of this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&Arc<Source>> {
        self.sources.get(name)
    }

    /// The sources that are to come and that a caller with these rights may know of, sorted by
    /// name.
    #[must_use]
    pub fn expected(&self, rights: &Selection) -> Vec<Arc<ExpectedSource>> {
        let known = |source: &&Arc<ExpectedSource>| source.is_reachable() && rights.covers(source);
        self.expected.values().filter(known).cloned().collect()
    }

    /// The tool of this public name, whoever may know it. For a caller ask the caller's view.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(*self.by_name.get(name)?)
    }

    pub(crate) fn slot(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Everything that may be reached at all: all but the hidden tools.
    pub(crate) fn reachable(&self) -> RoaringBitmap {
        self.live.as_ref() - self.facets.exposure(Exposure::Hidden)
    }

    /// All tools in slot order: the order of the positions in
    /// [`crate::view::Selection::from_positions`].
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.live.iter().filter_map(|slot| self.tools.get(slot))
    }
}
