//! How much work a validation can be, known before it starts.
//!
//! A few lines of schema can ask for 2⁶⁴ evaluations (`a` is two times `b`, `b` two times `c` …),
//! and a validator that has begun cannot be stopped. So the steps are bounded beforehand, from
//! above: for each depth of arguments, how often at most one value in them is looked at. How long
//! its patterns read is bounded in the same way, and where that is too much, counted text by text.

mod reading;

use reading::{Reading, Texts};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use crate::schema::pattern::Cost;

/// Steps at most, by depth of the arguments; the last is that of all greater depths.
#[derive(Debug)]
pub(super) struct Effort {
    by_depth: Box<[Reach]>,
    looks_behind: bool,
    /// Where there are patterns, where they apply.
    reading: Option<Reading>,
    bytes: u64,
}

/// What one evaluation leads to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reach {
    /// Evaluations in all.
    steps: u64,
    /// Evaluations inside each other.
    nesting: u32,
    /// Steps of patterns for each byte of the texts that they apply to.
    per_byte: u64,
}

/// A regular expression that has to be tried by backtracking counts as so many steps.
const BACKTRACKING: u64 = 1_000;
/// Looking behind from every place of a text takes so many steps per pair of its bytes; the limit on
/// backtracking does not see them.
const LOOKING_BEHIND: u64 = 4;
/// A schema that leads to deeper nesting than this is not used: it would need more stack than
/// there is.
const MAX_NESTING: u32 = 1_000;
/// So many enum values are compared in one step.
const VALUES_PER_STEP: u64 = 8;

/// What a validator takes for one subschema.
const BYTES_OF_SUBSCHEMA: u64 = 512;

impl Effort {
    /// The effort of `schema`, all of whose patterns compile, for arguments up to `max_depth`. None
    /// for a schema that refers to itself without going deeper into the arguments, which no JSON
    /// Schema may, for references whose target is not plain to see, and for chains of references
    /// longer than any stack.
    pub fn of(schema: &Value, max_depth: usize) -> Option<Self> {
        let mut graph = Graph::of(schema)?;
        let order = graph.inner_first()?;
        let mut before = vec![Reach::default(); graph.nodes.len()];
        let mut by_depth = Vec::new();
        for _ in 0..=max_depth {
            let mut reach = vec![Reach::default(); graph.nodes.len()];
            for &at in &order {
                reach[at] = graph.nodes[at].reach(&reach, &before);
            }
            if reach[0].nesting > MAX_NESTING {
                return None;
            }
            by_depth.push(reach[0]);
            // From here on greater depths lead no further: the schema does not refer to itself.
            let is_last = reach == before;
            before = reach;
            if is_last {
                break;
            }
        }
        let texts: Vec<_> = graph
            .nodes
            .iter_mut()
            .zip(&before)
            .map(|(node, reach)| (reach.per_byte > 0).then(|| std::mem::take(&mut node.texts)))
            .collect();
        Some(Self {
            by_depth: by_depth.into(),
            looks_behind: graph.looks_behind,
            reading: texts[0].is_some().then(|| Reading::of(texts)),
            bytes: graph.nodes.len() as u64 * BYTES_OF_SUBSCHEMA + graph.pattern_bytes,
        })
    }

    /// Bytes that a validator of the schema takes beside those that its text would explain, about.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How deep evaluations of `arguments` nest at most.
    pub fn nesting(&self, arguments: &Value) -> u32 {
        self.at(Size::of(arguments).depth).nesting
    }

    fn at(&self, depth: usize) -> Reach {
        self.by_depth[depth.min(self.by_depth.len() - 1)]
    }

    /// Whether validating `arguments` takes no more than `limit` steps.
    pub fn is_within(&self, limit: u64, arguments: &Value) -> bool {
        let size = Size::of(arguments);
        let steps = self.bound(&size);
        let Some(left) = limit.checked_sub(steps) else {
            return false;
        };
        let read = self.at(size.depth).per_byte.saturating_mul(size.text);
        // Reading takes as long as it does only where patterns apply, which has to be looked up
        // for each value: not more often than there are steps.
        read <= left
            || self
                .reading
                .as_ref()
                .is_none_or(|reading| reading.is_within(left, arguments))
    }

    /// The steps at most, those of patterns that only read on left out.
    fn bound(&self, size: &Size) -> u64 {
        let steps = self.at(size.depth).steps.saturating_mul(size.values);
        match self.looks_behind {
            true => steps.saturating_add(
                LOOKING_BEHIND * size.longest_text.saturating_mul(size.longest_text),
            ),
            false => steps,
        }
    }
}

struct Size {
    depth: usize,
    values: u64,
    longest_text: u64,
    /// Bytes of all texts and names.
    text: u64,
}

impl Size {
    /// Recursive: the depth was bounded when the arguments were read.
    fn of(value: &Value) -> Self {
        let mut size = Self {
            depth: 0,
            values: 1,
            longest_text: 0,
            text: 0,
        };
        match value {
            Value::String(text) => size.add_text(text),
            Value::Array(items) => items.iter().for_each(|item| size.add(&Self::of(item))),
            Value::Object(members) => {
                for (name, member) in members {
                    size.add(&Self::of(member));
                    size.add_text(name);
                }
            }
            _ => {}
        }
        size
    }

    fn add(&mut self, inner: &Self) {
        self.depth = self.depth.max(inner.depth + 1);
        self.values += inner.values;
        self.longest_text = self.longest_text.max(inner.longest_text);
        self.text += inner.text;
    }

    fn add_text(&mut self, text: &str) {
        self.longest_text = self.longest_text.max(text.len() as u64);
        self.text += text.len() as u64;
    }
}

/// One subschema: what it costs itself, and which others it applies.
#[derive(Debug, Default)]
struct Node {
    own: u64,
    /// Applied to the same value.
    here: Vec<usize>,
    /// Whether those are applied a second time, to see what they left over.
    here_twice: bool,
    /// Applied to a member or item; of each inner list at most one to the same.
    below: Vec<Vec<usize>>,
    /// Steps of its own patterns for each byte.
    per_byte: u64,
    texts: Texts,
}

impl Node {
    fn reach(&self, same_depth: &[Reach], one_less: &[Reach]) -> Reach {
        let here = self.here.iter().map(|&at| same_depth[at]);
        let below = || {
            self.below
                .iter()
                .map(|list| list.iter().map(|&at| one_less[at]))
        };
        let nesting = here
            .clone()
            .chain(below().flatten())
            .map(|reach| reach.nesting)
            .max();

        let sum = |own: u64, of: fn(Reach) -> u64| {
            let here = here.clone().map(of).fold(0, u64::saturating_add);
            let times = if self.here_twice { 2 } else { 1 };
            let start = own.saturating_add(here.saturating_mul(times));
            below()
                .filter_map(|list| list.map(of).max())
                .fold(start, u64::saturating_add)
        };
        Reach {
            steps: sum(self.own, |reach| reach.steps),
            nesting: nesting.unwrap_or(0) + 1,
            per_byte: sum(self.per_byte, |reach| reach.per_byte),
        }
    }
}

#[derive(Debug)]
struct Graph {
    nodes: Vec<Node>,
    looks_behind: bool,
    pattern_bytes: u64,
}

/// Finds the subschemas of a schema, each once.
struct Walk<'a> {
    root: &'a Value,
    anchors: FxHashMap<&'a str, &'a Value>,
    numbers: FxHashMap<*const Value, usize>,
    found: Vec<&'a Value>,
    looks_behind: bool,
    patterns: FxHashSet<&'a str>,
    pattern_bytes: u64,
}

impl Graph {
    fn of(root: &Value) -> Option<Self> {
        let mut walk = Walk {
            root,
            anchors: anchors(root)?,
            numbers: FxHashMap::default(),
            found: Vec::new(),
            looks_behind: false,
            patterns: FxHashSet::default(),
            pattern_bytes: 0,
        };
        walk.number(root);
        let mut nodes = Vec::new();
        while let Some(&schema) = walk.found.get(nodes.len()) {
            nodes.push(match schema {
                Value::Object(schema) => walk.node(schema)?,
                _ => Node {
                    own: 1,
                    ..Node::default()
                },
            });
        }
        Some(Self {
            nodes,
            looks_behind: walk.looks_behind,
            pattern_bytes: walk.pattern_bytes,
        })
    }

    /// An order in which each node comes after those that it applies to the same value; none if
    /// there is a circle.
    fn inner_first(&self) -> Option<Vec<usize>> {
        let mut waiting: Vec<usize> = self.nodes.iter().map(|node| node.here.len()).collect();
        let mut applied_by = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.here
                .iter()
                .for_each(|&inner| applied_by[inner].push(at));
        }
        let mut order: Vec<usize> = (0..self.nodes.len())
            .filter(|&at| waiting[at] == 0)
            .collect();
        let mut next = 0;
        while let Some(&done) = order.get(next) {
            next += 1;
            for &outer in &applied_by[done] {
                waiting[outer] -= 1;
                if waiting[outer] == 0 {
                    order.push(outer);
                }
            }
        }
        (order.len() == self.nodes.len()).then_some(order)
    }
}

impl<'a> Walk<'a> {
    fn number(&mut self, schema: &'a Value) -> usize {
        *self
            .numbers
            .entry(std::ptr::from_ref(schema))
            .or_insert_with(|| {
                self.found.push(schema);
                self.found.len() - 1
            })
    }

    fn all(&mut self, schemas: impl IntoIterator<Item = &'a Value>) -> Vec<usize> {
        schemas
            .into_iter()
            .map(|schema| self.number(schema))
            .collect()
    }

    fn node(&mut self, schema: &'a Map<String, Value>) -> Option<Node> {
        let mut node = Node {
            own: 1,
            ..Node::default()
        };
        let (mut members, mut items) = (Vec::new(), Vec::new());
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    let target = self.target(reference)?;
                    node.here.push(self.number(target));
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                    node.here.extend(self.all(list))
                }
                ("not" | "if" | "then" | "else", inner) => node.here.push(self.number(inner)),
                ("dependentSchemas" | "dependencies", Value::Object(map)) => {
                    node.here.extend(self.all(map.values()))
                }
                ("properties", Value::Object(map)) => {
                    for (name, inner) in map {
                        let inner = self.number(inner);
                        members.push(inner);
                        node.texts.named.insert(name.as_str().into(), inner);
                    }
                }
                ("additionalProperties", inner) => {
                    let inner = self.number(inner);
                    members.push(inner);
                    node.texts.others = Some(inner);
                }
                ("patternProperties", Value::Object(map)) => {
                    for (pattern, inner) in map {
                        let cost = self.pattern(pattern, &mut node)?;
                        node.texts.of_names.push(cost);
                        let inner = self.number(inner);
                        node.below.push(vec![inner]);
                        node.texts.members.push(inner);
                    }
                }
                ("prefixItems" | "items", Value::Array(list)) => {
                    let list = self.all(list);
                    items.extend(&list);
                    match node.texts.first_items.is_empty() {
                        true => node.texts.first_items = list,
                        // One of the two keywords is not of the draft; whichever it is.
                        false => node.texts.items.extend(list),
                    }
                }
                ("items" | "additionalItems", inner) => {
                    let inner = self.number(inner);
                    items.push(inner);
                    node.texts.more_items.push(inner);
                }
                ("contains", inner) => {
                    let inner = self.number(inner);
                    node.below.push(vec![inner]);
                    node.texts.items.push(inner);
                }
                ("propertyNames", inner) => {
                    let inner = self.number(inner);
                    node.below.push(vec![inner]);
                    node.texts.names.push(inner);
                }
                ("unevaluatedProperties" | "unevaluatedItems", inner) => {
                    let inner = self.number(inner);
                    node.here_twice = true;
                    node.below.push(vec![inner]);
                    node.texts.members.push(inner);
                    node.texts.items.push(inner);
                }
                ("enum", Value::Array(values)) => node.own += values.len() as u64 / VALUES_PER_STEP,
                ("pattern", Value::String(pattern)) => {
                    let cost = self.pattern(pattern, &mut node)?;
                    node.texts.of_text.push(cost);
                }
                _ => {}
            }
        }
        node.below.extend([members, items]);
        node.texts.here.clone_from(&node.here);
        node.texts.here_twice = node.here_twice;
        Some(node)
    }

    fn pattern(&mut self, pattern: &'a str, node: &mut Node) -> Option<Cost> {
        let cost = Cost::of(pattern)?;
        if self.patterns.insert(pattern) {
            self.pattern_bytes = self.pattern_bytes.saturating_add(cost.bytes());
        }
        self.looks_behind |= pattern.contains("(?<=") || pattern.contains("(?<!");
        let own = if cost.is_hard() { BACKTRACKING } else { 1 };
        node.own = node.own.saturating_add(own);
        node.per_byte = node.per_byte.saturating_add(cost.steps_per_byte());
        Some(cost)
    }

    fn target(&self, reference: &str) -> Option<&'a Value> {
        match reference.strip_prefix('#')? {
            "" => Some(self.root),
            pointer if pointer.starts_with('/') => self.root.pointer(&unescape(pointer)),
            anchor => self.anchors.get(anchor).copied(),
        }
    }
}

/// Named places in the schema. None where a part of the schema has an identity of its own, since
/// `#` means another place there.
fn anchors(root: &Value) -> Option<FxHashMap<&str, &Value>> {
    let mut anchors = FxHashMap::default();
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(members) => {
                let named = ["$anchor", "$dynamicAnchor"]
                    .into_iter()
                    .filter_map(|key| members.get(key)?.as_str());
                anchors.extend(named.map(|name| (name, value)));
                let own_identity = members.get("$id").is_some_and(Value::is_string);
                if own_identity && !std::ptr::eq(value, root) {
                    return None;
                }
                left.extend(members.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    Some(anchors)
}

/// A JSON Pointer out of a URI fragment.
fn unescape(pointer: &str) -> String {
    let bytes = pointer.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| pointer.get(at + 1..at + 3))
            .flatten();
        match escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bound(schema: &Value, arguments: &Value) -> Option<u64> {
        Effort::of(schema, 64).map(|effort| effort.bound(&Size::of(arguments)))
    }

    #[test]
    fn plain_and_recursive_schemas_are_cheap() {
        let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "value": {"type": "integer"}}});
        let mut arguments = json!({"value": 1});
        for _ in 0..30 {
            arguments = json!({"left": arguments, "right": {"value": 2}, "value": 3});
        }
        assert!(bound(&tree, &arguments).expect("analysable") < 100_000);
    }

    #[test]
    fn doubling_is_seen_in_width_and_in_depth() {
        let mut definitions = Map::new();
        for step in 0..40 {
            let next = json!({"$ref": format!("#/%24defs/d{}", step + 1)});
            definitions.insert(format!("d{step}"), json!({"allOf": [next, next]}));
        }
        definitions.insert("d40".into(), json!(true));
        let wide = json!({"$defs": definitions, "$ref": "#/$defs/d0"});
        assert!(bound(&wide, &json!({})).expect("analysable") > 1 << 40);

        let deep = json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}});
        let arguments = (0..50).fold(json!({}), |inner, _| json!({"a": inner}));
        assert!(bound(&deep, &arguments).expect("analysable") > 1 << 50);
    }

    #[test]
    fn long_chains_of_references_are_not_analysed() {
        let chain = |length: usize| {
            let link = |at: usize| {
                (
                    format!("d{at}"),
                    json!({"$ref": format!("#/$defs/d{}", at + 1)}),
                )
            };
            let mut definitions: Map<_, _> = (0..length).map(link).collect();
            definitions.insert(format!("d{length}"), json!({"type": "object"}));
            json!({"$defs": definitions, "$ref": "#/$defs/d0"})
        };
        assert!(
            Effort::of(&chain(100), 64).is_some_and(|effort| effort.nesting(&json!({})) == 102)
        );
        assert!(Effort::of(&chain(20_000), 64).is_none());
    }

    #[test]
    fn circles_and_hidden_targets_are_not_analysed() {
        for schema in [
            json!({"$ref": "#"}),
            json!({"anyOf": [{"not": {"$ref": "#"}}]}),
            json!({"properties": {"a": {"$ref": "other.json"}}}),
            json!({"properties": {"a": {"$ref": "#/nowhere"}}}),
            json!({"properties": {"a": {"$id": "inner", "$ref": "#"}}}),
        ] {
            assert_eq!(bound(&schema, &json!({})), None, "{schema}");
        }
    }
}
