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
    /// Of all writes together.
    bytes: usize,
}

/// What a key that is kept counts besides its bytes and those of its value, as it takes about that
/// much. Otherwise a script could keep ten times what the limit says, in keys of a letter or two.
pub const STORED_KEY_BYTES: usize = 64;

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
        STORED_KEY_BYTES + self.key.len() + self.value.as_ref().map_or(0, |value| value.len())
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
        self.bytes = self.writes.iter().map(Write::bytes).sum();
    }

    /// Takes in a write that came from outside, the oldest first.
    pub fn restore(&mut self, write: Write, last_id: u64, limits: &Limits) -> Result<()> {
        let before = self.writes.last().map_or(0, |write| write.at);
        if write.at < before || write.at > last_id {
            return Err(Error::InvalidSnapshot(
                "its stored values are out of order".into(),
            ));
        }
        self.bytes += write.bytes();
        Error::check_limit(
            "bytes that scripts have stored by and by",
            "max_stored_bytes",
            self.bytes / 2,
            limits.max_stored_bytes,
        )?;
        self.writes.push(write);
        Ok(())
    }

    /// Adds writes; where they are too many, forgets the oldest of what was replaced since.
    fn add(&mut self, writes: Vec<Write>, limits: &Limits) -> Result<()> {
        let mut next = self.clone();
        next.bytes += writes.iter().map(Write::bytes).sum::<usize>();
        next.writes.extend(writes);
        next.check(limits)?;
        let last: HashMap<Box<str>, usize> = next
            .writes
            .iter()
            .enumerate()
            .map(|(at, write)| (write.key.clone(), at))
            .collect();
        let mut at = 0;
        let bytes = &mut next.bytes;
        next.writes.retain(|write| {
            // A removal that nothing is left to be removed by says nothing.
            let replaced = last[&write.key] != at || write.value.is_none();
            at += 1;
            let forget = replaced && *bytes > 2 * limits.max_stored_bytes;
            if forget {
                *bytes -= write.bytes();
            }
            !forget
        });
        *self = next;
        Ok(())
    }

    /// What is held now is within the limit.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        let last: HashMap<&str, &Write> = self
            .writes
            .iter()
            .map(|write| (&*write.key, write))
            .collect();
        let held = last.values().filter(|write| write.value.is_some());
        Error::check_limit(
            "bytes that scripts have stored in the session",
            "max_stored_bytes",
            held.map(|write| write.bytes()).sum(),
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
    /// More than `max_stored_bytes` of keys and values together, and 64 bytes for each key.
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
