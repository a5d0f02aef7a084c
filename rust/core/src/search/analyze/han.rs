//! Traditional to simplified Chinese characters.

/// Pairs of a traditional character and its simplified form, made from OpenCC (Apache-2.0) by
/// `scripts/simplified_characters.py`; every character takes three bytes.
const PAIRS: &str = include_str!("simplified.txt");

const FIRST: u32 = 0x4e00;
const LAST: u32 = 0x9fff;

/// By character from [`FIRST`]: its simplified form, or 0 if it has none of its own.
static SIMPLIFIED: [u16; (LAST - FIRST + 1) as usize] = table();

/// The simplified form of a traditional character; any other character as it is.
pub(super) fn simplified(c: char) -> char {
    let index = u32::from(c).wrapping_sub(FIRST) as usize;
    match SIMPLIFIED.get(index) {
        None | Some(0) => c,
        Some(&simplified) => char::from_u32(u32::from(simplified)).unwrap_or(c),
    }
}

const fn table() -> [u16; (LAST - FIRST + 1) as usize] {
    let mut table = [0; (LAST - FIRST + 1) as usize];
    let bytes = PAIRS.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            at += 1;
            continue;
        }
        table[(character(bytes, at) - FIRST) as usize] = character(bytes, at + 3) as u16;
        at += 6;
    }
    table
}

/// Decodes the three-byte character at `at`; the compiler stops at any other.
const fn character(bytes: &[u8], at: usize) -> u32 {
    assert!(
        bytes[at] & 0xf0 == 0xe0,
        "a character outside U+0800 to U+FFFF"
    );
    let (a, b, c) = (bytes[at] as u32, bytes[at + 1] as u32, bytes[at + 2] as u32);
    ((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f)
}
