//! Whatever a model answers: it is read, made and answered, and nothing panics.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolcrib_core::{
    call::{CallRequest, Prepared},
    provider::{Activation, Budget, Endpoint, ResultPart, Target},
    registry::Registry,
    session::{CallAnswer, FoundTool, Session},
    view::Selection,
};

/// The words of all providers, so that random values look like answers now and then.
const KEYS: [&str; 26] = [
    "content",
    "output",
    "choices",
    "message",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "args",
    "input",
    "id",
    "call_id",
    "toolUseId",
    "type",
    "candidates",
    "parts",
    "functionCall",
    "toolUse",
    "params",
    "namespace",
    "execution",
    "query",
    "limit",
    "x",
    "role",
    "0",
];
const TEXTS: [&str; 14] = [
    "tool_use",
    "function_call",
    "tool_search_call",
    "client",
    "tool_search",
    "describe_tool",
    "call_tool",
    "find_tools",
    "tool_placeholder",
    "greet",
    "functions.greet",
    "{\"name\":\"greet\",\"arguments\":\"{\\\"name\\\":\\\"greet\\\"}\"}",
    "\"\\\"{}\\\"\"",
    "\u{0}é😀",
];

fn an_answer() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        prop::sample::select(&TEXTS[..]).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(7, 80, 4, |inner| {
        let key = prop::sample::select(&KEYS[..]).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A call as each provider has it, around anything.
fn a_call() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(&TEXTS[..]);
    (name, an_answer(), an_answer()).prop_map(|(name, arguments, id)| {
        json!({
            "content": [{"type": "tool_use", "id": id, "name": name, "input": arguments},
                        {"toolUse": {"toolUseId": id, "name": name, "input": arguments}}],
            "output": [{"type": "function_call", "call_id": id, "name": name, "arguments": arguments},
                       {"type": "tool_search_call", "execution": "client", "call_id": id, "arguments": arguments}],
            "tool_calls": [{"id": id, "function": {"name": name, "arguments": arguments}}],
            "parts": [{"functionCall": {"name": name, "args": arguments}}],
            "params": {"name": name, "arguments": arguments},
        })
    })
}

fn endpoints() -> Vec<Endpoint> {
    let mut all = Vec::new();
    for target in Target::ALL {
        for activation in Activation::ALL.iter().filter(|a| a.suits(*target)) {
            let endpoint = Endpoint::new(*target).with_activation(*activation);
            all.push(endpoint.expect("suits").with_strict(true));
        }
        all.push(Endpoint::native(*target).with_search_renamed(true));
    }
    all
}

fn registry() -> Arc<Registry> {
    let greet = support::tool("greet", "Greets by name.");
    support::registry([support::source("own", vec![greet])])
}

fn play(session: &Session, endpoint: &Endpoint, answer: &str) -> Vec<Value> {
    let Ok(calls) = session.decode_calls(endpoint, answer) else {
        return Vec::new();
    };
    let prepared: Vec<Prepared> = calls
        .iter()
        .map(|call| {
            let request = CallRequest {
                name: &call.name,
                arguments: &call.arguments.text(),
                endpoint: Some(*endpoint),
                ..CallRequest::default()
            };
            session.prepare(&request).expect("no answer is an error")
        })
        .collect();
    let answers: Vec<CallAnswer<'_>> = prepared
        .iter()
        .map(|prepared| CallAnswer {
            parts: vec![ResultPart::Text(match prepared {
                Prepared::Refused(refusal) => refusal.text_at(Some(endpoint)),
                other => format!("{other:?}"),
            })],
            is_error: matches!(prepared, Prepared::Refused(_)),
            found: match prepared {
                Prepared::Searched { outcome, .. } => outcome.hits(),
                _ => &[],
            }
            .iter()
            .map(|hit| FoundTool {
                name: hit.tool.name(),
                added: true,
            })
            .collect(),
        })
        .collect();
    let turn: Vec<_> = calls.iter().zip(answers.iter().map(Some)).collect();
    let messages = session.encode_results(endpoint, &turn);
    assert_eq!(messages.is_empty(), calls.is_empty());
    messages
}

proptest! {
    #![proptest_config(support::cases(96))]

    #[test]
    fn whatever_a_model_answers_is_read_made_and_answered_the_same_way_twice(
        answer in prop_oneof![an_answer(), a_call()],
        cut in any::<prop::sample::Index>(),
    ) {
        let registry = registry();
        let whole = answer.to_string();
        let part: String = whole.chars().take(cut.index(whole.len() + 1)).collect();
        for endpoint in endpoints() {
            let open = || Session::open(&registry, Arc::new(Selection::all()), &[]).expect("opens");
            let (one, other) = (open(), open());
            prop_assert_eq!(play(&one, &endpoint, &whole), play(&other, &endpoint, &whole));
            play(&one, &endpoint, &part);
        }
    }
}

#[test]
fn an_answer_over_a_limit_is_an_error_and_arguments_over_one_are_the_models() {
    let mut limits = toolcrib_core::Limits::default();
    limits.max_answer_bytes = 4_000;
    limits.max_arguments_bytes = 1_000;
    limits.max_json_depth = 8;
    let registry = Arc::new(Registry::new(limits));
    let greet = support::tool("greet", "Greets by name.");
    registry
        .put(support::source("own", vec![greet]))
        .expect("put");
    let session = Session::open(&registry, Arc::new(Selection::all()), &["greet"]).expect("opens");
    let call = |arguments: &Value| {
        let tool = json!({"id": "a", "function": {"name": "greet", "arguments": arguments}});
        json!({"tool_calls": [tool]}).to_string()
    };
    let refusal = |endpoint: &Endpoint, answer: &str| {
        let messages = play(&session, endpoint, answer);
        Value::from(messages).to_string()
    };
    let chat = Endpoint::new(Target::OpenAiChat);
    for arguments in [
        json!(format!("{{\"a\":\"{}\"}}", "x".repeat(1_000))),
        json!({"a": "x".repeat(1_000)}),
        json!(format!("{}{}", "[".repeat(9), "]".repeat(9))),
        json!([[[[[[[[[0]]]]]]]]]),
        json!("{'a': 1}"),
    ] {
        let answered = refusal(&chat, &call(&arguments));
        assert!(answered.contains("are not valid"), "{answered}");
    }
    let long = call(&json!({"a": "x".repeat(4_000)}));
    let deep = call(&(0..40).fold(json!(0), |inner, _| json!([inner])));
    for (answer, code) in [
        (&*long, "limit_exceeded"),
        (&*deep, "limit_exceeded"),
        ("{\"tool_calls\":", "invalid_json"),
    ] {
        let error = session.decode_calls(&chat, answer).expect_err("refused");
        assert_eq!(error.code(), code);
    }
}

#[test]
fn a_list_without_room_for_any_tool_was_no_json_and_named_what_was_not_in_it() {
    let registry = registry();
    for endpoint in endpoints() {
        for room in 0..3 {
            let endpoint = endpoint.with_budget(Budget {
                max_tools: Some(room),
                ..Budget::default()
            });
            let session = Session::open(&registry, Arc::new(Selection::all()), &[]).expect("opens");
            let rendered = session.render(&endpoint);
            let _: Value = serde_json::from_str(&rendered.json).expect("JSON");
            assert!(rendered.names.len() <= room, "{:?}", rendered.names);
        }
    }
}
