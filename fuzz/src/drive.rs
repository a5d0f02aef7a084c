//! A plain driver: takes the inputs of the corpus, changes them at random, and tries them.

use std::{
    fs, io,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// What readers of JSON, frames and queries look at.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\\",
    "\\u0000",
    "\\ud83d",
    "null",
    "true",
    "false",
    "-0",
    "1e999",
    "1.5",
    "18446744073709551616",
    "\"type\":",
    "\"object\"",
    "\"string\"",
    "\"integer\"",
    "\"array\"",
    "\"properties\":{",
    "\"items\":",
    "\"required\":[",
    "\"$ref\":\"#\"",
    "\"$ref\":\"#/$defs/a\"",
    "\"$defs\":{",
    "\"anyOf\":[",
    "\"oneOf\":[",
    "\"allOf\":[",
    "\"not\":",
    "\"enum\":[",
    "\"const\":",
    "\"pattern\":\"^(a+)+$\"",
    "\"format\":\"uri\"",
    "\"additionalProperties\":",
    "\"patternProperties\":{",
    "\"prefixItems\":[",
    "\"dependentRequired\":{",
    "\"if\":",
    "\"then\":",
    "\"else\":",
    "\"minimum\":",
    "\"maxLength\":",
    "\"multipleOf\":0",
    "\"uniqueItems\":true",
    "\"default\":",
    "\"nullable\":true",
    "\"$dynamicRef\":\"#\"",
    "\"$id\":\"a\"",
    "\"name\":",
    "\"description\":",
    "\"inputSchema\":",
    "\"tools\":[",
    "{\"$serde_json::private::RawValue\":\"[1]\"}",
    "18446744073709551616",
    "order",
    "查询订单",
    "名前",
    "camelCase",
    "snake_case",
    "İ",
    "ß",
    "ﬀ",
    "é",
    "👩‍👩‍👧",
    "\u{0}",
    "\u{7f}",
    "\u{ff}",
    "\u{200b}",
];
const LONGEST: usize = 16 << 10;

/// Numbers that are the same for the same seed, by the method called xorshift64*.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts with any seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) as usize % end
    }
}

/// What came of many inputs.
#[derive(Debug)]
pub struct Outcome {
    /// How many were tried.
    pub tried: u64,
    /// What the longest took.
    pub slowest: Duration,
    /// The input that took it.
    pub slowest_input: Vec<u8>,
}

/// An input for which something does not hold, and what was said of it.
#[derive(Debug)]
pub struct Finding {
    /// The input.
    pub input: Vec<u8>,
    /// The text of the panic.
    pub said: String,
}

/// The inputs of a target's corpus, sorted by name.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn corpus(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Tries the corpus and `inputs` inputs made of it on a thread with `stack` bytes of stack.
///
/// # Errors
///
/// The first input for which something does not hold.
pub fn drive(
    target: fn(&[u8]),
    corpus: Vec<Vec<u8>>,
    inputs: u64,
    seed: u64,
    stack: usize,
) -> Result<Outcome, Finding> {
    let small = thread::Builder::new().stack_size(stack);
    let work = move || {
        let mut dice = Dice::new(seed);
        let mut outcome = Outcome {
            tried: 0,
            slowest: Duration::ZERO,
            slowest_input: Vec::new(),
        };
        for input in &corpus {
            attempt(target, input.clone(), &mut outcome)?;
        }
        for _ in 0..inputs {
            attempt(target, mutated(&corpus, &mut dice), &mut outcome)?;
        }
        Ok(outcome)
    };
    let running = small.spawn(work).expect("a thread can be started");
    running.join().expect("panics are caught")
}

fn attempt(target: fn(&[u8]), input: Vec<u8>, outcome: &mut Outcome) -> Result<(), Finding> {
    let start = Instant::now();
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| target(&input))) {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without text");
        let said = said.chars().take(2_000).collect();
        return Err(Finding { input, said });
    }
    outcome.tried += 1;
    let took = start.elapsed();
    if took > outcome.slowest {
        outcome.slowest = took;
        outcome.slowest_input = input;
    }
    Ok(())
}

fn mutated(corpus: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut input = corpus
        .get(dice.below(corpus.len().max(1)))
        .cloned()
        .unwrap_or_default();
    for _ in 0..=dice.below(8) {
        change(&mut input, corpus, dice);
    }
    input.truncate(LONGEST);
    input
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.below(input.len() + 1);
    let end = at + dice.below(input.len() - at + 1).min(64);
    match dice.below(10) {
        0 | 1 => {
            let word = WORDS[dice.below(WORDS.len())];
            input.splice(at..at, word.bytes());
        }
        2 => {
            let word = WORDS[dice.below(WORDS.len())];
            input.splice(at..end, word.bytes());
        }
        3 => {
            input.drain(at..end);
        }
        4 => {
            let part = input[at..end].to_vec();
            let to = dice.below(input.len() + 1);
            input.splice(to..to, part);
        }
        5 => {
            let part = input[at..end].to_vec();
            for _ in 0..dice.below(100) {
                input.splice(at..at, part.iter().copied());
            }
        }
        6 if at < input.len() => input[at] ^= 1 << dice.below(8),
        7 if at < input.len() => input[at] = dice.below(256) as u8,
        8 => input.insert(at, dice.below(256) as u8),
        _ => {
            let other = &corpus[dice.below(corpus.len().max(1))];
            let from = dice.below(other.len() + 1);
            let to = from + dice.below(other.len() - from + 1).min(512);
            input.splice(at..end, other[from..to].iter().copied());
        }
    }
}
