//! Single operations of the engine that take long: it does not ask in them whether to stop.

use std::time::{Duration, Instant};

use toolcrib_codemode::FailureKind;

use crate::support::{Tools, failure, limits, pool, start, value};

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
}

/// Runs each of `codes` until its thread is free again, which the watchdog does not see to.
fn give_the_thread_back(codes: &[&str]) {
    let quick = limits(|limits| {
        limits.script_run_millis = 60;
        limits.script_memory_bytes = if cfg!(debug_assertions) { 32 } else { 64 } << 20;
    });
    for code in codes {
        let pool = pool(quick.clone());
        let began = Instant::now();
        let running = start(&pool, &Tools::usual(), &sized(code)).expect("it is short");
        running.outcome();
        while pool.load() != (0, 0) {
            assert!(began.elapsed() < Duration::from_secs(20), "{code}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn operations_on_lists_without_memory_kept_their_thread_for_hours() {
    give_the_thread_back(&[
        "let a = []; for (let i = 0; i < 60; i++) a = [a, a]; a.flat(Infinity)",
        "let a = ['']; for (let i = 0; i < 60; i++) a = [a, a]; String(a)",
        "let a = {}; for (let i = 0; i < 60; i++) a = {a, b: a}; JSON.stringify(a)",
        "const o = {}; for (let i = 0; i < 5e4; i++) o['k' + i] = undefined; JSON.stringify(new Array(1e6).fill(o))",
        "const o = {}; for (let i = 0; i < 5e4; i++) o['k' + i] = 1; JSON.stringify(new Array(1e6).fill({}), Object.keys(o))",
        "JSON.stringify(new Array(4294967295))",
        "new Set(new Array(4294967295))",
        "new Map(new Array(4294967295))",
        "new Set([undefined]).isSupersetOf({size: 1, has() {}, keys() { return new Array(4294967295).values() }})",
        "new Set([1]).union({size: 1, has() {}, keys() { return new Array(4294967295).values() }})",
        "new Set([1]).isDisjointFrom({size: 0, has() {}, keys() { return new Array(4294967295).values() }})",
        "new Set([1]).symmetricDifference({size: 0, has() {}, keys() { return new Array(4294967295).values() }})",
        "Array.from(new Array(4294967295))",
        "Array.from({length: 2 ** 53 - 1})",
        "[].concat({length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true})",
        "[].concat(new Array(4294967295))",
        "new Array(4294967295).concat([1])",
        "new Array(4294967295).join('')",
        "new Array(4294967295).reverse()",
        "new Array(4294967295).sort()",
        "new Array(4294967295).sort((a, b) => a - b)",
        "new Array(4294967295).fill(1)",
        "new Array(4294967295).indexOf(1)",
        "new Array(4294967295).lastIndexOf(1)",
        "new Array(4294967295).includes(1)",
        "new Array(4294967295).copyWithin(0, 1)",
        "new Array(4294967295).flat()",
        "new Array(4294967295).flatMap(x => x)",
        "new Array(4294967295).toSorted()",
        "new Array(4294967295).toReversed()",
        "new Array(4294967295).toSpliced(0, 1)",
        "new Array(4294967295).with(0, 1)",
        "new Array(4294967295).unshift(1)",
        "new Array(4294967295).shift()",
        "new Array(4294967295).slice(1)",
        "new Array(4294967295).splice(0, 1)",
        "[...new Array(4294967295)]",
        "Math.max(...new Array(4294967295))",
        "new Array(4294967295).values().drop(4e9).next()",
        "new Array(4294967295).values().toArray()",
        "new Array(4294967295).values().some(x => x)",
        "Object.groupBy(new Array(4294967295), x => 1)",
        "Object.fromEntries(new Array(4294967295))",
        "await Promise.all(new Array(4294967295))",
        "await Array.fromAsync({length: 2 ** 53 - 1})",
        "Array.prototype.push.apply([], {length: 2 ** 32})",
        "Array.prototype.splice.call({length: 2 ** 53 - 1}, 0, 1)",
        "Array.prototype.slice.call({length: 2 ** 32 - 1})",
        "Array.prototype.shift.call({length: 2 ** 53 - 1})",
        "Array.prototype.unshift.call({length: 2 ** 53 - 3}, 1)",
        "Array.prototype.toLocaleString.call({length: 2 ** 53 - 1})",
        "Array.prototype.join.call({length: 2 ** 53 - 1}, '')",
        "Array.prototype.reverse.call({length: 2 ** 53 - 1})",
        "Array.prototype.fill.call({length: 2 ** 53 - 1})",
        "Array.prototype.sort.call({length: 2 ** 53 - 1})",
        "Array.prototype.reverse.call({get length() { return 2 ** 53 - 1 }})",
        "String.raw({raw: {length: 2 ** 53 - 1}})",
        "Reflect.apply(() => 1, null, {length: 2 ** 53 - 1})",
        "let c = null; for (let i = 0; i < 1e5; i++) c = {__proto__: c}; const a = new Array(1e6); Object.setPrototypeOf(a, c); a.reverse()",
        "let c = null; for (let i = 0; i < 3e4; i++) c = {__proto__: c, ['k' + i]: i}; for (const k in c);",
        "const a = []; a[4294967294] = 1; a.length = 0",
    ]);
}

#[test]
fn operations_on_much_memory_kept_their_thread_for_as_long_as_they_were_repeated() {
    give_the_thread_back(&[
        "new Uint8Array({length: 2e7})",
        "const x = 'a'.repeat(2e7), y = 'a'.repeat(2e7 - 1) + 'b'; new Array(1e6).fill(x).includes(y)",
        "const x = 'a'.repeat(2e7), y = 'a'.repeat(2e7 - 1) + 'b'; new Array(1e6).fill(x).indexOf(y)",
        "const x = 'a'.repeat(1e7), y = 'a'.repeat(1e7 - 1) + 'b'; new Array(1e5).fill(0).map((_, i) => i % 2 ? x : y).sort()",
        "const x = 'a'.repeat(1e7), y = 'a'.repeat(1e7 - 1) + 'b'; new Array(1e5).fill(0).map((_, i) => i % 2 ? x : y).toSorted()",
        "const b = 9n ** 300000n; new Array(1e6).fill(b).includes(b + 1n)",
        "BigInt('9'.repeat(3e5)) ** 3n",
        "const b = 9n ** 300000n; for (;;) b * b",
        "const b = 9n ** 300000n; for (;;) String(b)",
        "const s = '9'.repeat(2e7); for (;;) parseInt(s)",
        "const s = 'a'.repeat(3e7); for (;;) s.indexOf('b')",
        "const s = 'a'.repeat(3e7); for (;;) try { s.lastIndexOf('b') } catch {}",
        "const s = ' '.repeat(3e7); for (;;) s.trim()",
        "const s = 'a'.repeat(3e7); for (;;) s.isWellFormed()",
        "const s = 'a'.repeat(3e7); for (;;) s.endsWith(s)",
        "const s = 'a'.repeat(3e7); for (;;) s.toUpperCase()",
        "const s = 'a'.repeat(3e7); for (;;) s.split('b')",
        "const s = 'a'.repeat(3e7); for (;;) /b/.test(s)",
        "const s = 'a'.repeat(3e7); for (;;) s.search(/b/)",
        "const s = 'a'.repeat(3e7); for (;;) encodeURIComponent(s)",
        "const s = 'a'.repeat(3e7); for (;;) try { JSON.stringify(s) } catch {}",
        "const s = '[' + '1,'.repeat(1e6) + '1]'; for (;;) JSON.parse(s)",
        "const t = new Uint8Array(2e7); for (;;) t.fill(1)",
        "const t = new Uint8Array(2e7); for (;;) t.sort()",
        "const t = new Float64Array(2e6).map((_, i) => Math.sin(i)); for (;;) t.toSorted()",
        "const t = new Uint8Array(2e7); for (;;) t.indexOf(1)",
        "const t = new Uint8Array(2e7); for (;;) t.reverse()",
        "const t = new Uint8Array(2e7); for (;;) t.join()",
        "const t = new Uint8Array(2e7), u = new Uint8Array(2e7); for (;;) t.set(u)",
        "const t = new Float64Array(2e6); for (;;) Math.sumPrecise(t)",
        "const b = new ArrayBuffer(0, {maxByteLength: 2e7}); for (;;) { b.resize(2e7); b.resize(0) }",
        "const a = Array.from({length: 1e5}, (_, i) => i); for (;;) a.reverse()",
        "const a = Array.from({length: 1e5}, (_, i) => i); for (;;) a.indexOf(-1)",
        "const a = Array.from({length: 1e5}, (_, i) => i); for (;;) a.unshift(1), a.pop()",
        "const a = Array.from({length: 1e5}, (_, i) => i); for (;;) new Set(a)",
        "const a = Array.from({length: 1e5}, (_, i) => i); Object.freeze(a); for (;;) Object.isFrozen(a)",
        "for (const k in 'a'.repeat(1e7)) {}",
        "Object.keys('a'.repeat(2e7))",
        "encodeURIComponent('\u{ffff}'.repeat(5e6))",
        "decodeURIComponent('%41'.repeat(1e7))",
        "escape('\u{ffff}'.repeat(5e6))",
        "'\u{130}'.repeat(1e7).toLowerCase()",
        "('\u{3a3}' + '\u{301}'.repeat(300)).repeat(1e4).toLowerCase()",
        "'a'.padStart(2 ** 29, 'bc')",
        "const s = '('.repeat(1e7); for (;;) Date.parse(s)",
        "Symbol.for('a'.repeat(2e7))",
        "'a'.repeat(1e7).split(/a{5000}b/)",
        "'a'.repeat(1e7).replace(/a{0,9000}b/g, '')",
        "'a'.repeat(1e6).replace(/(?:a{0,9000}b)|/g, '')",
        "'a'.repeat(1e6).split(/(?<=a{0,9000}b)/)",
        "new RegExp('\\p{L}'.repeat(3900), 'iu')",
        "new RegExp('\\p{RGI_Emoji}'.repeat(1400), 'v')",
        "new RegExp('[\\p{L}--\\p{Lu}]'.repeat(1100), 'v')",
        "/(?:(?:(?:(?:(?:){65535}){65535}){65535}){65535}){65535}/.test('a')",
        "/(?=(?:(?=(?:(?=(?:|a){65535})){65535})){65535})/.test('b')",
        "/(a{1000000})\\1*b/.test('a'.repeat(1e7))",
        "let s = 'ab'.repeat(9000); let r = s; for (let i = 0; i < 1000; i++) r = r + s; for (;;) r.indexOf('c')",
    ]);
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

#[test]
fn lists_sets_and_json_work_as_everywhere() {
    assert_eq!(
        value(
            r#"return [
              [3, 1, 2].sort(), ['b', undefined, 'a', , 'c'].sort().length, [10, 9, 1].sort(), [3, 1, 2].toSorted((a, b) => b - a), [true, null, 1, 'a'.repeat(2000), 2n].sort().map(x => typeof x),
              [1, [2, [3, [4]]]].flat(), [1, [2, [3, [4]]]].flat(Infinity), [[1], , [2]].flat(0).length, [1, 2].flatMap(x => [x, [x]]),
              [1].concat(2, [3], [[4]], {length: 1, 0: 5, [Symbol.isConcatSpreadable]: true}), [].concat({length: 1}).length, Object.keys([, 1].concat([, 2])),
              [1, 2, 3].reverse(), [1, 2, 3].splice(1, 1), [1, 2, 3].slice(-2), [1, 2, 3].toSpliced(0, 2, 9), [1, 2].unshift(0), [1, 2].shift(), [1, 2, 3].with(1, 5), new Array(2).fill(7), [1, 2, 3].copyWithin(0, 1),
              Array.prototype.slice.call('abc'), Array.prototype.join.call({length: 2, 0: 'a'}, '-'), (function () { return Array.prototype.slice.call(arguments, 1) })(1, 2, 3), Array.prototype.slice.call(new Uint8Array([1, 2])),
              (() => { try { [].sort(1) } catch (e) { return e.name } })(), (() => { try { [].slice.call(null) } catch (e) { return e.name } })(),
              (() => { const a = [2, , 1]; a.sort(); return [a, 2 in a] })(), new (class extends Array {})(3).fill(1).reverse() instanceof Array,
              [...new Set([1, 2]).union(new Set([2, 3]))], new Set([1]).isSubsetOf(new Map([[1, 2]])), [...new Set([1, 2]).difference(new Set([2]))], [5, 6, 7].values().drop(2).toArray(),
              JSON.stringify({a: 1, b: {a: 2, c: 3}, d: [{a: 4, c: 5}]}, ['a', 'd']), JSON.stringify([{b: 1, a: 2}], ['a', 'b', 1]), JSON.stringify({a: [1]}, null, 1), JSON.stringify(undefined) === undefined, JSON.stringify('x', ['a']),
              new Uint8Array([3, 1]).sort().join(), new Uint8Array([3, 1]).indexOf(1), String.raw`a\n${1}b`, parseInt('12px'), parseInt('ff', 16), parseFloat('1.5x'), decodeURIComponent('%41'), encodeURI('ä b')
            ]"#
        ),
        r#"[[1,2,3],5,[1,10,9],[3,2,1],["number","bigint","string","object","boolean"],[1,2,[3,[4]]],[1,2,3,4],2,[1,[1],2,[2]],[1,2,3,[4],5],1,["1","3"],[3,2,1],[2],[2,3],[9,3],3,1,[1,5,3],[7,7],[2,3,3],["a","b","c"],"a-",[2,3],[1,2],"TypeError","TypeError",[[1,2,null],false],true,[1,2,3],true,[1],[7],"{\"a\":1,\"d\":[{\"a\":4}]}","[{\"a\":2,\"b\":1}]","{\n \"a\": [\n  1\n ]\n}",true,"\"x\"","1,3",1,"a\\n1b",12,255,1.5,"A","%C3%A4%20b"]"#
    );
}
