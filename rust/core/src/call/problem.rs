use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind},
};
use serde_json::Value;

use crate::{Limits, json};

/// One thing that is wrong with the arguments of a call, written for the model that has to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// JSON Pointer to the value; empty for the arguments as a whole.
    pub path: String,
    /// The schema keyword that is not met, such as `required`.
    pub keyword: String,
    /// What is wrong.
    pub message: String,
    /// What is allowed, as JSON or words out of the schema; empty where the message says it all.
    pub allowed: String,
}

/// Longest message, and longest "allowed".
const TEXT_BYTES: usize = 400;

impl Problem {
    pub(super) fn of(error: &ValidationError<'_>, limits: &Limits) -> Self {
        let path = error.instance_path().as_str().to_owned();
        let keyword = error.kind().keyword().to_owned();
        let (message, allowed) = describe(error, limits);
        Self {
            path,
            keyword,
            message: json::cut(&message, TEXT_BYTES).to_owned(),
            allowed: shorten(allowed),
        }
    }

    pub(crate) fn at_root(keyword: &str, message: String, allowed: &str) -> Self {
        Self {
            path: String::new(),
            keyword: keyword.to_owned(),
            message,
            allowed: allowed.to_owned(),
        }
    }

    /// The problem on one line.
    #[must_use]
    pub fn line(&self) -> String {
        let path = if self.path.is_empty() {
            "(arguments)"
        } else {
            &self.path
        };
        match self.allowed.as_str() {
            "" => format!("{path}: {}", self.message),
            allowed => format!("{path}: {}; allowed: {allowed}", self.message),
        }
    }
}

/// What is wrong and what is allowed. The value itself is repeated only where it is short, and
/// never one out of an enclosing object: it may be a secret, and the model has it anyway.
fn describe(error: &ValidationError<'_>, limits: &Limits) -> (String, String) {
    use ValidationErrorKind as Kind;
    let found = || found(error.instance(), limits);
    match error.kind() {
        Kind::Required { property } => {
            (format!("the property {property} is missing"), String::new())
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => (
            format!("there is no property {}", list(unexpected)),
            String::new(),
        ),
        Kind::Type { kind } => (format!("{} has the wrong type", found()), types(kind)),
        Kind::Enum { options } => (
            format!("{} is not one of the values", found()),
            options.to_string(),
        ),
        Kind::Constant { expected_value } => (
            format!("{} is not the value", found()),
            expected_value.to_string(),
        ),
        Kind::Minimum { limit } => (
            format!("{} is too small", found()),
            format!("{limit} or more"),
        ),
        Kind::Maximum { limit } => (
            format!("{} is too large", found()),
            format!("{limit} or less"),
        ),
        Kind::ExclusiveMinimum { limit } => (
            format!("{} is too small", found()),
            format!("more than {limit}"),
        ),
        Kind::ExclusiveMaximum { limit } => (
            format!("{} is too large", found()),
            format!("less than {limit}"),
        ),
        Kind::MultipleOf { multiple_of } => (
            format!("{} does not fit", found()),
            format!("multiples of {multiple_of}"),
        ),
        Kind::MinLength { limit } => (
            format!("{} is too short", found()),
            format!("{limit} characters or more"),
        ),
        Kind::MaxLength { limit } => (
            "the text is too long".into(),
            format!("{limit} characters or less"),
        ),
        Kind::MinItems { limit } => ("there are too few items".into(), format!("{limit} or more")),
        Kind::MaxItems { limit } => (
            "there are too many items".into(),
            format!("{limit} or less"),
        ),
        Kind::Pattern { pattern } => (
            format!("{} does not match the pattern", found()),
            pattern.clone(),
        ),
        Kind::Format { format } => (format!("{} is not in the format", found()), format.clone()),
        _ => (error.masked_with("the value").to_string(), String::new()),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(types) => types
            .iter()
            .map(|one| one.to_string())
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn found(value: &Value, limits: &Limits) -> String {
    match value {
        Value::Object(_) => return "an object".into(),
        Value::Array(_) => return "an array".into(),
        Value::String(text) if text.len() > limits.max_problem_value_bytes => {
            return format!("a text of {} characters", text.chars().count());
        }
        _ => {}
    }
    let text = value.to_string();
    if text.len() <= limits.max_problem_value_bytes {
        text
    } else {
        "the value".into()
    }
}

fn list(names: &[String]) -> String {
    let mut shown: Vec<_> = names
        .iter()
        .take(5)
        .map(|name| format!("\"{}\"", json::cut(name, 64)))
        .collect();
    if names.len() > shown.len() {
        shown.push(format!("and {} more", names.len() - shown.len()));
    }
    shown.join(", ")
}

fn shorten(text: String) -> String {
    if text.len() <= TEXT_BYTES {
        return text;
    }
    format!("{}…", json::cut(&text, TEXT_BYTES))
}
