//! Regular expressions of schemas: which are taken, and what they cost.
//!
//! They come from strangers, and a few characters of them (`\pL{1000}`) are megabytes of automaton.
//! So their size is told from their text first, and only what fits the budget is ever compiled.

mod budget;
mod scan;

pub(crate) use budget::{Budget, Verdict, fit};
use jsonschema::{FancyRegex, PatternOptions};
use jsonschema_regex::{Search, search_form, split_leading_lookaheads, to_rust_regex};
use scan::{Counts, Extent, scan};

/// Longest regular expression.
const LONGEST: usize = 2_000;
/// Largest one, in states of its automaton; a state takes about 100 bytes and 0.1 µs to make.
const MAX_STATES: u64 = 20_000;
/// What every one takes beside its states, in states.
const STATES_OF_ANY: u64 = 100;
/// One whose characters are counted, as in `^.{1,5000}$`, takes no automaton.
const STATES_OF_COUNTED: u64 = 50;
/// Bytes that one compiled regular expression may take, should its size have been mistaken.
const COMPILED_BYTES: usize = 2 << 20;
/// Bytes that one may keep to be faster the next time.
const CACHED_BYTES: usize = 256 << 10;
/// Steps it may take back before the match counts as failed.
const BACKTRACK_LIMIT: usize = 10_000;
/// Visits of a state at one place of a text that take as long as one step of validation.
const VISITS_PER_STEP: u64 = 10;

/// How all regular expressions are compiled.
pub(crate) fn options() -> PatternOptions<FancyRegex> {
    PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACK_LIMIT)
        .size_limit(COMPILED_BYTES)
        .dfa_size_limit(CACHED_BYTES)
}

/// What one regular expression costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    extent: Extent,
    is_anchored: bool,
}

impl Cost {
    /// None for one that is too large to be compiled.
    pub fn of(pattern: &str) -> Option<Self> {
        if pattern.len() > LONGEST || least_states(pattern) > MAX_STATES {
            return None;
        }
        let extent = searched(pattern);
        (extent.size <= MAX_STATES).then_some(Self {
            extent,
            is_anchored: is_anchored(pattern),
        })
    }

    /// States of its automaton and what it takes beside them, as the budget of a schema counts.
    pub fn states(&self) -> u64 {
        // Tables of states by byte, which the engine gives up where they are larger than that.
        let tables = match self.extent.captures {
            true => self.extent.size.saturating_mul(16).min(8_192),
            false => 0,
        };
        self.extent.size.saturating_add(tables + STATES_OF_ANY)
    }

    /// Bytes that it takes once it was used, at most in one thread at a time.
    pub fn bytes(&self) -> u64 {
        const PER_STATE: u64 = 128;
        const CACHED_PER_STATE: u64 = 1 << 10;
        let cached = self.extent.size * CACHED_PER_STATE;
        self.states() * PER_STATE + cached.min(CACHED_BYTES as u64)
    }

    /// Whether it cannot be matched in one pass over the text.
    pub fn is_hard(&self) -> bool {
        self.extent.is_hard
    }

    /// Steps of matching a text of `length` bytes, at most.
    pub fn steps(&self, length: usize) -> u64 {
        let length = length as u64;
        let width = self.extent.width.max(1);
        if !self.extent.is_hard {
            return length.saturating_mul(width) / VISITS_PER_STEP;
        }
        let starts = u32::from(!self.is_anchored);
        let choices = self.extent.choices.saturating_add(starts);
        let tries = length.saturating_add(1).saturating_pow(choices);
        tries
            .min(BACKTRACK_LIMIT as u64)
            .saturating_mul(length.min(self.extent.reach))
            .saturating_mul(width)
            / VISITS_PER_STEP
    }

    /// Steps per byte of texts of any length, at most.
    pub fn steps_per_byte(&self) -> u64 {
        let tries = if self.extent.is_hard {
            BACKTRACK_LIMIT as u64
        } else {
            1
        };
        tries.saturating_mul(self.extent.width) / VISITS_PER_STEP + 1
    }
}

/// Whether `pattern` is asked of the start of a text alone. Alternatives count as choices.
fn is_anchored(pattern: &str) -> bool {
    pattern
        .strip_prefix('^')
        .is_some_and(|rest| !rest.starts_with(['*', '?', '{']))
}

/// States of one copy of all there is: at least so much is there to be read before it is known
/// whether the counts matter.
fn least_states(pattern: &str) -> u64 {
    scan(pattern, Counts::Ignored).size
}

/// The extent of what is really compiled of `pattern`, which the validator makes easier.
fn searched(pattern: &str) -> Extent {
    let whole = scan(pattern, Counts::Kept);
    let split = whole.is_hard.then(|| split_leading_lookaheads(pattern));
    let Some(parts) = split.flatten() else {
        return collapsed(pattern);
    };
    let parts: Vec<_> = parts.iter().map(|part| collapsed(part)).collect();
    // One part that cannot be matched in one pass leaves the whole to be backtracked.
    match parts.iter().any(|part| part.is_hard) {
        true => whole,
        false => parts.into_iter().fold(Extent::default(), Extent::then),
    }
}

/// The extent of `pattern` where repetitions at its ends need no copies.
fn collapsed(pattern: &str) -> Extent {
    let as_it_is = || scan(pattern, Counts::Kept);
    let Ok(translated) = to_rust_regex(pattern) else {
        return as_it_is();
    };
    match search_form(pattern, &translated) {
        Some(Search::RepeatedClass(_)) => Extent {
            size: STATES_OF_COUNTED,
            width: 1,
            ..Extent::default()
        },
        Some(Search::Collapsed(simpler)) => scan(&simpler, Counts::Kept),
        None => as_it_is(),
    }
}
