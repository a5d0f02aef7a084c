//! Single operations of the engine that take long: it does not ask in them whether to stop.

use std::time::{Duration, Instant};

use toolcrib_codemode::FailureKind;

use crate::support::{Tools, failure, limits, run_with, value};

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
