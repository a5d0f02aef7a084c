//! Real tools and real questions.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use toolcrib_core::search::Document;

pub struct Tool {
    name: String,
    title: String,
    description: String,
    source: String,
    source_description: String,
    pub input_schema: Value,
}

impl Tool {
    pub fn document(&self) -> Document<'_> {
        Document {
            name: &self.name,
            local_name: &self.name,
            title: Some(&self.title),
            description: &self.description,
            domain: None,
            tags: Vec::new(),
            keywords: Vec::new(),
            source: &self.source,
            source_description: &self.source_description,
            input_schema: &self.input_schema,
        }
    }

    /// All texts in one, for an engine without fields.
    pub fn bag(&self) -> String {
        let mut bag = String::new();
        for text in [&self.name, &self.title, &self.description, &self.source] {
            bag.push_str(text);
            bag.push('\n');
        }
        if let Some(properties) = self.input_schema["properties"].as_object() {
            for (name, property) in properties {
                let description = property["description"].as_str().unwrap_or_default();
                bag.push_str(name);
                bag.push(' ');
                bag.push_str(description);
                bag.push('\n');
            }
        }
        bag
    }
}

/// All catalogues and questions; `None`, with a message, if the data is not there.
pub fn load() -> Option<(Vec<Tool>, Vec<String>)> {
    let root = std::env::var_os("TOOLCRIB_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if !root.is_dir() {
        let missing = root.display();
        println!("no data at {missing}: set TOOLCRIB_DATA to the folder of the shared data");
        assert!(std::env::var_os("CI").is_none(), "the data is missing");
        return None;
    }
    let catalogues = files(&root.join("catalogues"), "jsonl.gz");
    let tools = catalogues.iter().flat_map(|path| lines(path)).map(tool);
    let questions = files(&root.join("retrieval"), "queries.jsonl");
    let questions = questions.iter().flat_map(|path| lines(path));
    let text = |question: Value| question["query"].as_str().unwrap_or_default().to_owned();
    Some((tools.collect(), questions.map(text).collect()))
}

fn tool(line: Value) -> Tool {
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    Tool {
        name: text("name"),
        title: text("title"),
        description: text("description"),
        source: text("server"),
        source_description: text("category"),
        input_schema: line["inputSchema"].clone(),
    }
}

/// Files below `folder` whose name ends in `ending`, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).expect("a readable file");
    let compressed = path.extension().is_some_and(|e| e == "gz");
    let reader: Box<dyn BufRead> = if compressed {
        Box::new(BufReader::new(GzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    let line = |line: std::io::Result<String>| {
        serde_json::from_str(&line.expect("UTF-8")).expect("one JSON value a line")
    };
    reader.lines().map(line).collect()
}

/// At most `size` items, evenly spread and in their order, so that tools of a source stay together.
pub fn sample<T>(items: &[T], size: usize) -> Vec<&T> {
    spread(items.len(), size).map(|at| &items[at]).collect()
}

/// At most `count` of the positions below `len`, evenly spread.
pub fn spread(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(len);
    (0..count).map(move |i| i * len / count)
}
