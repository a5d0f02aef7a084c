//! Speed of declarations over 5,000 real tools:
//!
//! `cargo run --release -p toolcrib-core --example conversion_bench [rounds [target]]`
//!
//! With one round and one target it does nothing but that work, for
//! `valgrind --tool=callgrind target/release/examples/conversion_bench 1 anthropic-messages`.
#![allow(clippy::print_stdout, reason = "a report is printed")]

#[path = "../tests/conversion/data.rs"]
#[allow(dead_code, reason = "one set is enough here")]
mod data;

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{Declaration, DeclaredTool, Endpoint, Target, declare, render};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(5);
    let only = arguments.next().and_then(|name| Target::from_name(&name));
    let Some(mut tools) = data::tools("catalogues/toucan.jsonl.gz") else {
        return;
    };
    tools.truncate(5_000);
    let limits = Limits::default();
    let declared: Vec<DeclaredTool<'_>> = tools
        .iter()
        .map(|tool| DeclaredTool {
            name: &tool.name,
            title: None,
            description: &tool.description,
            input_schema: &tool.input_schema,
            output_schema: None,
            annotations: None,
        })
        .collect();

    println!("| target | tools/s, best of {rounds} | µs a tool | ratio to parsing the schemas |");
    println!("|---|--:|--:|--:|");
    let texts: Vec<String> = tools
        .iter()
        .map(|tool| tool.input_schema.to_string())
        .collect();
    let parsing = best(rounds, || {
        for text in &texts {
            black_box(serde_json::from_str::<Value>(text).ok());
        }
    });
    for target in Target::ALL.iter().filter(|t| only.is_none_or(|o| o == **t)) {
        let took = best(rounds, || {
            for tool in &declared {
                black_box(declare(tool, *target, &limits).ok());
            }
        });
        let each = took.as_secs_f64() / declared.len() as f64;
        println!(
            "| {} | {:.0} | {:.1} | {:.1} |",
            target.name(),
            1.0 / each,
            each * 1e6,
            took.as_secs_f64() / parsing.as_secs_f64()
        );
    }
    if only.is_some() {
        return;
    }
    let endpoint = Endpoint::native(Target::AnthropicMessages);
    let kept: Vec<Declaration> = declared
        .iter()
        .take(100)
        .filter_map(|tool| endpoint.declare(tool, &limits).ok())
        .collect();
    let kept: Vec<&Declaration> = kept.iter().collect();
    let took = best(rounds, || {
        black_box(render(&endpoint, &kept));
    });
    println!(
        "\nRendering an unchanged session of 100 tools: {:.1} µs",
        took.as_secs_f64() * 1e6
    );
    let arguments =
        json!({"query": "text", "filters": {"since": "2026-01-01", "tags": ["a", "b"]}});
    let took = best(rounds, || {
        for declaration in &kept {
            black_box(declaration.restore(arguments.clone()));
        }
    });
    println!(
        "Restoring the arguments of a call: {:.0} ns",
        took.as_secs_f64() * 1e9 / 100.0
    );
}

fn best(rounds: usize, mut work: impl FnMut()) -> Duration {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..rounds.max(1))
        .map(|_| once(&mut work))
        .min()
        .unwrap_or_default()
}
