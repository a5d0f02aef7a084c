use std::sync::{Arc, OnceLock};

use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use serde_json::Value;

use super::validator::{ArgumentValidator, build};
use crate::{Limits, json, registry::Registry, tool::Tool};

/// Deepest text of a schema that compiles on a stack of 256 KiB with room to spare.
const SHALLOW_SCHEMA: usize = 16;
/// Set once the newest draft's own schema is compiled.
static NEWEST_DRAFT: OnceLock<()> = OnceLock::new();

/// What may lead deeper than the text of a schema is nested: references, however they are written,
/// and regular expressions.
const LEADS_DEEPER: [&str; 4] = ["$ref", "Ref\"", "\\u", "pattern"];

/// Whether the smallest stacks allow for compiling a schema. Starting a thread with a large one
/// takes longer than compiling most.
fn is_shallow(schema: &str) -> bool {
    json::depth(schema) <= SHALLOW_SCHEMA && !LEADS_DEEPER.iter().any(|part| schema.contains(part))
}

/// Validators of the tools that were called last.
#[derive(Debug)]
pub(crate) struct ValidatorCache(Cache<Arc<str>, Entry, Bytes>);

type Entry = (Arc<Tool>, Arc<ArgumentValidator>);

/// What an entry counts as: the bytes it takes, and its share of all of them at least, so that
/// there are never more than so many entries.
#[derive(Debug, Clone)]
struct Bytes {
    share: u64,
}

/// Bytes that a validator takes for each of the schema's text.
const BYTES_OF_TEXT: u64 = 8;
/// Parts of the cache with a lock each. A validator larger than one of them is not kept.
const PARTS: usize = 16;

impl Weighter<Arc<str>, Entry> for Bytes {
    fn weight(&self, _: &Arc<str>, (tool, validator): &Entry) -> u64 {
        let text = tool.input_schema().len() as u64 * BYTES_OF_TEXT;
        validator.bytes().saturating_add(text).max(self.share)
    }
}

impl ValidatorCache {
    pub fn new(limits: &Limits) -> Self {
        let entries = limits.validator_cache.max(1);
        let bytes = limits.validator_cache_bytes as u64;
        // The cache takes nothing that fills it to the brim.
        let share = (bytes / entries as u64).min(bytes / 8 * 7).max(1);
        let mut options = OptionsBuilder::new();
        options
            .shards(PARTS)
            .estimated_items_capacity(entries)
            .weight_capacity(bytes);
        let weighter = Bytes { share };
        Self(match options.build() {
            Ok(options) => Cache::with_options(
                options,
                weighter,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            ),
            // Nothing is missing above.
            Err(_) => Cache::with_weighter(entries, bytes, weighter),
        })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        source::{SourceDefinition, ToolInput},
        tool::ToolDefinition,
    };

    const TOOLS: usize = 60;

    /// What the cache holds after each tool was called: entries and bytes.
    fn after_all(limits: Limits, schema: &Value) -> (usize, u64) {
        let tool = |at| {
            ToolInput::Definition(Box::new(ToolDefinition {
                name: format!("tool_{at}"),
                input_schema: schema.to_string(),
                ..ToolDefinition::default()
            }))
        };
        let registry = Registry::new(limits);
        let source = SourceDefinition {
            name: "source".into(),
            tools: (0..TOOLS).map(tool).collect(),
            ..SourceDefinition::default()
        };
        registry.put(source).expect("the source is fine");
        let validators = registry.validators();
        for tool in registry.snapshot().tools() {
            validators.get(tool, &registry);
        }
        (validators.0.len(), validators.0.weight())
    }

    #[test]
    fn four_thousand_validators_of_any_size_were_kept() {
        let limits = Limits {
            validator_cache_bytes: 16 << 20,
            ..Limits::default()
        };
        let small = json!({"properties": {"a": {"type": "integer"}}});
        assert_eq!(after_all(limits.clone(), &small).0, TOOLS);

        let large = json!({"properties": {"a": {"pattern": "a[ab]{900}c"}}});
        let (entries, bytes) = after_all(limits.clone(), &large);
        assert!((1..TOOLS).contains(&entries), "{entries}");
        assert!(bytes <= limits.validator_cache_bytes as u64);

        let too_large = json!({"properties": {"a": {"pattern": "a[ab]{9000}c"}}});
        assert_eq!(after_all(limits, &too_large).0, 0);
    }

    #[test]
    fn small_validators_are_counted() {
        for most in [1, 40] {
            let limits = Limits {
                validator_cache: most,
                ..Limits::default()
            };
            let small = json!({"properties": {"a": {"type": "integer"}}});
            let (entries, _) = after_all(limits, &small);
            assert!((1..=most).contains(&entries), "{entries} of {most}");
        }
    }
}
