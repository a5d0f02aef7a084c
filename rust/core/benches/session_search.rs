//! The searches of the benchmarks in the JVM, without the JVM: the same tools, rights, questions
//! and sessions, so that the difference is what crossing the boundary costs.
//!
//! `make bench` writes the input and runs it; by hand: `cargo bench -p toolcrib-core --bench
//! session_search -- INPUT OUTPUT`. Fails if a question finds other tools than it does from Java.

#![expect(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::registry::Registry;
use toolcrib_core::session::{SearchRequest, Session};
use toolcrib_core::source::{ExposureRules, SourceDefinition, ToolInput};
use toolcrib_core::tool::ToolDefinition;
use toolcrib_core::view::{Selection, Term};

const WARMUP: Duration = Duration::from_millis(500);
const ROUND: Duration = Duration::from_millis(300);
const ROUNDS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().filter(|a| a != "--bench").collect();
    let [_, input, output] = &arguments[..] else {
        println!("session_search needs an input and an output file");
        return;
    };
    let lines = fs::read_to_string(input).expect("a readable input");
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("one JSON object a line"));
    let (questions, tools): (Vec<Value>, Vec<Value>) =
        lines.partition(|line| line.get("question").is_some());

    let registry = Arc::new(Registry::new(Limits::default()));
    let sources = sources(&tools);
    for report in registry.put_all(sources) {
        report.expect("a source that can be published");
    }
    let mut results = serde_json::Map::new();
    for language in ["en", "zh"] {
        let questions = questions.iter().filter(|q| q["language"] == language);
        let nanos = rounds(&registry, &questions.collect::<Vec<_>>());
        println!("{language}: {nanos:?} ns a search");
        results.insert(language.to_owned(), json!(nanos));
    }
    results.insert("tools".to_owned(), json!(tools.len()));
    fs::write(output, Value::Object(results).to_string()).expect("a writable output");
}

/// As the Java side groups them: a source takes category and domain of its first tool.
fn sources(tools: &[Value]) -> Vec<SourceDefinition> {
    let mut by_name: BTreeMap<&str, SourceDefinition> = BTreeMap::new();
    for tool in tools {
        let text = |key: &str| tool[key].as_str().unwrap_or_default();
        let source = by_name
            .entry(text("source"))
            .or_insert_with(|| SourceDefinition {
                name: text("source").to_owned(),
                description: text("category").to_owned(),
                domain: Some(text("domain").to_owned()),
                exposure: ExposureRules::default(),
                ..SourceDefinition::default()
            });
        source
            .tools
            .push(ToolInput::Definition(Box::new(ToolDefinition {
                name: text("name").to_owned(),
                description: text("description").to_owned(),
                input_schema: text("inputSchema").to_owned(),
                ..ToolDefinition::default()
            })));
    }
    by_name.into_values().collect()
}

/// Nanoseconds of one search, one number a round. Each question has a session of its own in which
/// what it finds is active already.
fn rounds(registry: &Arc<Registry>, questions: &[&Value]) -> Vec<f64> {
    let limits = registry.limits();
    let rights = Arc::new(Selection::new(Term::All, limits).expect("a small selection"));
    let asked: Vec<(Session, &str)> = questions
        .iter()
        .map(|question| {
            let session =
                Session::open(registry, Arc::clone(&rights), &[]).expect("a session opens");
            let text = question["question"].as_str().expect("a text");
            let found: Vec<String> = search(&session, text);
            assert_eq!(json!(found), question["found"], "{text}");
            (session, text)
        })
        .collect();
    let pass = || {
        for (session, text) in &asked {
            let request = SearchRequest {
                query: text,
                ..SearchRequest::default()
            };
            black_box(session.search(&request)).expect("a search");
        }
    };
    repeat(WARMUP, pass);
    (0..ROUNDS)
        .map(|_| repeat(ROUND, pass) / asked.len() as f64)
        .collect()
}

fn search(session: &Session, query: &str) -> Vec<String> {
    let request = SearchRequest {
        query,
        ..SearchRequest::default()
    };
    let outcome = session.search(&request).expect("a search");
    let key = |tool: &toolcrib_core::tool::Tool| format!("{}/{}", tool.source(), tool.local_name());
    outcome.hits().iter().map(|hit| key(&hit.tool)).collect()
}

/// Nanoseconds of one `run`, on average over `time`.
fn repeat(time: Duration, run: impl Fn()) -> f64 {
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < time {
        run();
        count += 1;
    }
    start.elapsed().as_nanos() as f64 / f64::from(count)
}
