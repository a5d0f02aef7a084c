//! A snapshot in the making.

use std::sync::Arc;

use roaring::RoaringBitmap;

use super::{Snapshot, facets::Facets};
use crate::{
    search::{Document, IndexEditor},
    source::{ExpectedSource, Source},
    tool::{Built, Tool},
};

/// A snapshot in the making. Everything that is not touched stays shared with the current one.
pub(super) struct Change {
    next: Snapshot,
    live: RoaringBitmap,
    facets: Facets,
    index: IndexEditor,
    lowest_free: u32,
}

impl Change {
    pub fn of(current: &Snapshot) -> Self {
        Self {
            live: RoaringBitmap::clone(&current.live),
            facets: current.facets.clone(),
            index: current.index.edit(),
            lowest_free: 0,
            next: Snapshot {
                version: current.version + 1,
                ..current.clone()
            },
        }
    }

    /// The version that this becomes.
    pub fn version(&self) -> u64 {
        self.next.version
    }

    /// How many tools there are by now.
    pub fn len(&self) -> usize {
        self.live.len() as usize
    }

    /// The tool of this name by now.
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.next.tool(name)
    }

    /// How many sources there are by now.
    pub fn sources(&self) -> usize {
        self.next.sources.len()
    }

    /// The source of this name by now.
    pub fn source(&self, name: &str) -> Option<&Arc<Source>> {
        self.next.source(name)
    }

    /// How many sources are to come by now.
    pub fn expected(&self) -> usize {
        self.next.expected.len()
    }

    pub fn expect(&mut self, source: ExpectedSource) {
        let name = Arc::clone(&source.name);
        Arc::make_mut(&mut self.next.expected).insert(name, Arc::new(source));
    }

    /// Whether it was expected; it is no more.
    pub fn unexpect(&mut self, name: &str) -> bool {
        self.next.expected.contains_key(name)
            && Arc::make_mut(&mut self.next.expected)
                .remove(name)
                .is_some()
    }

    /// Removes a source and its tools. False where there is none of this name.
    pub fn remove_source(&mut self, name: &str) -> bool {
        let Some(source) = Arc::make_mut(&mut self.next.sources).remove(name) else {
            return false;
        };
        source.tools.iter().for_each(|tool| self.remove(tool));
        true
    }

    pub fn insert(&mut self, built: Built, source_description: &str) {
        let tool = Arc::new(built.tool);
        let slot = match self.next.slot(&tool.name) {
            Some(slot) => {
                if let Some(before) = self.next.tools.get(slot) {
                    self.facets.remove(slot, before);
                    self.index.remove(slot);
                }
                slot
            }
            None => self.free_slot(),
        };
        self.index.insert(
            slot,
            &document(&tool, source_description, &built.input_schema),
        );
        self.facets.insert(slot, &tool);
        self.live.insert(slot);
        self.next.by_name.insert(Arc::clone(&tool.name), slot);
        self.next.tools.set(slot, Some(tool));
    }

    pub fn remove(&mut self, name: &str) {
        let Some(slot) = self.next.slot(name) else {
            return;
        };
        if let Some(tool) = self.next.tools.get(slot) {
            self.facets.remove(slot, tool);
        }
        self.index.remove(slot);
        self.live.remove(slot);
        self.lowest_free = self.lowest_free.min(slot);
        self.next.by_name.remove(name);
        self.next.tools.set(slot, None);
    }

    /// The lowest slot that no tool has, so that arrays stay dense whatever comes and goes.
    fn free_slot(&mut self) -> u32 {
        while self.live.contains(self.lowest_free) {
            self.lowest_free += 1;
        }
        self.lowest_free
    }

    pub fn set_source(&mut self, source: Source) {
        let name = Arc::clone(&source.name);
        self.unexpect(&name);
        Arc::make_mut(&mut self.next.sources).insert(name, Arc::new(source));
    }

    pub fn finish(self) -> Snapshot {
        Snapshot {
            live: Arc::new(self.live),
            facets: self.facets,
            index: self.index.finish(),
            ..self.next
        }
    }
}

fn document<'a>(
    tool: &'a Tool,
    source_description: &'a str,
    input_schema: &'a serde_json::Value,
) -> Document<'a> {
    Document {
        name: &tool.name,
        local_name: &tool.local_name,
        title: tool.title(),
        description: &tool.description,
        domain: tool.domain(),
        tags: tool.tags().collect(),
        keywords: tool.keywords().collect(),
        source: &tool.source,
        source_description,
        input_schema,
    }
}
