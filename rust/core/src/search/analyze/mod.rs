//! From text to terms: the same words for a document field and for a query, in any language.
//!
//! * `fold`: one spelling for forms that mean the same (full-width, accents, traditional characters).
//! * `scan`: words of spaced scripts, runs of scripts written without spaces.
//! * `pieces`: the parts of an identifier.
//! * `stem`, `stop`: English endings and function words.
//! * `query`: what a query asks for, and which of its words were typed as identifiers.
//!
//! Terms are never shown; names and descriptions stay as their author wrote them.

mod fold;
mod han;
mod pieces;
mod query;
mod scan;
mod stem;
mod stop;

pub use query::{AnalyzedQuery, MAX_GROUPS, MAX_QUERY_BYTES, QueryTerm, TermGroup};

use scan::Token;

/// Longest term in characters; what follows is cut off (keys, hashes and encoded blobs in prose).
const MAX_TERM_CHARS: usize = 40;

/// Turns text into terms. Has no state: every instance gives the same terms for the same text.
///
/// Works in time linear in the text and never fails, whatever the text holds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Analyzer;

impl Analyzer {
    /// Passes the terms of a document field to `emit`, in the order of the text.
    pub fn terms(&self, text: &str, emit: &mut dyn FnMut(&str)) {
        let folded = fold::fold(text);
        let mut lower = String::new();
        scan::tokens(&folded, &mut |token| match token {
            Token::Word(word) => word_terms(word, &mut lower, emit),
            Token::Run(run) => run_terms(run, emit),
        });
    }

    /// Reads a query: its terms with their alternatives, and the identifiers typed in it.
    ///
    /// Reads at most the first [`MAX_QUERY_BYTES`] bytes and returns at
    /// most [`MAX_GROUPS`] groups.
    pub fn query(&self, text: &str) -> AnalyzedQuery {
        query::analyze(self, text)
    }

    /// The form in which identifiers are compared: `get_weather`, `getWeather` and `Get-Weather`
    /// all become `getweather`. Empty if there is no letter or digit.
    pub fn identifier(&self, name: &str) -> String {
        let mut key = String::new();
        for c in fold::fold(name).chars().filter(|c| c.is_alphanumeric()) {
            key.extend(c.to_lowercase());
        }
        key
    }
}

impl bm25::Tokenizer for Analyzer {
    fn tokenize(&self, input_text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.terms(input_text, &mut |term| terms.push(term.to_owned()));
        terms
    }
}

fn word_terms(word: &str, lower: &mut String, emit: &mut dyn FnMut(&str)) {
    let mut parts = 0;
    pieces::pieces(word, &mut |piece| {
        parts += 1;
        lower_into(piece, lower);
        if !stop::is_stop_word(lower) {
            emit(&stem::stem(lower));
        }
    });
    if pieces::is_name(word, parts) {
        lower_into(word, lower);
        emit(&stem::stem(lower));
    }
}

/// Characters and pairs of neighbours. A dictionary would find words instead; measured on Chinese
/// tools, characters and pairs together find more.
fn run_terms(run: &str, emit: &mut dyn FnMut(&str)) {
    let mut previous: Option<usize> = None;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        if let Some(start) = previous {
            emit(&run[start..end]);
        }
        let alone = previous.is_none() && end == run.len();
        if alone || !scan::is_unspaced_alphabet(c) {
            emit(&run[at..end]);
        }
        previous = Some(at);
    }
}

fn lower_into(piece: &str, word: &mut String) {
    word.clear();
    word.extend(
        piece
            .chars()
            .take(MAX_TERM_CHARS)
            .flat_map(char::to_lowercase),
    );
}

#[cfg(test)]
mod tests;
