//! The two times of a script: that in which it has the engine, and that in which it waits for tools.

use std::time::Duration;

use tokio::time::Instant;

use crate::ScriptLimits;

/// Time used up so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    pub ran: Duration,
    pub waited: Duration,
}

impl Spent {
    /// When a phase of running that begins now has to end.
    pub fn run_until(&self, limits: &ScriptLimits) -> Instant {
        Instant::now() + millis(limits.script_run_millis).saturating_sub(self.ran)
    }

    /// When a phase of waiting that begins now has to end.
    pub fn wait_until(&self, limits: &ScriptLimits) -> Instant {
        Instant::now() + millis(limits.script_wait_millis).saturating_sub(self.waited)
    }
}

/// A time limit; what is longer than a year is a year, so that no sum can overflow.
pub(crate) fn millis(millis: u64) -> Duration {
    const YEAR: u64 = 365 * 24 * 60 * 60 * 1_000;
    Duration::from_millis(millis.min(YEAR))
}
