//! The gatekeepers refuse what providers refused in real life, and nothing that we declare.

#[path = "../conversion/mod.rs"]
mod conversion;
mod triggers;

use conversion::{data, declared_as, forms, gatekeepers};
use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    CallArguments, CallOutcome, Declaration, DeclaredTool, Endpoint, ModelCall, ResultPart,
    Target::{
        AnthropicMessages as A, GeminiJsonSchema as GJ, GeminiParameters as GP, Mistral as M,
    },
    encode_results, render,
};
use triggers::{props, raw, triggers};

#[test]
fn every_catalogued_trigger_is_refused_raw_and_accepted_declared() {
    let mut seen = std::collections::BTreeSet::new();
    for trigger in triggers() {
        seen.insert(trigger.number);
        for target in trigger.targets {
            let sent = raw(target, &trigger.tools, &trigger.extra);
            assert!(
                gatekeepers::check(target, &sent).is_err(),
                "{} passes {target:?}: {sent}",
                trigger.number
            );
            for strict in [false, trigger.extra["strict"] == true] {
                let endpoint = Endpoint::native(target).with_strict(strict);
                let mut kept = Vec::new();
                for (name, schema) in &trigger.tools {
                    let tool = DeclaredTool {
                        name,
                        title: None,
                        description: "Does it.",
                        input_schema: schema,
                        output_schema: trigger.extra.get("outputSchema"),
                        annotations: None,
                    };
                    kept.push(endpoint.declare(&tool, &Limits::default()).unwrap());
                }
                // That a name is there once is the registry's part.
                kept.dedup_by(|a, b| a.name() == b.name());
                kept.truncate(if trigger.number == 27 { 2 } else { kept.len() });
                let rendered = render(&endpoint, &kept.iter().collect::<Vec<_>>());
                let value: Value = serde_json::from_str(&rendered.json).unwrap();
                gatekeepers::check(target, &value).unwrap_or_else(|why| {
                    panic!(
                        "{} for {target:?} strict {strict}: {why}\n{value}",
                        trigger.number
                    )
                });
            }
        }
    }
    let elsewhere: Vec<u8> = NOTHING_TO_REFUSE
        .iter()
        .map(|(number, _)| *number)
        .chain(IN_THE_HISTORY)
        .collect();
    let missing: Vec<u8> = (1..=70)
        .filter(|n| !seen.contains(n) && !elsewhere.contains(n))
        .collect();
    assert!(missing.is_empty(), "no trigger for {missing:?}");
}

/// Triggers that stand in a request's history; the next test sends them.
const IN_THE_HISTORY: [u8; 3] = [28, 55, 59];

/// Triggers that no request can carry, and why.
const NOTHING_TO_REFUSE: [(u8, &str); 4] = [
    (
        67,
        "a gateway that drops the field and answers 200; only the bill tells",
    ),
    (
        68,
        "an endpoint that reads an old beta header; no tool is at fault, and headers are the caller's",
    ),
    (
        69,
        "clients that lost definitions, signatures or what was loaded; the replay tests cover ours",
    ),
    (
        70,
        "models that do not obey oneOf; that it is said in words as well is in the golden vectors",
    ),
];

#[test]
fn catalogued_triggers_in_a_history_are_refused_raw_and_accepted_encoded() {
    let limits = Limits::default();
    let schema = props(json!({"a": {"type": "string"}}));
    let tool = |name| DeclaredTool {
        name,
        title: None,
        description: "Does it.",
        input_schema: &schema,
        output_schema: None,
        annotations: None,
    };
    let call = |id: &str| ModelCall {
        id: Some(id.to_owned()),
        name: "kept".to_owned(),
        namespace: None,
        is_provider_search: false,
        arguments: CallArguments::Given(json!({})),
    };
    let said = |text: &str| CallOutcome {
        parts: vec![ResultPart::Text(text.to_owned())],
        ..CallOutcome::default()
    };

    // 28: the history refers to a tool that is no longer declared.
    let endpoint = Endpoint::native(A);
    let kept = endpoint.declare(&tool("kept"), &limits).unwrap();
    let found = endpoint.declare_activated(&tool("found"), &limits).unwrap();
    let search = call("toolu_1");
    let outcome = CallOutcome {
        activated: vec![&found],
        ..CallOutcome::default()
    };
    let history = Value::from(encode_results(&endpoint, &[(&search, Some(&outcome))]));
    let tools = |declarations: &[&Declaration]| -> Value {
        serde_json::from_str(&render(&endpoint, declarations).json).unwrap()
    };
    assert!(gatekeepers::check_history(A, &tools(&[&kept]), &history).is_err());
    let withdrawn = endpoint.declare_withdrawn("found", &limits).unwrap();
    for still_there in [&found, &withdrawn] {
        let tools = tools(&[&kept, still_there]);
        gatekeepers::check(A, &tools).unwrap();
        gatekeepers::check_history(A, &tools, &history).unwrap();
    }

    // 55: the result of a tool is an object with a `$ref` in it.
    let text = r##"{"$ref": "#/x"}"##;
    let result: Value = serde_json::from_str(text).unwrap();
    let raw = json!([{"role": "user", "parts": [{"functionResponse": {"name": "kept", "response": result}}]}]);
    for target in [GP, GJ] {
        assert!(gatekeepers::check_history(target, &Value::Null, &raw).is_err());
        let ours = encode_results(
            &Endpoint::native(target),
            &[(&call("1"), Some(&said(text)))],
        );
        gatekeepers::check_history(target, &Value::Null, &ours.into()).unwrap();
    }

    // 59: an id that another provider gave the call.
    let raw = json!([{"role": "tool", "tool_call_id": "call_abc123def456", "content": "done"}]);
    assert!(gatekeepers::check_history(M, &Value::Null, &raw).is_err());
    let foreign = call("call_abc123def456");
    let ours = encode_results(&Endpoint::native(M), &[(&foreign, Some(&said("done")))]);
    gatekeepers::check_history(M, &Value::Null, &ours.into()).unwrap();
}

/// Every tool in a release build, as `make conversion-report` does it; in a debug build, where
/// checking takes minutes, every fifth of the larger sets shows the kinds.
#[test]
fn no_real_tool_is_refused_as_declared() {
    for (set, path) in data::SETS {
        let Some(tools) = data::tools(path) else {
            return;
        };
        for (at, tool) in tools.iter().enumerate() {
            if cfg!(debug_assertions) && tools.len() > 1_000 && at % 5 != 0 {
                continue;
            }
            for (target, strict) in forms() {
                let made = declared_as(
                    &tool.name,
                    &tool.description,
                    &tool.input_schema,
                    target,
                    strict,
                )
                .unwrap_or_else(|why| panic!("{set} {} {target:?}: {why}", tool.name));
                let endpoint = Endpoint::native(target).with_strict(strict);
                let rendered = render(&endpoint, &[&made]);
                let value: Value = serde_json::from_str(&rendered.json).unwrap();
                gatekeepers::check(target, &value).unwrap_or_else(|why| {
                    panic!(
                        "{set} {} {target:?} strict {strict}: {why}\n{}",
                        tool.name,
                        made.json()
                    )
                });
            }
        }
    }
}

/// Names are unique, budgets of strict tools hold, and what is over them goes out in plain form.
#[test]
fn no_request_of_many_real_tools_is_refused() {
    const TOOLS: usize = 100;
    for (set, path) in data::SETS {
        let Some(tools) = data::tools(path) else {
            return;
        };
        let mut names = std::collections::HashSet::new();
        let tools: Vec<_> = tools
            .iter()
            .filter(|tool| names.insert(&tool.name))
            .take(TOOLS)
            .collect();
        for (target, strict) in forms() {
            let endpoint = Endpoint::native(target).with_strict(strict);
            let made: Vec<Declaration> = tools
                .iter()
                .map(|tool| {
                    declared_as(
                        &tool.name,
                        &tool.description,
                        &tool.input_schema,
                        target,
                        strict,
                    )
                    .expect("declared")
                })
                .collect();
            let rendered = render(&endpoint, &made.iter().collect::<Vec<_>>());
            let value: Value = serde_json::from_str(&rendered.json).unwrap();
            gatekeepers::check(target, &value)
                .unwrap_or_else(|why| panic!("{set} {target:?} strict {strict}: {why}"));
        }
    }
}
