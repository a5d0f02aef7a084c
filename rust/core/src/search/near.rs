//! Names that resemble what was asked for: typing errors, parts of names.

use super::analyze::Analyzer;
use super::scope::Scope;

/// Which pairs of neighbouring letters a name holds, each hashed to one of 64 bits. Sorts out
/// names that cannot resemble a text at a few instructions per name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

/// Most names that are compared letter by letter.
const COMPARED: usize = 256;

/// Most words of the text that are looked for, the longest first.
const WORDS: usize = 8;

/// Longest text or name compared, in characters.
const MAX_CHARS: usize = 64;

/// Names below this similarity (0 to 1) do not resemble.
const LEAST_SIMILARITY: f32 = 0.5;

impl Fingerprint {
    pub(super) fn of_name(name: &str) -> Self {
        Self::of_key(&key(name))
    }

    fn of_key(key: &[char]) -> Self {
        let bit = |pair: Pair| {
            let mixed =
                (u64::from(pair[0]) << 32 | u64::from(pair[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            1 << (mixed >> 58)
        };
        Self(pairs(key).fold(0, |bits, pair| bits | bit(pair)))
    }

    /// Twice the shared part by the sum of both, in 1/1024.
    fn resemblance(self, other: Self) -> u32 {
        let shared = (self.0 & other.0).count_ones();
        let both = self.0.count_ones() + other.0.count_ones();
        (2 * 1024 * shared).checked_div(both).unwrap_or(0)
    }
}

pub(super) fn near_names(scope: &Scope, text: &str, limit: usize) -> Vec<u32> {
    let wanted = wanted(text);
    let prints: Vec<Fingerprint> = wanted.iter().map(|key| Fingerprint::of_key(key)).collect();
    let mut rough: Vec<(u32, &str, u32)> = Vec::new();
    for scoped in &scope.blocks {
        for slot in scoped.seen().iter() {
            let print = scoped.block.fingerprints[usize::from(slot)];
            let resemblance = prints.iter().map(|p| p.resemblance(print)).max();
            if let Some(resemblance @ 1..) = resemblance {
                let name = scoped.block.names.get(slot);
                rough.push((resemblance, name, scoped.first + u32::from(slot)));
            }
        }
    }
    let order = |a: &(u32, &str, u32), b: &(u32, &str, u32)| b.0.cmp(&a.0).then(a.1.cmp(b.1));
    if rough.len() > COMPARED {
        rough.select_nth_unstable_by(COMPARED, order);
        rough.truncate(COMPARED);
    }
    let mut near: Vec<(f32, &str, u32)> = rough
        .into_iter()
        .map(|(_, name, slot)| {
            let name_key = key(name);
            let best = wanted.iter().map(|w| similarity(w, &name_key));
            (best.fold(0.0, f32::max), name, slot)
        })
        .filter(|&(similarity, ..)| similarity >= LEAST_SIMILARITY)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.truncate(limit);
    near.into_iter().map(|(.., slot)| slot).collect()
}

/// The whole text and its longest words, as keys.
fn wanted(text: &str) -> Vec<Vec<char>> {
    let text = &text[..text.floor_char_boundary(MAX_CHARS * 4)];
    let mut words: Vec<Vec<char>> = text.split_whitespace().map(key).collect();
    words.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    words.truncate(WORDS);
    words.push(key(text));
    words.dedup();
    words.retain(|word| word.len() > 1);
    words
}

fn key(name: &str) -> Vec<char> {
    let name = &name[..name.floor_char_boundary(MAX_CHARS * 4)];
    Analyzer.identifier(name).chars().take(MAX_CHARS).collect()
}

type Pair = [char; 2];

fn pairs(key: &[char]) -> impl Iterator<Item = Pair> + '_ {
    key.windows(2).map(|pair| [pair[0], pair[1]])
}

/// How much of the pairs of neighbours is shared, 0 to 1.
fn similarity(a: &[char], b: &[char]) -> f32 {
    let (mut left, mut right): (Vec<Pair>, Vec<Pair>) = (pairs(a).collect(), pairs(b).collect());
    let all = left.len() + right.len();
    left.sort_unstable();
    right.sort_unstable();
    let mut shared = 0;
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    if all == 0 {
        0.0
    } else {
        (2 * shared) as f32 / all as f32
    }
}
