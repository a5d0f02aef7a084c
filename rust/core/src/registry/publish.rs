//! Taking a source in: what is published, what is quarantined, what is gone.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::change::Change;
use crate::{
    Error, Limits, Result, json,
    source::{QuarantineReason, Quarantined, Source, SourceDefinition, ToolInput},
    tool::{self, Built, Listed},
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

/// Puts one source into `change`. What is wrong with the source as a whole leaves it as it was.
pub(super) fn put(
    change: &mut Change,
    mut definition: SourceDefinition,
    limits: &Limits,
) -> Result<PublishReport> {
    definition.check(limits)?;
    let replaced = change.source(&definition.name).cloned();
    if replaced.is_none() {
        let sources = change.sources() + 1;
        Error::check_limit(
            "number of sources",
            "max_sources",
            sources,
            limits.max_sources,
        )?;
    }
    let listed = read_all(std::mem::take(&mut definition.tools), limits)?;
    let replaced_tools = replaced.as_ref().map_or(0, |source| source.tools.len());
    let mut intake = Intake {
        definition: &definition,
        limits,
        source: definition.name.as_str().into(),
        described_as_before: replaced
            .as_ref()
            .is_some_and(|source| *source.description == *definition.description),
        room: limits
            .max_tools
            .saturating_sub(change.len() - replaced_tools),
        change,
        names: FxHashSet::default(),
        read: 0,
        changed: 0,
        quarantined: Vec::new(),
    };
    listed.into_iter().for_each(|listed| intake.take(listed));
    Ok(intake.finish(replaced.as_deref()))
}

/// Takes lists apart into tools; nothing is parsed further yet.
fn read_all(inputs: Vec<ToolInput>, limits: &Limits) -> Result<Vec<Listed>> {
    let mut listed = Vec::new();
    for input in inputs {
        match input {
            ToolInput::Definition(tool) => listed.push(Listed {
                name: Some(tool.name.clone()),
                definition: Ok(*tool),
            }),
            ToolInput::ToolsList(text) => listed.append(&mut tool::read(&text, limits)?),
        }
    }
    Ok(listed)
}

/// Takes the tools of one source one by one, so that only one of them is ever held parsed.
struct Intake<'a> {
    definition: &'a SourceDefinition,
    limits: &'a Limits,
    source: Arc<str>,
    /// Tools are searched by their source's description too, so a new one concerns them all.
    described_as_before: bool,
    room: usize,
    change: &'a mut Change,
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
        let before = self.change.tool(name);
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

    fn finish(self, replaced: Option<&Source>) -> PublishReport {
        let mut removed = 0;
        for name in replaced.iter().flat_map(|source| source.tools.iter()) {
            if !self.names.contains(name) {
                self.change.remove(name);
                removed += 1;
            }
        }
        let report = PublishReport {
            version: self.change.version(),
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
            revision: self.definition.revision,
        });
        report
    }
}
