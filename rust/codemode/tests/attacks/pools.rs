//! Many scripts at once, scripts that are cancelled, hosts that panic.

use std::sync::{Arc, atomic::Ordering};

use toolcrib_codemode::{FailureKind, Refused, ScriptLimits};

use crate::support::{Tools, limits, pool, start};

#[test]
fn a_host_that_panics_anywhere_ends_the_script_and_nothing_else() {
    let pool = pool(limits(|limits| limits.script_threads = 1));
    for at in [
        "call",
        "refresh",
        "resolve",
        "search",
        "describe",
        "namespace",
        "tools",
        "load",
        "commit",
    ] {
        let tools = Tools::usual().hooked(move |what| assert_ne!(what, at, "a host that panics"));
        let code = "load('x'); await searchTools('echo'); await describeTool('echo'); await describeNamespace('test'); ALL_TOOLS; store('a', 1); await tools.echo({}); return 1";
        let outcome = start(&pool, &tools, code).unwrap().outcome();
        assert_eq!(
            outcome.failure.map(|failure| failure.kind),
            Some(FailureKind::Sandbox),
            "{at}"
        );
    }
    let broken = Tools::usual().hooked(|what| assert_ne!(what, "finished", "a host that panics"));
    let lost = start(&pool, &broken, "return 1").unwrap();
    assert_eq!(
        start(&pool, &Tools::usual(), "return 2")
            .unwrap()
            .outcome()
            .value
            .as_deref(),
        Some("2")
    );
    assert!(lost.script.is_finished());
}

#[test]
fn a_script_may_be_cancelled_at_every_await() {
    let pool = pool(ScriptLimits::default());
    let code = "text(1); await null; text(2); await searchTools('echo'); text(3); await tools.echo({}); text(4); await Promise.all([tools.echo({}), tools.never({})]); text(5)";
    for nth in 0..12 {
        let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let cancel = Arc::new(std::sync::Mutex::new(
            None::<std::sync::Weak<toolcrib_codemode::Script>>,
        ));
        let (counter, target) = (Arc::clone(&asked), Arc::clone(&cancel));
        let tools = Tools::usual().hooked(move |_| {
            if counter.fetch_add(1, Ordering::SeqCst) == nth
                && let Some(script) = target
                    .lock()
                    .unwrap()
                    .as_ref()
                    .and_then(std::sync::Weak::upgrade)
            {
                script.cancel();
            }
        });
        let running = start(&pool, &tools, code).unwrap();
        *cancel.lock().unwrap() = Some(Arc::downgrade(&running.script));
        if nth > 6 {
            running.script.cancel();
        }
        std::thread::yield_now();
        running.script.cancel();
        let failure = running.outcome().failure.expect("it never ends by itself");
        assert_eq!(failure.kind, FailureKind::Cancelled);
    }
}

#[test]
fn two_hundred_scripts_at_once_all_end() {
    let pool = pool(ScriptLimits::default());
    let tools = Tools::usual();
    let running: Vec<_> = (0..200)
        .map(|n| {
            let code = match n % 4 {
                0 => format!("return {n}"),
                1 => format!("return (await tools.echo({{n: {n}}})).structuredContent.n"),
                2 => "for (let i = 0; i < 1e5; i++); throw new Error('x')".to_owned(),
                _ => "const a = []; for (let i = 0; i < 1e4; i++) a.push({i}); return a.length"
                    .to_owned(),
            };
            start(&pool, &tools, &code).expect("there is room")
        })
        .collect();
    for (n, running) in running.iter().enumerate() {
        let outcome = running.outcome();
        match n % 4 {
            0 | 1 => assert_eq!(outcome.value, Some(n.to_string())),
            2 => assert!(outcome.failure.is_some()),
            _ => assert_eq!(outcome.value.as_deref(), Some("10000")),
        }
    }
    // Threads give their scripts back a moment after the outcome is told.
    while pool.load() != (0, 0) {
        std::thread::yield_now();
    }
}

#[test]
fn a_full_pool_refuses_and_a_closed_one_cancels() {
    let pool = pool(limits(|limits| {
        limits.script_threads = 2;
        limits.script_queue = 3;
    }));
    let tools = Tools::usual();
    let running: Vec<_> = (0..5)
        .map(|_| start(&pool, &tools, "await tools.never({})").unwrap())
        .collect();
    assert!(matches!(
        start(&pool, &tools, "return 1"),
        Err(Refused::Busy { .. })
    ));
    assert!(matches!(
        start(&pool, &tools, &"x".repeat((64 << 10) + 1)),
        Err(Refused::TooLong { .. })
    ));
    pool.close();
    for script in running {
        assert_eq!(
            script.outcome().failure.unwrap().kind,
            FailureKind::Cancelled
        );
    }
    assert_eq!(
        start(&pool, &tools, "return 1").err(),
        Some(Refused::Closed)
    );
}
