//! The threads that scripts run on.

use std::{
    collections::VecDeque,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use thiserror::Error;
use tokio::sync::mpsc;

use crate::{Host, Script, ScriptLimits, engine, sandbox::Sandbox, script::Phase, watchdog};

/// Far more than the engine is allowed (4 MiB), for what the engine and the host do beyond what is
/// counted. Only what is touched takes memory.
const STACK_BYTES: usize = 16 << 20;
/// How long a thread without work stays.
const IDLE: Duration = Duration::from_secs(5);

/// Runs scripts on a bounded number of threads. Threads come with work and go without.
///
/// Dropping a pool cancels its scripts and lets its threads end; it waits for neither.
pub struct Pool {
    shared: Arc<Shared>,
}

/// Called on every thread of a pool when it begins and before it ends.
#[derive(Debug, Clone, Copy)]
pub struct ThreadHooks {
    /// Called first.
    pub begin: fn(),
    /// Called last.
    pub end: fn(),
}

impl Default for ThreadHooks {
    fn default() -> Self {
        Self {
            begin: || (),
            end: || (),
        }
    }
}

/// Why a script was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refused {
    /// It is too long.
    #[error("the script has {bytes} bytes, the limit is {limit} (script_bytes)")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The limit in force.
        limit: usize,
    },
    /// All threads are busy and the queue is full.
    #[error(
        "{running} scripts are running and {waiting} are waiting (script_threads, script_queue): try again later"
    )]
    Busy {
        /// Scripts that have a thread.
        running: usize,
        /// Scripts that wait for one.
        waiting: usize,
    },
    /// The system allows no further thread.
    #[error("no thread can be started for the script")]
    NoThread,
    /// The pool is closed.
    #[error("scripts are not run any more")]
    Closed,
}

pub(crate) struct Shared {
    limits: Arc<ScriptLimits>,
    hooks: ThreadHooks,
    state: Mutex<State>,
    work: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Arc<Script>>,
    running: Vec<Arc<Script>>,
    threads: usize,
    idle: usize,
    /// Threads that the engine did not give back. Each may be replaced, once.
    lost: usize,
    watchdog: Option<mpsc::UnboundedSender<Arc<Script>>>,
    closed: bool,
}

impl Pool {
    /// A pool without threads yet.
    #[must_use]
    pub fn new(limits: ScriptLimits, hooks: ThreadHooks) -> Self {
        let shared = Shared {
            limits: Arc::new(limits),
            hooks,
            state: Mutex::default(),
            work: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &ScriptLimits {
        &self.shared.limits
    }

    /// A script that does not run yet, so that its host can be told of it first.
    ///
    /// # Errors
    ///
    /// [`Refused::TooLong`].
    pub fn script(&self, code: String, host: Arc<dyn Host>) -> Result<Arc<Script>, Refused> {
        let limit = self.shared.limits.script_bytes;
        if code.len() > limit {
            return Err(Refused::TooLong {
                bytes: code.len(),
                limit,
            });
        }
        Ok(Arc::new(Script::new(
            code,
            host,
            Arc::clone(&self.shared.limits),
        )))
    }

    /// Runs a script, at once or when there is a thread for it. From here on [`Host::finished`] is
    /// called, once, whatever happens.
    ///
    /// # Errors
    ///
    /// [`Refused::Busy`], [`Refused::NoThread`] and [`Refused::Closed`]; the host is not called then.
    pub fn start(&self, script: &Arc<Script>) -> Result<(), Refused> {
        let shared = &self.shared;
        let mut state = shared.lock();
        if state.closed {
            return Err(Refused::Closed);
        }
        let most = shared.limits.script_threads.max(1);
        let (running, waiting) = (state.running.len(), state.queue.len());
        if running + waiting >= most + shared.limits.script_queue {
            return Err(Refused::Busy { running, waiting });
        }
        if state.watchdog.is_none() {
            state.watchdog = watchdog::start(shared);
        }
        let needed = state.queue.len() + 1 > state.idle;
        if needed
            && state.threads < most + state.lost.min(most)
            && !shared.spawn(&mut state)
            && state.threads == 0
        {
            return Err(Refused::NoThread);
        }
        if let Some(watchdog) = &state.watchdog {
            // Nobody but the drop of the pool ends it.
            let _ = watchdog.send(Arc::clone(script));
        }
        state.queue.push_back(Arc::clone(script));
        drop(state);
        shared.work.notify_one();
        Ok(())
    }

    /// Scripts that run now, and scripts that wait.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        let state = self.shared.lock();
        (state.running.len(), state.queue.len())
    }

    /// Takes no more scripts and cancels those there are.
    pub fn close(&self) {
        let scripts: Vec<_> = {
            let mut state = self.shared.lock();
            state.closed = true;
            state.watchdog = None;
            let queue = std::mem::take(&mut state.queue);
            queue
                .into_iter()
                .chain(state.running.iter().cloned())
                .collect()
        };
        self.shared.work.notify_all();
        for script in scripts {
            script.cancel();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (running, waiting) = self.load();
        f.debug_struct("Pool")
            .field("running", &running)
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl Shared {
    pub fn hooks(&self) -> ThreadHooks {
        self.hooks
    }

    /// Takes a script out of the queue that waited for too long.
    pub fn give_up_waiting(&self, script: &Arc<Script>) {
        self.lock()
            .queue
            .retain(|queued| !Arc::ptr_eq(queued, script));
    }

    /// Notes that the thread of a running script does not come back; another may take its place.
    pub fn lose_thread(self: &Arc<Self>) {
        let mut state = self.lock();
        state.lost += 1;
        let most = self.limits.script_threads.max(1);
        if !state.queue.is_empty() && state.threads < most + state.lost.min(most) {
            self.spawn(&mut state);
        }
    }

    fn spawn(self: &Arc<Self>, state: &mut State) -> bool {
        let shared = Arc::clone(self);
        let thread = thread::Builder::new()
            .name("toolcrib-script".into())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                (shared.hooks.begin)();
                shared.work();
                (shared.hooks.end)();
            });
        if thread.is_ok() {
            state.threads += 1;
        }
        thread.is_ok()
    }

    /// The life of a thread.
    fn work(&self) {
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let mut sandbox = None;
        while let Some(script) = self.next(&mut sandbox) {
            let end = match &tokio {
                Ok(tokio) if script.stopped().is_none() => {
                    let run = AssertUnwindSafe(|| engine::run(&script, tokio, &mut sandbox));
                    catch_unwind(run).unwrap_or_else(|_| Err(engine::bug("the sandbox has a bug")))
                }
                Ok(_) => Err(engine::cancelled()),
                Err(error) => Err(engine::bug(&error.to_string())),
            };
            script.phase.send_replace(Phase::Ended);
            // A host that panics must not take the thread with it.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                script.abandon_calls();
                script.finish(script.outcome(end));
            }));
            // No other script gets an engine that this one has had.
            sandbox = None;
            let mut state = self.lock();
            state
                .running
                .retain(|running| !Arc::ptr_eq(running, &script));
            if script.was_lost() {
                state.lost -= 1;
            }
        }
    }

    /// The next script; None when this thread is to end. While there is none, a sandbox is made for
    /// it, if there is none either.
    fn next(&self, sandbox: &mut Option<Sandbox>) -> Option<Arc<Script>> {
        let mut state = self.lock();
        let mut ahead = sandbox.is_none();
        loop {
            if let Some(script) = state.queue.pop_front() {
                state.running.push(Arc::clone(&script));
                return Some(script);
            }
            let surplus = state.threads > self.limits.script_threads.max(1) + state.lost;
            if state.closed || surplus {
                break;
            }
            state.idle += 1;
            if std::mem::take(&mut ahead) {
                drop(state);
                // Where this fails, the script that needs it will tell.
                *sandbox = catch_unwind(|| Sandbox::new(&self.limits).ok()).unwrap_or_default();
                state = self.lock();
                state.idle -= 1;
                continue;
            }
            let (woken, waited) = self
                .work
                .wait_timeout(state, IDLE)
                .unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if waited.timed_out() && state.queue.is_empty() {
                break;
            }
        }
        state.threads -= 1;
        None
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens under it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
