//! Limits of strict schemas that count over a whole schema.

use serde_json::Value;

use crate::provider::Target;

const MAX_PROPERTIES: usize = 5_000;
const MAX_VALUES: usize = 1_000;
const MAX_TEXT: usize = 120_000;
const LARGE_ENUM: usize = 250;
const MAX_LARGE_ENUM_TEXT: usize = 15_000;

#[derive(Default)]
struct Count {
    properties: usize,
    values: usize,
    text: usize,
    oversized_enum: bool,
}

/// Why a strict schema is more than the target takes. Only OpenAI publishes such limits.
pub(super) fn over_limits(target: Target, schema: &str) -> Option<&'static str> {
    if !matches!(target, Target::OpenAiResponses | Target::OpenAiChat) {
        return None;
    }
    let schema: Value = crate::json::value(schema).ok()?;
    let mut count = Count::default();
    count.walk(&schema);
    if count.properties > MAX_PROPERTIES {
        Some("more than 5,000 properties")
    } else if count.values > MAX_VALUES {
        Some("more than 1,000 enum values")
    } else if count.oversized_enum {
        Some("an enum of more than 15,000 characters")
    } else if count.text > MAX_TEXT {
        Some("more than 120,000 characters in names and values")
    } else {
        None
    }
}

impl Count {
    /// Counts by key wherever it stands: a property called `enum` only makes the count too high.
    fn walk(&mut self, schema: &Value) {
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    match (key.as_str(), value) {
                        ("properties" | "$defs", Value::Object(members)) => {
                            self.properties += if key == "properties" {
                                members.len()
                            } else {
                                0
                            };
                            self.text += members.keys().map(|k| k.chars().count()).sum::<usize>();
                        }
                        ("enum", Value::Array(values)) => self.list(values),
                        ("const", Value::String(text)) => self.text += text.chars().count(),
                        _ => {}
                    }
                    self.walk(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            _ => {}
        }
    }

    fn list(&mut self, values: &[Value]) {
        let text: usize = values
            .iter()
            .filter_map(Value::as_str)
            .map(|s| s.chars().count())
            .sum();
        self.values += values.len();
        self.text += text;
        self.oversized_enum |= values.len() > LARGE_ENUM && text > MAX_LARGE_ENUM_TEXT;
    }
}
