use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{Cost, LONGEST, STATES_OF_ANY, least_states};

/// States of all regular expressions of one schema together, each counted once.
const MAX_STATES_OF_SCHEMA: u64 = 100_000;

/// Whether a regular expression of a schema is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Taken,
    Invalid,
    /// It may well be valid, but is never compiled.
    TooLarge,
}

/// What may still be compiled of the regular expressions of one schema.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
    verdicts: FxHashMap<String, Verdict>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            left: MAX_STATES_OF_SCHEMA,
            verdicts: FxHashMap::default(),
        }
    }
}

impl Budget {
    /// The verdict on `pattern`, which stays what it was the first time.
    pub fn verdict(&mut self, pattern: &str) -> Verdict {
        if let Some(&verdict) = self.verdicts.get(pattern) {
            return verdict;
        }
        let verdict = match self.take(pattern) {
            false => Verdict::TooLarge,
            true if compiles(pattern) => Verdict::Taken,
            true => Verdict::Invalid,
        };
        self.verdicts.insert(pattern.to_owned(), verdict);
        verdict
    }

    fn take(&mut self, pattern: &str) -> bool {
        if pattern.len() > LONGEST {
            return false;
        }
        // Looking closer takes time too, whatever comes of it.
        let least = least_states(pattern).saturating_add(STATES_OF_ANY);
        let Some(left) = self.left.checked_sub(least) else {
            return false;
        };
        self.left = left;
        let Some(cost) = Cost::of(pattern) else {
            return false;
        };
        let rest = cost.states().saturating_sub(least);
        let fits = rest <= self.left;
        if fits {
            self.left -= rest;
        }
        fits
    }
}

fn compiles(pattern: &str) -> bool {
    jsonschema::options()
        .offline()
        .with_pattern_options(super::options())
        .build(&json!({ "pattern": pattern }))
        .is_ok()
}

/// Whether all that may be regular expressions in `schema`, wherever they stand, fit the budget of
/// one schema. None of them is compiled.
pub(crate) fn fit(schema: &Value) -> bool {
    let mut budget = Budget::default();
    let mut seen = std::collections::HashSet::new();
    let mut left = vec![schema];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(members) => {
                let pattern = members.get("pattern").and_then(Value::as_str);
                let keys = members.get("patternProperties").and_then(Value::as_object);
                let keys = keys.into_iter().flat_map(|map| map.keys());
                let mut all = pattern.into_iter().chain(keys.map(String::as_str));
                if !all.all(|pattern| !seen.insert(pattern) || budget.take(pattern)) {
                    return false;
                }
                left.extend(members.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    true
}
