//! Converts every schema of the data sets for every target, shows the result to the gatekeepers, and
//! writes the tables of `docs/schema-conversion.md`, between its two marks:
//!
//! `make conversion-report`, or `cargo run --release -p toolcrib-core --example conversion_report`
//!
//! Ends with an error where a declaration is refused or takes more than its budget.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

#[path = "../tests/conversion/data.rs"]
mod data;
#[path = "../tests/conversion/gatekeepers/mod.rs"]
#[allow(dead_code, reason = "histories are not part of the report")]
mod gatekeepers;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use data::Listed;
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    Declaration, DeclaredTool, Effect, Endpoint, Rejection, Target, render,
};

const DOCUMENT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/schema-conversion.md"
);
const BEGIN: &str = "<!-- made by make conversion-report -->\n";
const END: &str = "<!-- /made -->\n";
/// The longest that one declaration may take, on a machine that has other work too.
const TIME_BUDGET: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Row {
    passed: usize,
    rewritten: usize,
    noted: usize,
    quarantined: usize,
    plain_instead: usize,
    bytes_in: usize,
    bytes_out: usize,
    largest: usize,
}

#[derive(Default)]
struct Report {
    /// By label of the target, for the hard schemas and for the catalogues.
    hard: BTreeMap<usize, (String, Row)>,
    real: BTreeMap<usize, (String, Row)>,
    reasons: BTreeMap<(&'static str, &'static str, Effect), BTreeMap<usize, usize>>,
    quarantined: Vec<String>,
    refused: Vec<String>,
    slowest: (Duration, String),
    tools: [usize; 2],
}

fn main() -> ExitCode {
    let limits = Limits::default();
    let mut report = Report::default();
    for (set, path) in data::SETS {
        let Some(tools) = data::tools(path) else {
            return ExitCode::FAILURE;
        };
        report.tools[usize::from(set != "hard")] += tools.len();
        for (at, (target, strict)) in forms().enumerate() {
            let endpoint = Endpoint::native(target).with_strict(strict);
            let label = format!("{}{}", target.name(), if strict { " strict" } else { "" });
            for tool in &tools {
                report.add(set, (at, &label), &endpoint, tool, &limits);
            }
            eprintln!("{set} {label}");
        }
    }
    for line in &report.refused {
        eprintln!("refused: {line}");
    }
    let (slowest, which) = &report.slowest;
    eprintln!("slowest: {slowest:?}, {which}");
    let text = report.text(&limits);
    print!("{text}");
    let written = std::fs::read_to_string(DOCUMENT).and_then(|document| {
        let (before, rest) = document.split_once(BEGIN).unwrap_or((&document, ""));
        let after = rest.split_once(END).map_or("", |(_, after)| after);
        std::fs::write(DOCUMENT, format!("{before}{BEGIN}{text}{END}{after}"))
    });
    if let Err(why) = &written {
        eprintln!("{DOCUMENT}: {why}");
    }
    if report.refused.is_empty() && *slowest <= TIME_BUDGET && written.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn forms() -> impl Iterator<Item = (Target, bool)> {
    Target::ALL.iter().flat_map(|target| {
        let strict = target.has_strict().then_some((*target, true));
        [Some((*target, false)), strict].into_iter().flatten()
    })
}

impl Report {
    fn add(
        &mut self,
        set: &str,
        (at, label): (usize, &str),
        endpoint: &Endpoint,
        tool: &Listed,
        limits: &Limits,
    ) {
        let declared = DeclaredTool {
            name: &tool.name,
            title: None,
            description: &tool.description,
            input_schema: &tool.input_schema,
            output_schema: None,
            annotations: None,
        };
        let start = Instant::now();
        let made = endpoint.declare(&declared, limits);
        let took = start.elapsed();
        if took > self.slowest.0 {
            self.slowest = (took, format!("{set} {} for {label}", tool.name));
        }
        let rows = if set == "hard" {
            &mut self.hard
        } else {
            &mut self.real
        };
        let (_, row) = rows
            .entry(at)
            .or_insert_with(|| (label.to_owned(), Row::default()));
        row.bytes_in += tool.input_schema.to_string().len();
        row.count(made.as_ref(), endpoint.is_strict());
        match &made {
            Err(why) => {
                let line = format!("{set} `{}` for {label}: {why}", tool.name);
                self.quarantined.push(line);
            }
            Ok(made) => {
                for note in made.notes() {
                    let reason = (note.what, note.why, note.effect);
                    *self
                        .reasons
                        .entry(reason)
                        .or_default()
                        .entry(at)
                        .or_default() += 1;
                }
                if let Err(why) = accepted(endpoint, made) {
                    self.refused
                        .push(format!("{set} {} for {label}: {why}", tool.name));
                }
            }
        }
    }

    fn text(&self, limits: &Limits) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{} hard schemas and {} tools of the catalogues toucan, github, mcp-zero, docker and composio. Budgets: every \
             declaration within {} bytes (`max_declaration_bytes`) and {} ms. Refused by a gatekeeper: {}. Quarantined: {}.\n",
            self.tools[0],
            self.tools[1],
            limits.max_declaration_bytes,
            TIME_BUDGET.as_millis(),
            self.refused.len(),
            if self.quarantined.is_empty() {
                "none".to_owned()
            } else {
                self.quarantined.join("; ")
            },
        );
        for (title, rows) in [("hard schemas", &self.hard), ("catalogues", &self.real)] {
            let _ = writeln!(
                out,
                "| {title} | passed | rewritten | noted | quarantined | strict → plain | bytes out / in | largest |\n\
                 |---|--:|--:|--:|--:|--:|--:|--:|"
            );
            for (label, row) in rows.values() {
                let _ = writeln!(
                    out,
                    "| {label} | {} | {} | {} | {} | {} | {:.2} | {} |",
                    row.passed,
                    row.rewritten,
                    row.noted,
                    row.quarantined,
                    row.plain_instead,
                    row.bytes_out as f64 / row.bytes_in as f64,
                    row.largest,
                );
            }
            out.push('\n');
        }
        out.push_str("How often, over all of them:\n\n| what | why | effect |");
        for (label, _) in self.hard.values() {
            let _ = write!(out, " {} |", short(label));
        }
        let _ = writeln!(out, "\n|---|---|---|{}", "--:|".repeat(self.hard.len()));
        for ((what, why, effect), by_target) in &self.reasons {
            let effect = format!("{effect:?}").to_lowercase();
            let _ = write!(out, "| {what} | {why} | {effect} |");
            for at in self.hard.keys() {
                let times = by_target.get(at).map(usize::to_string).unwrap_or_default();
                let _ = write!(out, " {times} |");
            }
            out.push('\n');
        }
        out
    }
}

impl Row {
    fn count(&mut self, made: Result<&Declaration, &Rejection>, strict: bool) {
        let Ok(made) = made else {
            self.quarantined += 1;
            return;
        };
        self.bytes_out += made.json().len();
        self.largest = self.largest.max(made.json().len());
        self.plain_instead += usize::from(strict && !made.is_strict());
        match made.notes().iter().map(|n| n.effect).max() {
            None => self.passed += 1,
            Some(Effect::Rewritten) => self.rewritten += 1,
            Some(_) => self.noted += 1,
        }
    }
}

fn accepted(endpoint: &Endpoint, made: &Declaration) -> Result<(), String> {
    let rendered = render(endpoint, &[made]);
    let value = serde_json::from_str(&rendered.json).map_err(|why| why.to_string())?;
    gatekeepers::check(endpoint.target(), &value)
}

/// A label that fits the head of a column.
fn short(label: &str) -> String {
    label
        .replace("anthropic-messages", "anthropic")
        .replace("openai-", "")
        .replace("gemini-parameters", "gemini")
        .replace("gemini-json-schema", "gemini json")
        .replace("bedrock-", "")
}
