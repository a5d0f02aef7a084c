use jsonschema::{Draft, Validator};
use serde_json::Value;

use super::{Problem, effort::Effort};
use crate::{
    Limits, json,
    schema::{self, Effect, Note, pattern},
};

/// Checks the arguments of one tool against its input schema.
///
/// That is the [`canonical`](crate::schema::canonical) reading, which is also what declarations are
/// made of: what a model was told it may send is not refused here, and what is wrong in a schema
/// does not make the rest of it useless. Formats are checked. Nothing is ever fetched. Should no
/// validator be possible at all, every object is let through: the tool itself still checks.
#[derive(Debug)]
pub struct ArgumentValidator {
    compiled: Option<(Validator, Effort)>,
}

/// Evaluations inside each other that fit a stack of 256 KiB with room to spare.
const SHALLOW: u32 = 48;

impl ArgumentValidator {
    /// Compiles `schema`, whose depth is within `max_json_depth`.
    #[must_use]
    pub fn compile(schema: &Value, limits: &Limits) -> Self {
        Self::canonical(schema, limits).unwrap_or_else(|reason| {
            tracing::debug!(%reason, "the canonical reading of an input schema cannot be used");
            let compiled = match pattern::fit(schema) {
                true => usable(schema, limits),
                false => Err("its patterns are too large".into()),
            };
            if let Err(reason) = &compiled {
                tracing::warn!(%reason, "an input schema cannot be used; arguments are only checked to be an object");
            }
            Self {
                compiled: compiled.ok(),
            }
        })
    }

    /// Of the canonical reading alone, which is of the newest draft.
    pub(super) fn canonical(schema: &Value, limits: &Limits) -> Result<Self, String> {
        let (schema, notes) = schema::canonical(schema);
        let compiled = usable(&schema, limits)?;
        if let Some(note) = notes.iter().find(|note| is_pattern_left_out(note)) {
            tracing::warn!(%note, "an input schema says more than arguments are checked for");
        }
        Ok(Self {
            compiled: Some(compiled),
        })
    }

    /// Whether checking `arguments` recurses deeper than the smallest stacks allow for.
    pub(crate) fn is_deep(&self, arguments: &Value) -> bool {
        let nesting = self
            .compiled
            .as_ref()
            .map(|(_, effort)| effort.nesting(arguments));
        nesting.is_some_and(|nesting| nesting > SHALLOW)
    }

    /// Bytes that it takes beside those that the schema's text would explain, about.
    pub(super) fn bytes(&self) -> u64 {
        self.compiled
            .as_ref()
            .map_or(0, |(_, effort)| effort.bytes())
    }

    /// Up to `max_problems` things that are wrong with `arguments`, in the schema's order.
    #[must_use]
    pub fn problems(&self, arguments: &Value, limits: &Limits) -> Vec<Problem> {
        if !arguments.is_object() {
            return vec![Problem::at_root(
                "type",
                "the arguments are not an object".into(),
                "a JSON object",
            )];
        }
        let Some((validator, effort)) = &self.compiled else {
            return Vec::new();
        };
        if !effort.is_within(limits.max_validation_steps, arguments) {
            let message = "the arguments are too deep, too many or too long to be checked against the tool's schema";
            return vec![Problem::at_root(
                "maxDepth",
                message.into(),
                "fewer, flatter or shorter values",
            )];
        }
        if validator.is_valid(arguments) {
            return Vec::new();
        }
        validator
            .iter_errors(arguments)
            .take(limits.max_problems)
            .map(|error| Problem::of(&error, limits))
            .collect()
    }
}

fn is_pattern_left_out(note: &Note) -> bool {
    note.effect == Effect::Loosened && ["pattern", "patternProperties"].contains(&note.what)
}

/// A validator of `schema`, and what it takes to run it.
fn usable(schema: &Value, limits: &Limits) -> Result<(Validator, Effort), String> {
    let effort = Effort::of(schema, json::max_depth(limits)).ok_or(
        "it refers to itself in a circle, through too many steps, or to what is not in it",
    )?;
    // An unknown `$schema` is the commonest fault; the newest draft reads most.
    let validator = build(schema, None).or_else(|_| build(schema, Some(Draft::Draft202012)))?;
    Ok((validator, effort))
}

pub(super) fn build(schema: &Value, draft: Option<Draft>) -> Result<Validator, String> {
    let mut options = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(pattern::options());
    if let Some(draft) = draft {
        options = options.with_draft(draft);
    }
    options
        .build(schema)
        .map_err(|error| error.masked().to_string())
}
