//! Splits folded text into words of spaced scripts and runs of scripts written without spaces.

/// A stretch of text without separators.
pub(super) enum Token<'a> {
    /// Letters and digits of a script that puts spaces between words; case as written.
    Word(&'a str),
    /// Neighbouring characters of a script that does not.
    Run(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Separator,
    Word,
    Run,
}

/// Passes the tokens of `text` to `emit`, in order.
pub(super) fn tokens<'a>(text: &'a str, emit: &mut dyn FnMut(Token<'a>)) {
    let mut class = Class::Separator;
    let mut start = 0;
    // Where a word starts that only an apostrophe separates from the word before.
    let mut apostrophe: Option<usize> = None;
    let mut flush = |class: Class, start: usize, end: usize, contracted: bool| match class {
        Class::Word if contracted && is_contraction(&text[start..end]) => {}
        Class::Word => emit(Token::Word(&text[start..end])),
        Class::Run => emit(Token::Run(&text[start..end])),
        Class::Separator => {}
    };
    for (at, c) in text.char_indices() {
        let next = classify(c);
        let next = if next == Class::Separator && is_mark(c) {
            class
        } else {
            next
        };
        if next == class {
            continue;
        }
        flush(class, start, at, apostrophe == Some(start));
        if class != Class::Separator {
            apostrophe = (class == Class::Word && is_apostrophe(c)).then(|| at + c.len_utf8());
        }
        (class, start) = (next, at);
    }
    flush(class, start, text.len(), apostrophe == Some(start));
}

/// Thai, Lao, Burmese and Khmer: no spaces between words, but single letters say nothing.
pub(super) fn is_unspaced_alphabet(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn classify(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() {
            Class::Word
        } else {
            Class::Separator
        };
    }
    if is_cjk(c) || (is_unspaced_alphabet(c) && !c.is_numeric() && c.is_alphanumeric()) {
        Class::Run
    } else if c.is_alphanumeric() {
        Class::Word
    } else {
        Class::Separator
    }
}

/// Han, Kana, Bopomofo and Hangul, after folding (no compatibility or half-width forms are left).
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}')
}

/// Vowel signs and other marks that belong to the letter before them.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// What may follow an apostrophe without being a word: `user's`, `I'd`, `don't`, `we'll`.
fn is_contraction(word: &str) -> bool {
    ["s", "d", "m", "t", "ll", "re", "ve"]
        .iter()
        .any(|c| word.eq_ignore_ascii_case(c))
}
