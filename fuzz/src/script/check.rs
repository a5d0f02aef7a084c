//! What holds of every script that has ended.

use toolcrib_codemode::{CallState, FailureKind, Outcome, ScriptLimits};

use super::host::{Seen, TOOLS};

/// What a failure may say at most: the text of an error is cut, the rest is ours.
const LONGEST_MESSAGE: usize = 16 << 10;
/// What the text for the model has beyond its output: a head, a failure, calls.
const AROUND_OUTPUT: usize = LONGEST_MESSAGE + (4 << 10);

pub fn check(outcome: &Outcome, seen: &Seen, limits: &ScriptLimits) {
    assert!(
        outcome.output.len() <= limits.script_output_bytes,
        "{}",
        outcome.output.len()
    );
    let text = outcome.text(limits.script_preview_bytes);
    assert!(text.starts_with("Script "));
    assert!(
        text.len() <= limits.script_preview_bytes + AROUND_OUTPUT,
        "{}",
        text.len()
    );
    if let Some(value) = &outcome.value {
        assert!(
            value.len() <= 4 * limits.script_output_bytes,
            "{}",
            value.len()
        );
        serde_json::from_str::<serde_json::Value>(value).expect("what is returned is JSON");
    }
    if let Some(failure) = &outcome.failure {
        assert_ne!(failure.kind, FailureKind::Sandbox, "{}", failure.message);
        assert_ne!(failure.kind, FailureKind::Cancelled, "{}", failure.message);
        assert!(!failure.message.is_empty() && failure.message.len() <= LONGEST_MESSAGE);
        assert_eq!(outcome.value, None, "a failure has no value");
    }
    assert!(outcome.calls.len() <= limits.script_calls);
    for (position, call) in outcome.calls.iter().enumerate() {
        assert_eq!(call.id as usize, position + 1);
        assert!(TOOLS.contains(&call.name.as_str()), "{}", call.name);
        assert_eq!(
            call.state != CallState::Waiting,
            seen.begun.contains_key(&call.id)
        );
        assert_eq!(
            call.state == CallState::Abandoned,
            seen.abandoned.contains(&call.id)
        );
    }
    assert!(seen.begun.len() <= outcome.calls.len());
    assert!(seen.most_open <= limits.script_parallel_calls);
    assert!(seen.commits <= 1);
    if outcome.failure.is_none() {
        assert_eq!(seen.commits, 1, "what was stored is kept");
    } else {
        assert_eq!(seen.commits, 0, "a script that fails stores nothing");
    }
    assert!(seen.stored <= limits.script_store_bytes);
}
