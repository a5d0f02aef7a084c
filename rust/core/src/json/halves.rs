//! Halves of surrogate pairs, which some models write where they cut an emoji.

/// JSON `text` with U+FFFD for every escaped half without its other half; None if there is none.
pub(crate) fn without_halves(text: &str) -> Option<String> {
    let mut mended: Option<String> = None;
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let rest = &text[at..];
        match unit(rest) {
            Some(0xd800..=0xdbff)
                if matches!(rest.get(6..).and_then(unit), Some(0xdc00..=0xdfff)) =>
            {
                at += 12;
            }
            Some(0xd800..=0xdfff) => {
                let mended = mended.get_or_insert_with(String::new);
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            // The character behind it is escaped by it, maybe another backslash.
            _ => {
                at += 1;
                at += text[at..].chars().next().map_or(0, char::len_utf8);
            }
        }
    }
    mended.map(|mended| mended + &text[copied..])
}

/// The UTF-16 code unit that `text` begins with an escape of.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_without_their_other_half_are_replaced() {
        for (text, mended) in [
            (r#""plain \\ \n""#, None),
            (r#""\ud83d\ude00 \u4e2d""#, None),
            (r#""\\ud83d""#, None),
            (r#""\ud83d""#, Some(r#""\ufffd""#)),
            (
                r#""\ud83d\ud83d\ude00中\uDE00\\""#,
                Some(r#""\ufffd\ud83d\ude00中\ufffd\\""#),
            ),
            (r#""\ud8"#, None),
            ("\\", None),
            ("\\中", None),
        ] {
            assert_eq!(without_halves(text).as_deref(), mended, "{text}");
        }
    }
}
