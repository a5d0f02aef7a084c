use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::rewrite::{Rewriter, Stop};
use crate::schema::types::Type;
use crate::schema::words::Words;

impl Rewriter<'_> {
    /// Rewrites `items` and `prefixItems`.
    pub(super) fn arrays(
        &mut self,
        node: &Node,
        out: &mut Node,
        depth: usize,
        words: &mut Words,
    ) -> Result<(), Stop> {
        let prefix = node.many(Keyword::PrefixItems);
        let items = node.one(Keyword::Items);
        if !node.types.has(Type::Array) && prefix.is_empty() && items.is_none() {
            return Ok(());
        }
        if !prefix.is_empty() && !self.profile.tuples {
            let element = self.one_for_all(node, prefix, items, words);
            if self.element(&element, out, depth)? {
                return Ok(());
            }
        } else if !prefix.is_empty() {
            let made = self.branches(Keyword::PrefixItems, prefix, depth + 1)?;
            // A position that accepts nothing ends the array, which `branches` cannot know.
            if made.len() == prefix.len() {
                out.put(Keyword::PrefixItems, Part::Many(made));
            } else {
                self.notes
                    .add("prefixItems", "a position is never valid", Effect::Loosened);
            }
        }
        let rest = items.filter(|_| prefix.is_empty() || self.profile.tuples);
        if let Some(items) = rest
            && self.element(items, out, depth)?
        {
            return Ok(());
        }
        if self.profile.items_required && node.types.has(Type::Array) {
            let made = self.below(Keyword::Items, &Node::default(), depth + 1)?;
            out.put(Keyword::Items, Part::One(Box::new(made)));
        }
        Ok(())
    }

    /// Puts `items`, unless nothing it becomes is ever valid: then the array is left open, with a
    /// note. Whether it was put.
    fn element(&mut self, items: &Node, out: &mut Node, depth: usize) -> Result<bool, Stop> {
        let made = self.below(Keyword::Items, items, depth + 1)?;
        if made.never {
            self.notes
                .add("items", "never valid, left out", Effect::Loosened);
            return Ok(false);
        }
        out.put(Keyword::Items, Part::One(Box::new(made)));
        Ok(true)
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
        let mut kinds: Vec<Node> = Vec::new();
        for element in prefix.iter().chain(items.filter(|_| open)) {
            if !kinds.contains(element) && !element.never {
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
