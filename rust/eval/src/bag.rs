//! BM25 over one bag of words per tool: two simpler engines, rebuilt to compare with.

use rustc_hash::FxHashMap;

use crate::data::{SchemaText, Tool};
use crate::engine::Engine;
use crate::metrics::DEPTH;

const B: f32 = 0.75;

/// Passes the words of a text on.
type Tokenizer = fn(&str, &mut dyn FnMut(String));

/// An index over one bag of words per tool.
pub struct Bag {
    tokenizer: Tokenizer,
    k1: f32,
    names: Vec<String>,
    lengths: Vec<f32>,
    mean_length: f32,
    postings: FxHashMap<String, Vec<(usize, f32)>>,
}

/// Lower-cased words of name, description and parameter names; identifiers stay whole.
pub fn plain(tools: &[&Tool]) -> Bag {
    Bag::new(tools, 1.5, words, |tool, schema| {
        let mut parts = vec![tool.name.as_str(), &tool.description];
        parts.extend(schema.names.iter().map(String::as_str));
        parts
    })
}

/// All text, identifiers split, 21 stop words, ASCII only, no stemming.
pub fn one_bag(tools: &[&Tool]) -> Bag {
    Bag::new(tools, 1.2, ascii_parts, |tool, schema| {
        let mut parts = vec![tool.name.as_str(), &tool.description];
        parts.extend(schema.names.iter().map(String::as_str));
        parts.extend(schema.texts.iter().map(String::as_str));
        parts.extend(tool.server.as_deref());
        parts.extend(tool.category.as_deref());
        parts
    })
}

impl Bag {
    fn new(
        tools: &[&Tool],
        k1: f32,
        tokenizer: Tokenizer,
        parts: for<'a> fn(&'a Tool, &'a SchemaText) -> Vec<&'a str>,
    ) -> Self {
        let mut postings: FxHashMap<String, Vec<(usize, f32)>> = FxHashMap::default();
        let mut lengths = Vec::new();
        for (at, &tool) in tools.iter().enumerate() {
            let schema = SchemaText::of(&tool.schema);
            let mut counts: FxHashMap<String, f32> = FxHashMap::default();
            for part in parts(tool, &schema) {
                tokenizer(part, &mut |word| *counts.entry(word).or_default() += 1.0);
            }
            lengths.push(counts.values().sum());
            for (word, count) in counts {
                postings.entry(word).or_default().push((at, count));
            }
        }
        let mean_length = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
        let names = tools.iter().map(|tool| tool.name.clone()).collect();
        Self {
            tokenizer,
            k1,
            names,
            lengths,
            mean_length,
            postings,
        }
    }
}

impl Engine for Bag {
    fn search(&self, query: &str) -> Vec<usize> {
        let tools = self.lengths.len() as f32;
        let mut scores: FxHashMap<usize, f32> = FxHashMap::default();
        (self.tokenizer)(query, &mut |word| {
            let Some(postings) = self.postings.get(&word) else {
                return;
            };
            let frequency = postings.len() as f32;
            let rarity = (1.0 + (tools - frequency + 0.5) / (frequency + 0.5)).ln();
            for &(tool, count) in postings {
                let length = self.lengths[tool] / self.mean_length;
                let damped = self.k1 * (1.0 - B + B * length);
                *scores.entry(tool).or_default() +=
                    rarity * count * (self.k1 + 1.0) / (count + damped);
            }
        });
        let mut ranked: Vec<(usize, f32)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| {
            b.1.total_cmp(&a.1)
                .then_with(|| self.names[a.0].cmp(&self.names[b.0]))
        });
        ranked.truncate(DEPTH);
        ranked.into_iter().map(|(tool, _)| tool).collect()
    }
}

fn words(text: &str, emit: &mut dyn FnMut(String)) {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .for_each(|word| emit(word.to_lowercase()));
}

const STOP_WORDS: [&str; 21] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on",
    "or", "that", "the", "this", "to", "with",
];

fn ascii_parts(text: &str, emit: &mut dyn FnMut(String)) {
    let mut part = String::new();
    let mut flush = |part: &mut String| {
        let word = std::mem::take(part);
        if !word.is_empty() && !STOP_WORDS.contains(&word.as_str()) {
            emit(word);
        }
    };
    let mut previous = ' ';
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() || (previous.is_ascii_lowercase() && c.is_ascii_uppercase()) {
            flush(&mut part);
        }
        if c.is_ascii_alphanumeric() {
            part.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    flush(&mut part);
}
