//! `cargo bench -p toolcrib-core --bench turn`: what one turn costs in a session, in processor time
//! of one thread; best of several rounds. Tools are made up, of the size that real ones have.

#![allow(clippy::print_stdout, reason = "the output of a benchmark")]

use std::{hint::black_box, sync::Arc};

use measure::{Stopwatch, micros};
use serde_json::json;
use toolcrib_core::{
    Limits,
    call::CallRequest,
    name::Naming,
    provider::{Activation, Endpoint, ResultPart, Target},
    registry::Registry,
    session::{CallAnswer, Session},
    source::{SourceDefinition, ToolInput},
    tool::ToolDefinition,
    view::Selection,
};

#[path = "search/measure.rs"]
#[allow(dead_code, reason = "shared with the benchmark of the search")]
mod measure;

const ACTIVE: [usize; 2] = [20, 200];
const ROUNDS: usize = 40;

fn main() {
    println!(
        "µs | active tools | first rendering | unchanged | one tool more | decode | prepare | encode | bytes"
    );
    let responses = Endpoint::native(Target::OpenAiResponses);
    let chat = Endpoint::new(Target::OpenAiChat);
    let meta = Endpoint::new(Target::Compatible).with_activation(Activation::MetaTool);
    for (what, endpoint) in [
        ("anthropic", Endpoint::native(Target::AnthropicMessages)),
        ("responses", responses),
        ("chat", chat),
        ("chat, strict", chat.with_strict(true)),
        ("gemini", Endpoint::new(Target::GeminiParameters)),
        ("meta-tools", meta.expect("suits")),
    ] {
        for active in ACTIVE {
            turn(what, &endpoint, active);
        }
    }
}

fn turn(what: &str, endpoint: &Endpoint, active: usize) {
    let names: Vec<String> = (0..=active).map(|n| format!("tool_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let open = || {
        let session = Session::open(&registry(active + 1), Arc::new(Selection::all()), &[]);
        let session = session.expect("opens");
        session.activate(&names[..active], None).expect("activates");
        session
    };
    let first = best(3, open, |session| session.render(endpoint));
    let session = open();
    let bytes = session.render(endpoint).json.len();
    let unchanged = best(ROUNDS, || (), |()| session.render(endpoint));
    let more = best(
        ROUNDS,
        || {
            let fork = session.fork();
            fork.activate(&names, None).expect("activates");
            fork
        },
        |fork| fork.render(endpoint),
    );
    let answer = answer(endpoint);
    let decode = || session.decode_calls(endpoint, &answer).expect("an answer");
    let decoded = best(ROUNDS, || (), |()| decode());
    let call = decode().remove(0);
    let request = CallRequest {
        name: &call.name,
        arguments: &call.arguments.text(),
        endpoint: Some(*endpoint),
        allow_inactive: true,
        ..CallRequest::default()
    };
    let prepared = best(ROUNDS, || (), |()| session.prepare(&request));
    let result = CallAnswer {
        parts: vec![ResultPart::Text("done ".repeat(100))],
        ..CallAnswer::default()
    };
    let pair = [(&call, Some(&result))];
    let encoded = best(ROUNDS, || (), |()| session.encode_results(endpoint, &pair));
    println!(
        "{what} | {active} | {first:.0} | {unchanged:.2} | {more:.0} | {decoded:.1} | {prepared:.1} | {encoded:.1} | {bytes}"
    );
}

/// The best time of `run`, in microseconds; what `prepare` makes is not measured.
fn best<T, R>(rounds: usize, prepare: impl Fn() -> T, run: impl Fn(&T) -> R) -> f64 {
    let times = (0..rounds).map(|_| {
        let on = prepare();
        let watch = Stopwatch::start();
        black_box(run(&on));
        micros(watch.elapsed())
    });
    times.fold(f64::INFINITY, f64::min)
}

fn answer(endpoint: &Endpoint) -> String {
    let arguments = json!({"repository": "toolcrib", "title": "x".repeat(80), "labels": ["bug"]});
    let text = arguments.to_string();
    let answer = match endpoint.target() {
        Target::AnthropicMessages => {
            json!([{"type": "tool_use", "id": "toolu_1", "name": "tool_3", "input": arguments}])
        }
        Target::OpenAiResponses => {
            json!([{"type": "function_call", "call_id": "c", "name": "tool_3", "arguments": text}])
        }
        Target::GeminiParameters => {
            json!({"parts": [{"functionCall": {"name": "tool_3", "args": arguments}}]})
        }
        _ => {
            json!({"tool_calls": [{"id": "c", "function": {"name": "tool_3", "arguments": text}}]})
        }
    };
    answer.to_string()
}

fn registry(tools: usize) -> Arc<Registry> {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "repository": {"type": "string", "description": "The repository, as owner and name."},
            "title": {"type": "string", "minLength": 1, "maxLength": 200},
            "body": {"type": ["string", "null"], "description": "Text in Markdown."},
            "labels": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
            "assignee": {"$ref": "#/definitions/user"},
            "priority": {"enum": ["low", "normal", "high"], "default": "normal"}
        },
        "required": ["repository", "title"],
        "definitions": {"user": {"type": "object", "properties": {"login": {"type": "string"}}, "required": ["login"]}}
    });
    let definition = |n| ToolDefinition {
        name: format!("tool_{n}"),
        description: format!("Opens an issue of kind {n} in a repository that the caller sees."),
        input_schema: schema.to_string(),
        ..ToolDefinition::default()
    };
    let source = SourceDefinition {
        name: "bench".into(),
        naming: Naming::Plain,
        tools: (0..tools)
            .map(|n| ToolInput::Definition(Box::new(definition(n))))
            .collect(),
        ..SourceDefinition::default()
    };
    let registry = Arc::new(Registry::new(Limits::default()));
    registry.put(source).expect("the source is fine");
    registry
}
