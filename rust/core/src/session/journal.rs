//! The journal: what was activated, where in the conversation, and in which order.
//!
//! The active set is nothing but the journal read from the start, so that going back in the
//! conversation, forking and restoring are all operations on the journal.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::{Error, Limits, Result};

/// Why names came into the active set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Wanted by whoever opened the session.
    Pinned,
    /// Tools of `direct` exposure that the caller may use.
    Direct,
    /// Found by `tool_search`.
    Search,
    /// Activated by name.
    Activate,
    /// A named place to come back to; brings no names.
    Mark,
    /// A script stored something; brings no names.
    Stored,
}

impl EntryKind {
    /// All kinds; the position of each is its number in snapshots and on the wire.
    pub const ALL: [Self; 6] = [
        Self::Pinned,
        Self::Direct,
        Self::Search,
        Self::Activate,
        Self::Mark,
        Self::Stored,
    ];
}

/// The kinds that bring no names; of each there are `max_marks`.
const NAMELESS: [EntryKind; 2] = [EntryKind::Mark, EntryKind::Stored];

/// One step of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Grows by one from entry to entry and is never used twice, not even after going back.
    pub id: u64,
    /// The turn or message id that the caller gave.
    pub position: Option<Box<str>>,
    /// Why the names came in.
    pub kind: EntryKind,
    /// The names that were added, in this order.
    pub names: Vec<Arc<str>>,
}

/// The journal of one session, with the active set that follows from it.
#[derive(Debug, Clone, Default)]
pub(super) struct Journal {
    entries: Vec<Entry>,
    last_id: u64,
    active: IndexMap<Arc<str>, EntryKind, rustc_hash::FxBuildHasher>,
}

impl Journal {
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn last_id(&self) -> u64 {
        self.last_id
    }

    /// The entry that [`Self::rewind`] returns to this place with: the last one that there still is.
    pub fn here(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.id)
    }

    /// Names in the order in which they were activated, whatever has become of them.
    pub fn active(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.active.keys()
    }

    pub fn is_active(&self, name: &str) -> bool {
        self.active.contains_key(name)
    }

    /// Why an active name came in.
    pub fn kind(&self, name: &str) -> Option<EntryKind> {
        self.active.get(name).copied()
    }

    /// More entries than this cannot come about: an entry brings a name, or is a mark.
    pub fn most_entries(limits: &Limits) -> usize {
        let marks = limits.max_marks.max(1).saturating_mul(NAMELESS.len());
        limits.max_active_tools.saturating_add(marks)
    }

    /// How many more names there is room for.
    pub fn room(&self, limits: &Limits) -> usize {
        limits.max_active_tools.saturating_sub(self.active.len())
    }

    /// Appends an entry with those of `names` that are new and fit; returns them.
    pub fn add(
        &mut self,
        kind: EntryKind,
        position: Option<&str>,
        names: impl IntoIterator<Item = Arc<str>>,
        limits: &Limits,
    ) -> Result<Vec<Arc<str>>> {
        check_position(position, limits)?;
        let mut added = Vec::new();
        for name in names {
            if self.room(limits) > 0 && !self.is_active(&name) {
                self.active.insert(Arc::clone(&name), kind);
                added.push(name);
            }
        }
        if !added.is_empty() {
            self.append(kind, position, added.clone());
        }
        Ok(added)
    }

    /// Appends a mark at `position`.
    pub fn mark(&mut self, position: &str, limits: &Limits) -> Result<()> {
        check_position(Some(position), limits)?;
        let marks = self
            .entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::Mark)
            .count();
        Error::check_limit(
            "marks in the journal",
            "max_marks",
            marks + 1,
            limits.max_marks,
        )?;
        self.append(EntryKind::Mark, Some(position), Vec::new());
        Ok(())
    }

    /// Appends an entry that brings no names. When there are more than `max_marks` of the kind the
    /// oldest goes: then there is no way back to just that one.
    pub fn note(&mut self, kind: EntryKind, limits: &Limits) {
        self.append(kind, None, Vec::new());
        let of_kind = |entry: &&Entry| entry.kind == kind;
        if self.entries.iter().filter(of_kind).count() > limits.max_marks.max(1)
            && let Some(oldest) = self.entries.iter().position(|entry| entry.kind == kind)
        {
            self.entries.remove(oldest);
        }
    }

    fn append(&mut self, kind: EntryKind, position: Option<&str>, names: Vec<Arc<str>>) {
        self.last_id += 1;
        self.entries.push(Entry {
            id: self.last_id,
            position: position.map(Into::into),
            kind,
            names,
        });
    }

    /// Forgets everything after the entry `id`. Entry 0 stands before the first.
    pub fn rewind(&mut self, id: u64) -> Result<()> {
        let kept = match id {
            0 => 0,
            _ => 1 + self.entries.iter().position(|entry| entry.id == id).ok_or_else(|| {
                Error::UnknownCheckpoint(format!(
                    "checkpoint {id} is not in this session's journal: it was rewound past, or belongs to another session"
                ))
            })?,
        };
        self.truncate(kept);
        Ok(())
    }

    /// Forgets everything after the last entry at `position`.
    pub fn rewind_to(&mut self, position: &str) -> Result<()> {
        let last = self
            .entries
            .iter()
            .rposition(|entry| entry.position.as_deref() == Some(position));
        let last = last.ok_or_else(|| {
            Error::UnknownCheckpoint(
                "no activation or mark of this session has that position; set a mark in each turn to return to it".into(),
            )
        })?;
        self.truncate(last + 1);
        Ok(())
    }

    fn truncate(&mut self, kept: usize) {
        for entry in self.entries.drain(kept..) {
            for name in &entry.names {
                self.active.shift_remove(name);
            }
        }
    }

    /// A journal from entries that came from outside.
    pub fn restore(entries: Vec<Entry>, last_id: u64, limits: &Limits) -> Result<Self> {
        let invalid = |what: &str| Err(Error::InvalidSnapshot(what.to_owned()));
        let mut journal = Self {
            last_id,
            ..Self::default()
        };
        let mut previous = 0;
        for entry in &entries {
            if entry.id <= previous || entry.id > last_id {
                return invalid("its entries are out of order");
            }
            previous = entry.id;
            if NAMELESS.contains(&entry.kind) != entry.names.is_empty() {
                return invalid("an entry and its kind do not fit");
            }
            check_position(entry.position.as_deref(), limits)?;
            for name in &entry.names {
                let twice = journal.active.insert(Arc::clone(name), entry.kind);
                if twice.is_some() {
                    return invalid("a tool is activated twice");
                }
            }
        }
        Error::check_limit(
            "active tools in the snapshot",
            "max_active_tools",
            journal.active.len(),
            limits.max_active_tools,
        )?;
        for kind in NAMELESS {
            Error::check_limit(
                "marks in the snapshot",
                "max_marks",
                entries.iter().filter(|entry| entry.kind == kind).count(),
                limits.max_marks.max(1),
            )?;
        }
        journal.entries = entries;
        Ok(journal)
    }
}

fn check_position(position: Option<&str>, limits: &Limits) -> Result<()> {
    Error::check_limit(
        "bytes of the position",
        "max_position_bytes",
        position.map_or(0, str::len),
        limits.max_position_bytes,
    )
}
