//! English endings.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a lower-case word. Words of other scripts and words with digits stay as they are.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}
