use std::collections::HashSet;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::profile::{Closed, Open};
use crate::schema::rewrite::{Rewriter, Stop, data};
use crate::schema::types::Type;
use crate::schema::words::Words;

/// What an object allows besides its listed properties.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    Unsaid,
    None,
    Any,
    Some,
}

impl Rewriter<'_> {
    /// Rewrites properties and what belongs to them. The answer names the keyword for whose sake
    /// the object has to be given as text instead.
    pub(super) fn objects(
        &mut self,
        node: &Node,
        out: &mut Node,
        depth: usize,
        words: &mut Words,
    ) -> Result<Option<&'static str>, Stop> {
        let about_objects = [
            Keyword::Properties,
            Keyword::Required,
            Keyword::AdditionalProperties,
            Keyword::PatternProperties,
        ];
        let is_object = node.types.has(Type::Object);
        if !is_object && !about_objects.iter().any(|k| node.has(*k)) {
            return Ok(None);
        }
        let others = match node.one(Keyword::AdditionalProperties) {
            None => Others::Unsaid,
            Some(rest) if rest.never => Others::None,
            Some(rest) if rest.is_any() => Others::Any,
            Some(_) => Others::Some,
        };
        let is_root = depth == 1 && self.notes.path().is_empty();
        let lists = !node.map(Keyword::Properties).is_empty()
            || (self.profile.required_listed && node.has(Keyword::Required));
        // Alternatives beside it, where they may stand there, list the properties instead.
        let free = is_object
            && !lists
            && !is_root
            && ![Keyword::AnyOf, Keyword::OneOf, Keyword::AllOf]
                .iter()
                .any(|k| node.has(*k));
        if others == Others::Some && self.profile.map == Open::Text && free {
            return Ok(Some("additionalProperties"));
        }
        if free && others != Others::Some {
            match self.profile.free_object {
                Open::Text => return Ok(Some("properties")),
                Open::NotStrict if others != Others::None => {
                    self.must_not_be_strict("properties", "an object with any keys")?;
                }
                _ => {}
            }
        }
        self.properties(node, out, depth)?;
        let none_left = is_object && out.map(Keyword::Properties).is_empty();
        if none_left && !is_root && self.profile.free_object == Open::Text {
            return Ok(Some("properties"));
        }
        self.others(node, others, out, depth, words)?;
        Ok(None)
    }

    fn properties(&mut self, node: &Node, out: &mut Node, depth: usize) -> Result<(), Stop> {
        let all_required = self.profile.all_required;
        let source = node.map(Keyword::Properties);
        let required = node.required();
        let closed = node
            .one(Keyword::AdditionalProperties)
            .is_some_and(|n| n.never);
        let mut gone = HashSet::new();
        let mut made = Vec::with_capacity(source.len());
        let mark = self.notes.enter(Keyword::Properties.name());
        for (key, property) in source {
            let inner = self.notes.enter(key);
            let mut child = self.node(property, depth + 1)?;
            if child.never {
                // Without the property a closed object refuses the key all the same.
                let effect = if closed && !required.contains(key.as_str()) {
                    Effect::Rewritten
                } else {
                    Effect::Loosened
                };
                self.notes
                    .add("properties", "never valid, left out", effect);
                gone.insert(key.as_str());
                self.notes.leave(inner);
                continue;
            }
            if all_required && !required.contains(key.as_str()) {
                child = self.with_null(child, property);
            }
            made.push(self.keyed(key, child, node));
            self.notes.leave(inner);
        }
        let known: HashSet<&str> = source.iter().map(|(k, _)| k.as_str()).collect();
        let mut names = Vec::new();
        for name in node.names(Keyword::Required) {
            if gone.contains(name.as_str()) {
                continue;
            }
            let renamed = self.keys.rename(name, self.document).is_some();
            if (self.profile.required_listed || renamed) && !known.contains(name.as_str()) {
                if closed {
                    self.notes
                        .add("required", "not among the properties", Effect::Loosened);
                    continue;
                }
                let any = Node::default();
                let rest = node.one(Keyword::AdditionalProperties).unwrap_or(&any);
                let child = self.node(rest, depth + 1)?;
                made.push(self.keyed(name, child, node));
            }
            names.push(name.clone());
        }
        self.notes.leave(mark);
        if all_required {
            names = made
                .iter()
                .map(|(key, child)| child.back.key.as_deref().unwrap_or(key).to_owned())
                .collect();
        }
        let names: Vec<String> = names
            .into_iter()
            .map(|name| self.keys.rename(&name, self.document).unwrap_or(name))
            .collect();
        if out.types.has(Type::Object) || !made.is_empty() {
            out.put(Keyword::Properties, Part::Map(made));
        }
        if !names.is_empty() || all_required {
            out.put(Keyword::Required, Part::Names(names));
        }
        Ok(())
    }

    /// A property under a legal key, its own name in the description if that had to change.
    fn keyed(&mut self, key: &str, mut child: Node, parent: &Node) -> (String, Node) {
        let Some(legal) = self.keys.rename(key, self.document) else {
            return (key.to_owned(), child);
        };
        let effect = if [Keyword::PatternProperties, Keyword::PropertyNames]
            .iter()
            .any(|k| parent.has(*k))
        {
            // Those look at the name that is no longer there.
            Effect::Loosened
        } else {
            Effect::Rewritten
        };
        self.notes.add("properties", "key renamed", effect);
        let mut name = Words::default();
        name.say(format!("stands for the key {key}"));
        if let Some(text) = name.behind(child.text(Keyword::Description)) {
            child.set_text(Keyword::Description, text);
        }
        let mut child = self.beside_reference(child);
        child.back.key = Some(key.into());
        (legal, child)
    }

    fn others(
        &mut self,
        node: &Node,
        others: Others,
        out: &mut Node,
        depth: usize,
        words: &mut Words,
    ) -> Result<(), Stop> {
        const OTHERS: Keyword = Keyword::AdditionalProperties;
        let never = || Part::One(Box::new(Node::never()));
        match (others, self.profile.closed) {
            (Others::None, Closed::Strip) => {
                self.notes
                    .add(OTHERS.name(), "not supported", Effect::Loosened);
                return Ok(());
            }
            (Others::None, _) => {
                out.put(OTHERS, never());
                return Ok(());
            }
            (Others::Unsaid, Closed::Everywhere) => {
                self.notes
                    .add(OTHERS.name(), "strict objects are closed", Effect::Narrowed);
                out.put(OTHERS, never());
                return Ok(());
            }
            (Others::Unsaid, _) => return Ok(()),
            _ => {}
        }
        let policy = if others == Others::Any {
            self.profile.open_object
        } else {
            self.profile.map
        };
        match policy {
            // A boolean needs no type.
            Open::Keep if others == Others::Any && self.profile.typed => {
                out.put(OTHERS, Part::One(Box::default()));
            }
            Open::Keep => {
                let rest = node.one(OTHERS).cloned().unwrap_or_default();
                let rest = self.below(OTHERS, &rest, depth + 1)?;
                out.put(OTHERS, Part::One(Box::new(rest)));
            }
            Open::NotStrict => {
                self.must_not_be_strict(OTHERS.name(), "an object with any keys")?;
            }
            // Open is what an object is without the keyword.
            Open::Strip | Open::Text if others == Others::Any => {}
            Open::Strip | Open::Text => {
                if let Some(part) = node.get(OTHERS) {
                    self.lose(OTHERS, part, words);
                }
            }
        }
        Ok(())
    }

    /// Admits null where a strict profile wants every property to be given.
    fn with_null(&mut self, made: Node, source: &Node) -> Node {
        let original_admits = self.admits_null(source, 32);
        if self.admits_null(&made, 32) {
            let mut made = made;
            made.back.null_is_absent = !original_admits;
            if original_admits {
                self.notes.add(
                    "required",
                    "cannot be left out, only null",
                    Effect::Narrowed,
                );
            }
            return made;
        }
        self.notes.add(
            "required",
            "null stands for a property left out",
            Effect::Rewritten,
        );
        let mut made = nullable(made);
        made.back.null_is_absent = !original_admits;
        made
    }

    /// Whether null fits, as far as types, listed values and combinators tell.
    fn admits_null(&self, node: &Node, fuel: usize) -> bool {
        self.work.spend(1);
        if node.never || fuel == 0 || self.work.is_spent() {
            return false;
        }
        let null = serde_json::Value::Null;
        if !node.types.admits(&null)
            || node.data(Keyword::Const).is_some_and(|c| !c.is_null())
            || (node.has(Keyword::Enum) && !node.values(Keyword::Enum).contains(&null))
        {
            return false;
        }
        if let Some(name) = &node.reference {
            let target = self.by_name.get(name.as_ref());
            let target = target.map(|at| &self.document.definitions[*at].1);
            if !target.is_some_and(|t| self.admits_null(t, fuel - 1)) {
                return false;
            }
        }
        let one = |n: &Node| self.admits_null(n, fuel - 1);
        node.many(Keyword::AllOf).iter().all(one)
            && [Keyword::AnyOf, Keyword::OneOf]
                .iter()
                .all(|k| !node.has(*k) || node.many(*k).iter().any(one))
    }
}

/// The same schema, or null.
fn nullable(mut node: Node) -> Node {
    let only_any_of = node.types.is_any() && node.reference.is_none() && node.has(Keyword::AnyOf);
    if only_any_of && let Some(Part::Many(mut branches)) = node.take(Keyword::AnyOf) {
        branches.push(Node::of_type(Type::Null));
        node.put(Keyword::AnyOf, Part::Many(branches));
        return node;
    }
    if node.types.is_any() {
        let mut outer = Node::default();
        outer.back = std::mem::take(&mut node.back);
        for keyword in [Keyword::Title, Keyword::Description] {
            if let Some(part) = node.take(keyword) {
                outer.put(keyword, part);
            }
        }
        outer.put(
            Keyword::AnyOf,
            Part::Many(vec![node, Node::of_type(Type::Null)]),
        );
        return outer;
    }
    node.types = node.types.with(Type::Null);
    let mut values = match node.take(Keyword::Const) {
        Some(Part::Data(constant)) => vec![constant],
        _ => node.values(Keyword::Enum).to_vec(),
    };
    if !values.is_empty() {
        values.push(serde_json::Value::Null);
        node.put(Keyword::Enum, data(values.into()));
    }
    node
}
