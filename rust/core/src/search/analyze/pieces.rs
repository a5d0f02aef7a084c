//! Takes a word apart where its spelling shows parts: `getHTTPStatus2` is get, HTTP, Status, 2.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    /// Letters without case and marks: no boundary inside.
    Other,
}

/// Longest word that is not cut at digits: `s3`, `ec2`, `h264` and `i18n` are names, not a letter
/// and a number.
const SHORT: usize = 5;

/// Passes the parts of `word` to `emit`, in order, as written.
pub(super) fn pieces<'a>(word: &'a str, emit: &mut dyn FnMut(&'a str)) {
    let is_short = word.len() <= SHORT;
    let mut start = 0;
    let mut previous: Option<(usize, Kind)> = None;
    for (at, c) in word.char_indices() {
        let kind = kind(c);
        if let Some((previous_at, previous_kind)) = previous {
            let cut = match (previous_kind, kind) {
                (Kind::Digit, Kind::Digit) => None,
                // `S3` and `EC2` inside `getS3Bucket`, `listEC2Instances`.
                (Kind::Upper, Kind::Digit) if at - start <= 3 => None,
                (Kind::Digit, _) | (_, Kind::Digit) => (!is_short).then_some(at),
                (Kind::Lower | Kind::Other, Kind::Upper) => Some(at),
                // The last capital of a row begins the next word, unless the row is a plural: `URLs`.
                (Kind::Upper, Kind::Lower) if start < previous_at && !is_plural(&word[at..]) => {
                    Some(previous_at)
                }
                _ => None,
            };
            if let Some(cut) = cut {
                emit(singular(&word[start..cut]));
                start = cut;
            }
        }
        previous = Some((at, kind));
    }
    if start < word.len() {
        emit(singular(&word[start..]));
    }
}

/// Whether `word` of `parts` parts is spelled like a name that others write without the capital
/// inside: `GitHub`, `YouTube`, `PostgreSQL`, `iPhone`.
pub(super) fn is_name(word: &str, parts: usize) -> bool {
    let mut chars = word.chars();
    let first = chars.next().map(kind);
    let second = chars.next().map(kind);
    parts == 2
        && (first == Some(Kind::Upper)
            || (first == Some(Kind::Lower) && second == Some(Kind::Upper)))
}

/// `URLs` without its `s`, which no stemmer takes from a word it cannot pronounce.
fn singular(piece: &str) -> &str {
    match piece.strip_suffix('s') {
        Some(rest) if rest.len() > 1 && rest.chars().all(char::is_uppercase) => rest,
        _ => piece,
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
