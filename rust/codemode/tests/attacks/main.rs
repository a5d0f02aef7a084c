//! Scripts that mean harm. Each must end in bounded time with the failure that it deserves, leave
//! the process alive and the pool able to run the next script.

mod isolation;
mod memory;
mod operations;
mod pools;
mod programs;
#[path = "../support/mod.rs"]
mod support;
mod time;
mod values;

use support::{Tools, limits, run_with};
use toolcrib_codemode::{FailureKind, ScriptLimits};

/// Small and quick, so that what runs into a limit does so soon.
fn tight() -> ScriptLimits {
    limits(|limits| {
        limits.script_run_millis = 300;
        limits.script_wait_millis = 300;
        limits.script_memory_bytes = 16 << 20;
    })
}

fn kind(code: &str) -> FailureKind {
    let outcome = run_with(&Tools::usual(), tight(), code);
    outcome
        .failure
        .unwrap_or_else(|| panic!("{code} completed"))
        .kind
}
