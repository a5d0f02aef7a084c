//! What a query asks for.

use rustc_hash::FxHashMap;

use super::super::expand;
use super::{Analyzer, fold, scan::is_cjk};

/// Longest query in bytes; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 2 << 10;

/// Most groups of one query; later terms are ignored.
pub const MAX_GROUPS: usize = 512;

/// Most groups that get alternatives. A longer text says what it wants by itself, and every
/// alternative costs time.
const MAX_EXPANDED: usize = 128;

/// What a bare number counts beside a word.
const NUMBER: f32 = 0.5;

/// What a single character of a Chinese, Japanese or Korean word counts beside a pair of them. In a
/// list that is mostly English the characters of a word are rarer than the word that translates it,
/// and would outweigh it.
const SINGLE_CHARACTER: f32 = 0.5;

/// A query, ready to be scored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnalyzedQuery {
    /// One group per distinct term, in the order of first occurrence.
    pub groups: Vec<TermGroup>,
    /// Identifiers typed as such, in the form of [`Analyzer::identifier`], each once.
    pub identifiers: Vec<String>,
}

/// A word of the query and the words that may stand for it.
#[derive(Debug, Clone, PartialEq)]
pub struct TermGroup {
    /// What the word counts: the square root of how often it occurs in the query, since a word
    /// said twice is not twice as important; half of that for a bare number, which is more often
    /// a value to pass on than part of a tool, and for a single character of a Chinese word.
    pub count: f32,
    /// Terms with their weight: the word itself at 1, then others below 1. The alternative that
    /// scores best in a document counts, not the sum.
    pub alternatives: Vec<(String, f32)>,
}

pub(super) fn analyze(analyzer: &Analyzer, text: &str) -> AnalyzedQuery {
    let text = &text[..text.floor_char_boundary(MAX_QUERY_BYTES)];
    let mut groups: Vec<TermGroup> = Vec::new();
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    analyzer.terms(text, &mut |term| {
        if let Some(&at) = seen.get(term) {
            groups[at].count += 1.0;
        } else if groups.len() < MAX_GROUPS {
            seen.insert(term.to_owned(), groups.len());
            groups.push(TermGroup {
                count: 1.0,
                alternatives: vec![(term.to_owned(), 1.0)],
            });
        }
    });
    for group in &mut groups {
        group.count = group.count.sqrt() * kind_weight(&group.alternatives[0].0);
    }
    for group in groups.iter_mut().take(MAX_EXPANDED) {
        let related = expand::related(&group.alternatives[0].0);
        // A word that the query has anyway stands for itself only.
        let others = related.filter(|(other, _)| !seen.contains_key(*other));
        let others = others.map(|(other, weight)| (other.to_owned(), weight));
        group.alternatives.extend(others.collect::<Vec<_>>());
    }
    AnalyzedQuery {
        groups,
        identifiers: identifiers(analyzer, text),
    }
}

fn kind_weight(term: &str) -> f32 {
    let mut characters = term.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) if is_cjk(only) => SINGLE_CHARACTER,
        _ if term.chars().all(char::is_numeric) => NUMBER,
        _ => 1.0,
    }
}

/// Words that look like code (`get_weather`, `getWeather`, `a.b`), and a query of one word.
fn identifiers(analyzer: &Analyzer, text: &str) -> Vec<String> {
    let folded = fold::fold(text);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let mut found: Vec<String> = Vec::new();
    for word in folded.split(|c| !is_part(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() || !(looks_like_code(word) || word.len() == folded.trim().len()) {
            continue;
        }
        let key = analyzer.identifier(word);
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}

fn looks_like_code(word: &str) -> bool {
    let separated = word.contains(['_', '-', '.', '/', ':']);
    let humped = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    separated || humped
}
