//! A fixed piece of search work for counting instructions under callgrind, which other work on the
//! machine does not change. Run through `instructions.sh` beside this file.

#![expect(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

#[path = "search/data.rs"]
#[expect(
    dead_code,
    reason = "the other benchmark also needs text without fields"
)]
mod data;

use std::hint::black_box;

use roaring::RoaringBitmap;
use toolcrib_core::search::{Query, Scope, SearchIndex};

use data::Tool;

const TOOLS: usize = 10_000;
const QUESTIONS: usize = 100;

fn main() {
    let Some((tools, questions)) = data::load() else {
        return;
    };
    let tools = data::sample(&tools, TOOLS);
    let questions = data::sample(&questions, QUESTIONS);
    let index = counted_build(&tools);
    let all: RoaringBitmap = (0..TOOLS as u32).collect();
    let percent: RoaringBitmap = (0..TOOLS as u32).step_by(100).collect();
    counted_search_all(&index, &index.scope(&all), &questions);
    counted_search_percent(&index, &index.scope(&percent), &questions);
    counted_scope(&index, &all.iter().step_by(2).collect());
    counted_publish(&index, tools[TOOLS / 2]);
}

#[inline(never)]
fn counted_build(tools: &[&Tool]) -> SearchIndex {
    let mut editor = SearchIndex::new().edit();
    for (slot, tool) in (0..).zip(tools) {
        editor.insert(slot, &tool.document());
    }
    editor.finish()
}

// The view's name makes two functions of them: the compiler folds equal ones into one.
#[inline(never)]
fn counted_search_all(index: &SearchIndex, scope: &Scope, questions: &[&String]) {
    search(index, scope, questions, "all");
}

#[inline(never)]
fn counted_search_percent(index: &SearchIndex, scope: &Scope, questions: &[&String]) {
    search(index, scope, questions, "one percent");
}

#[inline(always)]
fn search(index: &SearchIndex, scope: &Scope, questions: &[&String], view: &str) {
    black_box(view);
    for text in questions {
        let query = Query {
            text,
            limit: 5,
            filter: None,
        };
        black_box(index.search(scope, &query));
    }
}

#[inline(never)]
fn counted_scope(index: &SearchIndex, view: &RoaringBitmap) {
    black_box(index.scope(view));
}

#[inline(never)]
fn counted_publish(index: &SearchIndex, tool: &Tool) {
    let mut editor = index.edit();
    editor.insert(TOOLS as u32 / 2, &tool.document());
    black_box(editor.finish());
}
