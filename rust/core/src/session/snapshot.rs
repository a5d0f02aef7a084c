//! The stored form of a session: small, versioned, readable on any node.
//!
//! Layout, version 2 (integers are unsigned LEB128, texts a length and UTF-8):
//! `"TCS"`, version byte, last entry id, entries (count, then id, kind, 0 or 1 + position, names),
//! declared order as indices into the names in entry order, and so the order of places and the
//! plain tools, which version 1 has not. Version 3, written only where scripts stored something, goes
//! on with their writes (count, then entry id, key, 0 or 1 + value). Version 4, written only where
//! requests without `tool_search` were sent, is as version 3; the index behind the last name stands
//! for `tool_search` in the orders.
//! It holds names, positions and stored values only: no
//! rights, no schemas. Whoever changes a stored snapshot gains nothing, since every name is held
//! against the caller's view again.

use std::sync::Arc;

use super::{
    LATE_SEARCH, Orders,
    journal::{Entry, EntryKind, Journal},
    stored::{Stored, Write},
};
use crate::{Error, Limits, Result, json, name::MAX_NAME_LEN};

const MAGIC: &[u8; 3] = b"TCS";
const VERSION: u8 = 2;
const VERSION_WITH_STORED: u8 = 3;
const VERSION_WITH_LATE_SEARCH: u8 = 4;
/// Knows the declared order only.
const FIRST_VERSION: u8 = 1;

pub(super) fn encode(journal: &Journal, orders: &Orders, stored: &Stored) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + journal.active().len() * 32);
    out.extend_from_slice(MAGIC);
    let has_stored = !stored.writes().is_empty()
        || journal
            .entries()
            .iter()
            .any(|entry| entry.kind == EntryKind::Stored);
    let version = match (orders.search_is_late, has_stored) {
        (true, _) => VERSION_WITH_LATE_SEARCH,
        (false, true) => VERSION_WITH_STORED,
        (false, false) => VERSION,
    };
    out.push(version);
    put_number(&mut out, journal.last_id());
    put_number(&mut out, journal.entries().len() as u64);
    for entry in journal.entries() {
        put_number(&mut out, entry.id);
        out.push(entry.kind as u8);
        out.push(u8::from(entry.position.is_some()));
        if let Some(position) = &entry.position {
            put_text(&mut out, position);
        }
        put_number(&mut out, entry.names.len() as u64);
        entry.names.iter().for_each(|name| put_text(&mut out, name));
    }
    for order in orders.all() {
        put_number(&mut out, order.len() as u64);
        for name in order {
            let index = match &**name {
                LATE_SEARCH if orders.search_is_late => Some(journal.active().len()),
                name => journal.active().position(|active| **active == *name),
            };
            put_number(&mut out, index.expect("what is declared is active") as u64);
        }
    }
    if version >= VERSION_WITH_STORED {
        put_number(&mut out, stored.writes().len() as u64);
        for write in stored.writes() {
            put_number(&mut out, write.at);
            put_text(&mut out, &write.key);
            out.push(u8::from(write.value.is_some()));
            if let Some(value) = &write.value {
                put_text(&mut out, value);
            }
        }
    }
    out
}

pub(super) fn decode(bytes: &[u8], limits: &Limits) -> Result<(Journal, Orders, Stored)> {
    Error::check_limit(
        "snapshot bytes",
        "max_snapshot_bytes",
        bytes.len(),
        limits.max_snapshot_bytes,
    )?;
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(Error::InvalidSnapshot("it does not start as one".into()));
    };
    let Some((&version, rest)) = rest.split_first() else {
        return Err(Error::InvalidSnapshot(
            "it ends after its first bytes".into(),
        ));
    };
    if !(FIRST_VERSION..=VERSION_WITH_LATE_SEARCH).contains(&version) {
        return Err(Error::InvalidSnapshot(format!(
            "it has version {version}, this build reads versions {FIRST_VERSION} to {VERSION_WITH_LATE_SEARCH}"
        )));
    }
    let mut from = Reader(rest);
    let last_id = from.number()?;
    let mut entries = Vec::new();
    let count = from.count()?;
    Error::check_limit(
        "entries of the snapshot",
        "max_marks",
        count,
        Journal::most_entries(limits),
    )?;
    for _ in 0..count {
        let id = from.number()?;
        let kind = EntryKind::ALL.get(usize::from(from.byte()?)).copied();
        let kind =
            kind.ok_or_else(|| Error::InvalidSnapshot("it has an entry of unknown kind".into()))?;
        let position = match from.byte()? {
            0 => None,
            _ => Some(from.text("position", limits.max_position_bytes)?.into()),
        };
        let mut names = Vec::new();
        for _ in 0..from.count()? {
            let name = from.text("name", MAX_NAME_LEN)?;
            if name.is_empty() {
                return Err(Error::InvalidSnapshot("it has an empty name".into()));
            }
            names.push(Arc::from(name));
        }
        entries.push(Entry {
            id,
            position,
            kind,
            names,
        });
    }
    let journal = Journal::restore(entries, last_id, limits)?;
    let mut ordered: Vec<_> = journal.active().cloned().collect();
    let mut orders = Orders::default();
    if version == VERSION_WITH_LATE_SEARCH {
        orders.search_is_late = true;
        ordered.push(LATE_SEARCH.into());
    }
    if version == FIRST_VERSION {
        orders.declared = from.order(&ordered)?;
        orders.places = orders.declared.clone();
    } else {
        for order in orders.all_mut() {
            *order = from.order(&ordered)?;
        }
    }
    let mut stored = Stored::default();
    if version >= VERSION_WITH_STORED {
        for _ in 0..from.count()? {
            let at = from.number()?;
            let key = from.text("key", limits.max_stored_bytes)?.into();
            let value = match from.byte()? {
                0 => None,
                _ => Some(from.text("stored value", limits.max_stored_bytes)?.into()),
            };
            stored.restore(Write { at, key, value }, last_id, limits)?;
        }
    }
    stored.check(limits)?;
    if !from.0.is_empty() {
        return Err(Error::InvalidSnapshot(format!(
            "{} bytes follow its end",
            from.0.len()
        )));
    }
    Ok((journal, orders, stored))
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn truncated<T>() -> Result<T> {
        Err(Error::InvalidSnapshot("it ends in the middle".into()))
    }

    fn byte(&mut self) -> Result<u8> {
        let Some((&byte, rest)) = self.0.split_first() else {
            return Self::truncated();
        };
        self.0 = rest;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Error::InvalidSnapshot(
            "it has a number of more than 64 bits".into(),
        ))
    }

    /// A count of things of which each takes a byte at least, so that no count can ask for more
    /// memory than the snapshot itself took.
    fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        if count > self.0.len() as u64 {
            return Self::truncated();
        }
        Ok(count as usize)
    }

    /// Some of the `active` names, none twice.
    fn order(&mut self, active: &[Arc<str>]) -> Result<Vec<Arc<str>>> {
        let mut order = Vec::new();
        let mut seen = vec![false; active.len()];
        for _ in 0..self.count()? {
            let index = self.number()? as usize;
            match seen.get_mut(index) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(Error::InvalidSnapshot(
                        "its declared tools are not its active tools".into(),
                    ));
                }
            }
            order.push(Arc::clone(&active[index]));
        }
        Ok(order)
    }

    fn text(&mut self, what: &str, limit: usize) -> Result<&'a str> {
        let length = self.count()?;
        if length > limit {
            return Err(Error::InvalidSnapshot(format!(
                "it has a {what} of {length} bytes, the limit is {limit}"
            )));
        }
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        json::text(what, text).map_err(|error| Error::InvalidSnapshot(error.to_string()))
    }
}
