//! `docs/codemode.md` tells every limit with its default.

use std::{collections::BTreeMap, fs, path::Path};

use toolcrib_codemode::ScriptLimits;

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

#[test]
fn every_limit_is_documented_with_its_default() {
    let debug = format!("{:?}", ScriptLimits::default());
    let fields = debug
        .trim_start_matches("ScriptLimits { ")
        .trim_end_matches(" }");
    let defaults: BTreeMap<String, String> = fields
        .split(", ")
        .map(|field| {
            let (name, value) = field.split_once(": ").expect("a field and its value");
            let value = value.parse().expect("a number");
            (name.replace('_', "-"), written(name, value))
        })
        .collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/codemode.md");
    let text = fs::read_to_string(path).expect("the page is there");
    let (_, rest) = text.split_once("<!-- limits").expect("the beginning mark");
    let (rows, _) = rest.split_once("<!-- /limits -->").expect("the end mark");
    let rows: BTreeMap<String, String> = rows
        .lines()
        .filter(|row| row.starts_with("| `"))
        .map(|row| {
            let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`'));
            cells.next();
            let mut cell = || cells.next().unwrap_or_default().to_owned();
            (cell(), cell())
        })
        .collect();
    assert_eq!(rows, defaults);
}
