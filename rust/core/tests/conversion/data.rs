//! The catalogues and the hard schemas, read from beside the repository; never part of it.
#![allow(clippy::print_stderr, reason = "a test that skips says so")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde_json::Value;

/// A tool as a server listed it.
pub struct Listed {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
}

/// The data set, or `None` where it is not at hand: then a test says so and ends. In CI its absence
/// is a failure.
pub fn tools(set: &str) -> Option<Vec<Listed>> {
    let root = std::env::var_os("TOOLCRIB_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(set);
    let Ok(file) = File::open(&path) else {
        let in_ci = std::env::var("CI").is_ok_and(|v| v == "true");
        assert!(!in_ci, "{} is missing; set TOOLCRIB_DATA", path.display());
        eprintln!("skipped: {} is missing; set TOOLCRIB_DATA", path.display());
        return None;
    };
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let listed = lines.map(|line| {
        let tool: Value = serde_json::from_str(&line.expect("readable")).expect("JSON");
        Listed {
            name: tool["name"].as_str().unwrap_or("unnamed").to_owned(),
            description: tool["description"].as_str().unwrap_or_default().to_owned(),
            input_schema: tool["inputSchema"].clone(),
        }
    });
    Some(listed.collect())
}

/// Everything that every target must take.
pub const SETS: [(&str, &str); 6] = [
    ("hard", "schemas/hard.jsonl.gz"),
    ("toucan", "catalogues/toucan.jsonl.gz"),
    ("github", "catalogues/github.jsonl.gz"),
    ("mcp-zero", "catalogues/mcp-zero.jsonl.gz"),
    ("docker", "catalogues/docker.jsonl.gz"),
    ("composio", "catalogues/composio.jsonl.gz"),
];
