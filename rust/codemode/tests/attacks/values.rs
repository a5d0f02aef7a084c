//! Values that bite whoever reads them, on their way in and out.

use std::sync::atomic::Ordering;

use toolcrib_codemode::{FailureKind, ScriptLimits};

use crate::support::{Tools, completed, failure, limits, run, run_with, value};

#[test]
fn getters_and_traps_in_arguments_and_results_run_in_the_sandbox_only() {
    assert_eq!(
        value("return (await tools.echo({get a() { return 7 }})).structuredContent"),
        r#"{"a":7}"#
    );
    let (_, message) = failure("await tools.echo({get a() { throw new Error('mine') }})");
    assert!(message.contains("mine"), "{message}");
    assert_eq!(
        value("return {get a() { throw new Error('mine') }}.b"),
        "undefined"
    );
    assert!(
        failure("return {get a() { throw new Error('mine') }}")
            .1
            .contains("mine")
    );
    assert!(failure("new Proxy({}, {})").1.contains("Proxy"));
    assert_eq!(
        value("const t = {}; t.self = t; return t"),
        r#"{"self":"[circular]"}"#
    );
    // `then` of a result is data.
    let tools = Tools::usual().with("poison", |_| {
        completed(r#"{"then": 1, "__proto__": {"x": 1}, "constructor": 2}"#)
    });
    let outcome = run_with(
        &tools,
        ScriptLimits::default(),
        "const r = await tools.poison(); return [r.structuredContent.then, r.structuredContent.x === undefined, Object.keys(r.structuredContent), ({}).x === undefined]",
    );
    assert_eq!(
        outcome.value.as_deref(),
        Some(r#"[1,true,["then","__proto__","constructor"],true]"#)
    );
    let echoed = value(
        r#"return (await tools.echo(JSON.parse('{"__proto__": {"a": 1}}'))).content[0].text"#,
    );
    assert_eq!(echoed, r#""{\"__proto__\":{\"a\":1}}""#);
}

#[test]
fn a_poisoned_then_is_an_error_or_a_stall_of_the_script_alone() {
    assert!(
        failure("return {get then() { throw new Error('mine') }}")
            .1
            .contains("mine")
    );
    assert!(
        failure("return {then() { throw new Error('mine') }}")
            .1
            .contains("mine")
    );
    assert!(
        failure("return {then(ok, no) { no(new Error('mine')) }}")
            .1
            .contains("mine")
    );
    assert!(
        failure("return {then() {}}")
            .1
            .contains("nothing can settle")
    );
    assert_eq!(value("return {then(ok) { ok(1); ok(2); throw 3 }}"), "1");
    assert_eq!(value("return await Promise.race([tools, 5])"), "[object Object]".replace("[object Object]", "{\"echo\":\"[function]\",\"fail\":\"[function]\",\"my-server.get\":\"[function]\",\"never\":\"[function]\",\"refuse\":\"[function]\"}"));
}

#[test]
fn half_a_surrogate_pair_goes_nowhere() {
    assert_eq!(value("return '\\ud800'"), r#""�""#);
    assert_eq!(
        run("text('a\\udc00b'); console.log('\\ud83d')").output,
        "a�b\n�\n"
    );
    assert_eq!(
        value("return (await tools.echo({a: '\\ud800'})).content[0].text"),
        r#""{\"a\":\"\\ud800\"}""#
    );
    assert!(failure("throw new Error('\\ud800x')").1.contains("�x"));
    assert!(failure("tools['\\ud800']").1.contains("TypeError"));
}

#[test]
fn results_that_are_too_large_or_no_json_are_told() {
    let tools = Tools::usual()
        .with("large", |_| {
            completed(&format!("\"{}\"", "x".repeat(3 << 20)))
        })
        .with("broken", |_| completed("{no json"))
        .with("deep", |_| {
            completed(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)))
        });
    let run = |code: &str| {
        run_with(
            &tools,
            limits(|limits| limits.script_result_bytes = 4 << 20),
            code,
        )
    };
    let failure = run("await tools.large()").failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Limit);
    assert!(
        failure.message.contains("script_result_bytes"),
        "{}",
        failure.message
    );
    let outcome = run(
        "const r = await tools.broken(); return [r.structuredContent === undefined, r.content[0].text]",
    );
    assert_eq!(outcome.value.as_deref(), Some(r#"[true,"{no json"]"#));
    let outcome = run("try { await tools.deep(); return 'parsed' } catch (e) { return 'refused' }");
    assert!(outcome.failure.is_none(), "{outcome:?}");
}

#[test]
fn ten_thousand_calls_at_once_are_sixty_four() {
    let tools = Tools::usual();
    let outcome = run_with(
        &tools,
        limits(|limits| limits.script_run_millis = 20_000),
        "const all = await Promise.allSettled([...Array(10000).keys()].map(n => tools.echo({n})));
         return [all.filter(r => r.status === 'fulfilled').length, all.filter(r => r.reason instanceof LimitError).length]",
    );
    assert_eq!(
        outcome.value.as_deref(),
        Some("[64,9936]"),
        "{:?}",
        outcome.failure
    );
    assert!(tools.most_open.load(Ordering::SeqCst) <= 8);
}
