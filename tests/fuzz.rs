//! The targets of `fuzz/`, tried for a bounded time with stable Rust: the corpus, and inputs made of
//! it. `TOOLCRIB_FUZZ_INPUTS` tries more of them, `TOOLCRIB_FUZZ_SEED` others.

// The bridge is a library for the JVM alone, so that its frames are taken in by their sources.
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../rust/jni/error.rs"]
mod error;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../rust/jni/frames.rs"]
mod frames;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../rust/jni/limits.rs"]
mod limits;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../rust/jni/wire.rs"]
mod wire;

#[path = "../fuzz/src/drive.rs"]
mod drive;
#[path = "../fuzz/src/script/mod.rs"]
mod script;
#[path = "../fuzz/src/targets.rs"]
mod targets;

use std::{env, path::Path};

/// What is not optimized takes a few times as much stack as the library does.
const STACK: usize = 2 << 20;

fn number(name: &str, usual: u64) -> u64 {
    let wanted = env::var(name).ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(usual)
}

fn holds_for_all(wanted: &str, inputs: u64) {
    let (name, target) = targets::ALL
        .into_iter()
        .find(|(name, _)| *name == wanted)
        .expect("the target is there");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let corpus = drive::corpus(&folder.join(name)).expect("the target has a corpus");
    let seed = number("TOOLCRIB_FUZZ_SEED", 20_261_130);
    let inputs = number("TOOLCRIB_FUZZ_INPUTS", inputs);
    match drive::drive(target, corpus, inputs, seed, STACK) {
        Ok(outcome) => assert!(outcome.tried >= inputs, "{outcome:?}"),
        Err(found) => panic!(
            "{}\nwith {:?}",
            found.said,
            String::from_utf8_lossy(&found.input)
        ),
    }
}

#[test]
fn any_frame_is_read_or_refused() {
    holds_for_all("wire", 2_000);
}

#[test]
fn any_list_of_tools_is_published_or_refused() {
    holds_for_all("tools_list", 200);
}

#[test]
fn any_schema_has_a_declaration_for_every_provider() {
    holds_for_all("schema", 200);
}

#[test]
fn any_arguments_are_executed_or_refused() {
    holds_for_all("arguments", 200);
}

#[test]
fn any_snapshot_is_restored_or_refused() {
    holds_for_all("snapshot", 2_000);
}

#[test]
fn any_query_has_the_same_answer_twice() {
    holds_for_all("query", 300);
}

#[test]
fn any_script_comes_to_an_end_and_leaves_nothing_behind() {
    holds_for_all("script", 200);
}
