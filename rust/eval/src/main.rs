//! `toolcrib-eval`: how well the right tools are found.
//!
//! ```text
//! cargo run --release -p toolcrib-eval -- [--data FOLDER] [--gate | --record]
//! ```
//!
//! Without options every set of the shared data, and questions of our own in `rust/eval/questions`
//! that are in another language than the tools, are run through Toolcrib and three other engines,
//! then four sets with unrelated tools mixed in; figures go to `target/eval/retrieval.json` and
//! the tables to `docs/search-quality.md`.
//!
//! * `--data FOLDER`: the sets in `FOLDER` instead (each a folder with `tools.jsonl` and
//!   `queries.jsonl`); writes the JSON and prints the table, leaves the document alone.
//! * `--gate`: Toolcrib alone; fails if a set fell under its figure in `rust/eval/recorded.json`.
//! * `--record`: makes the measured figures the recorded ones.
//! * `--expansion FILE` (again for each file): packs the table of related words from what
//!   `scripts/expansion` found.

mod bag;
mod data;
mod engine;
mod expansion;
mod gate;
mod measure;
mod metrics;
mod report;
mod scale;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use engine::Kind;
use report::{Languages, SetReport};

#[derive(Default)]
struct Options {
    data: Option<PathBuf>,
    gate: bool,
    record: bool,
    expansion: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data" => {
                options.data = Some(arguments.next().ok_or("--data needs a folder")?.into())
            }
            "--expansion" => {
                let file = arguments.next().ok_or("--expansion needs a file")?;
                options.expansion.push(file.into());
            }
            "--gate" => options.gate = true,
            "--record" => options.record = true,
            other => {
                return Err(format!(
                    "unknown option {other:?}; see the head of rust/eval/src/main.rs"
                ));
            }
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    if !options.expansion.is_empty() {
        let words = root().join("scripts/expansion");
        let target = root().join("rust/core/src/search/expand/related.bin");
        return expansion::pack(&options.expansion, &words, &target);
    }
    let shared = shared_data();
    let folder = options
        .data
        .clone()
        .unwrap_or_else(|| shared.join("retrieval"));
    if !folder.is_dir() {
        let message = format!(
            "no data in {}; set TOOLCRIB_DATA or pass --data",
            folder.display()
        );
        return if std::env::var_os("CI").is_some_and(|ci| ci == "true") {
            Err(message)
        } else {
            say(&format!("skipped: {message}"));
            Ok(())
        };
    }
    let quick = options.gate || options.record;
    let kinds: &[Kind] = if quick { &[Kind::Toolcrib] } else { &Kind::ALL };

    let mut sets = Vec::new();
    let mut grown = Vec::new();
    let catalogue = match (&options.data, quick) {
        (None, false) => data::read_catalogues(&shared.join("catalogues"))?,
        _ => Vec::new(),
    };
    for folder in data::set_folders(&folder)? {
        let set = data::read_set(&folder)?;
        sets.push(measured(&set, measure::language(&set), kinds));
        if !catalogue.is_empty() && scale::SETS.contains(&set.name.as_str()) {
            grown.extend(scale::rows(&set, &catalogue));
        }
    }

    if options.data.is_none() {
        let crossing = data::crossing_sets(&root().join("rust/eval/questions"), &shared)?;
        sets.extend(
            crossing
                .iter()
                .map(|set| measured(set, Languages::Crossing, kinds)),
        );
    }

    let table = report::table(&sets);
    say(&table);
    write(
        &root().join("target/eval/retrieval.json"),
        &format!("{:#}\n", report::json(&sets)),
    )?;
    if !quick && options.data.is_none() {
        let document = root().join("docs/search-quality.md");
        let text = std::fs::read_to_string(&document)
            .map_err(|e| format!("{}: {e}", document.display()))?;
        let text = report::replace_part(&text, "sets", &table)?;
        let text = report::replace_part(&text, "scale", &report::scale_table(&grown))?;
        write(&document, &text)?;
    }

    let measured: BTreeMap<_, _> = sets
        .iter()
        .map(|set| (set.name.clone(), set.toolcrib()))
        .collect();
    let recorded = root().join("rust/eval/recorded.json");
    if options.record {
        gate::record(&recorded, &measured)?;
    } else if options.gate {
        let complaints = gate::complaints(&recorded, &measured)?;
        if !complaints.is_empty() {
            return Err(format!("search got worse:\n{}", complaints.join("\n")));
        }
    }
    Ok(())
}

fn measured(set: &data::Set, languages: Languages, kinds: &[Kind]) -> SetReport {
    let figures = |&kind| (kind, measure::set(kind, set));
    SetReport {
        name: set.name.clone(),
        tools: set.tools.len(),
        questions: set.questions.len(),
        languages,
        figures: kinds.iter().map(figures).collect(),
    }
}

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

fn shared_data() -> PathBuf {
    std::env::var_os("TOOLCRIB_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let fail = |e| format!("{}: {e}", path.display());
    path.parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(fail)?;
    std::fs::write(path, text).map_err(fail)
}

/// The one place that prints: this is a command for people.
#[allow(clippy::print_stdout)]
fn say(text: &str) {
    println!("{text}");
}
