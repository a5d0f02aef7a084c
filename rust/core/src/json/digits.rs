//! Integers of more than 64 bits, whose last digits a value does not keep.

use std::io;

use serde::Serialize;
use serde_json::{
    Value,
    ser::{CompactFormatter, Formatter, Serializer},
};

/// What is said of one.
pub(crate) const LOST_DIGITS: &str =
    "it has an integer of more than 64 bits, whose last digits would be lost; give it as text";

/// What has fewer digits fits in any case.
const SAFE_DIGITS: usize = 18;

/// Whether JSON `text` has such an integer anywhere.
pub(crate) fn has_lost_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    let (mut in_string, mut in_fraction) = (false, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'0'..=b'9' => {
                let rest = &bytes[at..];
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let from = at.saturating_sub(usize::from(at > 0 && bytes[at - 1] == b'-'));
                at += digits;
                let goes_on = matches!(bytes.get(at), Some(b'.' | b'e' | b'E'));
                if digits > SAFE_DIGITS && !in_fraction && !goes_on {
                    let number = &text[from..at];
                    if number.parse::<u64>().is_err() && number.parse::<i64>().is_err() {
                        return true;
                    }
                }
                continue;
            }
            _ => {}
        }
        in_fraction =
            matches!(byte, b'.' | b'e' | b'E') || (in_fraction && matches!(byte, b'+' | b'-'));
        at += 1;
    }
    false
}

const FIRST_BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// `value` as JSON text in which a whole number of more than 64 bits is an integer again, so that
/// whoever reads it finds what [`has_lost_digits`] finds.
pub(crate) fn spelled_out(value: &Value) -> String {
    struct SpelledOut;
    impl Formatter for SpelledOut {
        fn write_f64<W: io::Write + ?Sized>(&mut self, to: &mut W, number: f64) -> io::Result<()> {
            if number == -FIRST_BEYOND {
                // The nearest integer that does not fit.
                to.write_all(b"-9223372036854775809")
            } else if number.abs() >= FIRST_BEYOND {
                write!(to, "{number:.0}")
            } else {
                CompactFormatter.write_f64(to, number)
            }
        }
    }
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, SpelledOut));
    // Neither a value nor a vector refuses.
    match written.ok().and_then(|()| String::from_utf8(bytes).ok()) {
        Some(text) => text,
        None => value.to_string(),
    }
}

/// Whether `value` could hold one: a whole number that needs more than 64 bits.
pub(crate) fn may_have_lost_digits(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_some_and(|number| number.abs() >= FIRST_BEYOND),
        Value::Array(items) => items.iter().any(may_have_lost_digits),
        Value::Object(members) => members.values().any(may_have_lost_digits),
        _ => false,
    }
}
