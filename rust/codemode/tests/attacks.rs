//! Scripts that mean harm. Each must end in bounded time with the failure that it deserves, leave
//! the process alive and the pool able to run the next script.

mod support;

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use proptest::prelude::*;
use support::{Tools, completed, failure, limits, pool, run, run_with, start, value};
use toolcrib_codemode::{CallState, FailureKind, Pool, Refused, ScriptLimits};

/// Small and quick, so that what runs into a limit does so soon.
fn tight() -> ScriptLimits {
    limits(|limits| {
        limits.script_run_millis = 300;
        limits.script_wait_millis = 300;
        limits.script_memory_bytes = 16 << 20;
    })
}

fn kind(code: &str) -> FailureKind {
    let outcome = run_with(&Tools::usual(), tight(), code);
    outcome
        .failure
        .unwrap_or_else(|| panic!("{code} completed"))
        .kind
}

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

#[test]
fn what_is_built_in_cannot_be_changed() {
    for code in [
        "Array.prototype.map = () => 'mine'",
        "Object.prototype.injected = 1",
        "Promise.prototype.then = 1",
        "JSON.parse = x => x",
        "globalThis.JSON = {}",
        "tools.echo = 1",
        "globalThis.tools = {}",
        "console.log = 1",
        "delete Array.prototype.push",
        "Object.defineProperty(Map.prototype, 'get', {value: 1})",
        "Object.setPrototypeOf(Array.prototype, {})",
        "Object.setPrototypeOf(tools, {})",
        "tools.echo.x = 1",
        "(async () => {}).constructor.prototype.x = 1",
        "Object.getPrototypeOf([].values()).next = 1",
        "ALL_TOOLS.push(1)",
        "ALL_TOOLS[0].name = 'other'",
        "searchTools.call = 1",
        "Error.prototype.toString.x = 1",
        "Function.prototype.call = 1",
        "Symbol.iterator.x = 1; Array.prototype[Symbol.iterator] = 1",
        "Error.prepareStackTrace = () => 'mine'",
    ] {
        let (kind, message) = failure(code);
        assert_eq!(kind, FailureKind::Script, "{code}");
        assert!(message.contains("TypeError"), "{code}: {message}");
    }
    assert_eq!(
        value("return ({}).constructor.prototype === Object.prototype"),
        "true"
    );
}

#[test]
fn nothing_of_the_host_is_reachable() {
    assert_eq!(
        value(
            "return ['process', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'setTimeout', 'setInterval', 'Deno', 'Bun', 'std', 'os', 'bjson',
              'print', 'scriptArgs', 'Worker', 'WebAssembly', 'Atomics', 'SharedArrayBuffer', 'Proxy', 'WeakRef', 'FinalizationRegistry', 'performance', 'navigator', 'host', 'eval']
              .filter(name => name in globalThis)"
        ),
        "[]"
    );
    for code in [
        "await import('fs')",
        "await import('std')",
        "await import('script.js')",
        "await import('data:text/javascript,1')",
    ] {
        let (kind, message) = failure(code);
        assert_eq!(kind, FailureKind::Script);
        assert!(
            message.contains("import") || message.contains("module"),
            "{message}"
        );
    }
}

#[test]
fn code_is_not_made_of_text() {
    for code in [
        "new Function('return 1')",
        "Function('return 1')()",
        "(() => {}).constructor('return 1')",
        "(async () => {}).constructor('return 1')",
        "(function* () {}).constructor('yield 1')",
        "(async function* () {}).constructor('yield 1')",
        "class F extends Function {}; new F('return 1')",
        "Reflect.construct(Function, ['return 1'], Array)",
        "eval('1')",
        "(0, eval)('1')",
    ] {
        let (kind, message) = failure(code);
        assert_eq!(kind, FailureKind::Script, "{code}");
        assert!(
            message.contains("TypeError: code cannot be made of text here")
                || message.contains("ReferenceError"),
            "{code}: {message}"
        );
    }
    assert_eq!(
        value(
            "return [(() => 1) instanceof Function, typeof Function, (async () => 1) instanceof Function]"
        ),
        r#"[true,"function",true]"#
    );
}

#[test]
fn texts_and_expressions_work_as_everywhere() {
    assert_eq!(
        value(
            r#"return [
              'a-b-c'.split('-'), 'a1b2'.split(/\d/), 'abc'.split(''), 'abc'.split(), 'a,b,c'.split(',', 2),
              'aXbX'.replace('X', '$&$&'), 'aXbX'.replaceAll('X', (m, at) => at), 'aXbX'.replaceAll(/x/gi, '-'), 'abc'.replace(/(b)/, '[$1]'),
              'hello'.indexOf('l'), 'hello'.lastIndexOf('l'), 'hello'.lastIndexOf('l', 2), 'hello'.includes('ell'), 'hello'.includes('h', 1),
              'a1b22'.match(/\d+/g), 'a1b22'.match('b(.)')[1], [...'a1b22'.matchAll(/(\d)/g)].map(m => m.index), 'abc'.search(/c/), 'abc'.search('b'),
              'e\u0301'.normalize() === '\u00e9', 'a'.localeCompare('b'), 'é'.normalize('NFD').length,
              /a/ instanceof RegExp, new RegExp('a+', 'g').flags, RegExp(/x/i).source, new RegExp(/x/i, 'g').flags, RegExp.prototype.constructor === RegExp, /a/.constructor === RegExp,
              new (class extends RegExp { twice(s) { return this.test(s + s) } })('aa').twice('a'), String.prototype.indexOf.call(12345, 34),
              (() => { try { 'a'.includes(/a/) } catch (e) { return e.name } })(), (() => { try { 'a'.replaceAll(/a/, '') } catch (e) { return e.name } })(), (() => { try { ''.indexOf.call(null, 'a') } catch (e) { return e.name } })(),
              'indexOf' in String.prototype, ''.indexOf.name, 'x'.split({[Symbol.split]: () => 'own'})
            ]"#
        ),
        r#"[["a","b","c"],["a","b",""],["a","b","c"],["abc"],["a","b"],"aXXbX","a1b3","a-b-","a[b]c",2,3,2,true,false,["1","22"],"2",[1,3,4],2,1,true,-1,2,true,"g","x","g",true,true,true,2,"TypeError","TypeError","TypeError",true,"indexOf","own"]"#
    );
}

/// The same attack with texts a tenth as long where nothing is optimized: the work of those that
/// compare a text with a text is still a hundred times what anybody would wait for.
fn sized(code: &str) -> String {
    if cfg!(debug_assertions) {
        code.replace("e7", "e6")
    } else {
        code.to_owned()
    }
}

#[test]
fn single_operations_of_the_engine_are_bounded() {
    for code in [
        "'a'.repeat(2e7).indexOf('a'.repeat(1e7) + 'b')",
        "'a'.repeat(2e7).lastIndexOf('b' + 'a'.repeat(1e7))",
        "'a'.repeat(2e7).includes('a'.repeat(1e7) + 'b')",
        "'a'.repeat(2e7).split('a'.repeat(1e7) + 'b')",
        "'a'.repeat(2e7).replace('a'.repeat(1e7) + 'b', '')",
        "'a'.repeat(2e7).replaceAll({toString: () => 'a'.repeat(1e7) + 'b'}, '')",
        "let n = 0; 'a'.repeat(2e7).split({get [Symbol.split]() { return n++ ? undefined : undefined }, toString: () => 'a'.repeat(1e7) + 'b'})",
        "new RegExp('a'.repeat(1e7))",
        "new RegExp('\\\\1'.repeat(1e6))",
        "'a'.match('a'.repeat(1e7))",
        "'a'.search({toString: () => '(a)'.repeat(1e6)})",
        "new RegExp(Object.create(RegExp.prototype, {source: {value: 'a'.repeat(1e7)}, [Symbol.match]: {value: true}, toString: {value: () => 'a'.repeat(1e7)}}))",
        "('a' + '\\u0301\\u0323'.repeat(1e6)).normalize()",
        "'a'.localeCompare('\\u0301\\u0323'.repeat(1e6))",
    ] {
        let began = Instant::now();
        let (kind, message) = failure(&sized(code));
        assert_eq!(kind, FailureKind::Script, "{code}");
        assert!(
            message.contains("RangeError") || message.contains("SyntaxError"),
            "{code}: {message}"
        );
        assert!(began.elapsed() < Duration::from_secs(30), "{code}");
    }
    let quick = limits(|limits| {
        limits.script_run_millis = 150;
        limits.script_memory_bytes = if cfg!(debug_assertions) { 16 } else { 64 } << 20;
    });
    for code in [
        "let a = []; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity)",
        "let a = ['']; for (let i = 0; i < 60; i++) a = [a, a]; String(a)",
        "let a = {}; for (let i = 0; i < 60; i++) a = {a, b: a}; JSON.stringify(a)",
        "new Set(new Array(4294967295))",
        "new Map(new Array(4294967295))",
        "Array.from(new Array(4294967295))",
        "Array.from({length: 2 ** 53 - 1})",
        "[].concat({length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true})",
        "new Array(4294967295).join('')",
        "new Array(4294967295).reverse()",
        "new Array(4294967295).sort()",
        "new Array(4294967295).fill(1)",
        "new Array(4294967295).indexOf(1)",
        "new Array(4294967295).lastIndexOf(1)",
        "new Array(4294967295).copyWithin(0, 1)",
        "new Array(4294967295).flat()",
        "new Array(4294967295).toSorted()",
        "new Array(4294967295).unshift(1)",
        "[...new Array(4294967295)]",
        "Math.max(...new Array(4294967295))",
        "new Array(4294967295).values().drop(4e9).next()",
        "new Array(4294967295).values().toArray()",
        "new Array(4294967295).values().some(x => x)",
        "Object.groupBy(new Array(4294967295), x => 1)",
        "Array.prototype.push.apply([], {length: 2 ** 32})",
        "Array.prototype.splice.call({length: 2 ** 53 - 1}, 0, 1)",
        "Array.prototype.slice.call({length: 2 ** 32 - 1})",
        "Array.prototype.shift.call({length: 2 ** 53 - 1})",
        "Object.fromEntries(new Array(4294967295))",
        "Promise.all(new Array(4294967295))",
        "Array.prototype.toLocaleString.call({length: 2 ** 53 - 1})",
        "Array.prototype.join.call({length: 2 ** 53 - 1}, '')",
        "Array.prototype.reverse.call({length: 2 ** 53 - 1})",
        "Array.prototype.fill.call({length: 2 ** 53 - 1})",
        "new Uint8Array({length: 2 ** 32})",
        "String.raw({raw: {length: 2 ** 53 - 1}})",
        "Reflect.apply(() => 1, null, {length: 2 ** 53 - 1})",
        "JSON.stringify(new Array(4294967295))",
        "BigInt('9'.repeat(3e5)) ** 3n",
        "const s = '9'.repeat(2e7); parseInt(s) + parseFloat(s) + Number(s)",
        "new Float64Array(6e6).map(Math.random).sort()",
        "Array.from({length: 1e6}, Math.random).sort()",
        "for (const k in 'a'.repeat(1e7)) {}",
        "Object.keys('a'.repeat(2e7))",
        "encodeURIComponent('\u{ffff}'.repeat(5e6))",
        "escape('\u{ffff}'.repeat(5e6))",
        "'\u{130}'.repeat(1e7).toLowerCase()",
        "'a'.padStart(2 ** 29, 'bc')",
        "new Date('1'.repeat(1e7))",
        "Symbol.for('a'.repeat(2e7))",
        "({})['a'.repeat(2e7)]",
    ] {
        let tools = Tools::usual();
        let began = Instant::now();
        let _ = run_with(&tools, quick.clone(), &sized(code));
        assert!(began.elapsed() < Duration::from_secs(40), "{code}");
    }
}

#[test]
fn what_breaks_out_of_the_wrapping_function_finds_nothing_there() {
    for code in [
        "}); globalThis.x = 1; (async function () {",
        "}, host, (function () {",
        "})\n(async function () { return typeof host",
        "/*",
        "`",
        "return 1 }); ({",
    ] {
        let outcome = run(code);
        if let Some(failure) = &outcome.failure {
            assert_eq!(failure.kind, FailureKind::Script, "{code}: {failure:?}");
        } else {
            assert_ne!(outcome.value.as_deref(), Some(r#""object""#), "{code}");
        }
    }
}

#[test]
fn runs_do_not_see_each_other() {
    let pool = pool(limits(|limits| limits.script_threads = 1));
    let tools = Tools::usual();
    let first = start(&pool, &tools, "globalThis.leak = 1; tools.leak2 = 1")
        .unwrap()
        .outcome();
    assert!(first.failure.is_some());
    let second = start(
        &pool,
        &tools,
        "return [typeof leak, Symbol.for('x') === Symbol.for('x')]",
    )
    .unwrap()
    .outcome();
    assert_eq!(second.value.as_deref(), Some(r#"["undefined",true]"#));
}

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

/// Pieces of programs that reach into every corner; put together at random.
fn fragments() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("await tools.echo({a: 1});".to_owned()),
        Just("await tools.fail({}).catch(() => {});".to_owned()),
        Just("tools.never({});".to_owned()),
        Just("try { tools.nothing } catch {}".to_owned()),
        Just("await searchTools('echo');".to_owned()),
        Just("text(globalThis);".to_owned()),
        Just("console.log(tools, ALL_TOOLS, searchTools);".to_owned()),
        Just("store('k', [1]); load('k');".to_owned()),
        Just("const a = []; a.a = a; text(a);".to_owned()),
        Just("throw new Error('x');".to_owned()),
        Just("return tools;".to_owned()),
        Just("return globalThis;".to_owned()),
        Just("if (Math.random() < 0.5) exit();".to_owned()),
        Just("{ let s = 'x'.repeat(1e5); s = s.replaceAll('x', 'yz'); text(s.length); }".to_owned()),
        Just("class A extends Array {}; text(new A(3).fill(1).map(x => x));".to_owned()),
        Just("for (const k of Reflect.ownKeys(globalThis)) try { text(String(globalThis[k])) } catch {}".to_owned()),
        Just("try { null.x } catch (e) { text(e.stack) }".to_owned()),
        Just("await Promise.any([tools.refuse()]).catch(e => text(e));".to_owned()),
        Just("new Function('return this')();".to_owned()),
        Just("label: for (;;) { break label }".to_owned()),
        "[ -~]{0,40}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.join("\n"))
}

fn shared() -> &'static Pool {
    static POOL: std::sync::OnceLock<Pool> = std::sync::OnceLock::new();
    POOL.get_or_init(|| pool(tight()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_program_comes_to_an_end_that_can_be_told(code in fragments()) {
        let outcome = start(shared(), &Tools::usual(), &code).unwrap().outcome();
        let text = outcome.text(1_000);
        prop_assert!(text.starts_with("Script "));
        if let Some(failure) = &outcome.failure {
            prop_assert_ne!(failure.kind, FailureKind::Sandbox, "{}", failure.message);
        }
        if let Some(value) = &outcome.value {
            prop_assert!(serde_json::from_str::<serde_json::Value>(value).is_ok(), "{}", value);
        }
    }

    #[test]
    fn any_memory_limit_holds_without_an_abort(code in fragments(), kilobytes in 1_024usize..2_500) {
        let pool = pool(limits(|limits| { limits.script_memory_bytes = kilobytes << 10; limits.script_run_millis = 300; limits.script_wait_millis = 300 }));
        let outcome = start(&pool, &Tools::usual(), &code).unwrap().outcome();
        prop_assert!(outcome.text(100).starts_with("Script "));
    }
}
