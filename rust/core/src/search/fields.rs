//! What of a tool is searched, and every number of the ranking function. Tune here and nowhere else.

/// A searched part of a tool.
///
/// Within one field a word counts by how often it occurs against the length of the field; over
/// fields the weighted counts add up before they saturate (BM25F), so that a word that occurs in
/// the name and in the description is not scored as if it were two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// The tool's own name, split into words.
    Name,
    /// The title for people.
    Title,
    /// What the tool says it does.
    Description,
    /// Names of parameters, at any depth.
    ParameterName,
    /// Descriptions of parameters and the values they may take.
    ParameterText,
    /// Other words for the tool.
    Keyword,
    /// The business domain.
    Domain,
    /// Tags.
    Tag,
    /// The name of the source.
    Source,
    /// The description of the source, the same for all its tools.
    SourceDescription,
    /// The whole name as one word, for a query that holds it as such.
    Identifier,
}

/// Number of fields.
pub(super) const FIELDS: usize = 11;

/// Each field with its weight, in the order of [`Field`].
const WEIGHTS: [(Field, f32); FIELDS] = [
    (Field::Name, 3.0),
    (Field::Title, 1.0),
    (Field::Description, 1.0),
    (Field::ParameterName, 0.75),
    (Field::ParameterText, 0.5),
    (Field::Keyword, 3.0),
    (Field::Domain, 1.0),
    (Field::Tag, 1.0),
    (Field::Source, 1.0),
    (Field::SourceDescription, 0.25),
    (Field::Identifier, 3.0),
];

/// How fast repetition of a word stops to count.
pub(super) const K1: f32 = 1.2;

/// How much a long field weakens its words, 0 to 1.
pub(super) const B: f32 = 0.75;

/// A hit that scores below this part of the best hit is not a hit: weak guesses after a clear
/// answer cost the model tokens and mislead it.
pub const RELATIVE_FLOOR: f32 = 0.2;

/// Most terms of one field of one tool that are indexed; what follows is ignored.
pub(super) const MAX_FIELD_TERMS: u16 = 8_192;

impl Field {
    /// Every field, in order.
    pub const ALL: [Self; FIELDS] = {
        let mut all = [Self::Name; FIELDS];
        let mut i = 0;
        while i < FIELDS {
            all[i] = WEIGHTS[i].0;
            assert!(all[i] as usize == i, "WEIGHTS is not in the order of Field");
            i += 1;
        }
        all
    };

    /// The weight of a word in this field.
    #[must_use]
    pub const fn weight(self) -> f32 {
        WEIGHTS[self as usize].1
    }
}
