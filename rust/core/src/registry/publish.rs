//! From the current snapshot and a changed source to the next snapshot.

use std::{collections::BTreeMap, sync::Arc};

use roaring::RoaringBitmap;
use rustc_hash::FxHashSet;

use super::{Snapshot, facets::Facets};
use crate::{
    Limits, Result, json,
    search::Document,
    source::{QuarantineReason, Quarantined, Source, SourceDefinition, ToolInput},
    tool::{self, Built, Listed, Tool},
};

/// What came of putting a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishReport {
    /// The version of the registry from now on.
    pub version: u64,
    /// Tools of the source that are published.
    pub published: usize,
    /// Of these, tools that were not there or different before.
    pub changed: usize,
    /// Tools of the source that were there before and are not any more.
    pub removed: usize,
    /// Tools that were not published, in the order they came.
    pub quarantined: Vec<Quarantined>,
}

/// The next snapshot after `definition` has replaced the source of its name.
pub(super) fn put(
    current: &Snapshot,
    mut definition: SourceDefinition,
    limits: &Limits,
) -> Result<(Snapshot, PublishReport)> {
    definition.check(limits)?;
    let inputs = std::mem::take(&mut definition.tools);
    let replaced = current.sources.get(definition.name.as_str());
    if replaced.is_none() {
        let sources = current.sources.len() + 1;
        crate::Error::check_limit(
            "number of sources",
            "max_sources",
            sources,
            limits.max_sources,
        )?;
    }
    let mut intake = Intake {
        current,
        definition: &definition,
        limits,
        source: definition.name.as_str().into(),
        described_as_before: replaced
            .is_some_and(|source| *source.description == *definition.description),
        room: limits
            .max_tools
            .saturating_sub(current.len() - replaced.map_or(0, |source| source.tools.len())),
        change: Change::of(current),
        names: FxHashSet::default(),
        read: 0,
        changed: 0,
        quarantined: Vec::new(),
    };
    for input in inputs {
        match input {
            ToolInput::Definition(tool) => {
                intake.take(Listed {
                    name: Some(tool.name.clone()),
                    definition: Ok(*tool),
                });
            }
            ToolInput::ToolsList(text) => {
                tool::read(&text, limits)?
                    .into_iter()
                    .for_each(|listed| intake.take(listed));
            }
        }
    }
    Ok(intake.finish(replaced))
}

/// The next snapshot without the source; `None` where there is none of this name.
pub(super) fn remove(current: &Snapshot, name: &str) -> Option<Snapshot> {
    let source = current.sources.get(name)?;
    let mut change = Change::of(current);
    for tool in &source.tools {
        change.remove(tool);
    }
    Arc::make_mut(&mut change.next.sources).remove(name);
    Some(change.finish())
}

/// Takes the tools of one source one by one, so that only one of them is ever held parsed.
struct Intake<'a> {
    current: &'a Snapshot,
    definition: &'a SourceDefinition,
    limits: &'a Limits,
    source: Arc<str>,
    /// Tools are searched by their source's description too, so a new one concerns them all.
    described_as_before: bool,
    room: usize,
    change: Change,
    names: FxHashSet<Arc<str>>,
    read: usize,
    changed: usize,
    quarantined: Vec<Quarantined>,
}

impl Intake<'_> {
    fn take(&mut self, listed: Listed) {
        self.read += 1;
        let taken = listed
            .definition
            .and_then(|tool| tool::build(tool, self.definition, &self.source, self.limits))
            .map_err(QuarantineReason::from)
            .and_then(|built| self.accept(built));
        if let Err(reason) = taken {
            let tool = match listed.name {
                Some(name) => json::cut(&name, 128).to_owned(),
                None => format!("tool {}", self.read),
            };
            self.quarantined.push(Quarantined { tool, reason });
        }
    }

    fn accept(&mut self, built: Built) -> Result<(), QuarantineReason> {
        let name = &built.tool.name;
        if self.names.contains(name) {
            return Err(QuarantineReason::DuplicateName);
        }
        let before = self.current.tool(name);
        if let Some(holder) = before.filter(|holder| holder.source != self.source) {
            return Err(QuarantineReason::NameTaken {
                name: name.to_string(),
                source_name: holder.source.to_string(),
            });
        }
        if self.names.len() >= self.room {
            return Err(QuarantineReason::RegistryFull {
                limit: self.limits.max_tools,
            });
        }
        self.names.insert(Arc::clone(name));
        let same = before.is_some_and(|before| **before == built.tool);
        self.changed += usize::from(!same);
        if !(same && self.described_as_before) {
            self.change.insert(built, &self.definition.description);
        }
        Ok(())
    }

    fn finish(mut self, replaced: Option<&Arc<Source>>) -> (Snapshot, PublishReport) {
        let mut removed = 0;
        for name in replaced.iter().flat_map(|source| source.tools.iter()) {
            if !self.names.contains(name) {
                self.change.remove(name);
                removed += 1;
            }
        }
        let report = PublishReport {
            version: self.current.version + 1,
            published: self.names.len(),
            changed: self.changed,
            removed,
            quarantined: self.quarantined.clone(),
        };
        let mut tools: Vec<Arc<str>> = self.names.into_iter().collect();
        tools.sort_unstable();
        self.change.set_source(Source {
            name: self.source,
            description: self.definition.description.as_str().into(),
            instructions: self.definition.instructions.as_str().into(),
            tools: tools.into(),
            quarantined: self.quarantined.into(),
        });
        (self.change.finish(), report)
    }
}

/// A snapshot in the making. Everything that is not touched stays shared with the current one.
struct Change {
    next: Snapshot,
    live: RoaringBitmap,
    facets: Facets,
    index: crate::search::IndexEditor,
    lowest_free: u32,
}

impl Change {
    fn of(current: &Snapshot) -> Self {
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

    fn insert(&mut self, built: Built, source_description: &str) {
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

    fn remove(&mut self, name: &str) {
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

    fn set_source(&mut self, source: Source) {
        let sources: &mut BTreeMap<_, _> = Arc::make_mut(&mut self.next.sources);
        sources.insert(Arc::clone(&source.name), Arc::new(source));
    }

    fn finish(self) -> Snapshot {
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
