//! The conjunction of schemas as one schema.

mod index;
mod values;

use serde_json::{Map, Value};

use crate::schema::keyword::Keyword;
use crate::schema::merge::index::{MapIndex, NameIndex};
use crate::schema::node::{Node, Part};
use crate::schema::work::{Work, whole};

/// One schema that accepts what all that were added accept. Keywords that cannot be expressed
/// beside those of an earlier one are left out and named. No schema refers to a definition or holds
/// `allOf`; below them, schemas that meet become members of one `allOf`.
///
/// Adding a schema takes work in the size of that schema, not of what is there already: a server
/// may list any number of them.
pub(super) struct Conjunction<'a> {
    node: Node,
    lost: Vec<Keyword>,
    indexes: Indexes,
    is_narrowed: bool,
    work: &'a Work,
}

/// Where things stand in the schema that grows.
#[derive(Default)]
struct Indexes {
    required: NameIndex,
    properties: MapIndex,
    patterns: MapIndex,
    dependent: MapIndex,
}

impl<'a> Conjunction<'a> {
    pub(super) fn new(first: Node, work: &'a Work) -> Self {
        Self {
            node: first,
            lost: Vec::new(),
            indexes: Indexes::default(),
            is_narrowed: false,
            work,
        }
    }

    /// The schema, and which keywords found no place in it.
    pub(super) fn finish(self) -> (Node, Vec<Keyword>) {
        (self.node, self.lost)
    }

    pub(super) fn add(&mut self, mut second: Node) {
        let Some(types) = self.node.types.intersection(second.types) else {
            self.node = Node::never();
            return;
        };
        if self.node.never || second.never {
            self.node = Node::never();
            return;
        }
        // Every value need be looked at again only where something new is said of values.
        let narrows = !self.is_narrowed
            || types != self.node.types
            || second.has(Keyword::Const)
            || second.has(Keyword::Enum);
        self.node.types = types;
        let own_condition = self.node.has(Keyword::If);
        self.object_parts(&mut second);
        self.array_parts(&mut second);
        for (keyword, theirs) in second.into_parts() {
            if OBJECT_PARTS.contains(&keyword) || ARRAY_PARTS.contains(&keyword) {
                continue;
            }
            if matches!(keyword, Keyword::If | Keyword::Then | Keyword::Else) && own_condition {
                self.lost.push(keyword);
                continue;
            }
            let Some(ours) = self.node.get_mut(keyword) else {
                self.node.put(keyword, theirs);
                continue;
            };
            if *ours == theirs || keyword.is_annotation() {
                continue;
            }
            if !join(keyword, ours, theirs, &mut self.indexes, self.work) {
                self.lost.push(keyword);
            }
        }
        if narrows {
            values::narrow(&mut self.node);
            self.is_narrowed = true;
        }
    }

    /// `additionalProperties` looks only at the properties beside it, so a property that one side
    /// does not list falls under that side's rule for all others.
    fn object_parts(&mut self, second: &mut Node) {
        let first = &mut self.node;
        if !OBJECT_PARTS.iter().any(|k| second.has(*k)) {
            return;
        }
        // With patterns about, which rule holds is a matter of the name: keep the looser reading.
        let patterns =
            first.has(Keyword::PatternProperties) || second.has(Keyword::PatternProperties);
        let our_rest = take_one(first, Keyword::AdditionalProperties);
        let their_rest = take_one(second, Keyword::AdditionalProperties);
        let had = first.has(Keyword::Properties);
        let mut all = take_map(first, Keyword::Properties);
        let listed = all.len();
        let mut met = Vec::new();
        let index = &mut self.indexes.properties;
        let our_rule = our_rest.as_ref().filter(|_| !patterns);
        let their_rule = their_rest.as_ref().filter(|_| !patterns);
        if their_rule.is_some() {
            met.resize(listed, false);
        }
        for (key, mut other) in take_map(second, Keyword::Properties) {
            if let Some(at) = index.find(&all, &key) {
                meet(&mut all[at].1, other);
                met.get_mut(at).into_iter().for_each(|it| *it = true);
                continue;
            }
            if let Some(rule) = our_rule {
                self.work.spend(whole(rule));
                meet(&mut other, rule.clone());
            }
            all.push((key, other));
        }
        if let Some(rule) = their_rule {
            let weight = whole(rule);
            for ((_, mine), _) in all.iter_mut().zip(&met).filter(|(_, met)| !**met) {
                if self.work.is_spent() {
                    break;
                }
                self.work.spend(weight);
                meet(mine, rule.clone());
            }
        }
        if had || !all.is_empty() {
            first.put(Keyword::Properties, Part::Map(all));
        }
        let theirs = take_map(second, Keyword::PatternProperties);
        if !theirs.is_empty() {
            let mut all = take_map(first, Keyword::PatternProperties);
            meet_all(&mut all, theirs, &mut self.indexes.patterns);
            first.put(Keyword::PatternProperties, Part::Map(all));
        }
        if let Some(rest) = met_or_only(our_rest, their_rest) {
            first.put(Keyword::AdditionalProperties, Part::One(Box::new(rest)));
        }
    }

    /// `items` looks only at what is behind the elements listed beside it, so an element that one
    /// side does not list falls under that side's rule for all others.
    fn array_parts(&mut self, second: &mut Node) {
        let first = &mut self.node;
        if !ARRAY_PARTS.iter().any(|k| second.has(*k)) {
            return;
        }
        let our_rest = take_one(first, Keyword::Items);
        let their_rest = take_one(second, Keyword::Items);
        let had = first.has(Keyword::PrefixItems);
        let mut all = take_many(first, Keyword::PrefixItems);
        let theirs = take_many(second, Keyword::PrefixItems);
        if let Some(rule) = &their_rest {
            let weight = whole(rule);
            for mine in all.iter_mut().skip(theirs.len()) {
                if self.work.is_spent() {
                    break;
                }
                self.work.spend(weight);
                meet(mine, rule.clone());
            }
        }
        for (at, other) in theirs.into_iter().enumerate() {
            if let Some(mine) = all.get_mut(at) {
                meet(mine, other);
                continue;
            }
            let mut mine = our_rest.clone().unwrap_or_default();
            self.work.spend(whole(&mine));
            meet(&mut mine, other);
            all.push(mine);
        }
        if had || !all.is_empty() {
            first.put(Keyword::PrefixItems, Part::Many(all));
        }
        if let Some(rest) = met_or_only(our_rest, their_rest) {
            first.put(Keyword::Items, Part::One(Box::new(rest)));
        }
    }
}

const OBJECT_PARTS: [Keyword; 3] = [
    Keyword::Properties,
    Keyword::PatternProperties,
    Keyword::AdditionalProperties,
];
const ARRAY_PARTS: [Keyword; 2] = [Keyword::PrefixItems, Keyword::Items];

/// Brings `theirs` into `ours`; `false` where the two cannot be said in one.
fn join(
    keyword: Keyword,
    ours: &mut Part,
    theirs: Part,
    indexes: &mut Indexes,
    work: &Work,
) -> bool {
    match (ours, theirs) {
        (Part::Names(ours), Part::Names(theirs)) => indexes.required.unite(ours, theirs),
        (Part::Data(ours), Part::Data(theirs)) => return join_data(keyword, ours, theirs, work),
        (Part::One(ours), Part::One(theirs)) => match keyword {
            Keyword::PropertyNames => meet(ours, *theirs),
            Keyword::Not => neither(ours, *theirs),
            _ => return false,
        },
        (Part::Map(ours), Part::Map(theirs)) => meet_all(ours, theirs, &mut indexes.dependent),
        (Part::Many(ours), Part::Many(theirs))
            if matches!(keyword, Keyword::AnyOf | Keyword::OneOf) =>
        {
            match product(ours, &theirs, work) {
                Some(pairs) => *ours = pairs,
                None => return false,
            }
        }
        _ => return false,
    }
    true
}

fn join_data(keyword: Keyword, ours: &mut Value, theirs: Value, work: &Work) -> bool {
    let takes_theirs = match keyword {
        Keyword::Minimum
        | Keyword::ExclusiveMinimum
        | Keyword::MinLength
        | Keyword::MinItems
        | Keyword::MinProperties
        | Keyword::MinContains => ours.as_f64() < theirs.as_f64(),
        Keyword::Maximum
        | Keyword::ExclusiveMaximum
        | Keyword::MaxLength
        | Keyword::MaxItems
        | Keyword::MaxProperties
        | Keyword::MaxContains => ours.as_f64() > theirs.as_f64(),
        Keyword::Enum => {
            let (Value::Array(ours), Value::Array(theirs)) = (ours, theirs) else {
                return false;
            };
            values::keep_shared(ours, &theirs);
            return true;
        }
        Keyword::DependentRequired => {
            let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else {
                return false;
            };
            return join_dependents(ours, theirs, work);
        }
        _ => return false,
    };
    if takes_theirs {
        *ours = theirs;
    }
    true
}

fn join_dependents(ours: &mut Map<String, Value>, theirs: Map<String, Value>, work: &Work) -> bool {
    for (key, names) in theirs {
        let mine = ours.entry(key).or_insert_with(|| Value::Array(Vec::new()));
        let (Value::Array(mine), Value::Array(names)) = (mine, names) else {
            return false;
        };
        work.spend(mine.len());
        values::unite(mine, names);
    }
    true
}

/// Alternatives times alternatives, where that stays small.
fn product(ours: &[Node], theirs: &[Node], work: &Work) -> Option<Vec<Node>> {
    const MOST: usize = 16;
    if ours.len() * theirs.len() > MOST {
        return None;
    }
    work.spend(theirs.len() * ours.iter().map(whole).sum::<usize>());
    work.spend(ours.len() * theirs.iter().map(whole).sum::<usize>());
    let pairs = ours.iter().flat_map(|a| {
        theirs.iter().map(|b| {
            let mut both = a.clone();
            meet(&mut both, b.clone());
            both
        })
    });
    Some(pairs.collect())
}

/// Neither what `ours` excludes nor `theirs`, in one list however many there are.
fn neither(ours: &mut Node, theirs: Node) {
    if let Some(branches) = ours.only_many(Keyword::AnyOf) {
        branches.push(theirs);
        return;
    }
    let branches = vec![std::mem::take(ours), theirs];
    ours.put(Keyword::AnyOf, Part::Many(branches));
}

/// Both schemas at one place, to be merged when that place is reached; in one list however many
/// meet there.
fn meet(ours: &mut Node, theirs: Node) {
    if theirs.is_empty() || *ours == theirs {
        return;
    }
    if ours.is_empty() {
        *ours = theirs;
        return;
    }
    if ours.never || theirs.never {
        *ours = Node::never();
        return;
    }
    if let Some(members) = ours.only_many(Keyword::AllOf) {
        members.push(theirs);
        return;
    }
    let members = vec![std::mem::take(ours), theirs];
    ours.put(Keyword::AllOf, Part::Many(members));
}

fn meet_all(ours: &mut Vec<(String, Node)>, theirs: Vec<(String, Node)>, index: &mut MapIndex) {
    for (key, node) in theirs {
        match index.find(ours, &key) {
            Some(at) => meet(&mut ours[at].1, node),
            None => ours.push((key, node)),
        }
    }
}

fn met_or_only(ours: Option<Node>, theirs: Option<Node>) -> Option<Node> {
    match (ours, theirs) {
        (Some(mut ours), Some(theirs)) => {
            meet(&mut ours, theirs);
            Some(ours)
        }
        (one, other) => one.or(other),
    }
}

fn take_one(node: &mut Node, keyword: Keyword) -> Option<Node> {
    match node.take(keyword) {
        Some(Part::One(one)) => Some(*one),
        _ => None,
    }
}

fn take_many(node: &mut Node, keyword: Keyword) -> Vec<Node> {
    match node.take(keyword) {
        Some(Part::Many(many)) => many,
        _ => Vec::new(),
    }
}

fn take_map(node: &mut Node, keyword: Keyword) -> Vec<(String, Node)> {
    match node.take(keyword) {
        Some(Part::Map(map)) => map,
        _ => Vec::new(),
    }
}
