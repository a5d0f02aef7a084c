use std::borrow::Cow;

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::profile::{AnyOf, Enums, TypeLists};
use crate::schema::rewrite::exclusive::exclusive;
use crate::schema::rewrite::{Rewriter, data, is_null};
use crate::schema::types::{Type, Types};
use crate::schema::words::Words;
use crate::schema::work::whole;

const NUMBERS: [Keyword; 5] = [
    Keyword::Minimum,
    Keyword::Maximum,
    Keyword::ExclusiveMinimum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
];
const STRINGS: [Keyword; 3] = [Keyword::Pattern, Keyword::MinLength, Keyword::MaxLength];
const ARRAYS: [Keyword; 9] = [
    Keyword::PrefixItems,
    Keyword::Items,
    Keyword::UnevaluatedItems,
    Keyword::Contains,
    Keyword::MinContains,
    Keyword::MaxContains,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::UniqueItems,
];
const OBJECTS: [Keyword; 10] = [
    Keyword::Properties,
    Keyword::Required,
    Keyword::AdditionalProperties,
    Keyword::PatternProperties,
    Keyword::PropertyNames,
    Keyword::UnevaluatedProperties,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::DependentRequired,
    Keyword::DependentSchemas,
];

/// The type that a keyword speaks about, where it is one.
fn subject(keyword: Keyword) -> Option<Type> {
    if NUMBERS.contains(&keyword) {
        Some(Type::Number)
    } else if STRINGS.contains(&keyword) {
        Some(Type::String)
    } else if ARRAYS.contains(&keyword) {
        Some(Type::Array)
    } else {
        OBJECTS.contains(&keyword).then_some(Type::Object)
    }
}

impl Rewriter<'_> {
    /// Brings types and alternatives into the form that the profile knows.
    pub(super) fn shape<'n>(&mut self, node: Cow<'n, Node>, words: &mut Words) -> Cow<'n, Node> {
        let node = self.with_types(node);
        let node = self.with_any_of(node, words);
        let node = self.with_moved_siblings(node, words);
        self.with_split_types(node)
    }

    /// Infers the type where there is none and the profile wants one.
    fn with_types<'n>(&mut self, node: Cow<'n, Node>) -> Cow<'n, Node> {
        if !self.is_untyped(&node) || !node.types.is_any() {
            return node;
        }
        let listed = match node.data(Keyword::Const) {
            Some(constant) => Types::of(constant),
            None => node
                .values(Keyword::Enum)
                .iter()
                .fold(Types::ANY, |all, value| all.union(Types::of(value))),
        };
        let types = if listed.is_any() {
            let about = node.parts().iter().filter_map(|(k, _)| subject(*k));
            let types = about.fold(Types::ANY, Types::with);
            if types.len() != 1 {
                return node;
            }
            self.notes
                .add("type", "taken from the keywords", Effect::Narrowed);
            types
        } else {
            listed
        };
        let mut node = self.own(node);
        node.types = types;
        Cow::Owned(node)
    }

    /// `oneOf` as `anyOf`, where the profile has no other word.
    fn with_any_of<'n>(&mut self, node: Cow<'n, Node>, words: &mut Words) -> Cow<'n, Node> {
        if !self.profile.one_of_as_any_of || !node.has(Keyword::OneOf) {
            return node;
        }
        let mut node = self.own(node);
        let Some(Part::Many(branches)) = node.take(Keyword::OneOf) else {
            return Cow::Owned(node);
        };
        if node.has(Keyword::AnyOf) {
            self.notes
                .add("oneOf", "not supported beside anyOf", Effect::Loosened);
            words.constraint(Keyword::OneOf, &Part::Many(branches));
            return Cow::Owned(node);
        }
        if !exclusive(&branches) {
            self.notes
                .add("oneOf", "not supported, written as anyOf", Effect::Loosened);
            words.say("exactly one of the alternatives");
        }
        node.put(Keyword::AnyOf, Part::Many(branches));
        Cow::Owned(node)
    }

    /// Moves what stands beside `anyOf` into the alternatives.
    fn with_moved_siblings<'n>(&mut self, node: Cow<'n, Node>, words: &mut Words) -> Cow<'n, Node> {
        if self.profile.any_of == AnyOf::Mixed || !node.has(Keyword::AnyOf) {
            return node;
        }
        let mut outer = self.own(node);
        let Some(Part::Many(mut branches)) = outer.take(Keyword::AnyOf) else {
            return Cow::Owned(outer);
        };
        if branches.iter().all(only_restricts) && !outer.types.is_any() {
            self.notes
                .add("anyOf", "alternatives without a type", Effect::Loosened);
            words.say(alternatives(&branches, false));
            return Cow::Owned(outer);
        }
        if self.profile.any_of == AnyOf::Alone {
            let before = branches.len();
            branches.retain(|b| !is_null(b));
            outer.nullable |= branches.len() < before;
        }
        let mut about = Node::default();
        about.nullable = outer.nullable;
        for keyword in [Keyword::Title, Keyword::Description, Keyword::Default] {
            if let Some(part) = outer.take(keyword) {
                about.put(keyword, part);
            }
        }
        outer.nullable = false;
        outer.retain(|k| !k.is_annotation());
        if about.nullable && !outer.types.is_any() && !outer.types.has(Type::Null) {
            about.nullable = false;
        }
        let rest = outer;
        if !rest.is_empty() {
            let weight = whole(&rest);
            for branch in &mut branches {
                // The walk ends at the next schema: the others need no copy.
                if self.work.is_spent() {
                    break;
                }
                self.work.spend(weight);
                let mut all = Node::default();
                // First, so that its description wins.
                all.put(
                    Keyword::AllOf,
                    Part::Many(vec![std::mem::take(branch), rest.clone()]),
                );
                *branch = all;
            }
        }
        if self.profile.any_of == AnyOf::Alone && branches.len() == 1 {
            let nullable = about.nullable;
            let mut members = vec![about, branches.remove(0)];
            members[0].nullable = false;
            let mut single = Node::default();
            single.put(Keyword::AllOf, Part::Many(members));
            if let Ok(merged) = self.flatten(&single, true) {
                let mut merged = self.own(merged);
                merged.nullable |= nullable;
                return self.shape(Cow::Owned(merged), words);
            }
            return Cow::Owned(single);
        }
        about.put(Keyword::AnyOf, Part::Many(branches));
        Cow::Owned(about)
    }

    /// Writes a type list in the form that the profile knows.
    fn with_split_types<'n>(&mut self, node: Cow<'n, Node>) -> Cow<'n, Node> {
        let split = match self.profile.type_lists {
            TypeLists::Keep => {
                self.profile.enums == Enums::StringsAndNumbers
                    && node.values(Keyword::Enum).contains(&Value::Null)
            }
            TypeLists::NullOnly => node.types.without(Type::Null).len() > 1,
            TypeLists::AnyOf => true,
            TypeLists::Nullable => {
                if node.types.len() > 1 && node.types.has(Type::Null) && !listed_only_null(&node) {
                    let mut node = self.own(node);
                    node.types = node.types.without(Type::Null);
                    node.nullable = lists_null(&node);
                    without_null(&mut node);
                    return self.with_split_types(Cow::Owned(node));
                }
                true
            }
        };
        // Null alone, where the profile has no such type, is given as text.
        if !split || node.types.len() < 2 || listed_only_null(&node) {
            return node;
        }
        let mut about = Node::default();
        about.nullable = node.nullable;
        let mut rest = self.own(node);
        rest.nullable = false;
        for keyword in [Keyword::Title, Keyword::Description, Keyword::Default] {
            if let Some(part) = rest.take(keyword) {
                about.put(keyword, part);
            }
        }
        let types = rest.types;
        self.work.spend(types.len() * whole(&rest));
        let mut branches: Vec<Node> = types
            .iter()
            .filter_map(|one| of_one_type(&rest, one))
            .collect();
        if branches.len() == 1 {
            let mut single = branches.remove(0);
            for (keyword, part) in about.parts() {
                single.put(*keyword, part.clone());
            }
            single.nullable = about.nullable;
            return Cow::Owned(single);
        }
        about.put(Keyword::AnyOf, Part::Many(branches));
        Cow::Owned(about)
    }
}

/// The part of `node` that speaks about values of type `one`; `None` where it accepts none.
fn of_one_type(node: &Node, one: Type) -> Option<Node> {
    let mut branch = node.clone();
    branch.types = one.into();
    branch.retain(|k| match subject(k) {
        Some(Type::Number) => matches!(one, Type::Number | Type::Integer),
        Some(other) => other == one,
        None => k != Keyword::Format || !matches!(one, Type::Object | Type::Array | Type::Null),
    });
    if let Some(constant) = branch.data(Keyword::Const) {
        return branch.types.admits(constant).then_some(branch);
    }
    let values = branch.values(Keyword::Enum);
    if !values.is_empty() {
        let kept: Vec<Value> = values
            .iter()
            .filter(|v| branch.types.admits(v))
            .cloned()
            .collect();
        if kept.is_empty() {
            return None;
        }
        if one == Type::Null {
            branch.take(Keyword::Enum);
        } else {
            branch.put(Keyword::Enum, data(kept.into()));
        }
    }
    Some(branch)
}

/// Whether constant and enum, where there are any, admit null.
fn lists_null(node: &Node) -> bool {
    node.data(Keyword::Const).is_none_or(Value::is_null)
        && (!node.has(Keyword::Enum) || node.values(Keyword::Enum).contains(&Value::Null))
}

/// Whether null is the only value that may fit.
pub(super) fn admits_only_null(node: &Node) -> bool {
    is_null(node) || (node.types.has(Type::Null) && listed_only_null(node))
}

/// Whether constant or enum leave nothing but null.
fn listed_only_null(node: &Node) -> bool {
    let values = node.values(Keyword::Enum);
    node.data(Keyword::Const).is_some_and(Value::is_null)
        || (!values.is_empty() && values.iter().all(Value::is_null))
}

/// Null among the listed values goes without saying beside `nullable`.
fn without_null(node: &mut Node) {
    let values = node.values(Keyword::Enum);
    if values.contains(&Value::Null) {
        let kept: Vec<Value> = values.iter().filter(|v| !v.is_null()).cloned().collect();
        node.put(Keyword::Enum, data(kept.into()));
    }
}

/// An alternative that has no shape of its own: it only says which properties must be there.
pub(super) fn only_restricts(branch: &Node) -> bool {
    branch.reference.is_none()
        && branch.types.without(Type::Object).is_any()
        && branch.parts().iter().all(|(k, _)| {
            k.is_annotation()
                || matches!(
                    k,
                    Keyword::Required | Keyword::DependentRequired | Keyword::Not
                )
        })
}

/// "exactly one of these together: a, b | c"
pub(super) fn alternatives(branches: &[Node], exactly_one: bool) -> String {
    let sets: Vec<String> = branches
        .iter()
        .map(|branch| {
            let required = branch.names(Keyword::Required);
            let names: Vec<&str> = if required.is_empty() {
                branch
                    .map(Keyword::Properties)
                    .iter()
                    .map(|(k, _)| k.as_str())
                    .collect()
            } else {
                required.iter().map(String::as_str).collect()
            };
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(" and ")
            }
        })
        .collect();
    let how = if exactly_one {
        "exactly one of"
    } else {
        "at least one of"
    };
    format!("{how}: {}", sets.join(" | "))
}
