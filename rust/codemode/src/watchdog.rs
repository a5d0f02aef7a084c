//! Gives up scripts whose thread does not: those that wait too long for one, and those that have the
//! engine do something that it cannot be interrupted in.

use std::{sync::Arc, thread, time::Duration};

use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};

use crate::{
    FailureKind, Outcome, Script,
    pool::Shared,
    script::{Phase, Stop},
};

/// How much later than its time a script may come back from the engine.
const GRACE: Duration = Duration::from_secs(1);

/// Starts the one thread that watches all scripts of a pool; it ends with the pool and the last of
/// its scripts. Without it scripts run all the same, so a system without threads has nobody to tell.
pub(crate) fn start(shared: &Arc<Shared>) -> Option<mpsc::UnboundedSender<Arc<Script>>> {
    let (sender, mut scripts) = mpsc::unbounded_channel::<Arc<Script>>();
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .ok()?;
    // Not the pool's own state, which would keep its sender and thereby this thread.
    let (hooks, shared) = (shared.hooks(), Arc::downgrade(shared));
    let watch = move || {
        (hooks.begin)();
        tokio.block_on(async {
            let mut watched = Vec::new();
            while let Some(script) = scripts.recv().await {
                let shared = shared.clone();
                watched.retain(|task: &tokio::task::JoinHandle<()>| !task.is_finished());
                watched.push(tokio::spawn(async move {
                    if let Some(expired) = expired(&script).await {
                        give_up(&script, expired, shared.upgrade().as_ref());
                    }
                }));
            }
            for task in watched {
                // One that panicked is over as well.
                let _ = task.await;
            }
        });
        (hooks.end)();
    };
    thread::Builder::new()
        .name("toolcrib-script-watchdog".into())
        .spawn(watch)
        .ok()?;
    Some(sender)
}

/// Waits until the script has ended, or has not in time; then it is the phase that was too long.
async fn expired(script: &Script) -> Option<Phase> {
    let mut phases = script.phase.subscribe();
    loop {
        let phase = *phases.borrow_and_update();
        let by: Instant = match phase {
            Phase::Ended => return None,
            Phase::Queued(by) => by,
            Phase::Running(by) => {
                if let Ok(changed) = timeout_at(by, phases.changed()).await {
                    changed.ok()?;
                    continue;
                }
                // The engine may be at something in which it does not look at the time.
                script.stop(Stop::Ran);
                by + GRACE
            }
            Phase::Waiting => {
                phases.changed().await.ok()?;
                continue;
            }
        };
        match timeout_at(by, phases.changed()).await {
            Ok(changed) => changed.ok()?,
            Err(_) => return Some(phase),
        }
    }
}

fn give_up(script: &Arc<Script>, phase: Phase, shared: Option<&Arc<Shared>>) {
    script.stop(Stop::Ran);
    if let Phase::Queued(_) = phase {
        if let Some(shared) = shared {
            shared.give_up_waiting(script);
        }
        let millis = script.limits.script_queue_millis;
        let message = format!(
            "No thread was free for the script within {millis} ms (script_queue_millis): try again later."
        );
        script.finish(Outcome::never_ran(FailureKind::Limit, message));
        return;
    }
    if let Some(shared) = shared {
        script.mark_lost();
        shared.lose_thread();
    }
    let failure = Stop::Ran.failure(&script.limits);
    script.abandon_calls();
    script.finish(script.outcome(failure.map_or(Ok(None), Err)));
    script.host.overran();
}
