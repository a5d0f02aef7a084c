//! Scripts that do not end, or wait for what does not come.

use std::time::{Duration, Instant};

use toolcrib_codemode::{CallState, FailureKind};

use crate::{
    kind,
    support::{Tools, completed, limits, pool, run_with, start},
    tight,
};

#[test]
fn loops_without_end_are_interrupted() {
    for code in [
        "for (;;);",
        "while (true) { try { for (;;); } catch {} finally { continue } }",
        "const f = async () => { for (;;) await null }; await f()",
        "const f = () => Promise.resolve().then(f); await f()",
        "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
        "(function* () { for (;;) yield 1 })().forEach(() => {})",
        "await (async () => { for await (const x of (async function* () { for (;;) yield 1 })()); })()",
        "[1].map(function f() { for (;;); })",
        "for (;;) { try { throw 1 } catch {} }",
        "for (;;) try { await tools.echo(1) } catch {}",
        "for (;;) await searchTools('echo')",
        "Array.from({length: 1e9}, () => 1)",
        "[3, 2, 1].sort(() => { for (;;); })",
        "'x'.replace(/x/, () => { for (;;); })",
        "return {toJSON() { for (;;); }}",
        "throw {get message() { for (;;); }, toJSON() { for (;;); }}",
        "const e = new Error(); Object.defineProperty(e, 'name', {get() { for (;;); }}); throw e",
        "text({get a() { for (;;); }})",
        "await {then(r) { for (;;); }}",
        "new Array(4294967295).includes(1)",
        "Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)",
        "new Date(2 ** 53).toISOString",
    ] {
        let began = Instant::now();
        let outcome = run_with(&Tools::usual(), tight(), code);
        if code.starts_with("new Date") {
            continue;
        }
        let failure = outcome
            .failure
            .unwrap_or_else(|| panic!("{code} completed"));
        assert!(
            matches!(failure.kind, FailureKind::Timeout | FailureKind::Limit),
            "{code}: {failure:?}"
        );
        assert!(began.elapsed() < Duration::from_secs(20), "{code}");
    }
}

#[test]
fn a_catastrophic_expression_is_interrupted() {
    assert_eq!(
        kind("/^(a+)+$/.test('a'.repeat(40) + 'b')"),
        FailureKind::Timeout
    );
    assert_eq!(
        kind("/(?:(?:(?:a*)*)*)*b/.exec('a'.repeat(40))"),
        FailureKind::Timeout
    );
    assert_eq!(
        kind("new RegExp('(x+x+)+y').test('x'.repeat(60))"),
        FailureKind::Timeout
    );
}

#[test]
fn who_waits_too_long_for_a_thread_or_for_tools_is_given_up() {
    let pool = pool(limits(|limits| {
        limits.script_threads = 1;
        limits.script_queue_millis = 50;
        limits.script_wait_millis = 400;
    }));
    let tools = Tools::usual();
    let waits = start(&pool, &tools, "text('begun'); await tools.never({})").unwrap();
    while pool.load().0 == 0 {
        std::thread::yield_now();
    }
    let queued = start(&pool, &tools, "return 1").unwrap();
    let failure = queued.outcome().failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Limit);
    assert!(
        failure.message.contains("script_queue_millis"),
        "{}",
        failure.message
    );
    let outcome = waits.outcome();
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(
        failure.message.contains("script_wait_millis"),
        "{}",
        failure.message
    );
    assert_eq!(
        (outcome.output.as_str(), outcome.calls[0].state),
        ("begun\n", CallState::Abandoned)
    );
}

#[test]
fn time_spent_waiting_for_tools_is_not_the_scripts() {
    let tools = Tools::usual().with("slow", |arguments| {
        std::thread::sleep(Duration::from_millis(120));
        completed(arguments)
    });
    let outcome = run_with(
        &tools,
        limits(|limits| limits.script_run_millis = 300),
        "for (let i = 0; i < 5; i++) await tools.slow({}); return 1",
    );
    assert_eq!(outcome.failure, None);
    assert!(outcome.waited >= Duration::from_millis(600), "{outcome:?}");
}
