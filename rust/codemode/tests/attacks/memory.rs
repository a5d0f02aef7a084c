//! Scripts that want more memory, stack or output than there is.

use toolcrib_codemode::FailureKind;

use crate::{
    kind,
    support::{Tools, limits, run, run_with},
};

#[test]
fn recursion_is_an_error_of_the_script() {
    for code in [
        "const f = () => f() + 1; f()",
        "const f = async () => await f(); await f()",
        "let o = {}; for (let i = 0; i < 1e5; i++) o = {o}; return o",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; await tools.echo({a})",
        "JSON.parse('['.repeat(1e5))",
        "let s = 'x'; for (let i = 0; i < 20000; i++) s = '(' + s + ')'; new RegExp(s)",
        "eval('('.repeat(1e5))",
        "RegExp('('.repeat(1e4) + ')'.repeat(1e4))",
        "class A { get x() { return this.x } } new A().x",
        "const e = new Error(); e.toString = () => String(e); throw String(e)",
        "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()",
        "[].flat.call([[1]], Infinity); let a = [1]; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)",
    ] {
        let outcome = run_with(
            &Tools::usual(),
            limits(|l| l.script_run_millis = 5_000),
            code,
        );
        // A deep value is returned as words.
        if let Some(failure) = outcome.failure {
            assert!(
                matches!(
                    failure.kind,
                    FailureKind::Limit | FailureKind::Script | FailureKind::Timeout
                ),
                "{code}: {failure:?}"
            );
        }
    }
    assert_eq!(kind("const f = () => f() + 1; f()"), FailureKind::Limit);
}

#[test]
fn memory_is_bounded() {
    for code in [
        "const a = []; for (;;) a.push(new Array(1000).fill(a))",
        "let s = 'x'; for (;;) s += s",
        "'x'.repeat(2 ** 29)",
        "new Uint8Array(2 ** 30)",
        "new ArrayBuffer(2 ** 40)",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, {i})",
        "'ab'.repeat(1e6).split('').map(x => x.repeat(1000))",
        "new Array(2 ** 24).fill(0).map((_, i) => ({i}))",
        "const s = 'x'.repeat(1e6); for (const a = []; ; ) a.push(s.replaceAll('x', 'yyyyyyyy'))",
        "let f = ''; for (let i = 0; i < 2e6; i++) f += 'a=1;'; eval(f)",
        "JSON.stringify(new Array(2 ** 24).fill('x'.repeat(100)))",
        "const all = []; for (;;) all.push(Promise.resolve(new Array(1000)))",
        "let o = {}; for (let i = 0; ; i++) o['k' + i] = i",
        "for (;;) new Error('x'.repeat(1e6)).stack; ",
        "const a = []; for (;;) a.push(Symbol('x'.repeat(1e5)))",
    ] {
        let outcome = run_with(
            &Tools::usual(),
            limits(|l| {
                l.script_memory_bytes = 16 << 20;
                l.script_run_millis = 3_000
            }),
            code,
        );
        let failure = outcome
            .failure
            .unwrap_or_else(|| panic!("{code} completed"));
        assert!(
            matches!(
                failure.kind,
                FailureKind::Limit | FailureKind::Timeout | FailureKind::Script
            ),
            "{code}: {failure:?}"
        );
    }
}

#[test]
fn a_script_that_lives_at_the_edge_of_its_memory_ends_in_order() {
    // Whatever allocates next fails, wherever that is.
    for left in (0..40).map(|step| step * 97) {
        let code = format!(
            "const hold = []; try {{ for (;;) hold.push(new Array(200)) }} catch {{ hold.length -= {left} % 50; }}
             try {{ await tools.echo({{a: 'x'.repeat({left})}}) }} catch {{}}
             try {{ await searchTools('echo') }} catch {{}}
             try {{ text('x'.repeat({left})) }} catch {{}}
             return hold.length"
        );
        let outcome = run_with(
            &Tools::usual(),
            limits(|l| {
                l.script_memory_bytes = (1 << 20) + left * 11;
                l.script_run_millis = 2_000
            }),
            &code,
        );
        if let Some(failure) = outcome.failure {
            assert!(
                matches!(
                    failure.kind,
                    FailureKind::Limit | FailureKind::Timeout | FailureKind::Script
                ),
                "{failure:?}"
            );
        }
    }
}

#[test]
fn no_amount_of_memory_is_too_little_to_fail_in_order() {
    for bytes in (0..60).map(|step| step * 40_001) {
        let outcome = run_with(
            &Tools::usual(),
            limits(|l| l.script_memory_bytes = bytes),
            "return (await tools.echo({a: 1})).structuredContent.a",
        );
        match outcome.failure {
            None => assert_eq!(outcome.value.as_deref(), Some("1")),
            Some(failure) => assert!(
                matches!(failure.kind, FailureKind::Limit | FailureKind::Sandbox),
                "{bytes}: {failure:?}"
            ),
        }
    }
}

#[test]
fn a_flood_of_output_stops_the_script() {
    for code in [
        "for (;;) console.log('x'.repeat(1000))",
        "for (;;) try { text('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') } catch {}",
        "return 'x'.repeat(2 << 20)",
        "return {a: 'ä'.repeat(1 << 20)}",
    ] {
        let outcome = run(code);
        assert_eq!(
            outcome.failure.as_ref().map(|failure| failure.kind),
            Some(FailureKind::Limit),
            "{code}"
        );
        assert!(outcome.output.len() <= 1 << 20);
        assert!(outcome.text(40_000).len() < 41_000);
    }
}

/// Where an object grows, the engine takes its list of properties out of what a collection looks
/// at, and the error that says that there is no memory for a longer one began such a collection.
#[test]
fn an_object_that_was_to_grow_beyond_the_memory_ended_the_process() {
    for code in [
        "const o = {}; for (let i = 0; ; i++) o['k' + i] = i",
        "for (const k in 'a'.repeat(1e5)) {}",
        // Goes on without memory for as long as it may.
        "const o = {}; for (let i = 0; ; i++) try { o['k' + i] = i } catch {}",
    ] {
        for kilobytes in (1_024..4_096).step_by(48) {
            let outcome = run_with(
                &Tools::usual(),
                limits(|limits| {
                    limits.script_memory_bytes = kilobytes << 10;
                    limits.script_run_millis = 100;
                }),
                code,
            );
            if let Some(failure) = outcome.failure {
                let expected = [FailureKind::Limit, FailureKind::Timeout];
                assert!(expected.contains(&failure.kind), "{code}: {failure:?}");
            }
        }
    }
}
