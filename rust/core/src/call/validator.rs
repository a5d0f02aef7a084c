use std::sync::{Arc, OnceLock};

use jsonschema::{Draft, PatternOptions, Validator};
use quick_cache::sync::Cache;
use serde_json::Value;

use super::{Problem, effort::Effort};
use crate::{Limits, json, registry::Registry, schema, tool::Tool};

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
/// Deepest text of a schema that compiles on a stack of 256 KiB with room to spare.
const SHALLOW_SCHEMA: usize = 16;
/// Set once the newest draft's own schema is compiled.
static NEWEST_DRAFT: OnceLock<()> = OnceLock::new();
/// Steps a regular expression may take back before the match counts as failed.
const BACKTRACK_LIMIT: usize = 10_000;
/// Bytes that one compiled regular expression may take.
const REGEX_BYTES: usize = 1 << 20;

impl ArgumentValidator {
    /// Compiles `schema`, whose depth is within `max_json_depth`.
    #[must_use]
    pub fn compile(schema: &Value, limits: &Limits) -> Self {
        Self::canonical(schema, limits).unwrap_or_else(|reason| {
            tracing::debug!(%reason, "the canonical reading of an input schema cannot be used");
            let compiled = usable(schema, limits);
            if let Err(reason) = &compiled {
                tracing::warn!(%reason, "an input schema cannot be used; arguments are only checked to be an object");
            }
            Self {
                compiled: compiled.ok(),
            }
        })
    }

    /// Of the canonical reading alone, which is of the newest draft.
    fn canonical(schema: &Value, limits: &Limits) -> Result<Self, String> {
        let compiled = usable(&schema::canonical(schema).0, limits)?;
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
        if effort.bound(arguments) > limits.max_validation_steps {
            let message =
                "the arguments are too deep or too many to be checked against the tool's schema";
            return vec![Problem::at_root(
                "maxDepth",
                message.into(),
                "fewer or flatter values",
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

/// What may lead deeper than the text of a schema is nested: references, however they are written,
/// and regular expressions.
const LEADS_DEEPER: [&str; 4] = ["$ref", "Ref\"", "\\u", "pattern"];

/// Whether the smallest stacks allow for compiling a schema. Starting a thread with a large one
/// takes longer than compiling most.
fn is_shallow(schema: &str) -> bool {
    json::depth(schema) <= SHALLOW_SCHEMA && !LEADS_DEEPER.iter().any(|part| schema.contains(part))
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

fn build(schema: &Value, draft: Option<Draft>) -> Result<Validator, String> {
    let mut options = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(
            PatternOptions::fancy_regex()
                .backtrack_limit(BACKTRACK_LIMIT)
                .size_limit(REGEX_BYTES)
                .dfa_size_limit(REGEX_BYTES),
        );
    if let Some(draft) = draft {
        options = options.with_draft(draft);
    }
    options
        .build(schema)
        .map_err(|error| error.masked().to_string())
}

/// Validators of the tools that were called last.
#[derive(Debug)]
pub(crate) struct ValidatorCache(Cache<Arc<str>, (Arc<Tool>, Arc<ArgumentValidator>)>);

impl ValidatorCache {
    pub fn new(capacity: usize) -> Self {
        Self(Cache::new(capacity))
    }

    /// The validator of `tool`. A tool that was published again under the same name is compared by
    /// identity, so no tool is ever checked against another one's schema.
    pub fn get(&self, tool: &Arc<Tool>, registry: &Registry) -> Arc<ArgumentValidator> {
        if let Some((of, validator)) = self.0.get(tool.name())
            && Arc::ptr_eq(&of, tool)
        {
            return validator;
        }
        let limits = registry.limits();
        let text = tool.input_schema();
        let read = || {
            // The schema was parsed within limits when it was published.
            json::parse("inputSchema", text, limits).unwrap_or(Value::Bool(true))
        };
        let here = is_shallow(text).then(|| {
            // What checks schemas themselves is compiled with the first one, and is deep.
            NEWEST_DRAFT.get_or_init(|| {
                registry.deep(|| drop(build(&Value::Object(serde_json::Map::new()), None)))
            });
            ArgumentValidator::canonical(&read(), limits).ok()
        });
        let validator = here
            .flatten()
            .unwrap_or_else(|| registry.deep(|| ArgumentValidator::compile(&read(), limits)));
        let validator = Arc::new(validator);
        let entry = (Arc::clone(tool), Arc::clone(&validator));
        self.0.insert(Arc::clone(tool.name()), entry);
        validator
    }
}
