//! Search over real tools beside the `bm25` crate's engine with the same terms.
//!
//! `cargo bench -p toolcrib-core --bench search` prints a table and writes
//! `target/bench/search.json`. Times of one run compare with each other, not with those of another
//! machine or hour: read the ratios.

#![expect(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

mod data;
mod measure;
mod memory;

use std::hint::black_box;

use bm25::{SearchEngine, SearchEngineBuilder};
use roaring::RoaringBitmap;
use serde_json::{Value, json};
use toolcrib_core::search::analyze::Analyzer;
use toolcrib_core::search::{Query, SearchIndex};

use data::Tool;
use measure::{Latency, Stopwatch, micros};

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, usize::MAX];

/// Each is asked so often and its best time counts.
const ROUNDS: usize = 3;

/// Questions per size; fewer for the baseline, which takes milliseconds for one.
const QUESTIONS: usize = 600;
const BASELINE_QUESTIONS: usize = 60;

const LIMIT: usize = 5;

fn main() {
    let Some((tools, questions)) = data::load() else {
        return;
    };
    let with_baseline = std::env::var_os("TOOLCRIB_BENCH_NO_BASELINE").is_none();
    let mut sizes = Vec::new();
    for size in SIZES {
        let tools = data::sample(&tools, size);
        let questions = data::sample(&questions, QUESTIONS);
        println!("\n{} tools", tools.len());
        let mut result = ours(&tools, &questions);
        if with_baseline {
            let baseline = baseline(&tools, &data::sample(&questions, BASELINE_QUESTIONS));
            let ratio = |of: &str| {
                let p50 = |v: &Value| v[of].as_f64().unwrap_or(f64::NAN);
                p50(&baseline) / p50(&result)
            };
            result["times_faster_p50"] = json!(ratio("baseline_questions_p50_us"));
            result["bm25_crate"] = baseline;
            println!(
                "  times faster than the bm25 crate: {}",
                result["times_faster_p50"]
            );
        }
        sizes.push(result);
    }
    measure::write("search.json", &json!({ "limit": LIMIT, "sizes": sizes }));
}

fn ours(tools: &[&Tool], questions: &[&String]) -> Value {
    let before = memory::live();
    let start = Stopwatch::start();
    let mut editor = SearchIndex::new().edit();
    for (slot, tool) in (0..).zip(tools) {
        editor.insert(slot, &tool.document());
    }
    let index = editor.finish();
    let build = start.elapsed();
    let per_tool = (memory::live() - before) as f64 / tools.len() as f64;

    let (mut insert, mut publish) = (Vec::new(), Vec::new());
    for slot in data::spread(tools.len(), 40) {
        let mut editor = index.edit();
        let start = Stopwatch::start();
        editor.insert(slot as u32, &tools[slot].document());
        insert.push(start.elapsed());
        let start = Stopwatch::start();
        black_box(editor.finish());
        publish.push(start.elapsed());
    }

    let mut result = json!({
        "tools": tools.len(),
        "build_us_per_tool": micros(build) / tools.len() as f64,
        "bytes_per_tool": per_tool,
        "upsert_analyze_us": Latency::of(insert).p50,
        "upsert_publish_us": Latency::of(publish).p50,
    });
    println!("  {result}");
    for (name, view) in views(tools) {
        let made: Vec<_> = (0..9)
            .map(|_| {
                let start = Stopwatch::start();
                black_box(index.scope(&view));
                start.elapsed()
            })
            .collect();
        let before = memory::live();
        let scope = index.scope(&view);
        let bytes = memory::live() - before;
        let search = |question: &&String| {
            let query = Query {
                text: question,
                limit: LIMIT,
                filter: None,
            };
            black_box(index.search(&scope, &query));
        };
        let latency = Latency::over(questions, ROUNDS, search);
        if name == "all" {
            let same = data::sample(questions, BASELINE_QUESTIONS);
            result["baseline_questions_p50_us"] =
                json!(Latency::over(&same, ROUNDS, |q| search(q)).p50);
        }
        result[name] = json!({
            "tools": view.len(),
            "scope_us": Latency::of(made).p50,
            "scope_bytes": bytes,
            "p50_us": latency.p50,
            "p99_us": latency.p99,
        });
        println!("  {name}: {}", result[name]);
    }
    result
}

/// What callers may see: everything, every second tool, 10,000 names, one tool in a hundred spread
/// over all sources, and as many side by side, as the tools of one source are.
fn views(tools: &[&Tool]) -> [(&'static str, RoaringBitmap); 5] {
    let all = tools.len() as u32;
    let middle = all / 2;
    // A multiplication spreads neighbours, as rights that follow no order of sources do.
    let spread = |slot: u32| slot.wrapping_mul(0x9E37_79B9) >> 8;
    [
        ("all", (0..all).collect()),
        ("half", (0..all).filter(|&s| spread(s) % 2 == 0).collect()),
        (
            "names_10k",
            data::spread(tools.len(), 10_000)
                .map(|s| s as u32)
                .collect(),
        ),
        (
            "percent",
            (0..all).filter(|&s| spread(s) % 100 == 0).collect(),
        ),
        ("percent_together", (middle..middle + all / 100).collect()),
    ]
}

fn baseline(tools: &[&Tool], questions: &[&&String]) -> Value {
    let before = memory::live();
    let start = Stopwatch::start();
    let bags: Vec<String> = tools.iter().map(|tool| tool.bag()).collect();
    let mut engine: SearchEngine<u32, u64, Analyzer> =
        SearchEngineBuilder::<u32, u64, Analyzer>::with_tokenizer_and_corpus(Analyzer, bags)
            .build();
    let build = start.elapsed();
    let per_tool = (memory::live() - before) as f64 / tools.len() as f64;
    let latency = Latency::over(questions, ROUNDS, |question| {
        black_box(engine.search(question, LIMIT));
    });
    let upsert = data::spread(tools.len(), 40).map(|slot| {
        let start = Stopwatch::start();
        engine.upsert(bm25::Document::new(slot as u32, tools[slot].bag()));
        start.elapsed()
    });
    let result = json!({
        "build_us_per_tool": micros(build) / tools.len() as f64,
        "bytes_per_tool": per_tool,
        "upsert_us": Latency::of(upsert.collect()).p50,
        "baseline_questions_p50_us": latency.p50,
        "baseline_questions_p99_us": latency.p99,
    });
    println!("  bm25 crate: {result}");
    result
}
