//! Programs put together at random.

use proptest::prelude::*;
use toolcrib_codemode::{FailureKind, Pool};

use crate::{
    support::{Tools, limits, pool, start},
    tight,
};

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
