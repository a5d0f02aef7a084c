use std::borrow::Cow;

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::note::Effect;
use crate::schema::profile::{AnyOf, Column, Enums, Formats, Patterns, References, Rule};
use crate::schema::rewrite::{Rewriter, Stop, data};
use crate::schema::simplify::{absorb, clash};
use crate::schema::types::{Type, Types};
use crate::schema::words::Words;
use crate::schema::work::whole;

impl Rewriter<'_> {
    /// Copies, rewrites or puts into words every keyword of a schema in shape.
    pub(super) fn keywords(
        &mut self,
        node: &Node,
        depth: usize,
        mut words: Words,
    ) -> Result<Node, Stop> {
        let mut out = Node::of_type(node.types);
        out.nullable = node.nullable;
        out.reference.clone_from(&node.reference);
        if let Some(text) = self.objects(node, &mut out, depth, &mut words)? {
            return Ok(with_nullable(self.text(node, words, text), node.nullable));
        }
        let most = self.arrays(node, &mut out, depth, &mut words)?;
        let node = &*shortened(node, most);
        for (keyword, part) in node.parts() {
            self.keyword(*keyword, part, node, &mut out, depth, &mut words)?;
        }
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            if node.has(keyword) && out.many(keyword).is_empty() {
                return Ok(Node::never());
            }
            // An alternative that admits every value makes the others say nothing.
            if keyword == Keyword::AnyOf && out.many(keyword).iter().any(Node::is_any) {
                out.take(keyword);
            }
            // One alternative in text makes the place ambiguous unless all of it is text.
            if out.many(keyword).iter().any(|b| b.back.text) {
                if let Some(part) = node.get(keyword) {
                    words.constraint(keyword, part);
                }
                words.say("given as JSON text");
                self.notes
                    .add(keyword.name(), "given as JSON text", Effect::Loosened);
                let text = super::as_text(node, &words);
                return Ok(with_nullable(text, node.nullable));
            }
        }
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            let [only] = out.many(keyword) else { continue };
            if self.profile.merge_all_of && clash(&out, only) {
                return self.with_the_only_branch(node, keyword, depth);
            }
            if let Some(Part::Many(mut branches)) = out.take(keyword) {
                absorb(&mut out, branches.remove(0));
            }
        }
        let description = node
            .text(Keyword::Description)
            .or(out.text(Keyword::Description));
        if let Some(text) = words.behind(description) {
            out.set_text(Keyword::Description, text);
        }
        Ok(self.beside_reference(out))
    }

    /// Rewrites `node` once more with the one of its alternatives that any value fits, as its own.
    fn with_the_only_branch(
        &mut self,
        node: &Node,
        keyword: Keyword,
        depth: usize,
    ) -> Result<Node, Stop> {
        self.work.spend(2 * whole(node));
        let mut all = node.many(Keyword::AllOf).to_vec();
        for branch in node.many(keyword) {
            if !self.node(branch, depth)?.never {
                all.push(branch.clone());
            }
        }
        let mut joined = node.clone();
        joined.take(keyword);
        joined.put(Keyword::AllOf, Part::Many(all));
        self.node(&joined, depth)
    }

    /// Brings what stands beside `$ref` into the form that the profile knows.
    pub(super) fn beside_reference(&self, mut out: Node) -> Node {
        if out.reference.is_none() || out.parts().is_empty() {
            return out;
        }
        match self.profile.references {
            References::KeepAnnotated => out.retain(|k| k == Keyword::Description),
            References::KeepAcyclic => out.retain(|_| false),
            References::KeepAlone => {
                if let Some(name) = out.reference.take() {
                    out.put(Keyword::AnyOf, Part::Many(vec![Node::refer(name)]));
                }
            }
            _ => {}
        }
        out
    }

    fn keyword(
        &mut self,
        keyword: Keyword,
        part: &Part,
        node: &Node,
        out: &mut Node,
        depth: usize,
        words: &mut Words,
    ) -> Result<(), Stop> {
        match keyword {
            // Description comes last; the parts of objects and arrays are done already.
            Keyword::Description
            | Keyword::Properties
            | Keyword::Required
            | Keyword::AdditionalProperties
            | Keyword::Items
            | Keyword::PrefixItems => return Ok(()),
            Keyword::AnyOf | Keyword::OneOf | Keyword::AllOf => {
                if keyword == Keyword::OneOf {
                    self.notes.invert();
                }
                let made = self.branches(keyword, node.many(keyword), depth)?;
                if keyword == Keyword::OneOf {
                    self.notes.revert();
                }
                out.put(keyword, Part::Many(made));
                return Ok(());
            }
            Keyword::Title | Keyword::Default
                if self.profile.any_of == AnyOf::Alone && node.has(Keyword::AnyOf) =>
            {
                if keyword == Keyword::Default {
                    self.lose(keyword, part, words);
                }
                return Ok(());
            }
            // In protocol buffers null is nothing, and Google's own SDK fails to read it.
            Keyword::Default
                if self.profile.column == Column::GeminiParameters
                    && *part == data(Value::Null) =>
            {
                self.lose(keyword, part, words);
                return Ok(());
            }
            Keyword::Const => return self.constant(part, out, words),
            Keyword::Enum => return self.listed(part, node.types, out, words),
            Keyword::Format => {
                if self.format_passes(node) {
                    out.put(keyword, part.clone());
                } else {
                    self.lose(keyword, part, words);
                }
                return Ok(());
            }
            Keyword::Pattern => {
                let passes = match self.profile.patterns {
                    Patterns::All => true,
                    Patterns::Simple => node.text(keyword).is_some_and(is_simple),
                    Patterns::None => false,
                };
                if passes {
                    out.put(keyword, part.clone());
                } else {
                    self.lose(keyword, part, words);
                }
                return Ok(());
            }
            _ => {}
        }
        match self.profile.rule(keyword) {
            Rule::P => {
                let part = self.passed(keyword, part, depth)?;
                out.put(keyword, part);
            }
            Rule::O if matches!(part, Part::Data(Value::Number(n)) if n.as_u64() <= Some(1)) => {
                out.put(keyword, part.clone());
            }
            Rule::I => self.inclusive(keyword, part, node, out, words),
            Rule::N | Rule::O => self.lose(keyword, part, words),
            Rule::D => {
                if !keyword.is_annotation() {
                    self.notes
                        .add(keyword.name(), "not supported", Effect::Loosened);
                }
            }
            Rule::S => self.must_not_be_strict(keyword.name(), "cannot be said in strict form")?,
        }
        Ok(())
    }

    /// Leaves a keyword out, notes it, and says it in words.
    pub(super) fn lose(&mut self, keyword: Keyword, part: &Part, words: &mut Words) {
        let effect = if keyword.is_annotation() {
            Effect::Rewritten
        } else {
            Effect::Loosened
        };
        self.notes.add(
            keyword.name(),
            "not supported, said in the description",
            effect,
        );
        words.constraint(keyword, part);
    }

    fn passed(&mut self, keyword: Keyword, part: &Part, depth: usize) -> Result<Part, Stop> {
        let inverting = matches!(keyword, Keyword::Not | Keyword::If);
        if inverting {
            self.notes.invert();
        }
        // These look at the value itself; the others at parts of it.
        let depth = if keyword.is_in_place() {
            depth
        } else {
            depth + 1
        };
        let made = match part {
            Part::Data(_) | Part::Names(_) => part.clone(),
            Part::One(one) => Part::One(Box::new(self.below(keyword, one, depth)?)),
            Part::Many(many) => Part::Many(self.branches(keyword, many, depth)?),
            Part::Map(map) => {
                let mark = self.notes.enter(keyword.name());
                let mut made = Vec::with_capacity(map.len());
                for (key, one) in map {
                    let inner = self.notes.enter(key);
                    made.push((self.renamed_in(keyword, key), self.node(one, depth)?));
                    self.notes.leave(inner);
                }
                self.notes.leave(mark);
                Part::Map(made)
            }
        };
        let made = match (keyword, made) {
            (Keyword::DependentRequired, Part::Data(Value::Object(map))) => {
                let renamed = map.into_iter().map(|(key, names)| {
                    let names = names.as_array().map_or(&[][..], Vec::as_slice);
                    let names: Vec<Value> = names
                        .iter()
                        .filter_map(Value::as_str)
                        .map(|name| self.renamed_in(keyword, name).into())
                        .collect();
                    (self.renamed_in(keyword, &key), Value::from(names))
                });
                Part::Data(Value::Object(renamed.collect()))
            }
            (_, made) => made,
        };
        if inverting {
            self.notes.revert();
        }
        Ok(made)
    }

    /// The key of a property wherever else it is named.
    fn renamed_in(&mut self, keyword: Keyword, key: &str) -> String {
        match keyword {
            Keyword::DependentRequired | Keyword::DependentSchemas => self
                .keys
                .rename(key, self.document)
                .unwrap_or_else(|| key.to_owned()),
            _ => key.to_owned(),
        }
    }

    fn constant(&mut self, part: &Part, out: &mut Node, words: &mut Words) -> Result<(), Stop> {
        let Part::Data(value) = part else {
            return Ok(());
        };
        if !self.profile.constants {
            let listed = data(vec![value.clone()].into());
            if !self.lists(std::slice::from_ref(value), out.types) {
                self.lose(Keyword::Const, part, words);
                return Ok(());
            }
            return self.listed(&listed, out.types, out, words);
        }
        if self.profile.enums != Enums::All && (value.is_object() || value.is_array()) {
            self.lose(Keyword::Const, part, words);
        } else {
            out.put(Keyword::Const, part.clone());
        }
        Ok(())
    }

    /// Whether the profile takes an enum of these values, of that type.
    fn lists(&self, values: &[Value], types: Types) -> bool {
        let passes = |value: &Value| match self.profile.enums {
            Enums::All => true,
            Enums::Primitive => !(value.is_object() || value.is_array()),
            Enums::StringsAndNumbers => value.is_string() || value.is_number(),
            Enums::Strings => value.is_string(),
        };
        let typed = self.profile.enums != Enums::Strings || types.single() == Some(Type::String);
        typed && values.iter().all(passes)
    }

    fn listed(
        &mut self,
        part: &Part,
        types: Types,
        out: &mut Node,
        words: &mut Words,
    ) -> Result<(), Stop> {
        let Part::Data(Value::Array(values)) = part else {
            return Ok(());
        };
        if !self.lists(values, types) {
            self.lose(Keyword::Enum, part, words);
            return Ok(());
        }
        if self.profile.column != Column::GeminiParameters {
            out.put(Keyword::Enum, part.clone());
            return Ok(());
        }
        // The empty string is no legal value of an enum there.
        let kept: Vec<Value> = values
            .iter()
            .filter(|v| v.as_str() != Some(""))
            .cloned()
            .collect();
        if kept.len() < values.len() {
            self.notes.add(
                "enum",
                "the empty string is not supported",
                Effect::Narrowed,
            );
        }
        if kept.is_empty() {
            words.say("the empty string");
        } else {
            out.put(Keyword::Enum, data(kept.into()));
        }
        Ok(())
    }

    fn format_passes(&self, node: &Node) -> bool {
        let Some(format) = node.text(Keyword::Format) else {
            return false;
        };
        let known = match self.profile.formats {
            Formats::All => true,
            Formats::Only(known) => known.contains(&format),
            Formats::None => false,
        };
        if self.profile.column != Column::GeminiParameters {
            return known;
        }
        known
            && match node.types.single() {
                Some(Type::String) => matches!(format, "enum" | "date-time"),
                Some(Type::Number) => matches!(format, "float" | "double"),
                Some(Type::Integer) => matches!(format, "int32" | "int64"),
                _ => false,
            }
    }

    /// An exclusive bound of integers as the next inclusive one.
    fn inclusive(
        &mut self,
        keyword: Keyword,
        part: &Part,
        node: &Node,
        out: &mut Node,
        words: &mut Words,
    ) {
        let (bound, step) = if keyword == Keyword::ExclusiveMinimum {
            (Keyword::Minimum, 1i64)
        } else {
            (Keyword::Maximum, -1i64)
        };
        let Part::Data(value) = part else { return };
        let integers = node.types.single() == Some(Type::Integer);
        let next = value
            .as_i64()
            .and_then(|n| n.checked_add(step))
            .filter(|_| integers);
        let Some(next) = next else {
            return self.lose(keyword, part, words);
        };
        let tighter = node
            .data(bound)
            .and_then(Value::as_f64)
            .is_none_or(|given| {
                if step > 0 {
                    given < next as f64
                } else {
                    given > next as f64
                }
            });
        if tighter {
            out.put(bound, data(next.into()));
        }
    }
}

/// `node` with arrays of at most `most` elements.
fn shortened(node: &Node, most: Option<u64>) -> Cow<'_, Node> {
    let given = node.data(Keyword::MaxItems).and_then(Value::as_u64);
    match most {
        Some(most) if given.is_none_or(|given| given > most) => {
            let mut node = node.clone();
            node.put(Keyword::MaxItems, data(most.into()));
            Cow::Owned(node)
        }
        _ => Cow::Borrowed(node),
    }
}

fn with_nullable(mut node: Node, nullable: bool) -> Node {
    node.nullable = nullable;
    node
}

/// Whether every engine that compiles patterns to a grammar understands this one.
fn is_simple(pattern: &str) -> bool {
    const LARGEST_REPETITION: u32 = 255;
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => {
                let escaped = bytes.get(at + 1).copied().unwrap_or(b'\\');
                if matches!(escaped, b'b' | b'B' | b'k' | b'p' | b'P' | b'1'..=b'9') {
                    return false;
                }
                at += 1;
            }
            b'(' if bytes.get(at + 1) == Some(&b'?') && bytes.get(at + 2) != Some(&b':') => {
                return false;
            }
            b'{' => {
                let inner = pattern[at + 1..].split('}').next().unwrap_or_default();
                let large = |n: &str| n.parse::<u32>().is_ok_and(|n| n > LARGEST_REPETITION);
                if inner.split(',').any(large) {
                    return false;
                }
            }
            _ => {}
        }
        at += 1;
    }
    true
}
