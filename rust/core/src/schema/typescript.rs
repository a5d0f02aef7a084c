//! Tools as TypeScript declarations, for scripts and documentation.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use serde_json::Value;

use crate::schema::keyword::Keyword;
use crate::schema::node::{Node, Part};
use crate::schema::read::Document;
use crate::schema::types::Type;
use crate::schema::unique::Unique;
use crate::schema::words::Words;

/// The TypeScript declaration of a tool: a type for the input, one for each definition that the
/// schemas refer to, one for the output where it is known, and the function itself.
///
/// Descriptions become comments; what TypeScript cannot say of a value stands in them in words.
/// `result` names the generic type in which the function gives its output, such as the `ToolResult`
/// of `Promise<ToolResult<Output>>`, where it does not give the output itself.
/// Equal tools give equal text. At most `max_bytes` long: what is too long loses first its longer
/// comments, then what is nested deepest, which becomes `unknown`.
///
/// ```
/// use serde_json::json;
/// use toolcrib_core::schema::typescript;
///
/// let input = json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
/// assert_eq!(
///     typescript("cancel_order", "Cancels an order.", &input, None, None, 10_000),
///     "type CancelOrderInput = {\n  /** (integer) */\n  id: number;\n};\n\n/** Cancels an order. */\n\
///      declare function cancel_order(input: CancelOrderInput): Promise<unknown>;\n"
/// );
/// ```
#[must_use]
pub fn typescript(
    name: &str,
    description: &str,
    input: &Value,
    output: Option<&Value>,
    result: Option<&str>,
    max_bytes: usize,
) -> String {
    let given = |output: &str| match result {
        Some(result) => format!("{result}<{output}>"),
        None => output.to_owned(),
    };
    let input = Document::read(input);
    let output = output.map(Document::read);
    let function = identifier(name);
    let stem = pascal(&function);
    let mut last = String::new();
    for (depth, comment) in RUNGS {
        let mut text = String::new();
        let returns = match &output {
            Some(_) => given(&format!("{stem}Output")),
            None => given("unknown"),
        };
        let fits = declare(
            &input,
            &format!("{stem}Input"),
            depth,
            comment,
            max_bytes,
            &mut text,
        ) && output.as_ref().is_none_or(|output| {
            text.push('\n');
            declare(
                output,
                &format!("{stem}Output"),
                depth,
                comment,
                max_bytes,
                &mut text,
            )
        });
        if !text.is_empty() {
            text.push('\n');
        }
        comment_lines(&mut text, description, comment.max(DESCRIPTION), 0);
        let _ = writeln!(
            text,
            "declare function {function}(input: {stem}Input): Promise<{returns}>;"
        );
        if fits && text.len() <= max_bytes {
            return text;
        }
        let returns = given("unknown");
        last = format!("declare function {function}(input: unknown): Promise<{returns}>;\n");
    }
    last
}

/// Depths and comment lengths that are tried one after the other until the text fits.
const RUNGS: [(usize, usize); 6] = [(32, 4_000), (32, 120), (6, 120), (4, 80), (2, 0), (1, 0)];
/// Bytes of the tool's own description that stay on every rung.
const DESCRIPTION: usize = 400;

/// Writes the types of one document; `false` where they do not fit.
fn declare(
    document: &Document,
    name: &str,
    depth: usize,
    comment: usize,
    max_bytes: usize,
    out: &mut String,
) -> bool {
    let mut names = Unique::of(HashSet::from([name.to_owned()]));
    let mut aliases = HashMap::new();
    for (definition, _) in &document.definitions {
        let base = format!("{name}{}", pascal(definition));
        aliases.insert(Arc::clone(definition), names.name(base, ""));
    }
    let mut writer = Writer {
        aliases,
        comment,
        max_bytes,
        out,
    };
    for (definition, node) in &document.definitions {
        let alias = writer.aliases.get(definition).cloned().unwrap_or_default();
        writer.alias(&alias, node, depth);
        writer.out.push('\n');
    }
    writer.alias(name, &document.root, depth);
    writer.out.len() <= max_bytes
}

struct Writer<'a> {
    aliases: HashMap<Arc<str>, String>,
    comment: usize,
    max_bytes: usize,
    out: &'a mut String,
}

impl Writer<'_> {
    fn alias(&mut self, name: &str, node: &Node, depth: usize) {
        self.comment_of(node, 0);
        let _ = write!(self.out, "type {name} = ");
        self.node(node, depth, 0);
        self.out.push_str(";\n");
    }

    /// Writes the type of `node`; objects go on `indent` levels deeper.
    fn node(&mut self, node: &Node, depth: usize, indent: usize) {
        if node.never {
            return self.out.push_str("never");
        }
        // Past the limit the text is thrown away; there is no use in going on.
        if depth == 0 || self.out.len() > self.max_bytes {
            return self.out.push_str("unknown");
        }
        let mut pieces = Vec::new();
        if let Some(alias) = node.reference.as_ref().and_then(|r| self.aliases.get(r)) {
            pieces.push(alias.clone());
        }
        let listed = match node.data(Keyword::Const) {
            Some(constant) => std::slice::from_ref(constant),
            None => node.values(Keyword::Enum),
        };
        if !listed.is_empty() {
            pieces.push(self.piece(|w| w.literals(listed)));
        } else if !node.types.is_any() || says_shape(node) {
            pieces.push(self.piece(|w| w.types(node, depth, indent)));
        }
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            let branches = node.many(keyword);
            if !branches.is_empty() {
                pieces.push(self.piece(|w| w.union(branches, depth, indent)));
            }
        }
        for member in node.many(Keyword::AllOf) {
            pieces.push(self.piece(|w| w.node(member, depth - 1, indent)));
        }
        match &pieces[..] {
            [] => self.out.push_str("unknown"),
            [only] => self.out.push_str(only),
            several => {
                let joined = several.join(") & (");
                let _ = write!(self.out, "({joined})");
            }
        }
    }

    /// What `write` appends, taken off again.
    fn piece(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let start = self.out.len();
        write(self);
        self.out.split_off(start)
    }

    fn types(&mut self, node: &Node, depth: usize, indent: usize) {
        if node.types.is_any() {
            // Only its keywords tell what it is about.
            return if node.has(Keyword::Items) || node.has(Keyword::PrefixItems) {
                self.array(node, depth, indent);
            } else {
                self.object(node, depth, indent);
            };
        }
        for (at, one) in node.types.iter().enumerate() {
            self.out.push_str(if at > 0 { " | " } else { "" });
            match one {
                Type::String => self.out.push_str("string"),
                Type::Number | Type::Integer => self.out.push_str("number"),
                Type::Boolean => self.out.push_str("boolean"),
                Type::Null => self.out.push_str("null"),
                Type::Object => self.object(node, depth, indent),
                Type::Array => self.array(node, depth, indent),
            }
        }
    }

    fn literals(&mut self, values: &[Value]) {
        for (at, value) in values.iter().enumerate() {
            self.out.push_str(if at > 0 { " | " } else { "" });
            match value {
                Value::Array(_) | Value::Object(_) => self.out.push_str("unknown"),
                // JSON's literals are TypeScript's.
                plain => self.out.push_str(&plain.to_string()),
            }
        }
    }

    fn union(&mut self, branches: &[Node], depth: usize, indent: usize) {
        for (at, branch) in branches.iter().enumerate() {
            self.out.push_str(if at > 0 { " | " } else { "" });
            self.in_parentheses(branch, depth - 1, indent);
        }
    }

    fn in_parentheses(&mut self, node: &Node, depth: usize, indent: usize) {
        let start = self.out.len();
        self.node(node, depth, indent);
        let written = &self.out[start..];
        let plain = written.starts_with('{') || !written.contains([' ', '|', '&']);
        if !plain {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }

    fn array(&mut self, node: &Node, depth: usize, indent: usize) {
        let prefix = node.many(Keyword::PrefixItems);
        let items = node.one(Keyword::Items);
        if prefix.is_empty() {
            self.out.push_str("Array<");
            match items {
                Some(items) => self.node(items, depth - 1, indent),
                None => self.out.push_str("unknown"),
            }
            return self.out.push('>');
        }
        let least = node
            .data(Keyword::MinItems)
            .and_then(Value::as_u64)
            .unwrap_or(0);
        let most = node.data(Keyword::MaxItems).and_then(Value::as_u64);
        self.out.push('[');
        for (at, element) in prefix.iter().enumerate() {
            self.out.push_str(if at > 0 { ", " } else { "" });
            self.in_parentheses(element, depth - 1, indent);
            self.out.push_str(if at as u64 >= least { "?" } else { "" });
        }
        if most.is_none_or(|most| most > prefix.len() as u64) {
            self.out.push_str(", ...Array<");
            match items {
                Some(items) => self.node(items, depth - 1, indent),
                None => self.out.push_str("unknown"),
            }
            self.out.push('>');
        }
        self.out.push(']');
    }

    fn object(&mut self, node: &Node, depth: usize, indent: usize) {
        let properties = node.map(Keyword::Properties);
        let required = node.required();
        let others = node.one(Keyword::AdditionalProperties);
        let patterns = node.map(Keyword::PatternProperties);
        let closed = others.is_some_and(|o| o.never) && patterns.is_empty();
        if properties.is_empty() {
            if closed {
                return self.out.push_str("{}");
            }
            self.out.push_str("Record<string, ");
            match others.filter(|o| !o.never) {
                Some(others) => self.node(others, depth - 1, indent),
                None => self.out.push_str("unknown"),
            }
            return self.out.push('>');
        }
        self.out.push_str("{\n");
        for (key, property) in properties {
            self.comment_of(property, indent + 1);
            self.pad(indent + 1);
            if is_identifier(key) {
                self.out.push_str(key);
            } else {
                let _ = write!(self.out, "{}", Value::from(key.as_str()));
            }
            self.out.push_str(if required.contains(key.as_str()) {
                ": "
            } else {
                "?: "
            });
            self.node(property, depth - 1, indent + 1);
            self.out.push_str(";\n");
        }
        if others.is_some_and(|o| !o.never) || !patterns.is_empty() {
            // Of any type, for it must also admit the properties above.
            self.pad(indent + 1);
            self.out.push_str("[key: string]: unknown;\n");
        }
        self.pad(indent);
        self.out.push('}');
    }

    fn pad(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n("  ", indent));
    }

    /// Description, and in words what the type does not say.
    fn comment_of(&mut self, node: &Node, indent: usize) {
        let mut words = Words::default();
        for (keyword, part) in node.parts() {
            let said = matches!(
                keyword,
                Keyword::Title
                    | Keyword::Description
                    | Keyword::Enum
                    | Keyword::Const
                    | Keyword::Properties
                    | Keyword::Required
                    | Keyword::AdditionalProperties
                    | Keyword::PrefixItems
                    | Keyword::Items
                    | Keyword::AnyOf
                    | Keyword::OneOf
                    | Keyword::AllOf
                    | Keyword::Examples
            );
            if !said && matches!(part, Part::Data(_)) {
                words.constraint(*keyword, part);
            }
        }
        if node.types.single() == Some(Type::Integer) {
            words.say("integer");
        }
        let text = words
            .behind(node.text(Keyword::Description))
            .unwrap_or_default();
        comment_lines(self.out, &text, self.comment, indent);
    }
}

/// Whether keywords tell the shape of a schema without a type.
fn says_shape(node: &Node) -> bool {
    [Keyword::Properties, Keyword::Items, Keyword::PrefixItems]
        .iter()
        .any(|k| node.has(*k))
}

/// A comment of at most `most` bytes; none where that is 0.
fn comment_lines(out: &mut String, text: &str, most: usize, indent: usize) {
    let mut text = text.trim().replace("*/", "*\u{200b}/");
    if text.len() > most {
        let end = (0..=most)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        text.truncate(end);
        if !text.is_empty() {
            text.push('…');
        }
    }
    if text.is_empty() {
        return;
    }
    let pad = "  ".repeat(indent);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if let [line] = lines[..] {
        let _ = writeln!(out, "{pad}/** {line} */");
        return;
    }
    let _ = writeln!(out, "{pad}/**");
    for line in lines {
        let _ = writeln!(
            out,
            "{pad} *{}{line}",
            if line.is_empty() { "" } else { " " }
        );
    }
    let _ = writeln!(out, "{pad} */");
}

fn is_identifier(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

#[rustfmt::skip]
/// Words that no function may be called, in strict mode or in TypeScript.
const RESERVED: &[&str] = &[
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
    "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new",
    "null", "package", "private", "protected", "public", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
];

/// A name that can be declared: `_` stands for what no identifier may have, and before what none may
/// begin with or be.
fn identifier(name: &str) -> String {
    let mut made: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let begins = made.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || RESERVED.contains(&made.as_str()) {
        made.insert(0, '_');
    }
    made
}

fn pascal(name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    let mut upper = true;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            upper = true;
        } else if upper {
            made.push(c.to_ascii_uppercase());
            upper = false;
        } else {
            made.push(c);
        }
    }
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}
