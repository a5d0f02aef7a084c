//! The conjunction of two schemas as one schema.

use serde_json::{Map, Value};

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::types::Types;

/// One schema that accepts what both accept. Keywords of `second` that cannot be expressed beside
/// those of `first` are left out and named in `lost`. Neither side refers to a definition or holds
/// `allOf`; below that, schemas that meet become members of an `allOf`.
pub(super) fn both(mut first: Node, second: Node, lost: &mut Vec<Keyword>) -> Node {
    let Some(types) = first.types.intersection(second.types) else {
        return Node::never();
    };
    if first.never || second.never {
        return Node::never();
    }
    first.types = types;
    let branches = [Keyword::AnyOf, Keyword::OneOf];
    let own_condition = first.has(Keyword::If);
    object_parts(&mut first, &second);
    array_parts(&mut first, &second);
    for (keyword, theirs) in second.parts() {
        let keyword = *keyword;
        if OBJECT_PARTS.contains(&keyword) || ARRAY_PARTS.contains(&keyword) {
            continue;
        }
        if matches!(keyword, Keyword::If | Keyword::Then | Keyword::Else) && own_condition {
            lost.push(keyword);
            continue;
        }
        let Some(ours) = first.get(keyword) else {
            first.put(keyword, theirs.clone());
            continue;
        };
        if ours == theirs || keyword.is_annotation() {
            continue;
        }
        match joined(keyword, ours, theirs) {
            Some(part) => first.put(keyword, part),
            None if branches.contains(&keyword) => match product(ours, theirs) {
                Some(part) => first.put(keyword, part),
                None => lost.push(keyword),
            },
            None => lost.push(keyword),
        }
    }
    narrow_values(&mut first)
}

fn joined(keyword: Keyword, ours: &Part, theirs: &Part) -> Option<Part> {
    Some(match (ours, theirs) {
        (Part::Names(a), Part::Names(b)) => Part::Names(union(a, b)),
        (Part::Data(a), Part::Data(b)) => Part::Data(match keyword {
            Keyword::Minimum
            | Keyword::ExclusiveMinimum
            | Keyword::MinLength
            | Keyword::MinItems
            | Keyword::MinProperties
            | Keyword::MinContains => if a.as_f64() >= b.as_f64() { a } else { b }.clone(),
            Keyword::Maximum
            | Keyword::ExclusiveMaximum
            | Keyword::MaxLength
            | Keyword::MaxItems
            | Keyword::MaxProperties
            | Keyword::MaxContains => if a.as_f64() <= b.as_f64() { a } else { b }.clone(),
            Keyword::Enum => {
                let (a, b) = (a.as_array()?, b.as_array()?);
                a.iter()
                    .filter(|v| b.contains(v))
                    .cloned()
                    .collect::<Vec<_>>()
                    .into()
            }
            Keyword::DependentRequired => {
                let mut all: Map<String, Value> = a.as_object()?.clone();
                for (key, names) in b.as_object()? {
                    let mine = all
                        .entry(key.clone())
                        .or_insert_with(|| Value::Array(Vec::new()));
                    let mine = mine.as_array_mut()?;
                    for name in names.as_array()? {
                        if !mine.contains(name) {
                            mine.push(name.clone());
                        }
                    }
                }
                all.into()
            }
            Keyword::Const => return None,
            _ => return None,
        }),
        (Part::One(a), Part::One(b)) => match keyword {
            Keyword::PropertyNames => Part::One(Box::new(meeting(a, b))),
            Keyword::Not => {
                let mut either = Node::default();
                either.put(
                    Keyword::AnyOf,
                    Part::Many(vec![(**a).clone(), (**b).clone()]),
                );
                Part::One(Box::new(either))
            }
            _ => return None,
        },
        (Part::Map(a), Part::Map(b)) => {
            let mut all = a.clone();
            for (key, theirs) in b {
                match all.iter_mut().find(|(k, _)| k == key) {
                    Some((_, mine)) => *mine = meeting(mine, theirs),
                    None => all.push((key.clone(), theirs.clone())),
                }
            }
            Part::Map(all)
        }
        _ => return None,
    })
}

/// Alternatives times alternatives, where that stays small.
fn product(ours: &Part, theirs: &Part) -> Option<Part> {
    const MOST: usize = 16;
    let (Part::Many(ours), Part::Many(theirs)) = (ours, theirs) else {
        return None;
    };
    if ours.len() * theirs.len() > MOST {
        return None;
    }
    let pairs = ours
        .iter()
        .flat_map(|a| theirs.iter().map(|b| meeting(a, b)));
    Some(Part::Many(pairs.collect()))
}

/// Both schemas at one place, to be merged when that place is reached.
pub(super) fn meeting(a: &Node, b: &Node) -> Node {
    if a == b || b.is_empty() {
        return a.clone();
    }
    if a.is_empty() {
        return b.clone();
    }
    if a.never || b.never {
        return Node::never();
    }
    let mut node = Node::default();
    node.put(Keyword::AllOf, Part::Many(vec![a.clone(), b.clone()]));
    node
}

fn union(a: &[String], b: &[String]) -> Vec<String> {
    let mut all = a.to_vec();
    all.extend(b.iter().filter(|n| !a.contains(n)).cloned());
    all
}

const OBJECT_PARTS: [Keyword; 3] = [
    Keyword::Properties,
    Keyword::PatternProperties,
    Keyword::AdditionalProperties,
];

/// `additionalProperties` looks only at the properties beside it, so a property that one side does
/// not list falls under that side's rule for all others.
fn object_parts(first: &mut Node, second: &Node) {
    if !OBJECT_PARTS.iter().any(|k| second.has(*k)) {
        return;
    }
    let patterns = first.has(Keyword::PatternProperties) || second.has(Keyword::PatternProperties);
    let (ours, theirs) = (
        first.map(Keyword::Properties),
        second.map(Keyword::Properties),
    );
    let (our_rest, their_rest) = (
        first.one(Keyword::AdditionalProperties),
        second.one(Keyword::AdditionalProperties),
    );
    let under = |node: &Node, rest: Option<&Node>| match rest {
        // With patterns about, which rule holds is a matter of the name: keep the looser reading.
        Some(rest) if !patterns => meeting(node, rest),
        _ => node.clone(),
    };
    let mut all: Vec<(String, Node)> = Vec::with_capacity(ours.len() + theirs.len());
    for (key, mine) in ours {
        all.push((
            key.clone(),
            match theirs.iter().find(|(k, _)| k == key) {
                Some((_, other)) => meeting(mine, other),
                None => under(mine, their_rest),
            },
        ));
    }
    for (key, other) in theirs {
        if !ours.iter().any(|(k, _)| k == key) {
            all.push((key.clone(), under(other, our_rest)));
        }
    }
    let rest = match (our_rest, their_rest) {
        (Some(a), Some(b)) => Some(meeting(a, b)),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    };
    let patterns = joined(
        Keyword::PatternProperties,
        &Part::Map(first.map(Keyword::PatternProperties).to_vec()),
        &Part::Map(second.map(Keyword::PatternProperties).to_vec()),
    );
    if !all.is_empty() {
        first.put(Keyword::Properties, Part::Map(all));
    }
    if let Some(Part::Map(patterns)) = patterns
        && !patterns.is_empty()
    {
        first.put(Keyword::PatternProperties, Part::Map(patterns));
    }
    if let Some(rest) = rest {
        first.put(Keyword::AdditionalProperties, Part::One(Box::new(rest)));
    }
}

const ARRAY_PARTS: [Keyword; 2] = [Keyword::PrefixItems, Keyword::Items];

/// `items` looks only at what is behind the elements listed beside it, so an element that one side
/// does not list falls under that side's rule for all others.
fn array_parts(first: &mut Node, second: &Node) {
    if !ARRAY_PARTS.iter().any(|k| second.has(*k)) {
        return;
    }
    let any = Node::default();
    let at = |node: &Node, at: usize| -> Node {
        let listed = node.many(Keyword::PrefixItems).get(at);
        listed.or(node.one(Keyword::Items)).unwrap_or(&any).clone()
    };
    let lengths = [&*first, second].map(|n| n.many(Keyword::PrefixItems).len());
    let longest = lengths[0].max(lengths[1]);
    let prefix: Vec<Node> = (0..longest)
        .map(|index| meeting(&at(first, index), &at(second, index)))
        .collect();
    let rest = match (first.one(Keyword::Items), second.one(Keyword::Items)) {
        (Some(a), Some(b)) => Some(meeting(a, b)),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    };
    if !prefix.is_empty() {
        first.put(Keyword::PrefixItems, Part::Many(prefix));
    }
    if let Some(rest) = rest {
        first.put(Keyword::Items, Part::One(Box::new(rest)));
    }
}

/// Listed values that the merged types exclude can go; none left means no value.
fn narrow_values(node: &mut Node) -> Node {
    let types: Types = node.types;
    if let Some(constant) = node.data(Keyword::Const)
        && !types.admits(constant)
    {
        return Node::never();
    }
    if let Some(values) = node.data(Keyword::Enum).and_then(Value::as_array) {
        let kept: Vec<Value> = values.iter().filter(|v| types.admits(v)).cloned().collect();
        if kept.is_empty() {
            return Node::never();
        }
        node.put(Keyword::Enum, Part::Data(kept.into()));
    }
    std::mem::take(node)
}
