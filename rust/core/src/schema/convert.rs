use serde_json::value::RawValue;

use crate::schema::bare::bare;
use crate::schema::node::{Node, Written};
use crate::schema::note::{Effect, Note};
use crate::schema::profile::Profile;
use crate::schema::read::Document;
use crate::schema::rewrite::{Rewritten, Stop, rewrite};
use crate::schema::way_back::WayBack;
use crate::schema::words::Words;
use crate::schema::work::{MAX_WORK, SHORT_FORM_WORK, Work};
use crate::schema::{keyword::Keyword, node::Part};

/// A schema as one target accepts it.
#[derive(Debug)]
pub(crate) struct Conversion {
    /// Compact JSON.
    pub(crate) json: Box<RawValue>,
    /// The object has no property: some targets want no schema at all then.
    pub(crate) is_empty: bool,
    pub(crate) notes: Vec<Note>,
    pub(crate) way_back: WayBack,
    pub(crate) weight: Weight,
    /// What the root lost; belongs behind the tool's description.
    pub(crate) words: Words,
}

/// What a schema counts against a provider's per-request budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// Properties that may be absent, at any depth.
    pub optional: usize,
    /// Schemas with `anyOf` or a type list, at any depth.
    pub unions: usize,
}

#[derive(Debug)]
pub(crate) enum Failure {
    NotStrict(Note),
    TooLarge { bytes: usize },
}

/// Depths that are tried one after the other until the schema fits.
const DEPTHS: [usize; 7] = [usize::MAX, 8, 5, 4, 3, 2, 1];
/// Fewest bytes of a schema with something before it in a list: `{},`.
const BYTES_PER_SCHEMA: usize = 3;

/// Rewrites `document` for `profile` in at most `max_bytes`.
pub(crate) fn convert(
    document: &Document,
    profile: &Profile,
    max_bytes: usize,
) -> Result<Conversion, Failure> {
    let max_nodes = max_bytes / BYTES_PER_SCHEMA;
    let mut work = Work::new(MAX_WORK);
    let mut cut = cut_note(TOO_LARGE);
    let mut rung = 0;
    while let Some(depth) = DEPTHS.get(rung) {
        let first = rung == 0;
        rung += 1;
        let mut made = match rewrite(document, profile, *depth, max_nodes, &work) {
            Ok(made) => made,
            Err(Stop::NotStrict(note)) => return Err(Failure::NotStrict(note)),
            Err(_) if profile.is_strict() => return Err(too_large_for_strict()),
            Err(Stop::TooLarge) => continue,
            Err(Stop::TooMuchWork) => {
                // The depths between would take as much once more.
                work = Work::new(SHORT_FORM_WORK);
                cut = cut_note(TOO_MUCH_WORK);
                rung = rung.max(DEPTHS.len() - 1);
                continue;
            }
        };
        if !first {
            made.notes.insert(0, cut.clone());
        }
        let finished = finish(made)?;
        if finished.json.get().len() <= max_bytes {
            return Ok(finished);
        }
        if profile.is_strict() {
            return Err(too_large_for_strict());
        }
    }
    shortest(document, profile, max_bytes, &cut)
}

/// The last forms that are tried: nothing below the parameters and no description of them.
fn shortest(
    document: &Document,
    profile: &Profile,
    max_bytes: usize,
    cut: &Note,
) -> Result<Conversion, Failure> {
    let work = Work::new(SHORT_FORM_WORK);
    if let Ok(mut made) = rewrite(document, profile, 1, usize::MAX, &work) {
        made.notes.insert(0, cut.clone());
        without_descriptions(&mut made.root);
        let finished = finish(made)?;
        let bytes = finished.json.get().len();
        if bytes <= max_bytes {
            return Ok(finished);
        }
        return Err(Failure::TooLarge { bytes });
    }
    // No merging and no definitions: its work is that of reading the document.
    let document = bare(document);
    let unbounded = Work::new(usize::MAX);
    let mut made = rewrite(&document, profile, 1, usize::MAX, &unbounded)
        .map_err(|_| Failure::TooLarge { bytes: usize::MAX })?;
    without_descriptions(&mut made.root);
    let finished = finish(made)?;
    let bytes = finished.json.get().len();
    if bytes <= max_bytes {
        return Ok(finished);
    }
    Err(Failure::TooLarge { bytes })
}

fn finish(made: Rewritten) -> Result<Conversion, Failure> {
    let written = Written {
        node: &made.root,
        definitions: &made.definitions,
    };
    let json = serde_json::value::to_raw_value(&written)
        .map_err(|_| Failure::TooLarge { bytes: usize::MAX })?;
    let mut weight = Weight::default();
    weigh(&made.root, &mut weight);
    for (_, definition) in &made.definitions {
        weigh(definition, &mut weight);
    }
    Ok(Conversion {
        json,
        is_empty: made.root.map(Keyword::Properties).is_empty(),
        way_back: WayBack::collect(&made.root, &made.definitions, made.wrapped),
        notes: made.notes,
        weight,
        words: made.words,
    })
}

fn weigh(node: &Node, weight: &mut Weight) {
    let properties = node.map(Keyword::Properties);
    if !properties.is_empty() {
        let required = node.required();
        let optional = properties
            .iter()
            .filter(|(key, _)| !required.contains(key.as_str()));
        weight.optional += optional.count();
    }
    weight.unions += usize::from(node.has(Keyword::AnyOf) || node.types.len() > 1);
    for (_, child) in node.children() {
        weigh(child, weight);
    }
}

fn without_descriptions(node: &mut Node) {
    for (_, part) in node.parts_mut() {
        if let Part::Map(map) = part {
            for (_, child) in map {
                child.retain(|k| !k.is_annotation());
            }
        }
    }
}

const TOO_LARGE: &str = "larger than a declaration may be, cut where it is deep";
const TOO_MUCH_WORK: &str = "more work than a conversion may take, cut where it is deep";

fn cut_note(why: &'static str) -> Note {
    Note {
        pointer: String::new(),
        what: "size",
        why,
        effect: Effect::Loosened,
    }
}

fn too_large_for_strict() -> Failure {
    Failure::NotStrict(Note {
        pointer: String::new(),
        what: "size",
        why: "too large for a strict schema",
        effect: Effect::Rewritten,
    })
}
