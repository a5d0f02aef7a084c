//! From arguments that fit a declaration to arguments that the tool understands.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::schema::keyword::Keyword;
use crate::schema::node::{Definitions, Node};

/// What must be undone, place by place. Empty for most tools.
#[derive(Debug, Clone, Default)]
pub(crate) struct WayBack {
    /// The arguments proper stand under this key.
    wrapped: Option<&'static str>,
    /// Steps by number; the first belongs to the root. Steps may refer back, as schemas do.
    steps: Box<[Step]>,
}

/// What must be undone at one place of the arguments.
#[derive(Debug, Clone, Default)]
struct Step {
    text: bool,
    properties: Box<[Property]>,
    /// Step of all other properties.
    rest: Option<u32>,
    /// Steps of the first elements.
    first: Box<[Option<u32>]>,
    /// Step of all other elements.
    items: Option<u32>,
}

#[derive(Debug, Clone)]
struct Property {
    key: Box<str>,
    /// The name in the tool's schema, where it differs.
    original: Option<Box<str>>,
    null_is_absent: bool,
    step: Option<u32>,
}

/// The key under which a root that is no object is declared.
pub(super) const WRAPPED: &str = "value";

impl WayBack {
    pub(super) fn collect(root: &Node, definitions: &Definitions, wrapped: bool) -> Self {
        let wrapped = wrapped.then_some(WRAPPED);
        let needed = needs_undoing(root) || definitions.iter().any(|(_, d)| needs_undoing(d));
        if !needed {
            return Self {
                wrapped,
                steps: Box::default(),
            };
        }
        let by_name = definitions
            .iter()
            .map(|(name, node)| (name.clone(), node))
            .collect();
        let mut builder = Builder {
            by_name,
            known: HashMap::new(),
            steps: Vec::new(),
            pending: Vec::new(),
        };
        builder.step(vec![root]);
        while let Some((number, places)) = builder.pending.pop() {
            let step = builder.fill(&places);
            builder.steps[number as usize] = step;
        }
        Self {
            wrapped,
            steps: pruned(builder.steps).into(),
        }
    }

    #[cfg(test)]
    fn steps(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wrapped.is_none() && self.steps.is_empty()
    }

    /// Undoes what can be undone; what does not fit the declaration stays as it is.
    pub(crate) fn restore(&self, arguments: Value) -> Value {
        let mut arguments = arguments;
        if !self.steps.is_empty() {
            self.undo(&mut arguments, 0);
        }
        match (self.wrapped, arguments) {
            (Some(key), Value::Object(mut map)) if map.contains_key(key) => {
                map.shift_remove(key).unwrap_or_default()
            }
            (_, arguments) => arguments,
        }
    }

    /// Recursion follows the arguments, whose depth is bounded.
    fn undo(&self, value: &mut Value, step: u32) {
        let Some(step) = self.steps.get(step as usize) else {
            return;
        };
        if step.text
            && let Value::String(text) = value
            && let Ok(parsed) = crate::json::value(text)
        {
            *value = parsed;
            return;
        }
        match value {
            Value::Object(map) => self.undo_object(map, step),
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    if let Some(next) = step.first.get(at).copied().unwrap_or(step.items) {
                        self.undo(item, next);
                    }
                }
            }
            _ => {}
        }
    }

    fn undo_object(&self, map: &mut Map<String, Value>, step: &Step) {
        if step.properties.is_empty() && step.rest.is_none() {
            return;
        }
        let renamed = step.properties.iter().any(|p| p.original.is_some());
        let absent = step.properties.iter().any(|p| p.null_is_absent);
        for (key, value) in map.iter_mut() {
            match step.properties.iter().find(|p| *p.key == **key) {
                Some(Property {
                    step: Some(next), ..
                }) => self.undo(value, *next),
                Some(_) => {}
                None => {
                    if let Some(rest) = step.rest {
                        self.undo(value, rest);
                    }
                }
            }
        }
        if !renamed && !absent {
            return;
        }
        let given = std::mem::take(map);
        for (key, value) in given {
            let Some(property) = step.properties.iter().find(|p| *p.key == *key) else {
                map.insert(key, value);
                continue;
            };
            if property.null_is_absent && value.is_null() {
                continue;
            }
            match &property.original {
                Some(original) => map.insert(original.to_string(), value),
                None => map.insert(key, value),
            };
        }
    }
}

fn needs_undoing(node: &Node) -> bool {
    let back = &node.back;
    back.text
        || back.null_is_absent
        || back.key.is_some()
        || node.children().any(|(_, child)| needs_undoing(child))
}

/// Which steps undo something, or lead to one that does.
fn useful(steps: &[Step]) -> Vec<bool> {
    let mut useful = vec![false; steps.len()];
    let mut led_from: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    let mut pending = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut properties = step.properties.iter();
        if step.text || properties.any(|p| p.original.is_some() || p.null_is_absent) {
            useful[at] = true;
            pending.push(at);
        }
        let next = step.properties.iter().filter_map(|p| p.step);
        let next = next.chain(step.first.iter().flatten().copied());
        for to in next.chain(step.rest).chain(step.items) {
            led_from[to as usize].push(at);
        }
    }
    while let Some(at) = pending.pop() {
        for from in std::mem::take(&mut led_from[at]) {
            if !useful[from] {
                useful[from] = true;
                pending.push(from);
            }
        }
    }
    useful
}

/// Drops what leads to nothing that must be undone.
fn pruned(mut steps: Vec<Step>) -> Vec<Step> {
    let useful = useful(&steps);
    let keep = |next: Option<u32>| next.filter(|n| useful[*n as usize]);
    for step in &mut steps {
        step.rest = keep(step.rest);
        step.items = keep(step.items);
        step.first.iter_mut().for_each(|f| *f = keep(*f));
        step.properties
            .iter_mut()
            .for_each(|p| p.step = keep(p.step));
        // A property without a step of its own still hides the step of all others.
        let hides = step.rest.is_some();
        let mut properties = std::mem::take(&mut step.properties).into_vec();
        properties
            .retain(|p| hides || p.original.is_some() || p.null_is_absent || p.step.is_some());
        step.properties = properties.into();
    }
    steps
}

/// Alternatives below alternatives could make more combinations than anybody undoes.
const MAX_STEPS: usize = 20_000;

struct Builder<'a> {
    by_name: HashMap<Arc<str>, &'a Node>,
    /// By the schemas that apply at a place: places with the same schemas share a step.
    known: HashMap<Vec<*const Node>, u32>,
    steps: Vec<Step>,
    /// Steps to be filled; no recursion, for definitions may form a long chain.
    pending: Vec<(u32, Vec<&'a Node>)>,
}

impl<'a> Builder<'a> {
    /// The step for a place to which all of `nodes` apply, as alternatives or together.
    fn step(&mut self, nodes: Vec<&'a Node>) -> Option<u32> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        for node in nodes {
            self.in_place(node, &mut all, &mut seen);
        }
        let key: Vec<*const Node> = all.iter().map(|n| std::ptr::from_ref(*n)).collect();
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.steps.len() == MAX_STEPS {
            return None;
        }
        let number = u32::try_from(self.steps.len()).ok()?;
        self.steps.push(Step::default());
        self.known.insert(key, number);
        self.pending.push((number, all));
        Some(number)
    }

    fn fill(&mut self, all: &[&'a Node]) -> Step {
        let mut keys: IndexMap<&'a str, Vec<&'a Node>> = IndexMap::new();
        for node in all {
            for (key, child) in node.map(Keyword::Properties) {
                keys.entry(key).or_default().push(child);
            }
        }
        let mut properties = Vec::new();
        for (key, children) in keys {
            let step = self.step(children.clone());
            properties.push(Property {
                key: key.into(),
                original: children.iter().find_map(|c| c.back.key.clone()),
                null_is_absent: children.iter().all(|c| c.back.null_is_absent),
                step,
            });
        }
        let rest: Vec<_> = all
            .iter()
            .filter_map(|n| n.one(Keyword::AdditionalProperties))
            .collect();
        let items: Vec<_> = all.iter().filter_map(|n| n.one(Keyword::Items)).collect();
        let longest = all
            .iter()
            .map(|n| n.many(Keyword::PrefixItems).len())
            .max()
            .unwrap_or(0);
        let mut first = Vec::with_capacity(longest);
        for at in 0..longest {
            let here = all
                .iter()
                .filter_map(|n| n.many(Keyword::PrefixItems).get(at))
                .collect();
            first.push(self.step(here));
        }
        Step {
            text: all.iter().any(|n| n.back.text),
            properties: properties.into(),
            rest: (!rest.is_empty()).then(|| self.step(rest)).flatten(),
            first: first.into(),
            items: (!items.is_empty()).then(|| self.step(items)).flatten(),
        }
    }

    /// `node` and every schema that applies to the same value.
    fn in_place(&self, node: &'a Node, all: &mut Vec<&'a Node>, seen: &mut HashSet<*const Node>) {
        if !seen.insert(std::ptr::from_ref(node)) {
            return;
        }
        all.push(node);
        if let Some(target) = node
            .reference
            .as_ref()
            .and_then(|name| self.by_name.get(name))
        {
            self.in_place(target, all, seen);
        }
        for (keyword, child) in node.children() {
            if matches!(
                keyword,
                Keyword::AnyOf | Keyword::OneOf | Keyword::AllOf | Keyword::Then | Keyword::Else
            ) || keyword == Keyword::DependentSchemas
            {
                self.in_place(child, all, seen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_that_needs_no_undoing_holds_no_steps() {
        let node = Node::default();
        let back = WayBack::collect(&node, &Definitions::new(), false);
        assert_eq!(back.steps(), 0);
        assert_eq!(back.restore(json!({"a": null})), json!({"a": null}));
    }
}
