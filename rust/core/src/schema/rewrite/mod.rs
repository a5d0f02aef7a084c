//! One walk that turns the normal form into what a profile accepts.
//!
//! Every schema passes the same stages: references and `allOf` are resolved where the profile
//! wants that (`resolve`), the schema takes a shape the profile knows (`shape`), and then its
//! keywords are copied, rewritten or put into words one by one (`keywords`, `objects`, `arrays`).

mod alternatives;
mod arrays;
mod exclusive;
mod keywords;
mod objects;
mod resolve;
mod root;
mod shape;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::schema::cycles::{self, Recursion};
use crate::schema::keys::LegalKeys;
use crate::schema::keyword::Keyword;
use crate::schema::node::{Definitions, Node, Part};
use crate::schema::note::{Effect, Note, Notes};
use crate::schema::profile::{Open, Profile, References, TypeLists};
use crate::schema::read::Document;
use crate::schema::rewrite::shape::admits_only_null;
use crate::schema::types::Type;
use crate::schema::words::Words;
use crate::schema::work::{Work, own, whole};

/// A schema as a profile accepts it.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) root: Node,
    pub(super) definitions: Definitions,
    pub(super) notes: Vec<Note>,
    /// The root was no object and stands under [`super::way_back::WRAPPED`].
    pub(super) wrapped: bool,
    /// What the root lost; belongs into the tool's description.
    pub(super) words: Words,
}

/// Why a rewrite ended early.
#[derive(Debug, Clone)]
pub(super) enum Stop {
    /// More schemas than the byte budget can hold.
    TooLarge,
    /// More work than there is left.
    TooMuchWork,
    /// The meaning cannot be kept in strict form.
    NotStrict(Note),
}

/// Deepest recursion of the walk, over nesting in the value and combinators alike.
const MAX_LEVEL: usize = 128;

pub(super) fn rewrite(
    document: &Document,
    profile: &Profile,
    max_depth: usize,
    max_nodes: usize,
    work: &Work,
) -> Result<Rewritten, Stop> {
    // A depth below the profile's own is asked for to save bytes: then definitions count with the
    // place they are used at.
    let inline = max_depth < profile.max_depth || inlines(document, profile)?;
    let limits = (max_depth, max_nodes);
    let made = rewrite_once(document, profile, limits, inline, work)?;
    // What is required where two schemas were merged is known only now.
    let recurs = profile.references == References::KeepAnnotated
        && Recursion::of(&made.definitions) == Recursion::Required;
    if recurs {
        return rewrite_once(document, profile, limits, true, work);
    }
    Ok(made)
}

fn rewrite_once(
    document: &Document,
    profile: &Profile,
    (max_depth, max_nodes): (usize, usize),
    inline: bool,
    work: &Work,
) -> Result<Rewritten, Stop> {
    let mut rewriter = Rewriter {
        document,
        profile,
        inline,
        by_name: document
            .definitions
            .iter()
            .enumerate()
            .map(|(at, (name, _))| (name.as_ref(), at))
            .collect(),
        notes: document.notes.clone(),
        keys: LegalKeys::new(profile.keys),
        open: Vec::new(),
        level: 0,
        left: max_nodes,
        work,
        max_depth: max_depth.min(profile.max_depth),
        used: Vec::new(),
        seen: HashSet::new(),
    };
    let (root, wrapped, words) = rewriter.root()?;
    let mut definitions = Definitions::new();
    let mut next = 0;
    while let Some(&at) = rewriter.used.get(next) {
        next += 1;
        let (name, node) = &document.definitions[at];
        rewriter.notes.jump(&format!("/$defs/{name}"));
        definitions.push((Arc::clone(name), rewriter.node(node, 1)?));
    }
    let dead: HashSet<Arc<str>> = definitions
        .iter()
        .filter(|(_, d)| d.never)
        .map(|(name, _)| Arc::clone(name))
        .collect();
    if !dead.is_empty() {
        // Found out too late for the places that refer to them: once more, knowing it.
        let mut known = document.clone();
        for (name, definition) in &mut known.definitions {
            if dead.contains(name) {
                *definition = Node::never();
            }
        }
        return rewrite_once(&known, profile, (max_depth, max_nodes), inline, work);
    }
    // A reference may have gone with an alternative that was given as text.
    cycles::prune(&root, &mut definitions);
    Ok(Rewritten {
        root,
        definitions,
        notes: rewriter.notes.into_list(),
        wrapped,
        words,
    })
}

/// Whether definitions are written out in place, given how they recur.
fn inlines(document: &Document, profile: &Profile) -> Result<bool, Stop> {
    Ok(match profile.references {
        References::Inline => true,
        References::Keep | References::KeepAlone | References::KeepAnnotated => false,
        References::KeepAcyclic => {
            if Recursion::of(&document.definitions) != Recursion::None {
                return Err(Stop::NotStrict(Note {
                    pointer: String::new(),
                    what: "$ref",
                    why: "strict schemas cannot recur",
                    effect: Effect::Rewritten,
                }));
            }
            false
        }
    })
}

struct Rewriter<'a> {
    document: &'a Document,
    profile: &'a Profile,
    inline: bool,
    by_name: HashMap<&'a str, usize>,
    notes: Notes,
    keys: LegalKeys,
    /// Definitions that are being written out, outermost first.
    open: Vec<usize>,
    level: usize,
    /// Schemas that may still be written.
    left: usize,
    work: &'a Work,
    max_depth: usize,
    /// Definitions that are referred to, in the order of their first use.
    used: Vec<usize>,
    seen: HashSet<usize>,
}

impl<'a> Rewriter<'a> {
    /// Rewrites one schema at `depth` levels of objects and arrays below the arguments.
    fn node(&mut self, source: &Node, depth: usize) -> Result<Node, Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::TooLarge)?;
        self.work.spend(1);
        if self.work.is_spent() {
            return Err(Stop::TooMuchWork);
        }
        if source.never {
            return Ok(Node::never());
        }
        let mark = self.open.len();
        self.level += 1;
        let resolved = self.resolve(source)?;
        self.work.spend(own(&resolved));
        let made = self.shaped(resolved, depth);
        self.level -= 1;
        self.open.truncate(mark);
        made
    }

    fn shaped(&mut self, node: Cow<'_, Node>, depth: usize) -> Result<Node, Stop> {
        let mut words = Words::default();
        let node = self.within_depth(node, depth, &mut words)?;
        let node = self.shape(node, &mut words);
        if node.never {
            return Ok(Node::never());
        }
        if self.is_untyped(&node) {
            return self.untyped(&node, words);
        }
        self.keywords(&node, depth, words)
    }

    /// The schema to be changed; the work of copying it, where it has to be copied, is counted.
    fn own(&self, node: Cow<'_, Node>) -> Node {
        if let Cow::Borrowed(node) = node {
            self.work.spend(whole(node));
        }
        node.into_owned()
    }

    /// Replaces what is nested deeper than the target, or the walk, goes.
    fn within_depth<'n>(
        &mut self,
        node: Cow<'n, Node>,
        depth: usize,
        words: &mut Words,
    ) -> Result<Cow<'n, Node>, Stop> {
        let nests = node.children().next().is_some() || node.reference.is_some();
        if !nests || (depth <= self.max_depth && self.level <= MAX_LEVEL) {
            return Ok(node);
        }
        self.must_not_be_strict("depth", "nested deeper than strict schemas may be")?;
        self.notes.add(
            "depth",
            "nested too deeply, the rest is cut",
            Effect::Loosened,
        );
        Ok(Cow::Owned(shell(&node, words)))
    }

    /// Ends a strict rewrite; says nothing to a plain one.
    fn must_not_be_strict(&self, what: &'static str, why: &'static str) -> Result<(), Stop> {
        if !self.profile.is_strict() {
            return Ok(());
        }
        Err(Stop::NotStrict(Note {
            pointer: self.notes.path().to_owned(),
            what,
            why,
            effect: Effect::Rewritten,
        }))
    }

    /// A schema without a type where the profile wants one.
    fn is_untyped(&self, node: &Node) -> bool {
        let no_null = self.profile.type_lists == TypeLists::Nullable;
        self.profile.typed
            && (node.types.is_any() || (no_null && admits_only_null(node)))
            && node.reference.is_none()
            && ![Keyword::AnyOf, Keyword::OneOf, Keyword::AllOf]
                .iter()
                .any(|k| node.has(*k))
    }

    fn untyped(&mut self, node: &Node, mut words: Words) -> Result<Node, Stop> {
        self.must_not_be_strict("type", "a value of any type")?;
        if self.profile.untyped == Open::Keep {
            return Ok(described(Node::default(), node, &words));
        }
        for (keyword, part) in node.parts() {
            if !keyword.is_annotation() {
                self.notes.add(
                    keyword.name(),
                    "not supported without a type",
                    Effect::Loosened,
                );
                words.constraint(*keyword, part);
            }
        }
        if !node.types.is_any() {
            self.notes
                .add("type", "null alone is not supported", Effect::Loosened);
            words.say("always null");
        }
        self.notes
            .add("type", "any value, given as JSON text", Effect::Rewritten);
        words.say("any JSON value, given as JSON text");
        Ok(as_text(node, &words))
    }

    /// A schema whose values are given as JSON text, because the profile has no other form.
    fn text(&mut self, node: &Node, mut words: Words, what: &'static str) -> Node {
        self.notes
            .add(what, "not supported, given as JSON text", Effect::Loosened);
        for (keyword, part) in node.parts() {
            if !keyword.is_annotation() && !says_little(*keyword, part) {
                words.constraint(*keyword, part);
            }
        }
        let form = if node.types.has(Type::Array) {
            "JSON array"
        } else {
            "JSON object"
        };
        words.say(format!("{form}, given as JSON text"));
        as_text(node, &words)
    }

    /// Rewrites the schemas of a combinator; alternatives that accept nothing are left out.
    fn branches(
        &mut self,
        keyword: Keyword,
        branches: &[Node],
        depth: usize,
    ) -> Result<Vec<Node>, Stop> {
        let mark = self.notes.enter(keyword.name());
        let mut made = Vec::with_capacity(branches.len());
        for (at, branch) in branches.iter().enumerate() {
            let inner = self.notes.enter_index(at);
            let branch = self.node(branch, depth)?;
            self.notes.leave(inner);
            if !branch.never || keyword == Keyword::AllOf {
                made.push(branch);
            }
        }
        self.notes.leave(mark);
        Ok(made)
    }

    /// Rewrites a schema that stands under `keyword`.
    fn below(&mut self, keyword: Keyword, node: &Node, depth: usize) -> Result<Node, Stop> {
        let mark = self.notes.enter(keyword.name());
        let made = self.node(node, depth);
        self.notes.leave(mark);
        made
    }
}

/// What need not be repeated of an object or array that is given as text.
fn says_little(keyword: Keyword, part: &Part) -> bool {
    match part {
        Part::One(one) => keyword == Keyword::AdditionalProperties && (one.never || one.is_any()),
        Part::Map(map) => map.is_empty(),
        _ => false,
    }
}

/// Type and description of a schema, with the names of its properties in words.
fn shell(node: &Node, words: &mut Words) -> Node {
    let mut shell = Node::of_type(node.types);
    for keyword in [Keyword::Title, Keyword::Description] {
        if let Some(part) = node.get(keyword) {
            shell.put(keyword, part.clone());
        }
    }
    let names: Vec<&str> = node
        .map(Keyword::Properties)
        .iter()
        .map(|(key, _)| key.as_str())
        .collect();
    if !names.is_empty() {
        words.say(format!("properties: {}", names.join(", ")));
    }
    shell
}

/// `node` with title and description of `source`.
fn described(mut node: Node, source: &Node, words: &Words) -> Node {
    if let Some(text) = words.behind(source.text(Keyword::Description)) {
        node.set_text(Keyword::Description, text);
    }
    node
}

fn as_text(source: &Node, words: &Words) -> Node {
    let mut node = described(Node::of_type(Type::String), source, words);
    node.back.text = true;
    node
}

/// Null, and nothing else.
fn is_null(node: &Node) -> bool {
    node.types.single() == Some(Type::Null) && node.reference.is_none()
}

/// The part as data, for keywords read as data.
fn data(value: serde_json::Value) -> Part {
    Part::Data(value)
}
