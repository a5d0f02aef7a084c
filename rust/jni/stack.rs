//! Work that needs more stack than a Java thread may have.
//!
//! A native method runs on the stack of the Java thread that calls it, which may be as small as
//! 256 KiB, and overflowing it ends the process. Depth is bounded before anything recurses
//! (`max_json_depth`), but what reads, converts or compiles a schema of that depth still needs more
//! than the smallest stack has.

use std::{panic, thread};

use crate::log;

/// Enough for JSON nested as deep as any that is read (127 levels), and for chains of thousands of
/// references in a schema. Only what is touched takes memory.
const STACK_BYTES: usize = 64 << 20;

/// What a panic carries that is no fault of the library: the system allows no further thread.
#[derive(Debug)]
pub struct NoThread(pub String);

/// Runs what the core calls deep work; see [`toolcrib_core::registry::DeepWork`].
pub fn deep_work(work: &mut (dyn FnMut() + Send)) {
    with_large_stack(work);
}

/// Runs `work` on a thread of its own with a large stack, and waits for it. The thread knows
/// nothing of the JVM; what it logs is logged afterwards, by this thread. A panic goes on here.
///
/// The thread ends with the work: one that stayed would have to be gone before the JVM may unload
/// the library, and starting one costs little beside what is done on it.
///
/// # Panics
///
/// With [`NoThread`] if the system allows no further thread: then nothing can be done, and the
/// caller is told.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = || log::keeping(|| panic::catch_unwind(panic::AssertUnwindSafe(work)));
    let (outcome, events) = thread::scope(|scope| {
        thread::Builder::new()
            .name("toolcrib-stack".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .unwrap_or_else(|error| panic::panic_any(NoThread(error.to_string())))
            .join()
            .unwrap_or_else(|panic| panic::resume_unwind(panic))
    });
    log::replay(events);
    outcome.unwrap_or_else(|panic| panic::resume_unwind(panic))
}
