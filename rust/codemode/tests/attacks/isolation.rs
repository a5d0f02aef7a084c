//! Scripts that reach for what is not theirs: the host, what is built in, other scripts.

use toolcrib_codemode::FailureKind;

use crate::support::{Tools, failure, limits, pool, run, start, value};

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
