use sha2::{Digest, Sha256};

use crate::name::MAX_NAME_LEN;

const HASH_DIGITS: usize = 8;

/// A name that every provider accepts: `[A-Za-z_][A-Za-z0-9_-]{0,63}`. Equal to `name` where that
/// is legal already; otherwise it ends in a hash of `name`, so that two tools never meet.
pub(crate) fn legal(name: &str) -> String {
    let mut legal = String::with_capacity(name.len() + 1);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        legal.push('_');
    }
    legal.extend(name.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
        _ => '_',
    }));
    if legal == name && name.len() <= MAX_NAME_LEN {
        return legal;
    }
    legal.truncate(MAX_NAME_LEN - HASH_DIGITS - 1);
    legal.push('_');
    for byte in &Sha256::digest(name)[..HASH_DIGITS / 2] {
        legal.push_str(&format!("{byte:02x}"));
    }
    legal
}
