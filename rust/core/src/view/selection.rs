use std::hash::{Hash, Hasher};

use roaring::RoaringBitmap;
use rustc_hash::FxHasher;

use crate::{Error, Limits, Result, registry::Snapshot, source::ExpectedSource, tool::Exposure};

/// Which tools a caller may discover: an expression over names, sources, domains, tags and
/// exposures. Says nothing about one registry version, so it survives every change.
///
/// The order of names does not matter for equality; the order of the parts of `and` and `or` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    // The hash is compared first and looked up often; 100,000 names are hashed once.
    hash: u64,
    term: Term,
}

/// A node of a [`Selection`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// No tool.
    None,
    /// Every tool that is not hidden.
    All,
    /// Tools of these public names. Names that are not registered are no error: they count as soon
    /// as they are.
    Names(Vec<Box<str>>),
    /// Tools of this source.
    Source(Box<str>),
    /// Tools of this domain.
    Domain(Box<str>),
    /// Tools with this tag.
    Tag(Box<str>),
    /// Tools of this exposure.
    Exposure(Exposure),
    /// Tools that every part selects; all for no part.
    And(Vec<Term>),
    /// Tools that any part selects; none for no part.
    Or(Vec<Term>),
    /// Tools that the part does not select.
    Not(Box<Term>),
}

impl Hash for Selection {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Selection {
    /// Checks an expression and makes it ready.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`] for an expression that is too deep or too large.
    pub fn new(mut term: Term, limits: &Limits) -> Result<Self> {
        let mut terms = 0;
        normalize(&mut term, 1, &mut terms, limits)?;
        Ok(Self::of(term))
    }

    /// Selects nothing.
    #[must_use]
    pub fn none() -> Self {
        Self::of(Term::None)
    }

    /// Selects everything that is not hidden.
    #[must_use]
    pub fn all() -> Self {
        Self::of(Term::All)
    }

    /// Selects the tools at the set positions of [`Snapshot::tools`], by their names.
    ///
    /// `bits` has position 0 in the lowest bit of its first byte.
    ///
    /// # Errors
    ///
    /// [`Error::StaleVersion`] if the positions were counted in another version,
    /// [`Error::InvalidArgument`] if a bit is set behind the last tool.
    pub fn from_positions(snapshot: &Snapshot, version: u64, bits: &[u8]) -> Result<Self> {
        if version != snapshot.version() {
            return Err(Error::StaleVersion {
                made_for: version,
                current: snapshot.version(),
            });
        }
        let is_set = |position: usize| {
            bits.get(position / 8)
                .is_some_and(|byte| byte >> (position % 8) & 1 == 1)
        };
        let beyond = (snapshot.len()..bits.len() * 8).find(|position| is_set(*position));
        if let Some(position) = beyond {
            return Err(Error::InvalidArgument(format!(
                "bit {position} is set, but version {version} has {} tools",
                snapshot.len()
            )));
        }
        let chosen = snapshot
            .tools()
            .enumerate()
            .filter(|(position, _)| is_set(*position));
        let mut names: Vec<Box<str>> = chosen
            .map(|(_, tool)| tool.name().as_ref().into())
            .collect();
        names.sort_unstable();
        Ok(Self::of(Term::Names(names)))
    }

    pub(crate) fn of(term: Term) -> Self {
        let mut hasher = FxHasher::default();
        term.hash(&mut hasher);
        Self {
            hash: hasher.finish(),
            term,
        }
    }

    /// Whether this selects every tool that a source could have.
    pub(crate) fn covers(&self, source: &ExpectedSource) -> bool {
        covers(&self.term, source)
    }

    /// The slots of the reachable tools that this selects.
    pub(crate) fn select(&self, snapshot: &Snapshot) -> RoaringBitmap {
        evaluate(&self.term, snapshot, &snapshot.reachable())
    }
}

/// Whether a term selects every tool that a source could have. What names it will have, nobody
/// knows.
fn covers(term: &Term, source: &ExpectedSource) -> bool {
    match term {
        Term::None | Term::Names(_) => false,
        Term::All => true,
        Term::Source(name) => **name == *source.name,
        Term::Domain(domain) => source.domain.as_deref() == Some(&**domain),
        Term::Tag(tag) => source.tags.iter().any(|own| **own == **tag),
        Term::Exposure(exposure) => source
            .exposures
            .iter()
            .all(|own| own == exposure || *own == Exposure::Hidden),
        Term::And(parts) => parts.iter().all(|part| covers(part, source)),
        Term::Or(parts) => parts.iter().any(|part| covers(part, source)),
        Term::Not(part) => excludes(part, source),
    }
}

/// Whether a term selects no tool that a source could have.
fn excludes(term: &Term, source: &ExpectedSource) -> bool {
    match term {
        Term::None => true,
        // A tool may have more tags than its source says.
        Term::All | Term::Names(_) | Term::Tag(_) => false,
        Term::Source(name) => **name != *source.name,
        Term::Domain(domain) => source.domain.as_deref().is_some_and(|own| *own != **domain),
        Term::Exposure(exposure) => !source.may_have(*exposure),
        Term::And(parts) => parts.iter().any(|part| excludes(part, source)),
        Term::Or(parts) => parts.iter().all(|part| excludes(part, source)),
        Term::Not(part) => covers(part, source),
    }
}

/// Bounds the expression and brings names into one order. Recursion ends at the depth limit.
fn normalize(term: &mut Term, depth: usize, terms: &mut usize, limits: &Limits) -> Result<()> {
    Error::check_limit(
        "nesting depth of the selection",
        "max_selection_depth",
        depth,
        limits.max_selection_depth,
    )?;
    *terms += match term {
        Term::Names(names) => {
            names.sort_unstable();
            names.dedup();
            names.len()
        }
        _ => 1,
    };
    Error::check_limit(
        "terms in the selection",
        "max_selection_terms",
        *terms,
        limits.max_selection_terms,
    )?;
    match term {
        Term::And(parts) | Term::Or(parts) => parts
            .iter_mut()
            .try_for_each(|part| normalize(part, depth + 1, terms, limits)),
        Term::Not(part) => normalize(part, depth + 1, terms, limits),
        _ => Ok(()),
    }
}

fn evaluate(term: &Term, snapshot: &Snapshot, reachable: &RoaringBitmap) -> RoaringBitmap {
    let facets = &snapshot.facets;
    let within = |tools: Option<&RoaringBitmap>| {
        tools.map_or_else(RoaringBitmap::new, |tools| tools & reachable)
    };
    match term {
        Term::None => RoaringBitmap::new(),
        Term::All => reachable.clone(),
        Term::Names(names) => {
            let mut slots: Vec<u32> = names
                .iter()
                .filter_map(|name| snapshot.slot(name))
                .collect();
            slots.sort_unstable();
            within(RoaringBitmap::from_sorted_iter(slots).ok().as_ref())
        }
        Term::Source(name) => within(facets.source(name)),
        Term::Domain(domain) => within(facets.domain(domain)),
        Term::Tag(tag) => within(facets.tag(tag)),
        Term::Exposure(exposure) => within(Some(facets.exposure(*exposure))),
        Term::And(parts) => {
            let mut all = reachable.clone();
            for part in parts {
                if all.is_empty() {
                    break;
                }
                all &= evaluate(part, snapshot, reachable);
            }
            all
        }
        Term::Or(parts) => {
            let mut any = RoaringBitmap::new();
            for part in parts {
                any |= evaluate(part, snapshot, reachable);
            }
            any
        }
        Term::Not(part) => reachable - evaluate(part, snapshot, reachable),
    }
}
