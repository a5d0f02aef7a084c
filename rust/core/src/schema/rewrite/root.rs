use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::rewrite::alternatives::union_into;
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
        let root = self.flatten(&document.root, true)?;
        let mut root = self.own(root);
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
                if self.work.is_spent() {
                    return Err(Stop::TooMuchWork);
                }
                let branch = self.flatten(branch, true)?;
                let mut branch = self.own(branch);
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
            union_into(root, objects);
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
