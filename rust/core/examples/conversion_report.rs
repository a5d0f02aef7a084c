//! Converts every schema of the data sets for every target and prints the tables of
//! `docs/schema-conversion.md`:
//!
//! `cargo run --release -p toolcrib-core --example conversion_report`
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

#[path = "../tests/conversion/data.rs"]
mod data;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use toolcrib_core::Limits;
use toolcrib_core::provider::{DeclareOptions, DeclaredTool, Effect, Target, declare_with};

#[derive(Default)]
struct Row {
    tools: usize,
    passed: usize,
    rewritten: usize,
    noted: usize,
    quarantined: usize,
    plain_instead: usize,
    bytes_in: usize,
    bytes_out: usize,
    largest: usize,
    slowest: Duration,
    spent: Duration,
}

fn main() {
    let limits = Limits::default();
    let mut reasons: BTreeMap<(&str, &str, Effect), BTreeMap<String, usize>> = BTreeMap::new();
    let mut quarantined = Vec::new();
    println!(
        "| set | target | tools | passed | rewritten | noted | quarantined | strict → plain | bytes in | bytes out | largest |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (set, path) in data::SETS {
        let Some(tools) = data::tools(path) else {
            return;
        };
        for target in Target::ALL {
            for strict in [false, true] {
                if strict && !target.has_strict() {
                    continue;
                }
                let label = format!("{}{}", target.name(), if strict { " strict" } else { "" });
                let mut row = Row {
                    tools: tools.len(),
                    ..Row::default()
                };
                for tool in &tools {
                    let declared = DeclaredTool {
                        name: &tool.name,
                        title: None,
                        description: &tool.description,
                        input_schema: &tool.input_schema,
                        output_schema: None,
                        annotations: None,
                    };
                    row.bytes_in += tool.input_schema.to_string().len();
                    let start = Instant::now();
                    let options = DeclareOptions {
                        strict,
                        deferred: false,
                    };
                    let made = declare_with(&declared, *target, options, &limits);
                    let took = start.elapsed();
                    row.spent += took;
                    row.slowest = row.slowest.max(took);
                    match made {
                        Err(why) => {
                            row.quarantined += 1;
                            quarantined.push(format!("{set} `{}` for {label}: {why}", tool.name));
                        }
                        Ok(made) => {
                            row.bytes_out += made.json().len();
                            row.largest = row.largest.max(made.json().len());
                            row.plain_instead += usize::from(strict && !made.is_strict());
                            let effect = made.notes().iter().map(|n| n.effect).max();
                            match effect {
                                None => row.passed += 1,
                                Some(Effect::Rewritten) => row.rewritten += 1,
                                Some(_) => row.noted += 1,
                            }
                            for note in made.notes() {
                                let by_target = reasons
                                    .entry((note.what, note.why, note.effect))
                                    .or_default();
                                *by_target.entry(label.clone()).or_default() += 1;
                            }
                        }
                    }
                }
                println!(
                    "| {set} | {label} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                    row.tools,
                    row.passed,
                    row.rewritten,
                    row.noted,
                    row.quarantined,
                    row.plain_instead,
                    row.bytes_in,
                    row.bytes_out,
                    row.largest,
                );
                eprintln!(
                    "{set} {label}: {:.0} tools/s, slowest {} µs",
                    row.tools as f64 / row.spent.as_secs_f64(),
                    row.slowest.as_micros(),
                );
            }
        }
    }
    println!(
        "\nQuarantined: {}\n",
        if quarantined.is_empty() { "none" } else { "" }
    );
    for line in quarantined {
        println!("* {line}");
    }
    println!("\n| what | why | effect | times, by target |\n|---|---|---|---|");
    for ((what, why, effect), by_target) in reasons {
        let times: Vec<String> = by_target
            .iter()
            .map(|(label, count)| format!("{label} {count}"))
            .collect();
        println!("| {what} | {why} | {effect:?} | {} |", times.join(", "));
    }
}
