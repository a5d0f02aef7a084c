//! The script that bytes stand for.

/// Longer scripts are not made: their pieces would mostly be cut off by the memory limit.
const LONGEST: usize = 8 << 10;
/// How deep pieces stand in pieces.
const DEEPEST: usize = 12;
/// Takes the place of the next piece.
const HOLE: char = '□';

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
pub fn text_of(input: &[u8]) -> String {
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
