//! What came of a script.

use std::{fmt::Write, time::Duration};

use crate::output;

/// What came of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it did not complete; None if it did.
    pub failure: Option<Failure>,
    /// Everything that it wrote, and what it returned as the model reads it. Also of a script that
    /// failed: what it wrote before.
    pub output: String,
    /// What it returned, as JSON; None for `undefined` and after a failure.
    pub value: Option<String>,
    /// Its calls of tools, in order.
    pub calls: Vec<CallRecord>,
    /// How long it ran, the time that it waited for tools left out.
    pub ran: Duration,
    /// How long it waited for tools.
    pub waited: Duration,
}

/// Why a script did not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What happened, for the model to read; of an error of the script's own, with its line.
    pub message: String,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The script is wrong: it does not parse, or an error of it was not caught.
    Script,
    /// It took too long.
    Timeout,
    /// It was cancelled from outside.
    Cancelled,
    /// It needed more of something than it may have.
    Limit,
    /// The sandbox failed; a bug of ours or of the engine.
    Sandbox,
}

impl FailureKind {
    /// All kinds; the position of each is its number on the wire.
    pub const ALL: [Self; 5] = [
        Self::Script,
        Self::Timeout,
        Self::Cancelled,
        Self::Limit,
        Self::Sandbox,
    ];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Limit => "limit",
            Self::Sandbox => "sandbox",
        }
    }
}

/// One call that a script made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// Its number, from 1.
    pub id: u32,
    /// The tool.
    pub name: String,
    /// How it stands.
    pub state: CallState,
}

/// How a call stands when the script has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// It never began.
    Waiting,
    /// It was begun, and the script ended before it did. The tool may go on.
    Abandoned,
    /// It ended like this.
    Done(crate::ReplyKind),
}

impl CallState {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "not begun",
            Self::Abandoned => "begun, outcome unknown",
            Self::Done(kind) => kind.word(),
        }
    }
}

/// Calls that the text of a failure names at most.
const CALLS_IN_TEXT: usize = 64;

impl Outcome {
    /// A script that never ran.
    #[must_use]
    pub fn never_ran(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            failure: Some(Failure {
                kind,
                message: message.into(),
            }),
            output: String::new(),
            value: None,
            calls: Vec::new(),
            ran: Duration::ZERO,
            waited: Duration::ZERO,
        }
    }

    /// The outcome as the model reads it: how it ended, the output cut to `preview_bytes`, and of a
    /// failure its kind and the calls that were made before.
    #[must_use]
    pub fn text(&self, preview_bytes: usize) -> String {
        let mut text = String::new();
        let seconds = (self.ran + self.waited).as_secs_f64();
        let state = match self.failure {
            None => "completed",
            Some(_) => "failed",
        };
        let calls = self.calls.len();
        let s = if calls == 1 { "" } else { "s" };
        _ = writeln!(
            text,
            "Script {state} in {seconds:.1} s, {calls} tool call{s}."
        );
        match (self.output.is_empty(), &self.failure) {
            (true, None) => text.push_str("No output: return a value or use text(value).\n"),
            (true, Some(_)) => {}
            (false, _) => {
                text.push_str("Output:\n");
                output::head_and_tail(&mut text, &self.output, preview_bytes);
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        if let Some(failure) = &self.failure {
            _ = writeln!(
                text,
                "Failure ({}): {}",
                failure.kind.word(),
                failure.message
            );
            self.name_calls(&mut text);
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn name_calls(&self, text: &mut String) {
        if self
            .calls
            .iter()
            .all(|call| call.state == CallState::Waiting)
        {
            return;
        }
        text.push_str("Calls already made; what they did is not undone:\n");
        for call in self.calls.iter().take(CALLS_IN_TEXT) {
            _ = writeln!(text, "- {} {}: {}", call.id, call.name, call.state.word());
        }
        if self.calls.len() > CALLS_IN_TEXT {
            _ = writeln!(text, "- and {} more", self.calls.len() - CALLS_IN_TEXT);
        }
    }
}
