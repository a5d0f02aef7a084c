//! What scripts keep with the conversation.
//!
//! Every write stands at an entry of the journal, so that going back in the conversation takes it
//! back, and what it replaced counts again.

use std::collections::HashMap;

use super::{EntryKind, Session};
use crate::{Error, Limits, Result};

/// The writes of one session, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stored {
    writes: Vec<Write>,
}

/// One write; None removed the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Write {
    /// The journal entry it was made at.
    pub at: u64,
    pub key: Box<str>,
    pub value: Option<Box<str>>,
}

impl Write {
    fn bytes(&self) -> usize {
        self.key.len() + self.value.as_ref().map_or(0, |value| value.len())
    }
}

impl Stored {
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    fn get(&self, key: &str) -> Option<&str> {
        let write = self.writes.iter().rev().find(|write| *write.key == *key)?;
        write.value.as_deref()
    }

    /// Forgets what was written after the entry `at`.
    pub fn rewind(&mut self, at: u64) {
        self.writes.retain(|write| write.at <= at);
    }

    /// Writes that came from outside, in the order of their entries.
    pub fn restore(writes: Vec<Write>, last_id: u64, limits: &Limits) -> Result<Self> {
        let mut at = 0;
        for write in &writes {
            if write.at < at || write.at > last_id {
                return Err(Error::InvalidSnapshot(
                    "its stored values are out of order".into(),
                ));
            }
            at = write.at;
        }
        let stored = Self { writes };
        stored.check(limits)?;
        Ok(stored)
    }

    /// Adds writes; where they are too many, forgets the oldest of what was replaced since.
    fn add(&mut self, writes: Vec<Write>, limits: &Limits) -> Result<()> {
        let mut next = self.clone();
        next.writes.extend(writes);
        next.check(limits)?;
        let mut total: usize = next.writes.iter().map(Write::bytes).sum();
        let last: HashMap<Box<str>, usize> = next
            .writes
            .iter()
            .enumerate()
            .map(|(at, write)| (write.key.clone(), at))
            .collect();
        let mut at = 0;
        next.writes.retain(|write| {
            // A removal that nothing is left to be removed by says nothing.
            let replaced = last[&write.key] != at || write.value.is_none();
            at += 1;
            let forget = replaced && total > 2 * limits.max_stored_bytes;
            if forget {
                total -= write.bytes();
            }
            !forget
        });
        *self = next;
        Ok(())
    }

    /// What is held now is within the limit.
    fn check(&self, limits: &Limits) -> Result<()> {
        let last: HashMap<&str, usize> = self
            .writes
            .iter()
            .map(|write| (&*write.key, write))
            .map(|(key, write)| {
                (
                    key,
                    write
                        .value
                        .as_ref()
                        .map_or(0, |value| key.len() + value.len()),
                )
            })
            .collect();
        Error::check_limit(
            "bytes that scripts have stored in the session",
            "max_stored_bytes",
            last.values().sum(),
            limits.max_stored_bytes,
        )
    }
}

impl Session {
    /// What scripts stored under `key`, as JSON text.
    #[must_use]
    pub fn stored(&self, key: &str) -> Option<String> {
        self.lock().stored.get(key).map(str::to_owned)
    }

    /// Keeps what a script stored, all of it or nothing; None removes. It is kept at this moment of
    /// the conversation: [`Session::rewind`] to an earlier one takes it back.
    ///
    /// # Errors
    ///
    /// More than `max_stored_bytes` of keys and values together.
    pub fn store(&self, writes: Vec<(String, Option<String>)>) -> Result<()> {
        if writes.is_empty() {
            return Ok(());
        }
        let mut state = self.lock();
        let at = state.journal.last_id() + 1;
        let writes = writes.into_iter().map(|(key, value)| Write {
            at,
            key: key.into(),
            value: value.map(Into::into),
        });
        let writes = writes.collect();
        let limits = self.registry.limits();
        state.stored.add(writes, limits)?;
        state.journal.note(EntryKind::Stored, limits);
        Ok(())
    }
}
