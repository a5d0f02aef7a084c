//! English words that carry no meaning of their own in a question or a description.

/// Sorted, for binary search.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "do", "for", "from", "give",
    "have", "help", "how", "i", "if", "in", "is", "it", "its", "like", "me", "my", "need", "of",
    "on", "or", "our", "please", "should", "some", "that", "the", "their", "there", "this", "to",
    "want", "was", "we", "what", "which", "will", "with", "would", "you", "your",
];

/// Whether a lower-case word is left out of documents and queries.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}
