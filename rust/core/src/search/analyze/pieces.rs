//! Takes a word apart where its spelling shows parts: `getHTTPStatus2` is get, HTTP, Status, 2.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    /// Letters without case and marks: no boundary inside.
    Other,
}

/// Passes the parts of `word` to `emit`, in order, as written.
pub(super) fn pieces<'a>(word: &'a str, emit: &mut dyn FnMut(&'a str)) {
    let mut start = 0;
    let mut previous: Option<(usize, Kind)> = None;
    for (at, c) in word.char_indices() {
        let kind = kind(c);
        if let Some((previous_at, previous_kind)) = previous {
            let cut = match (previous_kind, kind) {
                (Kind::Digit, Kind::Digit) => None,
                (Kind::Digit, _) | (_, Kind::Digit) => Some(at),
                (Kind::Lower | Kind::Other, Kind::Upper) => Some(at),
                // The last capital of a row begins the next word, unless the row is a plural: `URLs`.
                (Kind::Upper, Kind::Lower) if start < previous_at && !is_plural(&word[at..]) => {
                    Some(previous_at)
                }
                _ => None,
            };
            if let Some(cut) = cut {
                emit(&word[start..cut]);
                start = cut;
            }
        }
        previous = Some((at, kind));
    }
    if start < word.len() {
        emit(&word[start..]);
    }
}

/// Whether `rest` is an `s` that ends a word.
fn is_plural(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some('s') && chars.next().is_none_or(|c| kind(c) != Kind::Lower)
}

fn kind(c: char) -> Kind {
    if c.is_numeric() {
        Kind::Digit
    } else if c.is_lowercase() {
        Kind::Lower
    } else if c.is_uppercase() {
        Kind::Upper
    } else {
        Kind::Other
    }
}
