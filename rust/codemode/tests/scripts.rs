//! What a script can do.

mod support;

use std::{sync::atomic::Ordering, time::Duration};

use support::{Tools, completed, failure, limits, pool, run, run_with, start, value};
use toolcrib_codemode::{CallState, FailureKind, ReplyKind, ScriptLimits};

#[test]
fn await_and_return_stand_at_the_top() {
    assert_eq!(value("return 1 + 1"), "2");
    assert_eq!(
        value("return (await tools.echo({a: 1})).structuredContent.a"),
        "1"
    );
    assert_eq!(
        value("const x = await Promise.resolve([1, {b: null}]);\nreturn x"),
        r#"[1,{"b":null}]"#
    );
    assert_eq!(value("1 + 1"), "undefined");
    assert_eq!(value("return null"), "null");
    assert_eq!(value("return 'text'"), r#""text""#);
}

#[test]
fn tools_are_called_by_name_and_by_alias() {
    assert_eq!(
        value("return (await tools['echo']({})).content[0].text"),
        r#""{}""#
    );
    assert_eq!(
        value("return (await tools.my_server_get({x: 'ä'})).structuredContent"),
        r#"{"x":"ä"}"#
    );
    assert_eq!(
        value(
            "return [('echo' in tools), ('nothing' in tools), await tools.echo().then(r => r.content.length)]"
        ),
        "[true,false,1]"
    );
    assert_eq!(
        value("return Object.keys(tools)"),
        r#"["echo","fail","my-server.get","never","refuse"]"#
    );
}

#[test]
fn an_unknown_tool_is_an_error_with_names_that_are_alike() {
    let (kind, message) = failure("const a = 1;\nawait tools.nothing({});");
    assert_eq!(kind, FailureKind::Script);
    assert!(
        message.contains("You have no tool named \"nothing\". Similar names: echo, fail."),
        "{message}"
    );
    assert!(
        message.ends_with("at line 2: await tools.nothing({});"),
        "{message}"
    );
}

#[test]
fn what_went_wrong_with_a_call_cannot_be_overlooked() {
    let (kind, message) = failure("\n\nconst r = await tools.fail({});\nreturn 'fine'");
    assert_eq!(kind, FailureKind::Script);
    assert_eq!(
        message,
        "ToolError: the disk is full, at line 3: const r = await tools.fail({});"
    );
    assert_eq!(
        value(
            "try { await tools.refuse() } catch (e) { return [e.name, e.kind, e.tool, e.message, e.result, e instanceof ToolError] }"
        ),
        r#"["ToolError","refused","refuse","not for you",{"content":[{"type":"text","text":"not for you"}],"isError":true},true]"#
    );
    // Goes on until the failure has come, however long that takes.
    let (_, message) = failure(
        "let over = false; tools.fail({}).finally(() => { over = true });
         while (!over) await tools.echo({});
         await tools.echo({}); return 1",
    );
    assert!(
        message.contains("the disk is full") && message.contains("did not await"),
        "{message}"
    );
}

#[test]
fn calls_run_in_parallel_up_to_a_bound() {
    let tools = Tools::usual().with("slow", |arguments| {
        std::thread::sleep(Duration::from_millis(20));
        completed(arguments)
    });
    let outcome = run_with(
        &tools,
        limits(|limits| limits.script_parallel_calls = 3),
        "const all = await Promise.all([...Array(12).keys()].map(n => tools.slow({n})));
         return all.map(r => r.structuredContent.n)",
    );
    assert_eq!(
        outcome.value.as_deref(),
        Some("[0,1,2,3,4,5,6,7,8,9,10,11]")
    );
    assert_eq!(tools.most_open.load(Ordering::SeqCst), 3);
    assert!(outcome.waited > Duration::ZERO && outcome.ran > Duration::ZERO);
}

#[test]
fn the_number_of_calls_is_bounded() {
    let outcome = run_with(
        &Tools::usual(),
        ScriptLimits::default(),
        "for (;;) await tools.echo({})",
    );
    let failure = outcome.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Limit);
    assert!(
        failure.message.contains("64 tool calls (script_calls)"),
        "{}",
        failure.message
    );
    assert_eq!(outcome.calls.len(), 64);
}

#[test]
fn calls_that_are_not_awaited_are_abandoned() {
    let tools = Tools::usual();
    let outcome = run_with(&tools, ScriptLimits::default(), "tools.never({}); return 1");
    assert_eq!(outcome.value.as_deref(), Some("1"));
    assert_eq!(outcome.calls[0].state, CallState::Abandoned);
    assert_eq!(*tools.abandoned.lock().unwrap(), [1]);
}

#[test]
fn a_promise_that_nothing_can_settle_is_noticed() {
    let (kind, message) = failure("await new Promise(() => {})");
    assert_eq!(kind, FailureKind::Script);
    assert!(message.contains("nothing can settle"), "{message}");
    let (_, message) = failure("await tools.echo({}); await {then() {}}");
    assert!(message.contains("nothing can settle"), "{message}");
}

#[test]
fn tools_are_found_and_described() {
    assert_eq!(
        value("return await searchTools('please echo this')"),
        r#"[{"name":"echo","description":"the tool echo"}]"#
    );
    assert_eq!(
        value("return (await searchTools('echo fail', {limit: 1})).length"),
        "1"
    );
    assert!(
        value("return await describeTool('my_server_get')")
            .contains("declare function my-server.get(")
    );
    assert!(
        value("return await describeNamespace('test')")
            .contains(r#""instructions":"use them","tools":["echo""#)
    );
    assert!(
        failure("await describeNamespace('best')")
            .1
            .contains("There are: test.")
    );
    assert_eq!(
        value("return [ALL_TOOLS.length, ALL_TOOLS.total, ALL_TOOLS[0].name]"),
        r#"[5,5,"echo"]"#
    );
}

#[test]
fn lookups_made_together_ask_for_the_rights_once() {
    let tools = Tools::usual();
    let outcome = run_with(
        &tools,
        ScriptLimits::default(),
        "const all = await Promise.all([...Array(50)].map(() => searchTools('echo'))); return all.length",
    );
    assert_eq!(outcome.value.as_deref(), Some("50"));
    assert!(tools.refreshes.load(Ordering::SeqCst) <= 2);
}

#[test]
fn output_is_what_was_written_and_then_what_was_returned() {
    let outcome = run(
        "console.log('a', 1, {b: [2]});\ntext('b');\nconsole.error(new Error('c'), undefined);\nreturn {d: 4}",
    );
    assert_eq!(
        outcome.output,
        "a 1 {\"b\":[2]}\nb\n{\"name\":\"Error\",\"message\":\"c\"} undefined\n{\"d\":4}\n"
    );
    let text = outcome.text(10_000);
    assert!(text.starts_with("Script completed in 0."), "{text}");
    assert!(text.contains(" s, 0 tool calls.\nOutput:\na 1 "), "{text}");
}

#[test]
fn values_that_json_does_not_have_are_said_in_words() {
    assert_eq!(
        value(
            "const o = {a: 1n, m: new Map([[1, 2]]), s: new Set([3]), f() {}, p: Promise.resolve()}; o.o = o; o.twice = [o.m, o.m]; return o"
        ),
        r#"{"a":"1","m":[[1,2]],"s":[3],"f":"[function]","p":"[promise: not awaited]","o":"[circular]","twice":[[[1,2]],[[1,2]]]}"#
    );
}

#[test]
fn long_output_keeps_its_head_and_its_tail() {
    let outcome = run("for (let i = 0; i < 20000; i++) console.log('line ' + i)");
    assert_eq!(outcome.failure, None);
    let text = outcome.text(1_000);
    assert!(text.len() < 1_300, "{}", text.len());
    assert!(
        text.contains("line 0\n") && text.ends_with("line 19999"),
        "{text}"
    );
    assert!(text.contains("bytes are missing here"), "{text}");
}

#[test]
fn exit_ends_the_script_with_what_it_wrote() {
    let outcome = run(
        "text('before'); try { exit() } catch {} text('after'); await tools.echo({}); return 3",
    );
    assert_eq!(
        (outcome.failure, outcome.output.as_str(), outcome.value),
        (None, "before\n", None)
    );
    assert!(outcome.calls.is_empty());
}

#[test]
fn what_is_stored_is_kept_only_by_a_script_that_completes() {
    let tools = Tools::usual();
    let run = |code: &str| run_with(&tools, ScriptLimits::default(), code);
    assert_eq!(
        run("store('a', {n: 1}); return load('a').n")
            .value
            .as_deref(),
        Some("1")
    );
    assert!(
        run("store('a', 2); throw new Error('no')")
            .failure
            .is_some()
    );
    assert_eq!(run("const {n} = load('a'); store('a'); return [n, load('a') === undefined, load('b') === undefined]").value.as_deref(), Some("[1,true,true]"));
    assert_eq!(
        run("return load('a') === undefined").value.as_deref(),
        Some("true")
    );
    let outcome = run("store('big', 'x'.repeat(2 << 20))");
    assert_eq!(outcome.failure.unwrap().kind, FailureKind::Limit);
}

#[test]
fn errors_name_the_line_of_the_script() {
    assert_eq!(
        failure("let a = 1;\nlet a = 2;").1,
        "SyntaxError: invalid redefinition of lexical identifier, at line 2: let a = 2;"
    );
    assert_eq!(
        failure("const f = () => {\n  null.x;\n};\nf()").1,
        "TypeError: cannot read property 'x' of null, at line 2: null.x;"
    );
    assert_eq!(
        failure(
            "await null;\nawait (async () => {\n  await null; throw new RangeError('far') })()"
        )
        .1,
        "RangeError: far, at line 3: await null; throw new RangeError('far') })()"
    );
    assert_eq!(failure("throw 'text'").1, "text");
    assert_eq!(failure("throw {code: 7}").1, r#"{"code":7}"#);
    assert!(
        failure("if (true) {").1.starts_with("SyntaxError"),
        "{:?}",
        failure("if (true) {")
    );
    assert!(failure("import fs from 'fs'").1.starts_with("SyntaxError"));
}

#[test]
fn a_failure_tells_which_calls_were_made() {
    let outcome = run("await tools.echo({}); tools.never({}); await tools.fail({})");
    let states: Vec<_> = outcome.calls.iter().map(|call| call.state).collect();
    assert_eq!(
        states,
        [
            CallState::Done(ReplyKind::Completed),
            CallState::Abandoned,
            CallState::Done(ReplyKind::Failed)
        ]
    );
    let text = outcome.text(1_000);
    assert!(text.contains("Calls already made; what they did is not undone:\n- 1 echo: completed\n- 2 never: begun, outcome unknown\n- 3 fail: failed"), "{text}");
    assert!(
        text.contains("Failure (script): ToolError: the disk is full, at line 1"),
        "{text}"
    );
}

#[test]
fn arguments_are_one_object() {
    for (code, said) in [
        (
            "await tools.echo(1)",
            "takes an object with named arguments, not number",
        ),
        ("await tools.echo([1])", "not an array"),
        ("await tools.echo({}, {})", "takes one object"),
        (
            "await tools.echo({toJSON() { return 1 }})",
            "are no object in JSON",
        ),
        ("const a = {}; a.a = a; await tools.echo(a)", "circular"),
        ("await tools.echo({a: 1n})", "BigInt"),
    ] {
        let (kind, message) = failure(code);
        assert_eq!(kind, FailureKind::Script, "{code}");
        assert!(message.contains(said), "{code}: {message}");
    }
}

#[test]
fn a_script_is_cancelled_while_it_waits_and_while_it_runs() {
    let pool = pool(ScriptLimits::default());
    for code in ["await tools.never({})", "for (;;);", "for (;;) await null"] {
        let running = start(&pool, &Tools::usual(), code).unwrap();
        running.script.cancel();
        let failure = running.outcome().failure.unwrap();
        assert_eq!(failure.kind, FailureKind::Cancelled, "{code}");
    }
}

#[test]
fn a_class_of_errors_can_be_made_although_errors_are_frozen() {
    assert_eq!(
        value("class Mine extends Error { constructor(m) { super(m); this.name = 'Mine'; } }
               const o = {}; o.toString = () => 'own'; o.constructor = 1;
               function Old() {} Old.prototype.valueOf = () => 2;
               const e = new TypeError('x'); e.message = 'y';
               return [new Mine('m').name, String(o), +new Old(), e.message, ({}).constructor === Object]"),
        r#"["Mine","own",2,"y",true]"#
    );
}

#[test]
fn a_lookup_whose_rights_could_not_be_asked_was_answered_all_the_same() {
    let mut tools = Tools::usual();
    tools.unknown_from = 2;
    let outcome = run_with(
        &tools,
        ScriptLimits::default(),
        "const seen = [(await searchTools('echo')).length];
         for (const lookup of [() => searchTools('echo'), () => describeTool('echo'), () => describeNamespace('test')])
           try { await lookup(); seen.push('told') } catch (e) { seen.push(e instanceof ToolError, e.kind) }
         const all = await Promise.allSettled([searchTools('echo'), searchTools('echo')]);
         return [...seen, ...all.map(one => one.status)]",
    );
    assert_eq!(
        outcome.value.as_deref(),
        Some(
            r#"[1,true,"unavailable",true,"unavailable",true,"unavailable","rejected","rejected"]"#
        ),
        "{:?}",
        outcome.failure
    );
}
