//! Which tools have a source, a domain, a tag or an exposure: what selections are made of.

use std::sync::Arc;

use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use crate::tool::{Exposure, Tool};

/// A set of tools for each value of each facet. Clones share the sets that did not change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    sources: Postings,
    domains: Postings,
    tags: Postings,
    exposures: [Arc<RoaringBitmap>; Exposure::ALL.len()],
}

/// One facet: a set for each of its values. A value that no tool has any more is forgotten.
#[derive(Debug, Clone, Default)]
struct Postings(Arc<FxHashMap<Box<str>, Arc<RoaringBitmap>>>);

impl Postings {
    fn get(&self, value: &str) -> Option<&RoaringBitmap> {
        self.0.get(value).map(AsRef::as_ref)
    }

    fn insert(&mut self, value: &str, slot: u32) {
        let sets = Arc::make_mut(&mut self.0);
        match sets.get_mut(value) {
            Some(set) => Arc::make_mut(set).insert(slot),
            None => sets
                .insert(value.into(), Arc::new(RoaringBitmap::from([slot])))
                .is_none(),
        };
    }

    fn remove(&mut self, value: &str, slot: u32) {
        let sets = Arc::make_mut(&mut self.0);
        if let Some(set) = sets.get_mut(value) {
            let set = Arc::make_mut(set);
            set.remove(slot);
            if set.is_empty() {
                sets.remove(value);
            }
        }
    }
}

impl Facets {
    pub fn source(&self, name: &str) -> Option<&RoaringBitmap> {
        self.sources.get(name)
    }

    pub fn domain(&self, domain: &str) -> Option<&RoaringBitmap> {
        self.domains.get(domain)
    }

    pub fn tag(&self, tag: &str) -> Option<&RoaringBitmap> {
        self.tags.get(tag)
    }

    pub fn exposure(&self, exposure: Exposure) -> &RoaringBitmap {
        &self.exposures[exposure as usize]
    }

    pub fn insert(&mut self, slot: u32, tool: &Tool) {
        self.sources.insert(&tool.source, slot);
        if let Some(domain) = tool.domain() {
            self.domains.insert(domain, slot);
        }
        for tag in tool.tags() {
            self.tags.insert(tag, slot);
        }
        Arc::make_mut(&mut self.exposures[tool.exposure as usize]).insert(slot);
    }

    pub fn remove(&mut self, slot: u32, tool: &Tool) {
        self.sources.remove(&tool.source, slot);
        if let Some(domain) = tool.domain() {
            self.domains.remove(domain, slot);
        }
        for tag in tool.tags() {
            self.tags.remove(tag, slot);
        }
        Arc::make_mut(&mut self.exposures[tool.exposure as usize]).remove(slot);
    }
}
