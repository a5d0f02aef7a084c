//! Reading untrusted JSON within limits.

use serde_json::Value;

use crate::{Error, Limits, Result};

mod digits;
mod halves;
mod plain;

pub(crate) use digits::{LOST_DIGITS, has_lost_digits, may_have_lost_digits, spelled_out};
pub(crate) use halves::without_halves;
pub(crate) use plain::{optional, plain, value};

/// Checks that `bytes` are UTF-8.
pub fn text<'a>(what: &str, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|e| Error::InvalidUtf8 {
        what: what.to_owned(),
        at: e.valid_up_to(),
    })
}

/// Deepest nesting that serde_json reads, and that stacks are made for.
const READABLE: usize = 127;

/// Deepest nesting of what is read within `limits`.
pub fn max_depth(limits: &Limits) -> usize {
    limits.max_json_depth.min(READABLE)
}

/// Parses `text` after its depth was checked, so that nothing that walks the value recursively can
/// overflow a stack.
pub fn parse(what: &str, text: &str, limits: &Limits) -> Result<Value> {
    let (depth, allowed) = (depth(text), max_depth(limits));
    if depth > allowed {
        let what = format!("nesting depth of {what}");
        Error::check_limit(&what, "max_json_depth", depth, allowed)?;
    }
    value(text).map_err(|e| Error::InvalidJson(format!("{what}: {e}")))
}

/// Deepest nesting of objects and arrays in `text`, found without recursion. Meaningless, but
/// harmless, for text that is not JSON.
#[must_use]
pub fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The longest beginning of `text` that has at most `bytes` bytes and ends between characters.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
