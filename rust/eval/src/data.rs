//! Sets of tools with questions, and catalogues of tools without.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

/// A tool as the data holds it.
#[derive(Debug, Clone, Deserialize)]
pub struct Tool {
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: String,
    #[serde(default, rename = "inputSchema")]
    pub schema: Value,
    #[serde(default)]
    pub server: Option<String>,
    #[serde(default)]
    pub category: Option<String>,
}

/// A question and the names of all tools it wants.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    pub query: String,
    pub gold: Vec<String>,
}

/// Questions over one pool of tools.
#[derive(Debug, Clone)]
pub struct Set {
    pub name: String,
    pub tools: Vec<Tool>,
    pub questions: Vec<Question>,
}

/// A failure to read data, with the file it happened in.
pub type Result<T> = std::result::Result<T, String>;

/// The folders of sets in `folder`, in order of their names.
pub fn set_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.join("tools.jsonl").is_file() && path.join("queries.jsonl").is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

/// Reads the set in `folder`; its name is the folder's.
pub fn read_set(folder: &Path) -> Result<Set> {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let tools = read_lines(&folder.join("tools.jsonl"))?;
    let questions = read_lines(&folder.join("queries.jsonl"))?;
    Ok(Set {
        name,
        tools,
        questions,
    })
}

/// Questions of our own, in `rust/eval/questions`, and the tools of the shared data they ask for:
/// tools and questions are in different languages.
const CROSSING: [(&str, &str); 3] = [
    ("acebench-zh-en", "retrieval/acebench-zh/tools.jsonl"),
    ("docker-zh", "catalogues/docker.jsonl.gz"),
    ("livemcpbench-zh", "retrieval/livemcpbench/tools.jsonl"),
];

/// Reads the sets whose tools and questions are in different languages. A name that comes again in
/// a catalogue is told apart by `__2`, `__3` …
pub fn crossing_sets(questions: &Path, shared: &Path) -> Result<Vec<Set>> {
    let read = |(name, tools): (&str, &str)| {
        let mut tools: Vec<Tool> = read_lines(&shared.join(tools))?;
        let mut seen: HashMap<String, usize> = HashMap::new();
        for tool in &mut tools {
            let count = seen.entry(tool.name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                tool.name = format!("{}__{count}", tool.name);
            }
        }
        Ok(Set {
            name: name.to_owned(),
            tools,
            questions: read_lines(&questions.join(name).with_extension("jsonl"))?,
        })
    };
    CROSSING.into_iter().map(read).collect()
}

/// Reads every tool of the catalogues in `folder`, file by file in order of their names.
pub fn read_catalogues(folder: &Path) -> Result<Vec<Tool>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"))
        .collect();
    files.sort();
    let mut tools = Vec::new();
    for file in files {
        tools.extend(read_lines::<Tool>(&file)?);
    }
    Ok(tools)
}

fn read_lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let file = File::open(path).map_err(|e| fail(&e))?;
    let reader: Box<dyn Read> = match path.extension() {
        Some(extension) if extension == "gz" => Box::new(GzDecoder::new(file)),
        _ => Box::new(file),
    };
    let mut items = Vec::new();
    for line in BufReader::new(reader).lines() {
        let line = line.map_err(|e| fail(&e))?;
        if !line.trim().is_empty() {
            items.push(serde_json::from_str(&line).map_err(|e| fail(&e))?);
        }
    }
    Ok(items)
}

/// What of a schema is searched, for the engines rebuilt here.
#[derive(Debug, Default)]
pub struct SchemaText {
    /// Names of parameters at any depth.
    pub names: Vec<String>,
    /// Descriptions of parameters and the values they may take.
    pub texts: Vec<String>,
}

impl SchemaText {
    pub fn of(schema: &Value) -> Self {
        let mut text = Self::default();
        text.visit(schema, true, 0);
        text
    }

    fn visit(&mut self, schema: &Value, top: bool, depth: usize) {
        let Value::Object(schema) = schema else {
            return;
        };
        if depth > 64 {
            return;
        }
        if let (false, Some(Value::String(description))) = (top, schema.get("description")) {
            self.texts.push(description.clone());
        }
        for value in schema
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.texts.extend(value.as_str().map(str::to_owned));
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                self.names.push(name.clone());
                self.visit(property, false, depth + 1);
            }
        }
        for keyword in ["items", "additionalProperties"] {
            schema
                .get(keyword)
                .into_iter()
                .for_each(|s| self.visit(s, false, depth + 1));
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let schemas = schema.get(keyword).and_then(Value::as_array);
            schemas
                .into_iter()
                .flatten()
                .for_each(|s| self.visit(s, false, depth + 1));
        }
    }
}
