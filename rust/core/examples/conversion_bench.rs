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
use toolcrib_core::provider::{
    Declaration, DeclaredTool, Endpoint, Target, declare, decode_calls, render,
};

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

    let texts: Vec<String> = tools
        .iter()
        .map(|tool| tool.input_schema.to_string())
        .collect();
    let parsing = best(rounds, || {
        for text in &texts {
            black_box(serde_json::from_str::<Value>(text).ok());
        }
    });
    println!(
        "Ratios to parsing the JSON of the same {} schemas, best of {rounds}.\n",
        texts.len()
    );
    println!("| converting for | ratio | µs a tool |");
    println!("|---|--:|--:|");
    for target in Target::ALL.iter().filter(|t| only.is_none_or(|o| o == **t)) {
        let took = best(rounds, || {
            for tool in &declared {
                black_box(declare(tool, *target, &limits).ok());
            }
        });
        println!(
            "| {} | {:.1} | {:.1} |",
            target.name(),
            took.as_secs_f64() / parsing.as_secs_f64(),
            took.as_secs_f64() / declared.len() as f64 * 1e6,
        );
    }
    if only.is_some() {
        return;
    }
    session(rounds, &declared[..100], &limits);
    call(rounds, &declared[..100], &limits);
}

/// What a session of 100 tools costs once it is there.
fn session(rounds: usize, tools: &[DeclaredTool<'_>], limits: &Limits) {
    let endpoint = Endpoint::native(Target::AnthropicMessages);
    let declare_all = || -> Vec<Declaration> {
        tools
            .iter()
            .filter_map(|tool| endpoint.declare(tool, limits).ok())
            .collect()
    };
    let kept = declare_all();
    let kept: Vec<&Declaration> = kept.iter().collect();
    let converting = best(rounds, || {
        black_box(declare_all());
    });
    let rendering = best(rounds, || {
        black_box(render(&endpoint, &kept));
    });
    println!(
        "\nRendering {} tools that are declared already: {:.0} times faster than declaring them ({:.1} µs).",
        kept.len(),
        converting.as_secs_f64() / rendering.as_secs_f64(),
        rendering.as_secs_f64() * 1e6
    );
    println!("An unchanged session renders nothing: it gives the same object again.");
}

/// What one call costs: the model's answer read, its arguments restored.
fn call(rounds: usize, tools: &[DeclaredTool<'_>], limits: &Limits) {
    let arguments =
        json!({"query": "text", "filters": {"since": "2026-01-01", "tags": ["a", "b"]}});
    let answer = json!({"output": [
        {"type": "function_call", "call_id": "1", "name": "a", "arguments": arguments.to_string()},
    ]});
    let text = answer.to_string();
    const TIMES: usize = 1_000;
    let parsing = best(rounds, || {
        for _ in 0..TIMES {
            black_box(serde_json::from_str::<Value>(&text).ok());
        }
    });
    let decoding = best(rounds, || {
        for _ in 0..TIMES {
            black_box(decode_calls(Target::OpenAiResponses, &answer, limits));
        }
    });
    let endpoint = Endpoint::native(Target::OpenAiResponses).with_strict(true);
    let kept: Vec<Declaration> = tools
        .iter()
        .filter_map(|tool| endpoint.declare(tool, limits).ok())
        .collect();
    let restoring = best(rounds, || {
        for at in 0..TIMES {
            black_box(kept[at % kept.len()].restore(arguments.clone()));
        }
    });
    let each = |took: Duration| took.as_secs_f64() * 1e9 / TIMES as f64;
    println!(
        "Decoding a call: {:.1} times parsing the answer it stands in ({:.0} ns); restoring its arguments: {:.1} times ({:.0} ns).",
        decoding.as_secs_f64() / parsing.as_secs_f64(),
        each(decoding),
        restoring.as_secs_f64() / parsing.as_secs_f64(),
        each(restoring)
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
