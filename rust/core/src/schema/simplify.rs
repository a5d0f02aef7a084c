//! What says the same in fewer words, in every draft.

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};

/// Brings one schema, whose parts are simple already, into its shortest form.
pub(super) fn simplify(node: &mut Node) {
    if node.one(Keyword::Not).is_some_and(|n| n.is_any()) {
        *node = Node::never();
        return;
    }
    for keyword in [Keyword::AnyOf, Keyword::OneOf] {
        let Some(Part::Many(mut branches)) = node.take(keyword) else {
            continue;
        };
        branches.retain(|b| !b.never);
        match branches.len() {
            0 => {
                *node = Node::never();
                return;
            }
            1 => absorb(node, branches.remove(0)),
            _ if keyword == Keyword::AnyOf && branches.iter().any(Node::is_any) => {}
            _ => node.put(keyword, Part::Many(branches)),
        }
    }
    if let Some(Part::Many(mut all)) = node.take(Keyword::AllOf) {
        all.retain(|b| !b.is_empty());
        match all.len() {
            0 => {}
            1 => absorb(node, all.remove(0)),
            _ => node.put(Keyword::AllOf, Part::Many(all)),
        }
    }
    // Where a position accepts nothing, the array ends before it.
    let end = node.many(Keyword::PrefixItems).iter().position(|n| n.never);
    if let Some(end) = end
        && let Some(Part::Many(mut prefix)) = node.take(Keyword::PrefixItems)
    {
        prefix.truncate(end);
        if !prefix.is_empty() {
            node.put(Keyword::PrefixItems, Part::Many(prefix));
        }
        node.put(Keyword::Items, Part::One(Box::new(Node::never())));
    }
    let length = node.many(Keyword::PrefixItems).len() as u64;
    // A closed tuple or an array without elements: its length says the same, and every draft reads that alike.
    if node.one(Keyword::Items).is_some_and(|i| i.never) {
        node.take(Keyword::Items);
        let most = node
            .data(Keyword::MaxItems)
            .and_then(Value::as_u64)
            .unwrap_or(length);
        node.put(Keyword::MaxItems, Part::Data(most.min(length).into()));
    }
}

/// Joins the only member of a combinator into `node` where no keyword meets another; otherwise
/// it stays a member of `allOf`.
pub(super) fn absorb(node: &mut Node, member: Node) {
    if member.never {
        *node = Node::never();
        return;
    }
    if clash(node, &member) {
        let mut all = match node.take(Keyword::AllOf) {
            Some(Part::Many(all)) => all,
            _ => Vec::new(),
        };
        all.push(member);
        node.put(Keyword::AllOf, Part::Many(all));
        return;
    }
    if node.types.is_any() {
        node.types = member.types;
    }
    if node.reference.is_none() {
        node.reference.clone_from(&member.reference);
    }
    for (keyword, part) in member.parts() {
        if !node.has(*keyword) {
            node.put(*keyword, part.clone());
        }
    }
}

/// Whether `member` cannot be joined into `node` keyword by keyword.
pub(super) fn clash(node: &Node, member: &Node) -> bool {
    (!node.types.is_any() && !member.types.is_any() && node.types != member.types)
        || (node.reference.is_some() && member.reference.is_some())
        || member
            .parts()
            .iter()
            .any(|(k, _)| node.has(*k) && !matches!(k, Keyword::Title | Keyword::Description))
        || scope_sensitive(node) && scope_sensitive(member)
}

/// Whether some keyword's meaning depends on which keywords stand beside it.
fn scope_sensitive(node: &Node) -> bool {
    node.parts().iter().any(|(k, _)| {
        matches!(
            k,
            Keyword::AdditionalProperties
                | Keyword::UnevaluatedProperties
                | Keyword::UnevaluatedItems
                | Keyword::Properties
                | Keyword::PatternProperties
                | Keyword::Items
                | Keyword::PrefixItems
                | Keyword::Contains
                | Keyword::MinContains
                | Keyword::MaxContains
                | Keyword::If
                | Keyword::Then
                | Keyword::Else
        )
    })
}
