//! Frames: what crosses between Java and here.
//!
//! Numbers are unsigned LEB128 of at most 64 bits; text is UTF-8 and has its length before it, as
//! bytes have; lists have their count before them; an optional value has 0 or 1 before it; decimals
//! are eight bytes, lowest first. `tests/vectors/wire.json` holds both sides to it.

use crate::error::{Error, Result};

/// Reads a frame. Every length is checked against what is there before anything is reserved.
#[derive(Debug)]
pub struct Reader<'a> {
    frame: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads all of `frame` with `read`, which must leave nothing over.
    pub fn read<T>(frame: &'a [u8], read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut reader = Self { frame, at: 0 };
        let value = read(&mut reader)?;
        if reader.at == frame.len() {
            Ok(value)
        } else {
            Err(reader.broken("something is left over"))
        }
    }

    pub fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.broken("a number has more than 64 bits"))
    }

    pub fn flag(&mut self) -> Result<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.broken("a flag is neither 0 nor 1")),
        }
    }

    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.number()?;
        let left = &self.frame[self.at..];
        let bytes = usize::try_from(length)
            .ok()
            .and_then(|length| left.get(..length))
            .ok_or_else(|| self.broken("it ends too soon"))?;
        self.at += bytes.len();
        Ok(bytes)
    }

    pub fn text(&mut self) -> Result<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| self.broken("a text is not UTF-8"))
    }

    pub fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        self.flag()?.then(|| read(self)).transpose()
    }

    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.number()?;
        // Every item takes a byte at least, so a wrong count cannot make us reserve much.
        let left = self.frame.len() - self.at;
        let mut items = Vec::with_capacity(usize::try_from(count).unwrap_or(left).min(left));
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Reads the position of a constant in `all`.
    pub fn constant<T: Copy>(&mut self, all: &[T]) -> Result<T> {
        let position = self.number()?;
        usize::try_from(position)
            .ok()
            .and_then(|position| all.get(position).copied())
            .ok_or_else(|| self.broken("it has an unknown constant"))
    }

    pub fn broken(&self, what: &'static str) -> Error {
        Error::Frame {
            at: self.at,
            length: self.frame.len(),
            what,
        }
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = *self
            .frame
            .get(self.at)
            .ok_or_else(|| self.broken("it ends too soon"))?;
        self.at += 1;
        Ok(byte)
    }
}

/// Writes a frame.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn number(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    pub fn count(&mut self, value: usize) -> &mut Self {
        self.number(value as u64)
    }

    pub fn flag(&mut self, value: bool) -> &mut Self {
        self.0.push(u8::from(value));
        self
    }

    pub fn decimal(&mut self, value: f64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.count(value.len());
        self.0.extend_from_slice(value);
        self
    }

    pub fn text(&mut self, value: &str) -> &mut Self {
        self.bytes(value.as_bytes())
    }

    pub fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) -> &mut Self {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
        self
    }

    pub fn optional_text(&mut self, value: Option<&str>) -> &mut Self {
        self.optional(value, |frame, text| {
            frame.text(text);
        })
    }

    pub fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut write: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        let items = items.into_iter();
        self.count(items.len());
        items.for_each(|item| write(self, item));
        self
    }

    pub fn texts(
        &mut self,
        items: impl IntoIterator<Item = impl AsRef<str>, IntoIter: ExactSizeIterator>,
    ) -> &mut Self {
        self.list(items, |frame, item| {
            frame.text(item.as_ref());
        })
    }

    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
#[path = "wire_test.rs"]
mod tests;
