//! A conversation of 30 turns, replayed for every kind of endpoint: searches, activations, a fork, a
//! withdrawn right and a restart from a snapshot.

mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_core::{
    Limits,
    provider::{
        Activation, CallArguments, CallOutcome, Declaration, DeclaredTool, Endpoint, ModelCall,
        ResultPart, Target, encode_results, named, render,
    },
    registry::Registry,
    session::{SearchRequest, Session},
    tool::{Tool, ToolDefinition},
    view::Term,
};

const TURNS: usize = 30;
const THINGS: [&str; 10] = [
    "invoice", "order", "customer", "parcel", "ticket", "meeting", "photo", "contract", "song",
    "route",
];

fn catalogue() -> Arc<Registry> {
    let tools = THINGS.iter().flat_map(|thing| {
        ["create", "delete", "rename"].map(|action| ToolDefinition {
            name: format!("{action}_{thing}"),
            description: format!("Will {action} one {thing}."),
            input_schema: json!({
                "type": "object",
                "properties": {"id[]": {"type": "string"}, "force": {"type": "boolean"}},
                "required": ["id[]"],
                "$schema": "http://json-schema.org/draft-07/schema#",
            })
            .to_string(),
            ..ToolDefinition::default()
        })
    });
    support::registry([support::source("things", tools.collect())])
}

/// One agent loop: what it declared, and what stands in its history.
struct Replay {
    endpoint: Endpoint,
    declared: Vec<(Arc<str>, Declaration)>,
    history: Vec<Value>,
}

impl Replay {
    fn tools(&self, search: &Declaration) -> String {
        let mut all = vec![search];
        if self.endpoint.lists_activated() {
            all.extend(self.declared.iter().map(|(_, d)| d));
        }
        render(&self.endpoint, &all).json
    }

    fn declare(&mut self, tool: &Tool) {
        let schema: Value = serde_json::from_str(tool.input_schema()).expect("checked");
        let declared = DeclaredTool {
            name: tool.name(),
            title: tool.title(),
            description: tool.description(),
            input_schema: &schema,
            output_schema: None,
            annotations: None,
        };
        let made = self
            .endpoint
            .declare_activated(&declared, &Limits::default());
        self.declared
            .push((Arc::clone(tool.name()), made.expect("declared")));
    }
}

fn endpoints() -> Vec<Endpoint> {
    let mut all: Vec<Endpoint> = Target::ALL.iter().map(|t| Endpoint::native(*t)).collect();
    all.extend(
        Target::ALL
            .iter()
            .map(|t| Endpoint::new(*t).with_strict(true)),
    );
    let additional = Endpoint::new(Target::OpenAiResponses);
    all.push(
        additional
            .with_activation(Activation::OpenAiAdditionalTools)
            .expect("suits"),
    );
    all
}

fn call(name: &str, turn: usize, provider_search: bool) -> ModelCall {
    ModelCall {
        id: Some(format!("call_{turn}")),
        name: name.to_owned(),
        namespace: None,
        is_provider_search: provider_search,
        arguments: CallArguments::Given(json!({})),
    }
}

#[test]
fn prefixes_hold_and_every_reference_and_call_resolves_in_a_long_conversation() {
    let limits = Limits::default();
    for endpoint in endpoints() {
        let registry = catalogue();
        let all = support::rights(Term::All);
        let mut session = Session::open(&registry, Arc::clone(&all), &[]).expect("opened");
        let mut replay = Replay {
            endpoint,
            declared: Vec::new(),
            history: Vec::new(),
        };
        let search = endpoint.declare_tool_search(&limits).expect("declared");
        let own_kind = endpoint.activation() == Activation::OpenAiClientSearch;
        let suffix = endpoint.target().wrapping().suffix;
        let mut before: Option<String> = None;
        let mut fork = None;
        for turn in 0..TURNS {
            let mut withdrew = false;
            if turn == 10 {
                fork = Some((session.fork(), replay.tools(&search)));
            }
            if turn == 20 {
                let lost = Arc::clone(&replay.declared[0].0);
                let rights = Term::And(vec![
                    Term::All,
                    Term::Not(Box::new(support::names(&[&lost]))),
                ]);
                let gone = session
                    .authorize(support::rights(rights))
                    .expect("authorized");
                assert!(gone.contains(&lost));
                match endpoint.declare_withdrawn(&lost, &limits) {
                    Some(tombstone) => replay.declared[0].1 = tombstone,
                    None => drop(replay.declared.remove(0)),
                }
                withdrew = true;
            }
            if turn == 25 {
                let rights = support::rights(Term::All);
                session =
                    Session::restore(&registry, rights, &session.snapshot()).expect("restored");
            }
            let query = format!(
                "Please rename one {} in things",
                THINGS[turn % THINGS.len()]
            );
            let request = SearchRequest {
                query: &query,
                limit: Some(2),
                ..SearchRequest::default()
            };
            let outcome = session.search(&request).expect("searched");
            let from = replay.declared.len();
            for name in outcome.added() {
                let tool = session.view().tool(name).cloned().expect("in the view");
                replay.declare(&tool);
            }
            let added: Vec<&Declaration> = replay.declared[from..].iter().map(|(_, d)| d).collect();
            let answer = CallOutcome {
                parts: vec![ResultPart::Text(outcome.text())],
                activated: added,
                ..CallOutcome::default()
            };
            let asked = call("tool_search", turn, own_kind);
            let messages = encode_results(&endpoint, &[(&asked, Some(&answer))]);
            replay.history.extend(messages);

            let tools = replay.tools(&search);
            if let (Some(before), false) = (&before, withdrew) {
                let kept = before.strip_suffix(suffix).expect("the wrapping");
                // A mark of the cache moves on; the tools before it stay.
                let kept = kept
                    .strip_suffix(r#",{"cachePoint":{"type":"default"}}"#)
                    .unwrap_or(kept);
                assert!(tools.starts_with(kept), "{endpoint:?} turn {turn}");
            }
            check_references(&replay, &tools);
            for (name, declaration) in &replay.declared {
                let list: Vec<&Declaration> = replay.declared.iter().map(|(_, d)| d).collect();
                let found = named(&list, declaration.name()).expect("a declared name resolves");
                assert_eq!(found.tool(), &**name);
            }
            before = Some(tools);
        }
        assert!(
            replay.declared.len() > 9,
            "the conversation activated tools"
        );
        let (fork, tools) = fork.expect("forked at turn 10");
        assert!(
            fork.describe().tools.len() < session.describe().tools.len()
                || tools == before.unwrap_or_default()
        );
    }
}

/// Every tool that the history refers to is declared, in the request or in the history itself.
fn check_references(replay: &Replay, tools: &str) {
    let history = Value::from(replay.history.clone());
    let mut pending = vec![&history];
    while let Some(value) = pending.pop() {
        if value["type"] == "tool_reference" {
            let name = value["tool_name"].to_string();
            assert!(
                tools.contains(&format!(r#""name":{name}"#)),
                "{name} is not declared"
            );
        }
        match value {
            Value::Object(map) => pending.extend(map.values()),
            Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    if !replay.endpoint.lists_activated() && replay.endpoint.activation() != Activation::MetaTool {
        let text = history.to_string();
        for (name, _) in &replay.declared {
            assert!(
                text.contains(&format!(r#""name":"{name}""#)),
                "{name} is not in the history"
            );
        }
    }
}
