//! Scripts in the sandbox: what bytes stand for one, and what must hold of any.

mod check;
mod host;
mod pieces;

use std::{
    sync::{Arc, Mutex, OnceLock, mpsc::channel},
    time::Duration,
};

use toolcrib_codemode::{FailureKind, Outcome, Pool, Refused, ScriptLimits, ThreadHooks};

use check::check;
use host::{Notes, Seen};
use pieces::text_of;

/// No script has a reason to take so long, whatever else the machine does.
const FOR_EVER: Duration = Duration::from_secs(60);
/// How often a script that looks around is tried.
const ATTEMPTS: u32 = 20;

/// Any script, with a host that notes what is done to it; and after it another one, on the same
/// thread, that must find everything as the first script of a process finds it.
pub fn script(input: &[u8]) {
    static UNTOUCHED: OnceLock<Option<String>> = OnceLock::new();
    let untouched =
        UNTOUCHED.get_or_init(|| look_around(&Pool::new(limits(), ThreadHooks::default())));
    let pool = pool();
    let code = text_of(input);
    let limits = pool.limits();
    let Some((outcome, seen)) = run(pool, &code) else {
        return;
    };
    check(&outcome, &seen, limits);
    if let (Some(now), Some(untouched)) = (look_around(pool), untouched) {
        assert_eq!(&now, untouched, "after {code}");
    }
}

fn limits() -> ScriptLimits {
    let mut limits = ScriptLimits::default();
    limits.script_threads = 1;
    limits.script_run_millis = 200;
    limits.script_wait_millis = 40;
    limits.script_memory_bytes = 4 << 20;
    limits.script_stack_bytes = 128 << 10;
    limits.script_calls = 8;
    limits.script_parallel_calls = 3;
    limits.script_result_bytes = 32 << 10;
    limits.script_output_bytes = 16 << 10;
    limits.script_preview_bytes = 1 << 10;
    limits.script_store_bytes = 2 << 10;
    limits.script_listed_tools = 3;
    limits
}

fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| Pool::new(limits(), ThreadHooks::default()))
}

/// What a script finds: every name that there is, with what stands for it, and what is stored. None
/// where the machine was too busy for a script to come to its end in time.
fn look_around(pool: &Pool) -> Option<String> {
    const CODE: &str = "
        const seen = new Set();
        const found = [];
        (function look(path, value) {
          if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
          seen.add(value);
          const names = Reflect.ownKeys(value).map(String);
          found.push(path + ' ' + typeof value + ' ' + Object.isFrozen(value) + ' ' + names.length);
          if (path.split('.').length > 3) return;
          for (const key of Reflect.ownKeys(value)) {
            const is = Object.getOwnPropertyDescriptor(value, key);
            if (is && 'value' in is) look(path + '.' + String(key), is.value);
          }
          look(path + '.^', Object.getPrototypeOf(value));
        })('', globalThis);
        let hash = 0;
        const all = found.join();
        for (let i = 0; i < all.length; i++) hash = (Math.imul(hash, 31) + all.charCodeAt(i)) | 0;
        return [typeof leak, typeof a, [].leak === undefined, ({}).leak === undefined, load('k') === undefined,
          /a/g.lastIndex, ALL_TOOLS.total, found.length, hash, Reflect.ownKeys(globalThis).map(String).join()]";
    // The time that it has is as short as any other's, and the machine may be busy.
    for _ in 0..ATTEMPTS {
        let (outcome, seen) = run(pool, CODE).expect("it is short");
        check(&outcome, &seen, pool.limits());
        match &outcome.failure {
            None => return Some(outcome.value.expect("it returns something")),
            Some(failure) => assert_eq!(failure.kind, FailureKind::Timeout, "{failure:?}"),
        }
    }
    None
}

fn run(pool: &Pool, code: &str) -> Option<(Outcome, Seen)> {
    let (sender, outcome) = channel();
    let host = Arc::new(Notes {
        script: OnceLock::new(),
        outcome: Mutex::new(Some(sender)),
        seen: Mutex::default(),
    });
    let script = match pool.script(code.to_owned(), host.clone()) {
        Ok(script) => script,
        Err(Refused::TooLong { bytes, limit }) => {
            assert!(bytes > limit);
            return None;
        }
        Err(refused) => panic!("{refused}"),
    };
    host.script.set(Arc::downgrade(&script)).expect("once");
    // The thread of a script that was given up takes a moment longer.
    pool.start(&script).expect("the queue has room");
    let outcome = outcome
        .recv_timeout(FOR_EVER)
        .expect("every script comes to an end");
    assert!(script.is_finished());
    let seen = std::mem::take(&mut *host.seen());
    Some((outcome, seen))
}
