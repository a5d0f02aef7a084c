use std::collections::HashSet;

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::rewrite::{Rewriter, Stop};
use crate::schema::types::Type;
use crate::schema::words::Words;
use crate::schema::work::whole;

impl Rewriter<'_> {
    /// Rewrites `items` and `prefixItems`. The answer is the greatest length that is left where
    /// nothing is valid at some place: every profile can say that, none can say "no value".
    pub(super) fn arrays(
        &mut self,
        node: &Node,
        out: &mut Node,
        depth: usize,
        words: &mut Words,
    ) -> Result<Option<u64>, Stop> {
        let prefix = node.many(Keyword::PrefixItems);
        let items = node.one(Keyword::Items);
        if !node.types.has(Type::Array) && prefix.is_empty() && items.is_none() {
            return Ok(None);
        }
        let mut most = None;
        if prefix.is_empty() {
            if let Some(items) = items {
                most = self.element(items, out, depth)?.then_some(0);
            }
        } else if self.profile.tuples {
            most = self.tuple(prefix, items, out, depth)?;
        } else {
            let element = self.one_for_all(node, prefix, items, words);
            most = self.element(&element, out, depth)?.then_some(0);
        }
        let needs_items = self.profile.items_required && node.types.has(Type::Array);
        if needs_items && !out.has(Keyword::Items) && !is_closed_tuple(node, out, most) {
            let made = self.below(Keyword::Items, &Node::default(), depth + 1)?;
            out.put(Keyword::Items, Part::One(Box::new(made)));
        }
        Ok(most)
    }

    /// Puts `prefixItems` and `items` as they are. The answer is the length of the array before
    /// the first element that is never valid.
    fn tuple(
        &mut self,
        prefix: &[Node],
        items: Option<&Node>,
        out: &mut Node,
        depth: usize,
    ) -> Result<Option<u64>, Stop> {
        let mark = self.notes.enter(Keyword::PrefixItems.name());
        let mut made = Vec::with_capacity(prefix.len());
        for (at, element) in prefix.iter().enumerate() {
            let inner = self.notes.enter_index(at);
            let element = self.node(element, depth + 1)?;
            self.notes.leave(inner);
            if element.never {
                break;
            }
            made.push(element);
        }
        self.notes.leave(mark);
        let length = made.len();
        if length > 0 {
            out.put(Keyword::PrefixItems, Part::Many(made));
        }
        let ends = match items {
            _ if length < prefix.len() => true,
            Some(items) => self.element(items, out, depth)?,
            None => false,
        };
        Ok(ends.then_some(length as u64))
    }

    /// Puts `items`, unless nothing it becomes is ever valid. Whether that is so.
    fn element(&mut self, items: &Node, out: &mut Node, depth: usize) -> Result<bool, Stop> {
        let made = self.below(Keyword::Items, items, depth + 1)?;
        if made.never {
            return Ok(true);
        }
        out.put(Keyword::Items, Part::One(Box::new(made)));
        Ok(false)
    }

    /// One schema for the elements of a tuple; the positions go into words.
    fn one_for_all(
        &mut self,
        node: &Node,
        prefix: &[Node],
        items: Option<&Node>,
        words: &mut Words,
    ) -> Node {
        let longest = node.data(Keyword::MaxItems).and_then(Value::as_u64);
        let open = longest.is_none_or(|most| most > prefix.len() as u64);
        let mut seen = HashSet::new();
        let mut kinds: Vec<Node> = Vec::new();
        for element in prefix.iter().chain(items.filter(|_| open)) {
            if !element.never && seen.insert(element) {
                self.work.spend(whole(element));
                kinds.push(element.clone());
            }
        }
        if kinds.len() > 1 || (open && items.is_none()) {
            self.notes.add(
                "prefixItems",
                "not supported, one schema for all",
                Effect::Loosened,
            );
        }
        if open && items.is_none() {
            self.notes.add(
                "prefixItems",
                "elements behind the listed ones",
                Effect::Narrowed,
            );
        }
        if kinds.len() > 1 {
            let positions: Vec<String> = prefix
                .iter()
                .enumerate()
                .map(|(at, element)| format!("{}: {}", at + 1, in_short(element)))
                .collect();
            words.say(format!("in this order: {}", positions.join(", ")));
        }
        match kinds.len() {
            _ if kinds.iter().any(Node::is_any) => Node::default(),
            0 => Node::default(),
            1 => kinds.remove(0),
            _ => {
                let mut any = Node::default();
                any.put(Keyword::AnyOf, Part::Many(kinds));
                any
            }
        }
    }
}

/// Whether there is no element behind the listed ones that `items` could speak of.
fn is_closed_tuple(node: &Node, out: &Node, most: Option<u64>) -> bool {
    let listed = out.many(Keyword::PrefixItems).len() as u64;
    let given = node.data(Keyword::MaxItems).and_then(Value::as_u64);
    listed > 0 && (most.is_some() || given.is_some_and(|given| given <= listed))
}

fn in_short(node: &Node) -> String {
    let types = node
        .types
        .iter()
        .map(Type::name)
        .collect::<Vec<_>>()
        .join(" or ");
    match node
        .text(Keyword::Description)
        .or(node.text(Keyword::Title))
    {
        Some(text) if types.is_empty() => text.to_owned(),
        Some(text) => format!("{types} {text}"),
        None if types.is_empty() => "any".to_owned(),
        None => types,
    }
}
