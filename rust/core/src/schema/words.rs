//! Constraints that a schema cannot carry, in words for the model.

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part, Written};

/// Most bytes that are added to one description.
const MAX_WORDS: usize = 400;
/// Most bytes of one constraint.
const MAX_WORD: usize = 160;

/// Collects what one schema lost.
#[derive(Debug, Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(super) fn say(&mut self, words: impl Into<String>) {
        // What stands behind the end of the description is never seen.
        if self.0.iter().map(String::len).sum::<usize>() > MAX_WORDS {
            return;
        }
        let words = cut(words.into(), MAX_WORD);
        if !self.0.contains(&words) {
            self.0.push(words);
        }
    }

    pub(super) fn constraint(&mut self, keyword: Keyword, part: &Part) {
        self.say(constraint(keyword, part));
    }

    /// `description` followed by what was collected.
    pub(crate) fn behind(&self, description: Option<&str>) -> Option<String> {
        let text = description.unwrap_or_default();
        if self.0.is_empty() {
            return (!text.is_empty()).then(|| text.to_owned());
        }
        let words = cut(self.0.join("; "), MAX_WORDS);
        let gap = if text.is_empty() || text.ends_with(char::is_whitespace) {
            ""
        } else {
            " "
        };
        Some(format!("{text}{gap}({words})"))
    }
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// One constraint, written so that it reads well behind "the value is".
fn constraint(keyword: Keyword, part: &Part) -> String {
    let value = match part {
        Part::Data(value) => shown(value),
        Part::Names(names) => names.join(", "),
        Part::One(node) => json(node),
        Part::Many(nodes) => nodes.iter().map(json).collect::<Vec<_>>().join(" | "),
        Part::Map(map) => map
            .iter()
            .map(|(key, node)| format!("{key}: {}", json(node)))
            .collect::<Vec<_>>()
            .join(", "),
    };
    match keyword {
        Keyword::Enum => format!("one of {value}"),
        Keyword::Const => format!("always {value}"),
        Keyword::Format => format!("format {value}"),
        Keyword::Pattern => format!("matches {value}"),
        Keyword::MinLength => format!("at least {value} characters"),
        Keyword::MaxLength => format!("at most {value} characters"),
        Keyword::Minimum => format!("at least {value}"),
        Keyword::Maximum => format!("at most {value}"),
        Keyword::ExclusiveMinimum => format!("more than {value}"),
        Keyword::ExclusiveMaximum => format!("less than {value}"),
        Keyword::MultipleOf => format!("a multiple of {value}"),
        Keyword::Default => format!("default {value}"),
        Keyword::MinItems => format!("at least {value} items"),
        Keyword::MaxItems => format!("at most {value} items"),
        Keyword::UniqueItems => "no item twice".to_owned(),
        Keyword::MinProperties => format!("at least {value} properties"),
        Keyword::MaxProperties => format!("at most {value} properties"),
        Keyword::AdditionalProperties => format!("other keys may be given: {value}"),
        Keyword::PatternProperties => format!("keys by pattern: {value}"),
        Keyword::PropertyNames => format!("keys are {value}"),
        Keyword::DependentRequired => format!("if given, needs: {value}"),
        Keyword::DependentSchemas => format!("if given, also: {value}"),
        Keyword::Contains => format!("contains {value}"),
        Keyword::AnyOf => format!("any of {value}"),
        Keyword::OneOf => format!("exactly one of {value}"),
        other => format!("{} {value}", other.name()),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    }
}

fn json(node: &Node) -> String {
    serde_json::to_string(&Written::alone(node)).unwrap_or_default()
}
