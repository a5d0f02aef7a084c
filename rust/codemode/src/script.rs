//! A script from the outside: what may be done with it from any thread.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};

use crate::{
    CallRecord, CallState, Failure, FailureKind, Host, Outcome, Reply, ScriptLimits, clock, engine,
};

/// One run of a script, from its start in a [`Pool`](crate::Pool) to its [`Outcome`]. All methods
/// may be called from any thread and none of them blocks.
pub struct Script {
    pub(crate) code: String,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) limits: Arc<ScriptLimits>,
    pub(crate) phase: watch::Sender<Phase>,
    stop: AtomicU8,
    finished: AtomicBool,
    lost: AtomicBool,
    events: mpsc::UnboundedSender<Event>,
    inbox: Mutex<Option<mpsc::UnboundedReceiver<Event>>>,
    progress: Mutex<Progress>,
}

/// What completes a [`Host::call`] or a [`Host::refresh`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// What came of a call.
    Replied(Reply),
    /// The caller's rights were asked again.
    Refreshed,
    /// They could not be asked. The lookup that wanted them fails: whatever was answered before says
    /// nothing of now.
    Unknown,
}

/// What reaches the thread of a script.
#[derive(Debug)]
pub(crate) enum Event {
    /// Something that the host was asked for is done.
    Completed(u32, Completion),
    /// Look whether to stop.
    Wake,
}

/// Where a script stands, for the watchdog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It waits for a thread until then.
    Queued(Instant),
    /// It has the engine until then.
    Running(Instant),
    /// It waits for tools, and keeps its time itself.
    Waiting,
    /// Its thread has nothing to do with it any more.
    Ended,
}

/// Why a script is to stop before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stop {
    /// It ran too long.
    Ran = 1,
    /// It waited too long.
    Waited,
    /// Somebody cancelled it.
    Cancelled,
    /// It wrote too much.
    Output,
    /// It wants to.
    Exit,
    /// What it asked the host for panicked.
    Panicked,
}

impl Stop {
    const ALL: [Self; 6] = [
        Self::Ran,
        Self::Waited,
        Self::Cancelled,
        Self::Output,
        Self::Exit,
        Self::Panicked,
    ];

    pub fn failure(self, limits: &ScriptLimits) -> Option<Failure> {
        let seconds = |millis: u64| millis as f64 / 1_000.0;
        let (kind, message) = match self {
            Self::Exit => return None,
            Self::Ran => (
                FailureKind::Timeout,
                format!(
                    "The script ran for {} s, the limit is that (script_run_millis). Do less in one script.",
                    seconds(limits.script_run_millis)
                ),
            ),
            Self::Waited => (
                FailureKind::Timeout,
                format!(
                    "The script waited for tools for {} s, the limit is that (script_wait_millis).",
                    seconds(limits.script_wait_millis)
                ),
            ),
            Self::Panicked => return Some(engine::bug("what it asked for has a bug")),
            Self::Cancelled => (FailureKind::Cancelled, "The script was cancelled.".into()),
            Self::Output => (
                FailureKind::Limit,
                format!(
                    "The script wrote or returned more than {} bytes (script_output_bytes). Filter before you return.",
                    limits.script_output_bytes
                ),
            ),
        };
        Some(Failure { kind, message })
    }
}

/// What a script has done so far.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub output: String,
    pub calls: Vec<CallRecord>,
    pub clock: clock::Spent,
}

impl Script {
    pub(crate) fn new(code: String, host: Arc<dyn Host>, limits: Arc<ScriptLimits>) -> Self {
        let (events, inbox) = mpsc::unbounded_channel();
        let by = Instant::now() + clock::millis(limits.script_queue_millis);
        Self {
            code,
            host,
            limits,
            phase: watch::Sender::new(Phase::Queued(by)),
            stop: AtomicU8::new(0),
            finished: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            events,
            inbox: Mutex::new(Some(inbox)),
            progress: Mutex::default(),
        }
    }

    /// Completes what the host was asked for by this id. An id that is not open, and a script that
    /// has ended, change nothing.
    pub fn complete(&self, id: u32, completion: Completion) {
        // Whoever has ended does not listen any more.
        let _ = self.events.send(Event::Completed(id, completion));
    }

    /// Stops the script as soon as the engine lets it. Calls that are under way are abandoned, not
    /// undone. [`Host::finished`] is called as always; of a script that waits for a thread, by this.
    pub fn cancel(&self) {
        self.stop(Stop::Cancelled);
        if matches!(*self.phase.borrow(), Phase::Queued(_)) {
            self.finish(Outcome::never_ran(
                FailureKind::Cancelled,
                "The script was cancelled before it ran.",
            ));
        }
    }

    /// Whether [`Host::finished`] was called, or is being called now.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Asks the host; None, and the end of the script, if it panics. No panic may cross the engine.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&dyn Host) -> T) -> Option<T> {
        let answer = catch_unwind(AssertUnwindSafe(|| question(&*self.host)));
        if answer.is_err() {
            self.stop(Stop::Panicked);
        }
        answer.ok()
    }

    /// Asks to stop; only the first reason counts.
    pub(crate) fn stop(&self, why: Stop) {
        let _ = self
            .stop
            .compare_exchange(0, why as u8, Ordering::AcqRel, Ordering::Acquire);
        let _ = self.events.send(Event::Wake);
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        let why = self.stop.load(Ordering::Acquire);
        Stop::ALL.into_iter().find(|stop| *stop as u8 == why)
    }

    /// Notes that its thread is counted as lost.
    pub(crate) fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    pub(crate) fn was_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Tells the host, unless it was told before.
    pub(crate) fn finish(&self, outcome: Outcome) {
        if !self.finished.swap(true, Ordering::AcqRel) {
            self.host.finished(outcome);
        }
    }

    /// The outcome of a script that came to `end`, with what it has done until now.
    pub(crate) fn outcome(&self, end: Result<Option<String>, Failure>) -> Outcome {
        let progress = self.progress();
        let (value, failure) = match end {
            Ok(value) => (value, None),
            Err(failure) => (None, Some(failure)),
        };
        Outcome {
            failure,
            output: progress.output.clone(),
            value,
            calls: progress.calls.clone(),
            ran: progress.clock.ran,
            waited: progress.clock.waited,
        }
    }

    /// Tells the host of every call that was begun and has not come back.
    pub(crate) fn abandon_calls(&self) {
        let open: Vec<u32> = {
            let progress = self.progress();
            let open = progress
                .calls
                .iter()
                .filter(|call| call.state == CallState::Abandoned);
            open.map(|call| call.id).collect()
        };
        open.into_iter().for_each(|id| self.host.abandon(id));
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, Progress> {
        // Changed in single steps that cannot leave it half-done.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The receiving end, for the one thread that runs the script.
    pub(crate) fn inbox(&self) -> Option<mpsc::UnboundedReceiver<Event>> {
        self.inbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("bytes", &self.code.len())
            .field("phase", &*self.phase.borrow())
            .field("stop", &self.stopped())
            .finish_non_exhaustive()
    }
}
