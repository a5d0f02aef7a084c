//! Scripts in the sandbox: what bytes stand for one, and what must hold of any.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        mpsc::{Sender, channel},
    },
    time::Duration,
};

use toolcrib_codemode::{
    CallState, Completion, FailureKind, Host, Namespace, Outcome, Pool, Refused, Reply, ReplyKind,
    Resolved, Script, ScriptLimits, Search, Summary, ThreadHooks,
};

/// No script has a reason to take so long, whatever else the machine does.
const FOR_EVER: Duration = Duration::from_secs(60);
/// Longer scripts are not made: their pieces would mostly be cut off by the memory limit.
const LONGEST: usize = 8 << 10;
/// How deep pieces stand in pieces.
const DEEPEST: usize = 12;
/// Takes the place of the next piece.
const HOLE: char = '□';
/// What a failure may say at most: the text of an error is cut, the rest is ours.
const LONGEST_MESSAGE: usize = 16 << 10;
/// What the text for the model has beyond its output: a head, a failure, calls.
const AROUND_OUTPUT: usize = LONGEST_MESSAGE + (4 << 10);

/// Pieces of scripts; a byte from 0x80 on stands for one of them.
const PIECES: &[&str] = &[
    // Statements.
    "□; □; □;",
    "const a = □;",
    "let b = □; b = □;",
    "if (□) { □ } else { □ }",
    "for (let i = 0; i < 9; i++) { □ }",
    "for (;;) { □ }",
    "for (const k of □) { □ }",
    "for await (const k of □) { □ }",
    "while (□) { □; break }",
    "try { □ } catch (e) { □ } finally { □ }",
    "throw □;",
    "return □;",
    "function f(a = □) { □ }",
    "class A extends (□) { constructor() { super(□) } get x() { return □ } static { □ } }",
    "label: { □; break label }",
    "text(□);",
    "console.log(□, □);",
    "store(□, □);",
    "store('k', □); text(load('k'));",
    "exit();",
    "queueMicrotask(() => { □ });",
    "globalThis.leak = □;",
    "globalThis[□] = □;",
    "Array.prototype.leak = □;",
    "Object.defineProperty(□, □, {get() { return □ }});",
    "Object.setPrototypeOf(□, □);",
    "□.constructor.prototype.leak = 1;",
    // Expressions.
    "await □",
    "(□)",
    "[□, □]",
    "[...□]",
    "{a: □}",
    "({a: □, b: □})",
    "({get a() { □ }, toJSON() { □ }})",
    "({then(ok, no) { □ }})",
    "({toString() { return □ }, [Symbol.iterator]: □})",
    "□.□",
    "□?.[□]",
    "□(□)",
    "new □(□)",
    "□ + □",
    "□ === □",
    "typeof □",
    "() => □",
    "async () => { □ }",
    "function* () { yield □; yield* □ }",
    "async function* () { yield □ }",
    "`${□}`",
    "□.map(□)",
    "□.then(□, □)",
    "□.catch(() => □)",
    "□.repeat(□)",
    "□.replace(□, □)",
    "□.sort(□)",
    "Array.from({length: □}, □)",
    "Reflect.construct(□, [□], □)",
    "Reflect.ownKeys(□)",
    "JSON.stringify(□)",
    "JSON.parse(□)",
    "new Promise((ok, no) => { □ })",
    "Promise.all(□)",
    "Promise.race([□, □])",
    "Promise.any([□])",
    "Promise.allSettled([□, □])",
    "Promise.reject(□)",
    // Tools.
    "tools.echo(□)",
    "tools.echo({a: □})",
    "(await tools.echo({a: □})).structuredContent",
    "tools.fail(□)",
    "tools.refuse({})",
    "tools.never({})",
    "tools.large({})",
    "tools.broken({})",
    "tools.poison({})",
    "tools.my_server_get({})",
    "tools['my-server.get'](□)",
    "tools[□]",
    "tools.a_b",
    "searchTools(□)",
    "searchTools('echo', {limit: □, namespace: □})",
    "describeTool(□)",
    "describeNamespace(□)",
    "ALL_TOOLS",
    "load(□)",
    // Values.
    "globalThis",
    "tools",
    "Object.prototype",
    "Function",
    "Symbol.for('leak')",
    "Symbol.iterator",
    "'__proto__'",
    "'constructor'",
    "'\\ud800'",
    "'test'",
    "'x'.repeat(1e5)",
    "'(a+)+$'",
    "/(?:a*)*b/g",
    "/(?<=a)\\u{1F600}|[^\\d]/vu",
    "new Uint8Array(□)",
    "new ArrayBuffer(8, {maxByteLength: □})",
    "new Map([[□, □]])",
    "new Date(□)",
    "new Error(□, {cause: □})",
    "e",
    "a",
    "f()",
    "this",
    "arguments",
    "null",
    "undefined",
    "NaN",
    "-1",
    "2 ** 31",
    "2 ** 53",
    "10n ** 30n",
    "'订单 é 👩‍👩‍👧'",
    "\u{2028}",
    "import('fs')",
    "eval(□)",
];

/// The script that bytes stand for: below 0x80 they are its text, from there on pieces.
fn text_of(input: &[u8]) -> String {
    let mut bytes = input.iter().copied().peekable();
    let mut text = String::new();
    while bytes.peek().is_some() && text.len() < LONGEST {
        piece(&mut text, &mut bytes, 0);
    }
    text
}

fn piece(
    text: &mut String,
    bytes: &mut std::iter::Peekable<impl Iterator<Item = u8>>,
    depth: usize,
) {
    let Some(byte) = bytes.next() else {
        // Something has to stand there.
        return text.push('1');
    };
    let Some(at) = byte.checked_sub(0x80) else {
        text.push(char::from(byte));
        while let Some(more) = bytes.next_if(u8::is_ascii) {
            text.push(char::from(more));
        }
        return;
    };
    let mut parts = PIECES[usize::from(at) % PIECES.len()].split(HOLE);
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        if depth < DEEPEST && text.len() < LONGEST {
            piece(text, bytes, depth + 1);
        } else {
            text.push('1');
        }
        text.push_str(part);
    }
}

/// Any script, with a host that notes what is done to it; and after it another one, on the same
/// thread, that must find everything as the first script of a process finds it.
pub fn script(input: &[u8]) {
    static UNTOUCHED: OnceLock<String> = OnceLock::new();
    let untouched =
        UNTOUCHED.get_or_init(|| look_around(&Pool::new(limits(), ThreadHooks::default())));
    let pool = pool();
    let code = text_of(input);
    let limits = pool.limits();
    let Some((outcome, seen)) = run(pool, &code) else {
        return;
    };
    check(&outcome, &seen, limits);
    assert_eq!(&look_around(pool), untouched, "after {code}");
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

/// What a script finds: every name that there is, with what stands for it, and what is stored.
fn look_around(pool: &Pool) -> String {
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
        let hash = 0n;
        for (const line of found) for (const c of line) hash = BigInt.asUintN(64, hash * 31n + BigInt(c.charCodeAt(0)));
        return [typeof leak, typeof a, [].leak === undefined, ({}).leak === undefined, load('k') === undefined,
          /a/g.lastIndex, ALL_TOOLS.total, found.length, String(hash), Reflect.ownKeys(globalThis).map(String).join()]";
    let mut outcome = None;
    // The time that it has is as short as any other's, and the machine may be busy.
    for _ in 0..20 {
        let (ended, seen) = run(pool, CODE).expect("there is room for one");
        check(&ended, &seen, pool.limits());
        let timeout =
            matches!(&ended.failure, Some(failure) if failure.kind == FailureKind::Timeout);
        outcome = Some(ended);
        if !timeout {
            break;
        }
    }
    let outcome = outcome.expect("it ran");
    assert_eq!(
        outcome.failure, None,
        "nothing keeps a script from looking around"
    );
    outcome.value.expect("it returns something")
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

fn check(outcome: &Outcome, seen: &Seen, limits: &ScriptLimits) {
    assert!(
        outcome.output.len() <= limits.script_output_bytes,
        "{}",
        outcome.output.len()
    );
    let text = outcome.text(limits.script_preview_bytes);
    assert!(text.starts_with("Script "));
    assert!(
        text.len() <= limits.script_preview_bytes + AROUND_OUTPUT,
        "{}",
        text.len()
    );
    if let Some(value) = &outcome.value {
        assert!(
            value.len() <= 4 * limits.script_output_bytes,
            "{}",
            value.len()
        );
        serde_json::from_str::<serde_json::Value>(value).expect("what is returned is JSON");
    }
    if let Some(failure) = &outcome.failure {
        assert_ne!(failure.kind, FailureKind::Sandbox, "{}", failure.message);
        assert_ne!(failure.kind, FailureKind::Cancelled, "{}", failure.message);
        assert!(!failure.message.is_empty() && failure.message.len() <= LONGEST_MESSAGE);
        assert_eq!(outcome.value, None, "a failure has no value");
    }
    assert!(outcome.calls.len() <= limits.script_calls);
    for (position, call) in outcome.calls.iter().enumerate() {
        assert_eq!(call.id as usize, position + 1);
        assert!(TOOLS.contains(&call.name.as_str()), "{}", call.name);
        assert_eq!(
            call.state != CallState::Waiting,
            seen.begun.contains_key(&call.id)
        );
        assert_eq!(
            call.state == CallState::Abandoned,
            seen.abandoned.contains(&call.id)
        );
    }
    assert!(seen.begun.len() <= outcome.calls.len());
    assert!(seen.most_open <= limits.script_parallel_calls);
    assert!(seen.commits <= 1);
    if outcome.failure.is_none() {
        assert_eq!(seen.commits, 1, "what was stored is kept");
    } else {
        assert_eq!(seen.commits, 0, "a script that fails stores nothing");
    }
    assert!(seen.stored <= limits.script_store_bytes);
}

const TOOLS: [&str; 10] = [
    "a-b",
    "a.b",
    "broken",
    "echo",
    "fail",
    "large",
    "my-server.get",
    "never",
    "poison",
    "refuse",
];

/// What a host was asked for.
#[derive(Debug, Default)]
struct Seen {
    begun: BTreeMap<u32, ()>,
    open: BTreeSet<u32>,
    most_open: usize,
    abandoned: BTreeSet<u32>,
    commits: usize,
    stored: usize,
}

struct Notes {
    script: OnceLock<Weak<Script>>,
    outcome: Mutex<Option<Sender<Outcome>>>,
    seen: Mutex<Seen>,
}

impl Notes {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn complete(&self, id: u32, completion: Completion) {
        if let Some(script) = self.script.get().and_then(Weak::upgrade) {
            script.complete(id, completion);
        }
    }
}

/// A panic in here is told as a failure of the sandbox, which no script may have.
impl Host for Notes {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(arguments)
            .expect("arguments are a JSON object");
        let answers = name != "never";
        {
            let mut seen = self.seen();
            assert!(
                seen.begun.insert(id, ()).is_none(),
                "no call is begun twice"
            );
            seen.open.insert(id);
            seen.most_open = seen.most_open.max(seen.open.len());
            if answers {
                seen.open.remove(&id);
            }
        }
        if !answers {
            return;
        }
        let (kind, structured) = match name {
            "fail" => (ReplyKind::Failed, None),
            "refuse" => (ReplyKind::Refused, None),
            "large" => (
                ReplyKind::Completed,
                Some(format!("\"{}\"", "x".repeat(33 << 10))),
            ),
            "broken" => (ReplyKind::Completed, Some("{no json".to_owned())),
            "poison" => (
                ReplyKind::Completed,
                Some(
                    r#"{"then":1,"__proto__":{"leak":1},"constructor":{"prototype":2}}"#.to_owned(),
                ),
            ),
            _ => (ReplyKind::Completed, Some(arguments.to_owned())),
        };
        let reply = Reply {
            kind,
            text: structured.clone().unwrap_or_else(|| "no".to_owned()),
            content: (name == "a.b").then(|| "[{\"type\":\"text\"}]".to_owned()),
            structured,
        };
        self.complete(id, Completion::Replied(reply.clone()));
        // Whoever answers twice is not heard.
        self.complete(id, Completion::Replied(reply));
    }

    fn refresh(&self, id: u32) {
        self.complete(id, Completion::Refreshed);
    }

    fn abandon(&self, id: u32) {
        let mut seen = self.seen();
        assert!(seen.begun.contains_key(&id));
        assert!(seen.abandoned.insert(id), "no call is abandoned twice");
    }

    fn resolve(&self, name: &str) -> Resolved {
        if TOOLS.contains(&name) {
            return Resolved::Tool(name.to_owned());
        }
        let plain = |tool: &&str| tool.replace(['-', '.'], "_") == name;
        let named: Vec<String> = TOOLS
            .into_iter()
            .filter(|tool| plain(tool))
            .map(Into::into)
            .collect();
        match named.as_slice() {
            [] => Resolved::Unknown(vec!["echo".to_owned()]),
            [tool] => Resolved::Tool(tool.clone()),
            _ => Resolved::Ambiguous(named),
        }
    }

    fn search(&self, search: &Search) -> Vec<Summary> {
        let most = search.limit.unwrap_or(2).clamp(0, 5) as usize;
        self.tools(most).0
    }

    fn describe(&self, name: &str) -> Option<String> {
        Some(format!(
            "declare function {name}(input: {{}}): Promise<ToolResult>;"
        ))
    }

    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>> {
        if name != "test" {
            return Err(vec!["test".to_owned()]);
        }
        Ok(Namespace {
            name: name.to_owned(),
            description: "tools".to_owned(),
            instructions: String::new(),
            tools: TOOLS.map(str::to_owned).to_vec(),
        })
    }

    fn tools(&self, limit: usize) -> (Vec<Summary>, usize) {
        let summary = |name: &str| Summary {
            name: name.to_owned(),
            description: "does something".to_owned(),
        };
        (
            TOOLS.into_iter().take(limit).map(summary).collect(),
            TOOLS.len(),
        )
    }

    fn load(&self, key: &str) -> Option<String> {
        (key == "kept").then(|| "[1]".to_owned())
    }

    fn commit(&self, writes: Vec<(String, Option<String>)>) -> Result<(), String> {
        let size = |(key, value): &(String, Option<String>)| {
            key.len() + value.as_ref().map_or(0, String::len)
        };
        let mut seen = self.seen();
        seen.commits += 1;
        seen.stored = writes.iter().map(size).sum();
        for value in writes.iter().filter_map(|(_, value)| value.as_ref()) {
            serde_json::from_str::<serde_json::Value>(value).expect("what is stored is JSON");
        }
        Ok(())
    }

    fn finished(&self, outcome: Outcome) {
        let sender = self
            .outcome
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let sender = sender.expect("a script finishes once");
        let _ = sender.send(outcome);
    }
}
