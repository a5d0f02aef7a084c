use serde_json::Value;
use serde_json::value::RawValue;

use crate::Limits;
use crate::provider::envelope::Envelope;
use crate::provider::{Declaration, Target, strict, tool_name};
use crate::schema::{self, Conversion, Document, Effect, Failure, Note};
use crate::tool::Annotations;

/// What a declaration is made of; need not be a tool of the registry.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredTool<'a> {
    /// The public name.
    pub name: &'a str,
    /// A title for people; only MCP has a place for it.
    pub title: Option<&'a str>,
    /// What the model reads; left out where empty.
    pub description: &'a str,
    /// JSON Schema of the arguments, any draft, its depth within `Limits::max_json_depth`.
    pub input_schema: &'a Value,
    /// JSON Schema of the structured result, its depth within `Limits::max_json_depth`; only MCP
    /// has a place for it.
    pub output_schema: Option<&'a Value>,
    /// Behaviour hints; only MCP has a place for them.
    pub annotations: Option<&'a Annotations>,
}

/// How a tool is declared, beside what the target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeclareOptions {
    /// Strict where the target has that and the schema allows it; otherwise plain, with a note.
    pub strict: bool,
    /// Known to the provider, but not shown to the model until the history refers to it. Only
    /// Anthropic Messages and OpenAI Responses have that; elsewhere it changes nothing.
    pub deferred: bool,
}

impl DeclareOptions {
    /// What is left of them for `target`.
    #[must_use]
    pub(crate) fn of(self, target: Target) -> Self {
        let knows_deferred = matches!(target, Target::AnthropicMessages | Target::OpenAiResponses);
        Self {
            strict: self.strict && target.has_strict(),
            deferred: self.deferred && knows_deferred,
        }
    }
}

/// Why a tool has no declaration for one target. It keeps its declarations for the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// Even the shortest form of the declaration is over the limit.
    #[error(
        "the declaration takes {bytes} bytes with everything below the parameters cut, the limit \
         is {limit} (max_declaration_bytes)"
    )]
    TooLarge {
        /// Bytes of the shortest form.
        bytes: usize,
        /// `max_declaration_bytes`.
        limit: usize,
    },
    /// The schema is neither an object nor a boolean.
    #[error("the input schema is {found}, not a JSON Schema")]
    NotASchema {
        /// The JSON type that stands where a schema should.
        found: &'static str,
    },
    /// The endpoint has a tool of its own under this name.
    #[error("the endpoint keeps the name {name} for a tool of its own")]
    NameKept {
        /// The name.
        name: &'static str,
    },
}

impl Rejection {
    /// The stable code of the reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::NotASchema { .. } => "not_a_schema",
            Self::NameKept { .. } => "name_kept",
        }
    }
}

/// Declares `tool` for `target`, plain and shown to the model from the start. Pure: equal tools
/// give equal bytes, whoever asks and whatever other tools exist.
///
/// # Errors
///
/// A [`Rejection`] keeps the tool away from this target only.
pub fn declare(
    tool: &DeclaredTool<'_>,
    target: Target,
    limits: &Limits,
) -> Result<Declaration, Rejection> {
    declare_with(tool, target, DeclareOptions::default(), limits)
}

/// As [`declare`], with options.
///
/// # Errors
///
/// A [`Rejection`] keeps the tool away from this target only.
pub fn declare_with(
    tool: &DeclaredTool<'_>,
    target: Target,
    options: DeclareOptions,
    limits: &Limits,
) -> Result<Declaration, Rejection> {
    let document = read(tool.input_schema)?;
    let writer = Writer {
        tool,
        target,
        options,
        limits,
    };
    let mut plain = writer.plain(&document)?;
    if !options.strict {
        return Ok(plain);
    }
    match writer.strict(&document) {
        Ok(mut strict) => {
            strict.plain = Some(Box::new(plain));
            Ok(strict)
        }
        Err(why) => {
            let mut notes = vec![why];
            notes.extend(plain.notes.into_vec());
            plain.notes = notes.into();
            Ok(plain)
        }
    }
}

fn read(schema: &Value) -> Result<Document, Rejection> {
    let found = match schema {
        Value::Object(_) | Value::Bool(_) => return Ok(Document::read(schema)),
        // "No parameters", as several frameworks say it.
        Value::Null => return Ok(Document::read(&Value::Bool(true))),
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
    };
    Err(Rejection::NotASchema { found })
}

struct Writer<'a> {
    tool: &'a DeclaredTool<'a>,
    target: Target,
    options: DeclareOptions,
    limits: &'a Limits,
}

impl Writer<'_> {
    /// Bytes left for the schema beside name and description.
    fn schema_budget(&self) -> usize {
        const REST_OF_ENVELOPE: usize = 512;
        let taken = self.tool.description.len() + self.tool.title.map_or(0, str::len);
        self.limits
            .max_declaration_bytes
            .saturating_sub(taken + REST_OF_ENVELOPE)
    }

    fn plain(&self, document: &Document) -> Result<Declaration, Rejection> {
        let made = schema::convert(document, self.target.profile(), self.schema_budget());
        match made {
            Ok(made) => self.declaration(made, false),
            Err(Failure::TooLarge { bytes }) => Err(self.too_large(bytes)),
            // A plain profile never ends that way.
            Err(Failure::NotStrict(_)) => Err(self.too_large(0)),
        }
    }

    fn strict(&self, document: &Document) -> Result<Declaration, Note> {
        let not = |what, why| Note {
            pointer: String::new(),
            what,
            why,
            effect: Effect::Rewritten,
        };
        let profile = self
            .target
            .strict_profile()
            .ok_or_else(|| not("strict", "the target has no strict declarations"))?;
        let made = match schema::convert(document, profile, self.schema_budget()) {
            Ok(made) => made,
            Err(Failure::NotStrict(note)) => return Err(note),
            Err(Failure::TooLarge { .. }) => return Err(not("size", "too large")),
        };
        if let Some(why) = strict::over_limits(self.target, made.json.get()) {
            return Err(not("strict", why));
        }
        self.declaration(made, true)
            .map_err(|_| not("size", "too large"))
    }

    fn declaration(&self, made: Conversion, strict: bool) -> Result<Declaration, Rejection> {
        let name = tool_name::legal(self.tool.name);
        let mut notes = made.notes;
        if name != self.tool.name {
            notes.push(Note {
                pointer: String::new(),
                what: "name",
                why: "not legal everywhere, replaced",
                effect: Effect::Rewritten,
            });
        }
        let description = match self.tool.description.trim() {
            "" => made.words.behind(None),
            _ => made.words.behind(Some(self.tool.description)),
        };
        let output = (self.target == Target::Mcp)
            .then(|| self.output_schema())
            .flatten();
        let bare = made.is_empty && self.target == Target::GeminiParameters;
        let schema = self.with_dialect(made.json);
        let envelope = Envelope {
            name: &name,
            title: self.tool.title,
            description: description.as_deref(),
            schema: (!bare).then_some(&*schema),
            output_schema: output.as_deref(),
            annotations: self.tool.annotations,
            strict,
            deferred: self.options.deferred,
        };
        let json = envelope
            .json(self.target)
            .map_err(|_| self.too_large(usize::MAX))?;
        if json.len() > self.limits.max_declaration_bytes {
            return Err(self.too_large(json.len()));
        }
        Ok(Declaration {
            name: name.into(),
            tool: self.tool.name.into(),
            json: json.into(),
            notes: notes.into(),
            way_back: made.way_back,
            deferred: self.options.deferred,
            weight: made.weight,
            plain: None,
        })
    }

    /// MCP hands schemas on, and a server's `$schema` stays what it was (SEP-1613) where it is that
    /// of what is written. Elsewhere it says nothing that is not so without it.
    fn with_dialect(&self, json: Box<RawValue>) -> Box<RawValue> {
        const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
        let named = self.tool.input_schema.get("$schema");
        let kept = self.target == Target::Mcp
            && named
                .and_then(Value::as_str)
                .map(|it| it.trim_end_matches('#'))
                == Some(DIALECT);
        match json.get().strip_prefix('{') {
            Some(rest) if kept && rest.starts_with('"') => {
                let named = format!("{{\"$schema\":\"{DIALECT}\",{rest}");
                RawValue::from_string(named).unwrap_or(json)
            }
            _ => json,
        }
    }

    /// The schema of the result in normal form; left out where it is no object, which MCP demands
    /// before 2026-07-28, or takes more than the arguments may.
    fn output_schema(&self) -> Option<Box<RawValue>> {
        let (canonical, _) = schema::canonical(self.tool.output_schema?);
        if canonical.get("type") != Some(&Value::from("object")) {
            return None;
        }
        let json = serde_json::value::to_raw_value(&canonical).ok()?;
        (json.get().len() <= self.schema_budget() / 2).then_some(json)
    }

    fn too_large(&self, bytes: usize) -> Rejection {
        Rejection::TooLarge {
            bytes,
            limit: self.limits.max_declaration_bytes,
        }
    }
}
