//! `docs/errors.md` lists every code, and none that there is not.

use std::collections::BTreeSet;

/// The codes that a source file gives, each as `=> "code"` in a function named `code`.
fn codes_of(source: &str) -> BTreeSet<&str> {
    let (_, body) = source.split_once("fn code(").expect("it has codes");
    let (body, _) = body.split_once("\n    }\n").expect("the function ends");
    let texts = body.split("=> \"").skip(1);
    texts
        .map(|text| text.split('"').next().expect("a text"))
        .collect()
}

/// The codes in the second column of the exceptions and the first of the reasons.
fn codes_told(page: &str) -> BTreeSet<&str> {
    page.lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            let is_exception = cells[1].contains("Exception");
            cells[if is_exception { 2 } else { 1 }].split('`')
        })
        .filter(|text| text.contains('_') || *text == "internal" || *text == "closed")
        .filter(|text| {
            text.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        })
        .collect()
}

#[test]
fn every_code_is_told_and_none_is_made_up() {
    let mut codes = codes_of(include_str!("../rust/core/src/error.rs"));
    codes.extend(codes_of(include_str!("../rust/core/src/source.rs")));
    codes.extend(codes_of(include_str!(
        "../rust/core/src/provider/declare.rs"
    )));
    codes.extend(codes_of(include_str!("../rust/jni/error.rs")));
    // Given by Java alone.
    codes.insert("load_failed");
    let told = codes_told(include_str!("../docs/errors.md"));
    assert_eq!(codes, told);
}
