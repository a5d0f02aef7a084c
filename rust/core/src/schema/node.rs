use std::collections::HashSet;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::types::Types;

/// A schema in normal form: the 2020-12 reading of whatever draft it came in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Node {
    /// No value is valid; nothing else of the node matters then.
    pub(crate) never: bool,
    pub(crate) types: Types,
    /// Name of a definition of the document.
    pub(crate) reference: Option<Arc<str>>,
    /// By keyword, each at most once.
    parts: Vec<(Keyword, Part)>,
    /// `nullable: true`, where a target writes it so.
    pub(crate) nullable: bool,
    pub(crate) back: Back,
}

/// The value of a keyword, by its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Data(Value),
    Names(Vec<String>),
    One(Box<Node>),
    Many(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// What must be undone with a value that fits the rewritten schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Back {
    /// The property's name in the tool's own schema, where it was renamed.
    pub(crate) key: Option<Box<str>>,
    /// The value is JSON text of the real value.
    pub(crate) text: bool,
    /// Null stands for a property that was not given.
    pub(crate) null_is_absent: bool,
}

/// Definitions by name, in the order in which they are written.
pub(crate) type Definitions = Vec<(Arc<str>, Node)>;

impl Node {
    pub(crate) fn never() -> Self {
        Self {
            never: true,
            ..Self::default()
        }
    }

    pub(crate) fn of_type(types: impl Into<Types>) -> Self {
        Self {
            types: types.into(),
            ..Self::default()
        }
    }

    pub(crate) fn refer(name: Arc<str>) -> Self {
        Self {
            reference: Some(name),
            ..Self::default()
        }
    }

    /// Every value is valid, and nothing is said about it.
    pub(crate) fn is_empty(&self) -> bool {
        !self.never && self.types.is_any() && self.reference.is_none() && self.parts.is_empty()
    }

    /// Every value is valid.
    pub(crate) fn is_any(&self) -> bool {
        !self.never
            && self.types.is_any()
            && self.reference.is_none()
            && self.parts.iter().all(|(k, _)| k.is_annotation())
    }

    /// A reference and at most annotations.
    pub(crate) fn is_bare_reference(&self) -> bool {
        self.reference.is_some()
            && self.types.is_any()
            && self.parts.iter().all(|(k, _)| k.is_annotation())
    }

    pub(crate) fn parts(&self) -> &[(Keyword, Part)] {
        &self.parts
    }

    pub(crate) fn into_parts(self) -> Vec<(Keyword, Part)> {
        self.parts
    }

    /// A copy that leaves `keyword` out.
    pub(crate) fn without(&self, keyword: Keyword) -> Self {
        let parts = self.parts.iter().filter(|(k, _)| *k != keyword);
        Self {
            never: self.never,
            types: self.types,
            reference: self.reference.clone(),
            parts: parts.cloned().collect(),
            nullable: self.nullable,
            back: self.back.clone(),
        }
    }

    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = (Keyword, &mut Part)> {
        self.parts.iter_mut().map(|(k, p)| (*k, p))
    }

    pub(crate) fn has(&self, keyword: Keyword) -> bool {
        self.find(keyword).is_ok()
    }

    fn find(&self, keyword: Keyword) -> Result<usize, usize> {
        self.parts.binary_search_by_key(&keyword, |(k, _)| *k)
    }

    pub(crate) fn get(&self, keyword: Keyword) -> Option<&Part> {
        self.find(keyword).ok().map(|i| &self.parts[i].1)
    }

    pub(crate) fn get_mut(&mut self, keyword: Keyword) -> Option<&mut Part> {
        let at = self.find(keyword).ok()?;
        Some(&mut self.parts[at].1)
    }

    /// The schemas under `keyword`, where nothing but that is said.
    pub(crate) fn only_many(&mut self, keyword: Keyword) -> Option<&mut Vec<Node>> {
        let bare = !self.never
            && !self.nullable
            && self.types.is_any()
            && self.reference.is_none()
            && self.back == Back::default();
        match self.parts.as_mut_slice() {
            [(only, Part::Many(nodes))] if bare && *only == keyword => Some(nodes),
            _ => None,
        }
    }

    pub(crate) fn put(&mut self, keyword: Keyword, part: Part) {
        match self.find(keyword) {
            Ok(at) => self.parts[at].1 = part,
            Err(at) => self.parts.insert(at, (keyword, part)),
        }
    }

    pub(crate) fn take(&mut self, keyword: Keyword) -> Option<Part> {
        self.find(keyword).ok().map(|i| self.parts.remove(i).1)
    }

    /// Keeps only the keywords that `keep` accepts.
    pub(crate) fn retain(&mut self, keep: impl Fn(Keyword) -> bool) {
        self.parts.retain(|(k, _)| keep(*k));
    }

    pub(crate) fn data(&self, keyword: Keyword) -> Option<&Value> {
        match self.get(keyword) {
            Some(Part::Data(value)) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn text(&self, keyword: Keyword) -> Option<&str> {
        self.data(keyword).and_then(Value::as_str)
    }

    pub(crate) fn values(&self, keyword: Keyword) -> &[Value] {
        self.data(keyword)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn names(&self, keyword: Keyword) -> &[String] {
        match self.get(keyword) {
            Some(Part::Names(names)) => names,
            _ => &[],
        }
    }

    /// The names under `required`, to be asked for many of them.
    pub(crate) fn required(&self) -> HashSet<&str> {
        let names = self.names(Keyword::Required);
        names.iter().map(String::as_str).collect()
    }

    pub(crate) fn one(&self, keyword: Keyword) -> Option<&Node> {
        match self.get(keyword) {
            Some(Part::One(node)) => Some(node),
            _ => None,
        }
    }

    pub(crate) fn many(&self, keyword: Keyword) -> &[Node] {
        match self.get(keyword) {
            Some(Part::Many(nodes)) => nodes,
            _ => &[],
        }
    }

    pub(crate) fn map(&self, keyword: Keyword) -> &[(String, Node)] {
        match self.get(keyword) {
            Some(Part::Map(map)) => map,
            _ => &[],
        }
    }

    pub(crate) fn set_text(&mut self, keyword: Keyword, text: impl Into<String>) {
        self.put(keyword, Part::Data(Value::String(text.into())));
    }

    /// The schemas right below this one.
    pub(crate) fn children(&self) -> impl Iterator<Item = (Keyword, &Node)> {
        self.parts.iter().flat_map(|(keyword, part)| {
            let (one, many, map): (Option<&Node>, &[Node], &[(String, Node)]) = match part {
                Part::One(node) => (Some(node.as_ref()), &[], &[]),
                Part::Many(nodes) => (None, nodes.as_slice(), &[]),
                Part::Map(map) => (None, &[], map.as_slice()),
                Part::Data(_) | Part::Names(_) => (None, &[], &[]),
            };
            one.into_iter()
                .chain(many)
                .chain(map.iter().map(|(_, node)| node))
                .map(|node| (*keyword, node))
        })
    }

    /// The schemas right below this one.
    pub(crate) fn children_mut(&mut self) -> impl Iterator<Item = (Keyword, &mut Node)> {
        self.parts.iter_mut().flat_map(|(keyword, part)| {
            let (one, many, map): (Option<&mut Node>, &mut [Node], &mut [(String, Node)]) =
                match part {
                    Part::One(node) => (Some(node.as_mut()), &mut [], &mut []),
                    Part::Many(nodes) => (None, nodes.as_mut_slice(), &mut []),
                    Part::Map(map) => (None, &mut [], map.as_mut_slice()),
                    Part::Data(_) | Part::Names(_) => (None, &mut [], &mut []),
                };
            let keyword = *keyword;
            one.into_iter()
                .chain(many)
                .chain(map.iter_mut().map(|(_, node)| node))
                .map(move |node| (keyword, node))
        })
    }
}

/// Writes a node with the definitions it refers to, as a schema of draft 2020-12.
pub(crate) struct Written<'a> {
    pub(crate) node: &'a Node,
    pub(crate) definitions: &'a [(Arc<str>, Node)],
}

impl<'a> Written<'a> {
    pub(crate) fn alone(node: &'a Node) -> Self {
        Self {
            node,
            definitions: &[],
        }
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let node = self.node;
        if node.never {
            return serializer.serialize_bool(false);
        }
        let mut out = serializer.serialize_map(None)?;
        if let Some(name) = &node.reference {
            out.serialize_entry("$ref", &format!("#/$defs/{name}"))?;
        }
        if let Some(single) = node.types.single() {
            out.serialize_entry("type", single.name())?;
        } else if !node.types.is_any() {
            out.serialize_entry(
                "type",
                &node.types.iter().map(|t| t.name()).collect::<Vec<_>>(),
            )?;
        }
        if node.nullable {
            out.serialize_entry("nullable", &true)?;
        }
        for (keyword, part) in &node.parts {
            let name = keyword.name();
            match part {
                Part::Data(value) => out.serialize_entry(name, value)?,
                Part::Names(names) => out.serialize_entry(name, names)?,
                Part::One(one) if *keyword == Keyword::AdditionalProperties && one.is_empty() => {
                    out.serialize_entry(name, &true)?;
                }
                Part::One(one) => out.serialize_entry(name, &Written::alone(one))?,
                Part::Many(many) => {
                    let many: Vec<_> = many.iter().map(Written::alone).collect();
                    out.serialize_entry(name, &many)?;
                }
                Part::Map(map) => out.serialize_entry(name, &WrittenMap(map))?,
            }
        }
        if !self.definitions.is_empty() {
            out.serialize_entry("$defs", &WrittenMap(self.definitions))?;
        }
        out.end()
    }
}

struct WrittenMap<'a, K>(&'a [(K, Node)]);

impl<K: AsRef<str>> Serialize for WrittenMap<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.0.len()))?;
        for (key, node) in self.0 {
            out.serialize_entry(key.as_ref(), &Written::alone(node))?;
        }
        out.end()
    }
}
