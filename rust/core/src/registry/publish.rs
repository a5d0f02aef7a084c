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
    definition: SourceDefinition,
    limits: &Limits,
) -> Result<(Snapshot, PublishReport)> {
    definition.check(limits)?;
    let name: Arc<str> = definition.name.as_str().into();
    let replaced = current.sources.get(&name);
    if replaced.is_none() {
        crate::Error::check_limit(
            "number of sources",
            "max_sources",
            current.sources.len() + 1,
            limits.max_sources,
        )?;
    }

    let (built, mut quarantined) = build_all(&definition, &name, limits)?;
    let accepted = accept(
        current,
        &name,
        built,
        replaced.map_or(0, |s| s.tools.len()),
        limits,
        &mut quarantined,
    );

    let mut change = Change::of(current);
    let source_unchanged =
        replaced.is_some_and(|source| *source.description == *definition.description);
    let kept: FxHashSet<&str> = accepted
        .iter()
        .map(|built| built.tool.name.as_ref())
        .collect();
    let gone: Vec<_> = replaced
        .into_iter()
        .flat_map(|source| source.tools.iter())
        .filter(|tool| !kept.contains(tool.as_ref()))
        .cloned()
        .collect();
    for tool in &gone {
        change.remove(tool);
    }
    let mut names: Vec<Arc<str>> = accepted
        .iter()
        .map(|built| Arc::clone(&built.tool.name))
        .collect();
    names.sort_unstable();
    let mut changed = 0;
    for built in accepted {
        let before = current.tool(&built.tool.name);
        let same = before.is_some_and(|before| **before == built.tool);
        if !(same && source_unchanged) {
            change.insert(built, &definition.description);
        }
        changed += usize::from(!same);
    }
    let report = PublishReport {
        version: current.version + 1,
        published: names.len(),
        changed,
        removed: gone.len(),
        quarantined: quarantined.clone(),
    };
    let source = Source {
        name,
        description: definition.description.into(),
        instructions: definition.instructions.into(),
        tools: names.into(),
        quarantined: quarantined.into(),
    };
    change.set_source(source);
    Ok((change.finish(), report))
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

/// Reads and checks every tool that `definition` brings.
fn build_all(
    definition: &SourceDefinition,
    name: &Arc<str>,
    limits: &Limits,
) -> Result<(Vec<Built>, Vec<Quarantined>)> {
    let mut built = Vec::new();
    let mut quarantined = Vec::new();
    let mut position = 0;
    let mut take = |listed: Listed| {
        position += 1;
        match listed
            .definition
            .and_then(|tool| tool::build(tool, definition, name, limits))
        {
            Ok(tool) => built.push(tool),
            Err(error) => quarantined.push(Quarantined {
                tool: listed
                    .name
                    .map_or_else(|| format!("tool {position}"), |name| cut(&name)),
                reason: error.into(),
            }),
        }
    };
    for input in &definition.tools {
        match input {
            ToolInput::Definition(tool) => {
                take(Listed {
                    name: Some(tool.name.clone()),
                    definition: Ok(*tool.clone()),
                });
            }
            ToolInput::ToolsList(text) => tool::read(text, limits)?.into_iter().for_each(&mut take),
        }
    }
    Ok((built, quarantined))
}

/// Keeps the tools whose names are free and for which there is room.
fn accept(
    current: &Snapshot,
    source: &Arc<str>,
    built: Vec<Built>,
    replaced: usize,
    limits: &Limits,
    quarantined: &mut Vec<Quarantined>,
) -> Vec<Built> {
    let room = limits.max_tools.saturating_sub(current.len() - replaced);
    let mut names = FxHashSet::default();
    let mut accepted: Vec<Built> = Vec::with_capacity(built.len());
    for built in built {
        let tool = &built.tool;
        let taken = current
            .tool(&tool.name)
            .filter(|holder| holder.source != *source);
        let reason = if names.contains(&tool.name) {
            QuarantineReason::DuplicateName
        } else if let Some(holder) = taken {
            QuarantineReason::NameTaken {
                name: tool.name.to_string(),
                source_name: holder.source.to_string(),
            }
        } else if accepted.len() >= room {
            QuarantineReason::RegistryFull {
                limit: limits.max_tools,
            }
        } else {
            names.insert(Arc::clone(&tool.name));
            accepted.push(built);
            continue;
        };
        quarantined.push(Quarantined {
            tool: cut(&tool.local_name),
            reason,
        });
    }
    accepted
}

fn cut(name: &str) -> String {
    json::cut(name, 128).to_owned()
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
