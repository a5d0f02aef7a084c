//! The READMEs tell every limit with its default.

use std::{collections::BTreeMap, fs, path::Path};

use toolcrib_core::Limits;

/// Every field of [`Limits`] by its property name, with its default as people write it.
fn defaults() -> BTreeMap<String, String> {
    // Debug names all fields, so that a limit that is added cannot be forgotten here.
    let debug = format!("{:?}", Limits::default());
    let fields = debug.trim_start_matches("Limits { ").trim_end_matches(" }");
    fields
        .split(", ")
        .map(|field| {
            let (name, value) = field.split_once(": ").expect("a field and its value");
            (
                name.replace('_', "-"),
                written(name, value.parse().expect("a number")),
            )
        })
        .collect()
}

fn written(name: &str, value: u64) -> String {
    if name.ends_with("bytes") && value.is_multiple_of(1 << 20) {
        return format!("{} MiB", value >> 20);
    }
    if name.ends_with("bytes") && value.is_multiple_of(1 << 10) {
        return format!("{} KiB", value >> 10);
    }
    let digits = value.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}

/// The rows of the table between the two marks.
fn table(readme: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(readme);
    let text = fs::read_to_string(path).expect("the README is there");
    let (_, rest) = text.split_once("<!-- limits").expect("the beginning mark");
    let (rows, _) = rest.split_once("<!-- /limits -->").expect("the end mark");
    rows.lines()
        .filter(|row| row.starts_with("| `"))
        .map(|row| {
            let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`'));
            let mut cell = || cells.next().unwrap_or_default().to_owned();
            cell();
            (cell(), cell())
        })
        .collect()
}

#[test]
fn every_readme_tells_every_limit_with_its_default() {
    for readme in ["README.md", "README.zh-CN.md"] {
        assert_eq!(table(readme), defaults(), "{readme}");
    }
}
