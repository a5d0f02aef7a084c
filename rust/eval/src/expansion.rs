//! Packs the table of related words that ships with the library.
//!
//! Reads what the script in `scripts/expansion` found and the hand-written `same.txt` and
//! `chinese.txt`, brings every word to its term with the library's own analyzer and writes the
//! format that `rust/core/src/search/expand` documents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toolcrib_core::search::analyze::Analyzer;

/// Least cosine of two words that are taken for related. Below it the false friends begin.
const MIN_COSINE: f32 = 0.65;

/// Most neighbours of one word.
const MAX_NEIGHBOURS: usize = 6;

/// Weight of a neighbour, times its cosine: an exact word always wins.
const NEIGHBOUR: f32 = 0.5;

/// Weight of another spelling of the same word.
const SPELLING: f32 = 0.7;

/// Weight of another action with the same purpose.
const ACTION: f32 = 0.3;

/// Weight of the likeliest translation.
const TRANSLATION: f32 = 0.7;

/// What each further translation of a word weighs beside the one before it.
const LESS_LIKELY: f32 = 0.85;

/// Most Chinese words that one English word brings.
const MAX_CHINESE: usize = 6;

type Relations = BTreeMap<String, BTreeMap<String, f32>>;

/// Packs `neighbours` (tab-separated files) and the word lists of `folder` into `target`.
pub fn pack(neighbours: &[PathBuf], folder: &Path, target: &Path) -> Result<(), String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let groups = read(&folder.join("same.txt"))?;
    let chinese = read(&folder.join("chinese.txt"))?;
    let mut relations = Relations::new();
    for file in neighbours {
        relations.extend(from_vectors(&read(file)?)?);
    }
    for line in groups.lines() {
        let weight = match line.chars().next() {
            Some('=') => SPELLING,
            Some('~') => ACTION,
            _ => continue,
        };
        for (a, b) in pairs(&terms(&line[1..])) {
            let of_a = relations.entry(a).or_default().entry(b).or_default();
            *of_a = of_a.max(weight);
        }
    }
    for line in groups.lines().filter(|line| line.starts_with('!')) {
        for (a, b) in pairs(&terms(&line[1..])) {
            relations.entry(a).or_default().remove(&b);
        }
    }
    for (term, other, weight) in translations(&chinese) {
        let weigh = relations.entry(term).or_default().entry(other).or_default();
        *weigh = weigh.max(weight);
    }
    relations.retain(|_, others| !others.is_empty());
    std::fs::write(target, encode(&relations)?).map_err(|e| format!("{}: {e}", target.display()))
}

/// Of several words with one stem the most frequent speaks for all.
fn from_vectors(text: &str) -> Result<Relations, String> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let mut columns = line.split('\t');
        let head = columns
            .next()
            .zip(columns.next().and_then(|rank| rank.parse::<usize>().ok()));
        let (word, rank) = head.ok_or_else(|| format!("no word and rank in {line:?}"))?;
        rows.push((rank, word, columns));
    }
    rows.sort_by_key(|&(rank, word, _)| (rank, word));

    let mut relations = Relations::new();
    for (_, word, columns) in rows {
        let Some(term) = only_term(word) else {
            continue;
        };
        if relations.contains_key(&term) {
            continue;
        }
        let mut others = BTreeMap::new();
        for column in columns {
            let parsed = column
                .split_once(':')
                .and_then(|(w, c)| Some((w, c.parse::<f32>().ok()?)));
            let (other, cosine) =
                parsed.ok_or_else(|| format!("no word and cosine in {column:?}"))?;
            if cosine < MIN_COSINE || others.len() == MAX_NEIGHBOURS {
                break;
            }
            if let Some(other) = only_term(other).filter(|other| *other != term) {
                others.entry(other).or_insert(cosine * NEIGHBOUR);
            }
        }
        relations.insert(term, others);
    }
    Ok(relations)
}

/// Chinese pairs of characters and English terms, each standing for the other.
fn translations(text: &str) -> Vec<(String, String, f32)> {
    let lines = || {
        let words = text.lines().filter(|line| !line.starts_with('#'));
        words.filter_map(|line| line.split_once(' '))
    };
    let entries: BTreeSet<&str> = lines().map(|(chinese, _)| chinese).collect();
    let mut chinese_of: BTreeMap<String, Vec<(String, f32)>> = BTreeMap::new();
    let mut translations = Vec::new();
    for (chinese, english) in lines() {
        let pairs: Vec<String> = terms(chinese)
            .into_iter()
            .filter(|term| term.chars().count() == 2)
            .filter(|pair| pair == chinese || !entries.contains(pair.as_str()))
            .collect();
        let mut weight = TRANSLATION;
        for english in english.split(' ').filter_map(only_term) {
            for pair in &pairs {
                let others = chinese_of.entry(english.clone()).or_default();
                others.push((pair.clone(), weight));
                translations.push((pair.clone(), english.clone(), weight));
            }
            weight *= LESS_LIKELY;
        }
    }
    for (english, mut others) in chinese_of {
        // Stable, so that of equally likely words the one listed first stays.
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = others.into_iter().take(MAX_CHINESE);
        translations.extend(best.map(|(pair, weight)| (english.clone(), pair, weight)));
    }
    translations
}

/// The term of a word that the analyzer neither splits nor drops, or that is a pair of characters.
fn only_term(word: &str) -> Option<String> {
    let mut terms = terms(word);
    match terms.iter().position(|term| term == word) {
        Some(at) => Some(terms.swap_remove(at)),
        None if terms.len() == 1 => terms.pop(),
        None => None,
    }
}

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer.terms(text, &mut |term| terms.push(term.to_owned()));
    terms
}

/// Every ordered pair of different items.
fn pairs(items: &[String]) -> Vec<(String, String)> {
    let pairs = items
        .iter()
        .flat_map(|a| items.iter().map(move |b| (a.clone(), b.clone())));
    pairs.filter(|(a, b)| a != b).collect()
}

fn encode(relations: &Relations) -> Result<Vec<u8>, String> {
    let mut ids: BTreeMap<&str, u16> = BTreeMap::new();
    for (term, others) in relations {
        ids.insert(term, 0);
        others.keys().for_each(|other| _ = ids.insert(other, 0));
    }
    for (number, id) in ids.values_mut().enumerate() {
        *id = u16::try_from(number).map_err(|_| "more terms than 16 bits can count")?;
    }

    let mut out = b"tcx1".to_vec();
    let mut put = |number: usize| out.extend_from_slice(&(number as u32).to_le_bytes());
    put(ids.len());
    let mut text = String::new();
    for term in ids.keys() {
        put(text.len());
        text.push_str(term);
    }
    put(text.len());
    let mut packed: Vec<u8> = Vec::new();
    for term in ids.keys() {
        put(packed.len() / 3);
        let mut others: Vec<(&String, f32)> = relations
            .get(*term)
            .into_iter()
            .flatten()
            .map(|(o, w)| (o, *w))
            .collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        for (other, weight) in others {
            packed.extend_from_slice(&ids[other.as_str()].to_le_bytes());
            packed.push((weight * 256.0).round().clamp(1.0, 255.0) as u8);
        }
    }
    put(packed.len() / 3);
    out.extend(packed);
    out.extend(text.into_bytes());
    Ok(out)
}
