use std::sync::{Arc, OnceLock};

use quick_cache::sync::Cache;
use serde_json::Value;

use super::validator::{ArgumentValidator, build};
use crate::{json, registry::Registry, tool::Tool};

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
