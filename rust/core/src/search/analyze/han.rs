//! Traditional to simplified Chinese characters.

/// The simplified form of a traditional character; any other character as it is.
pub(super) fn simplified(c: char) -> char {
    c
}
