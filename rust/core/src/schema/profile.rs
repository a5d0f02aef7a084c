//! What each family of providers accepts, as data. The rewrite reads these tables and knows no
//! provider by name.

use crate::schema::keyword::Keyword;

/// What becomes of a keyword that needs no rewriting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Pass.
    P,
    /// Leave out, note it, and say it in the description.
    N,
    /// Leave out; noted where it restricted something.
    D,
    /// An exclusive bound: of integers the next inclusive bound, otherwise as [`Rule::N`].
    I,
    /// A length of at most 1 passes, otherwise as [`Rule::N`].
    O,
    /// Cannot be strict.
    S,
}

use Rule::{D, I, N, O, P, S};

/// A column of the table below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Column {
    Anthropic,
    AnthropicStrict,
    OpenAi,
    OpenAiStrict,
    GeminiParameters,
    GeminiJsonSchema,
    Bedrock,
    Mistral,
    Ollama,
    Compatible,
    Mcp,
}

const COLUMNS: usize = 11;

/// Keywords that pass or do not. The others are matters of [`Profile`].
#[rustfmt::skip]
const RULES: &[(Keyword, [Rule; COLUMNS])] = &[
    //                               A  AS O  OS GP GJ B  M  L  C  MCP
    (Keyword::Title,                [P, P, P, D, P, P, P, P, D, D, P]),
    (Keyword::MinLength,            [P, N, P, N, P, N, P, P, N, N, P]),
    (Keyword::MaxLength,            [P, N, P, N, P, N, P, P, N, N, P]),
    (Keyword::ContentEncoding,      [P, D, D, D, D, D, D, D, D, D, P]),
    (Keyword::ContentMediaType,     [P, D, D, D, D, D, D, D, D, D, P]),
    (Keyword::Minimum,              [P, N, P, P, P, P, P, P, N, P, P]),
    (Keyword::Maximum,              [P, N, P, P, P, P, P, P, N, P, P]),
    (Keyword::ExclusiveMinimum,     [P, N, P, P, I, I, P, P, N, P, P]),
    (Keyword::ExclusiveMaximum,     [P, N, P, P, I, I, P, P, N, P, P]),
    (Keyword::MultipleOf,           [P, N, P, P, N, N, P, P, N, P, P]),
    (Keyword::Default,              [P, P, P, N, P, N, P, P, N, N, P]),
    (Keyword::Examples,             [P, D, D, D, D, D, D, D, D, D, P]),
    (Keyword::PatternProperties,    [P, S, P, S, N, N, P, P, N, N, P]),
    (Keyword::PropertyNames,        [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::UnevaluatedProperties,[P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::MinProperties,        [P, N, P, N, P, N, P, P, N, N, P]),
    (Keyword::MaxProperties,        [P, N, P, N, P, N, P, P, N, N, P]),
    (Keyword::DependentRequired,    [P, N, P, N, N, N, N, N, N, N, P]),
    (Keyword::DependentSchemas,     [P, N, P, N, N, N, N, N, N, N, P]),
    (Keyword::UnevaluatedItems,     [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::Contains,             [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::MinContains,          [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::MaxContains,          [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::MinItems,             [P, O, P, P, P, P, P, P, N, N, P]),
    (Keyword::MaxItems,             [P, N, P, P, P, P, P, P, N, N, P]),
    (Keyword::UniqueItems,          [P, N, P, N, N, N, P, P, N, N, P]),
    (Keyword::Not,                  [P, N, P, N, N, N, N, N, N, N, P]),
    (Keyword::If,                   [P, N, P, N, N, N, N, N, N, N, P]),
    (Keyword::Then,                 [P, N, P, N, N, N, N, N, N, N, P]),
    (Keyword::Else,                 [P, N, P, N, N, N, N, N, N, N, P]),
];

/// The rule of every keyword, by column; made once, at compile time.
static BY_COLUMN: [[Rule; Keyword::ALL.len()]; COLUMNS] = {
    let mut table = [[P; Keyword::ALL.len()]; COLUMNS];
    let mut row = 0;
    while row < RULES.len() {
        let mut column = 0;
        while column < COLUMNS {
            table[column][RULES[row].0 as usize] = RULES[row].1[column];
            column += 1;
        }
        row += 1;
    }
    table
};

/// What stands for a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    /// `$ref`, whatever stands beside it.
    Keep,
    /// `$ref`; with keywords beside it, it becomes the only member of `anyOf`.
    KeepAlone,
    /// `$ref`; beside it only description and default.
    KeepAnnotated,
    /// `$ref` and annotations; recursion cannot be expressed.
    KeepAcyclic,
    /// The definition itself, cut where it repeats.
    Inline,
}

/// What may stand beside `anyOf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnyOf {
    /// Everything.
    Mixed,
    /// Annotations; everything else moves into the alternatives, each of which has a type.
    Typed,
    /// As `Typed`, and only the description; null becomes `nullable`.
    Alone,
}

/// More than one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeLists {
    Keep,
    /// Null beside one type passes, anything else becomes `anyOf`.
    NullOnly,
    /// Always `anyOf`.
    AnyOf,
    /// `nullable`, and `anyOf` of what remains.
    Nullable,
}

/// Something that can only be kept, written as JSON text in a string, or not be strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    Keep,
    /// The keyword goes, in silence where it restricts nothing.
    Strip,
    Text,
    NotStrict,
}

/// `additionalProperties: false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    Keep,
    Strip,
    /// Every object that is not open must be closed.
    Everywhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enums {
    All,
    Primitive,
    StringsAndNumbers,
    Strings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patterns {
    All,
    /// No look-around, back-reference, word boundary, inline flag or large repetition.
    Simple,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formats {
    All,
    Only(&'static [&'static str]),
    None,
}

/// Which property keys are legal; the others are renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    All,
    /// `[A-Za-z0-9_.-]{1,64}`
    Plain,
    /// `[A-Za-z_][A-Za-z0-9_]{0,63}`
    Identifier,
}

/// One column of the conversion matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profile {
    pub(crate) column: Column,
    pub(crate) references: References,
    pub(crate) merge_all_of: bool,
    pub(crate) one_of_as_any_of: bool,
    pub(crate) any_of: AnyOf,
    pub(crate) type_lists: TypeLists,
    /// Every schema needs a type; one is inferred where that can be done.
    pub(crate) typed: bool,
    /// A schema that accepts every value.
    pub(crate) untyped: Open,
    /// An object whose properties are not listed.
    pub(crate) free_object: Open,
    /// An array needs `items`.
    pub(crate) items_required: bool,
    /// `additionalProperties: true`.
    pub(crate) open_object: Open,
    /// `additionalProperties` with a schema.
    pub(crate) map: Open,
    pub(crate) closed: Closed,
    pub(crate) tuples: bool,
    pub(crate) constants: bool,
    pub(crate) enums: Enums,
    pub(crate) formats: Formats,
    pub(crate) patterns: Patterns,
    pub(crate) keys: Keys,
    /// A required property must be listed.
    pub(crate) required_listed: bool,
    /// Every property is required; those that were not admit null.
    pub(crate) all_required: bool,
    /// Deepest nesting of objects and arrays.
    pub(crate) max_depth: usize,
    /// The root may hold other keywords than type, properties and required.
    pub(crate) rich_root: bool,
}

impl Profile {
    pub(crate) fn rule(&self, keyword: Keyword) -> Rule {
        BY_COLUMN[self.column as usize][keyword as usize]
    }

    pub(crate) fn is_strict(&self) -> bool {
        matches!(self.column, Column::AnthropicStrict | Column::OpenAiStrict)
    }
}

const COMMON_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];
const ANTHROPIC_STRICT_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
];
const COMPATIBLE_FORMATS: &[&str] = &["email", "hostname", "ipv4", "ipv6", "uuid"];
const GEMINI_FORMATS: &[&str] = &["enum", "date-time", "float", "double", "int32", "int64"];

/// Nothing restricts the depth but the input limit.
const ANY_DEPTH: usize = 64;

pub(crate) const ANTHROPIC: Profile = Profile {
    column: Column::Anthropic,
    references: References::Keep,
    merge_all_of: false,
    one_of_as_any_of: false,
    any_of: AnyOf::Mixed,
    type_lists: TypeLists::Keep,
    typed: false,
    untyped: Open::Keep,
    free_object: Open::Keep,
    items_required: false,
    open_object: Open::Keep,
    map: Open::Keep,
    closed: Closed::Keep,
    tuples: true,
    constants: true,
    enums: Enums::All,
    formats: Formats::All,
    patterns: Patterns::All,
    keys: Keys::Plain,
    required_listed: false,
    all_required: false,
    max_depth: ANY_DEPTH,
    rich_root: true,
};

pub(crate) const MCP: Profile = Profile {
    column: Column::Mcp,
    keys: Keys::All,
    ..ANTHROPIC
};

pub(crate) const ANTHROPIC_STRICT: Profile = Profile {
    column: Column::AnthropicStrict,
    references: References::KeepAcyclic,
    any_of: AnyOf::Typed,
    merge_all_of: true,
    one_of_as_any_of: true,
    untyped: Open::NotStrict,
    free_object: Open::NotStrict,
    items_required: true,
    open_object: Open::NotStrict,
    map: Open::NotStrict,
    closed: Closed::Everywhere,
    tuples: false,
    enums: Enums::Primitive,
    formats: Formats::Only(ANTHROPIC_STRICT_FORMATS),
    patterns: Patterns::Simple,
    typed: true,
    required_listed: true,
    ..ANTHROPIC
};

pub(crate) const OPENAI: Profile = Profile {
    column: Column::OpenAi,
    items_required: true,
    tuples: false,
    ..ANTHROPIC
};

pub(crate) const OPENAI_STRICT: Profile = Profile {
    column: Column::OpenAiStrict,
    references: References::KeepAlone,
    all_required: true,
    max_depth: 10,
    formats: Formats::Only(COMMON_FORMATS),
    ..ANTHROPIC_STRICT
};

pub(crate) const GEMINI_PARAMETERS: Profile = Profile {
    column: Column::GeminiParameters,
    references: References::Inline,
    merge_all_of: true,
    one_of_as_any_of: true,
    any_of: AnyOf::Alone,
    type_lists: TypeLists::Nullable,
    typed: true,
    untyped: Open::Text,
    free_object: Open::Text,
    items_required: true,
    open_object: Open::Strip,
    map: Open::Text,
    closed: Closed::Strip,
    tuples: false,
    constants: false,
    enums: Enums::Strings,
    formats: Formats::Only(GEMINI_FORMATS),
    patterns: Patterns::Simple,
    keys: Keys::Identifier,
    required_listed: true,
    all_required: false,
    max_depth: 10,
    rich_root: true,
};

pub(crate) const GEMINI_JSON_SCHEMA: Profile = Profile {
    column: Column::GeminiJsonSchema,
    references: References::KeepAnnotated,
    any_of: AnyOf::Typed,
    type_lists: TypeLists::Keep,
    free_object: Open::Keep,
    open_object: Open::Keep,
    map: Open::Keep,
    closed: Closed::Keep,
    tuples: true,
    enums: Enums::StringsAndNumbers,
    formats: Formats::Only(COMMON_FORMATS),
    patterns: Patterns::None,
    keys: Keys::Plain,
    ..GEMINI_PARAMETERS
};

pub(crate) const BEDROCK: Profile = Profile {
    column: Column::Bedrock,
    references: References::Inline,
    merge_all_of: true,
    one_of_as_any_of: true,
    type_lists: TypeLists::NullOnly,
    items_required: true,
    tuples: false,
    enums: Enums::Primitive,
    // The guide of one of its families allows nothing else there.
    rich_root: false,
    ..ANTHROPIC
};

pub(crate) const MISTRAL: Profile = Profile {
    column: Column::Mistral,
    merge_all_of: false,
    one_of_as_any_of: false,
    type_lists: TypeLists::Keep,
    rich_root: true,
    ..BEDROCK
};

pub(crate) const OLLAMA: Profile = Profile {
    column: Column::Ollama,
    typed: true,
    untyped: Open::Text,
    type_lists: TypeLists::Keep,
    open_object: Open::Strip,
    map: Open::Strip,
    closed: Closed::Strip,
    constants: false,
    formats: Formats::None,
    patterns: Patterns::None,
    ..BEDROCK
};

pub(crate) const COMPATIBLE: Profile = Profile {
    column: Column::Compatible,
    any_of: AnyOf::Typed,
    typed: true,
    untyped: Open::Text,
    type_lists: TypeLists::AnyOf,
    open_object: Open::Strip,
    constants: false,
    formats: Formats::Only(COMPATIBLE_FORMATS),
    patterns: Patterns::Simple,
    required_listed: true,
    rich_root: true,
    ..BEDROCK
};
