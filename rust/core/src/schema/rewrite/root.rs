use crate::schema::keyword::Keyword;
use crate::schema::merge::meeting;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::rewrite::shape::{alternatives, only_restricts};
use crate::schema::rewrite::{Rewriter, Stop};
use crate::schema::types::{Type, Types};
use crate::schema::way_back::WRAPPED;
use crate::schema::words::Words;

/// Alternatives within alternatives that are merged; deeper ones are left out.
const MAX_NESTED: usize = 8;

impl<'a> Rewriter<'a> {
    /// The root as every provider wants it: an object with properties and no combinator.
    pub(super) fn root(&mut self) -> Result<(Node, bool, Words), Stop> {
        let document: &'a crate::schema::read::Document = self.document;
        let mut words = Words::default();
        let mut root = self.flatten(&document.root, true)?.into_owned();
        let wrapped = !is_object(&root);
        if wrapped {
            self.notes.add(
                "type",
                "the root is no object, wrapped in one",
                Effect::Rewritten,
            );
            let mut outer = Node::default();
            outer.put(
                Keyword::Properties,
                Part::Map(vec![(WRAPPED.to_owned(), document.root.clone())]),
            );
            outer.put(Keyword::Required, Part::Names(vec![WRAPPED.to_owned()]));
            root = outer;
            self.open.clear();
        }
        if root.never {
            self.notes
                .add("schema", "accepts no arguments at all", Effect::Loosened);
            root = Node::default();
        }
        if !wrapped && !root.types.has(Type::Object) && !root.is_empty() {
            self.notes
                .add("type", "the root is taken for an object", Effect::Narrowed);
        }
        root.types = Types::from(Type::Object);
        self.merge_alternatives(&mut root, &mut words, 0)?;
        for keyword in ROOT_ONLY_IN_WORDS {
            if let Some(part) = root.take(keyword) {
                self.notes.add(
                    keyword.name(),
                    "not allowed at the root, said in the description",
                    Effect::Loosened,
                );
                words.constraint(keyword, &part);
            }
        }
        let mut made = self.keywords(&root, 1, Words::default())?;
        if !self.profile.rich_root {
            self.plain_root(&mut made, &mut words);
        }
        self.open.clear();
        Ok((made, wrapped, words))
    }

    /// Leaves nothing at the root but properties and their names; what else it says goes into words.
    fn plain_root(&mut self, made: &mut Node, words: &mut Words) {
        if let Some(text) = made.text(Keyword::Description) {
            words.say(text);
        }
        for (keyword, part) in made.parts() {
            let closed = matches!(part, Part::One(rest) if rest.never);
            match keyword {
                Keyword::Properties | Keyword::Required => {}
                Keyword::AdditionalProperties if closed => {
                    self.notes.add(
                        keyword.name(),
                        "not supported at the root",
                        Effect::Loosened,
                    );
                }
                Keyword::AdditionalProperties if matches!(part, Part::One(rest) if rest.is_any()) =>
                    {}
                keyword if keyword.is_annotation() => {}
                keyword => self.lose(*keyword, part, words),
            }
        }
        made.retain(|k| matches!(k, Keyword::Properties | Keyword::Required));
    }

    /// Replaces `anyOf` and `oneOf` of an object by one object with the properties of all.
    fn merge_alternatives(
        &mut self,
        root: &mut Node,
        words: &mut Words,
        nested: usize,
    ) -> Result<(), Stop> {
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            let Some(Part::Many(branches)) = root.take(keyword) else {
                continue;
            };
            self.notes.add(
                keyword.name(),
                "not allowed at the root, merged",
                Effect::Loosened,
            );
            if nested == MAX_NESTED {
                continue;
            }
            let mut objects = Vec::with_capacity(branches.len());
            for branch in &branches {
                let mut branch = self.flatten(branch, true)?.into_owned();
                if branch.never || !is_object(&branch) {
                    self.notes.add(
                        keyword.name(),
                        "an alternative is no object",
                        Effect::Narrowed,
                    );
                    continue;
                }
                self.merge_alternatives(&mut branch, words, nested + 1)?;
                objects.push(branch);
            }
            words.say(alternatives(&objects, keyword == Keyword::OneOf));
            if !objects.iter().all(only_restricts) {
                self.notes.add(
                    keyword.name(),
                    "properties of all alternatives",
                    Effect::Narrowed,
                );
            }
            union_into(root, &objects);
        }
        Ok(())
    }
}

const ROOT_ONLY_IN_WORDS: [Keyword; 8] = [
    Keyword::Enum,
    Keyword::Const,
    Keyword::Not,
    Keyword::If,
    Keyword::Then,
    Keyword::Else,
    Keyword::DependentRequired,
    Keyword::DependentSchemas,
];

/// Whether the schema is about objects, or says nothing of the type.
fn is_object(node: &Node) -> bool {
    if node.never || node.types.has(Type::Object) {
        return true;
    }
    if !node.types.is_any() {
        return false;
    }
    let branches = || {
        [Keyword::AnyOf, Keyword::OneOf]
            .into_iter()
            .flat_map(|k| node.many(k))
    };
    let listed = node.values(Keyword::Enum);
    let constant = node.data(Keyword::Const);
    if node.has(Keyword::Properties) {
        return true;
    }
    // A branch that refers elsewhere is taken for what a root should be.
    !(branches().next().is_some()
        && branches().all(|b| !b.types.is_any() && !b.types.has(Type::Object)))
        && (listed.is_empty() || listed.iter().any(serde_json::Value::is_object))
        && constant.is_none_or(serde_json::Value::is_object)
}

fn union_into(root: &mut Node, branches: &[Node]) {
    let mut properties = root.map(Keyword::Properties).to_vec();
    let own: Vec<String> = properties.iter().map(|(k, _)| k.clone()).collect();
    for branch in branches {
        for (key, theirs) in branch.map(Keyword::Properties) {
            match properties.iter_mut().find(|(k, _)| k == key) {
                // Both the root and the branch restrict it; the root's word suffices.
                Some(_) if own.contains(key) => {}
                Some((_, mine)) => *mine = either(mine, theirs),
                None => properties.push((key.clone(), theirs.clone())),
            }
        }
    }
    let mut required = root.names(Keyword::Required).to_vec();
    if let Some((first, others)) = branches.split_first() {
        for name in first.names(Keyword::Required) {
            let everywhere = others
                .iter()
                .all(|b| b.names(Keyword::Required).contains(name));
            if everywhere && !required.contains(name) {
                required.push(name.clone());
            }
        }
    }
    let closed = |node: &Node| {
        node.one(Keyword::AdditionalProperties)
            .is_some_and(|n| n.never)
    };
    let all_closed = !branches.is_empty() && branches.iter().all(closed);
    if !properties.is_empty() {
        root.put(Keyword::Properties, Part::Map(properties));
    }
    if !required.is_empty() {
        root.put(Keyword::Required, Part::Names(required));
    }
    if all_closed && !root.has(Keyword::AdditionalProperties) {
        root.put(
            Keyword::AdditionalProperties,
            Part::One(Box::new(Node::never())),
        );
    }
}

fn either(a: &Node, b: &Node) -> Node {
    if a == b || a.is_any() {
        return a.clone();
    }
    if b.is_any() {
        return b.clone();
    }
    // Keep one list of alternatives flat.
    if let ([.., _], true) = (
        a.many(Keyword::AnyOf),
        a.parts().len() == 1 && a.types.is_any(),
    ) {
        let mut branches = a.many(Keyword::AnyOf).to_vec();
        if !branches.contains(b) {
            branches.push(b.clone());
        }
        let mut all = Node::default();
        all.put(Keyword::AnyOf, Part::Many(branches));
        return all;
    }
    let mut all = Node::default();
    all.put(Keyword::AnyOf, Part::Many(vec![a.clone(), b.clone()]));
    // `meeting` keeps the result one schema even where a branch accepts nothing.
    meeting(&all, &Node::default())
}
