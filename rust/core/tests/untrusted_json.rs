//! JSON that models and servers write, which is read as nothing but JSON.

mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use support::{registry, rights, source, tool};
use toolcrib_core::{
    call::{CallRequest, Prepared, Refusal},
    provider::{Endpoint, Target},
    session::Session,
    tool::ToolDefinition,
    view::Term,
};

/// The key that serde_json keeps for itself.
const KEY: &str = "$serde_json::private::RawValue";

fn session(schema: &str) -> Session {
    let pay = ToolDefinition {
        input_schema: schema.into(),
        ..tool("pay", "Pays")
    };
    let registry = registry([source("shop", vec![pay])]);
    Session::open(&registry, rights(Term::All), &[]).expect("opens")
}

fn prepare(session: &Session, name: &str, arguments: &str) -> Prepared {
    let request = CallRequest {
        name,
        arguments,
        allow_inactive: true,
        ..CallRequest::default()
    };
    session.prepare(&request).expect("prepares")
}

fn executed(session: &Session, arguments: &str) -> Value {
    match prepare(session, "pay", arguments) {
        Prepared::Ready(call) => serde_json::from_str(&call.arguments).expect("JSON"),
        other => panic!("not executed: {other:?}"),
    }
}

#[test]
fn json_within_the_text_of_a_private_key_was_read_in_place_of_its_object() {
    let text = "[".repeat(100) + &"]".repeat(100);
    let session = session(r#"{"type":"object"}"#);
    // Written by hand, as no value of serde_json's own survives being read again.
    let arguments = format!(r#"{{"a":{{"{KEY}":"{text}"}}}}"#);
    match prepare(&session, "pay", &arguments) {
        Prepared::Ready(call) => assert_eq!(call.arguments, arguments),
        other => panic!("not executed: {other:?}"),
    }
    let search = prepare(
        &session,
        "tool_search",
        &format!(r#"{{"query":"pay","limit":{{"{KEY}":"1"}}}}"#),
    );
    assert!(matches!(search, Prepared::Searched { .. }), "{search:?}");

    let endpoint = Endpoint::new(Target::AnthropicMessages);
    let answer = format!(r#"[{{"type":"tool_use","id":"1","name":"pay","input":{arguments}}}]"#);
    let calls = session.decode_calls(&endpoint, &answer).expect("an answer");
    assert_eq!(calls[0].arguments.text(), arguments);
}

#[test]
fn a_private_key_in_a_schema_turned_off_what_stood_beside_it() {
    let session = session(&format!(
        r#"{{"type":"object","properties":{{"to":{{"enum":["me"]}},"more":{{"const":{{"{KEY}":"{}"}}}}}}}}"#,
        "[".repeat(400)
    ));
    assert_eq!(executed(&session, r#"{"to":"me"}"#), json!({"to": "me"}));
    for invalid in [r#"{"to":"you"}"#, r#"{"more":[]}"#] {
        let refused = prepare(&session, "pay", invalid);
        assert!(
            matches!(refused, Prepared::Refused(Refusal::InvalidArguments { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn digits_of_integers_beyond_64_bits_were_lost_without_a_word() {
    let session = session(r#"{"type":"object"}"#);
    for fits in [
        "18446744073709551615",
        "-9223372036854775808",
        "1.8446744073709551616e19",
        "12345678901234567890.5",
        "0.123456789012345678901234567890",
        "1e30",
        r#""18446744073709551616""#,
        r#""\"18446744073709551616""#,
    ] {
        executed(&session, &format!(r#"{{"id":[{fits}]}}"#));
    }
    for lost in [
        "18446744073709551616",
        "-9223372036854775809",
        "99999999999999999999",
    ] {
        let arguments = format!(r#"{{"id":[{lost}]}}"#);
        let as_text = serde_json::to_string(&arguments).expect("JSON");
        let answers = [
            (
                Target::AnthropicMessages,
                format!(r#"[{{"type":"tool_use","name":"pay","input":{arguments}}}]"#),
            ),
            (
                Target::OpenAiChat,
                format!(
                    r#"{{"tool_calls":[{{"function":{{"name":"pay","arguments":{as_text}}}}}]}}"#
                ),
            ),
        ];
        let decoded = answers.iter().map(|(target, answer)| {
            let calls = session.decode_calls(&Endpoint::new(*target), answer);
            calls.expect("an answer")[0].arguments.text()
        });
        for given in decoded.chain([arguments.clone()]) {
            match prepare(&session, "pay", &given) {
                Prepared::Refused(Refusal::InvalidArguments { problems, .. }) => {
                    assert!(problems[0].message.contains("64 bits"), "{problems:?}");
                }
                other => panic!("{given} was executed: {other:?}"),
            }
        }
    }
}

#[test]
fn half_an_emoji_in_an_answer_lost_every_call_of_the_turn() {
    let session = Arc::new(session(r#"{"type":"object"}"#));
    let answer = r#"[{"type":"text","text":"so \ud83d"},
                     {"type":"tool_use","name":"pay","input":{"note":"\ude00 \ud83d\ude00"}}]"#;
    let calls = session
        .decode_calls(&Endpoint::new(Target::AnthropicMessages), answer)
        .expect("an answer");
    assert_eq!(calls[0].arguments.text(), "{\"note\":\"\u{fffd} 😀\"}");
}
