//! One spelling for forms that differ only in width, accent, ligature or script variant.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::han;

/// Folds everything but case, which still tells where `camelCase` words begin.
///
/// Compatibility forms are taken apart, Latin, Greek and Cyrillic accents dropped, traditional
/// characters made simplified; marks of other scripts stay, since there they carry the vowel.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_accent(*c)).nfc() {
        match c {
            'ß' => folded.push_str("ss"),
            'ẞ' => folded.push_str("SS"),
            'æ' => folded.push_str("ae"),
            'Æ' => folded.push_str("AE"),
            'œ' => folded.push_str("oe"),
            'Œ' => folded.push_str("OE"),
            'ø' => folded.push('o'),
            'Ø' => folded.push('O'),
            'ł' => folded.push('l'),
            'Ł' => folded.push('L'),
            'đ' | 'ð' => folded.push('d'),
            'Đ' | 'Ð' => folded.push('D'),
            'þ' | 'Þ' => folded.push_str("th"),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            // Soft hyphen, joiners and the byte order mark stand inside words without being seen.
            '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{feff}' => {}
            _ => folded.push(han::simplified(c)),
        }
    }
    Cow::Owned(folded)
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}
