//! A conversation of 30 turns, played through a session for every kind of endpoint: searches, calls,
//! a fork, a right that is withdrawn and given back, and a restart from a snapshot. The model knows
//! nothing but what stands in the requests.

mod conversion;
mod model;
mod support;

use std::sync::Arc;

use conversion::gatekeepers;
use model::{Model, Visible, every};
use serde_json::{Value, json};
use toolcrib_core::{
    call::{CallRequest, Prepared},
    provider::{Activation, Budget, Endpoint, ModelCall, ResultPart, Target},
    registry::Registry,
    session::{CallAnswer, FoundTool, HitState, Session},
    tool::ToolDefinition,
    view::{Selection, Term},
};

const TURNS: usize = 30;
const FORKS: usize = 10;
const WITHDRAWS: usize = 20;
const GIVES_BACK: usize = 23;
const RESTARTS: usize = 25;
const THINGS: [&str; 10] = [
    "invoice", "order", "customer", "parcel", "ticket", "meeting", "photo", "contract", "song",
    "route",
];

fn catalogue() -> Arc<Registry> {
    let tools = THINGS.iter().enumerate().flat_map(|(at, thing)| {
        ["create", "delete", "rename"].map(|action| ToolDefinition {
            // A name that no provider takes as it is, now and then.
            name: match at {
                3 => format!("3_{action}_{thing}"),
                _ => format!("{action}_{thing}"),
            },
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
    let mut direct = support::source("shop", vec![support::tool("shop_status", "Is it open?")]);
    direct.exposure.default = toolcrib_core::tool::Exposure::Direct;
    support::registry([support::source("things", tools.collect()), direct])
}

fn endpoints() -> Vec<Endpoint> {
    let targets = || Target::ALL.iter().copied();
    let mut all: Vec<Endpoint> = targets().map(Endpoint::new).collect();
    all.extend(targets().map(Endpoint::native));
    all.extend(targets().map(|target| Endpoint::native(target).with_strict(true)));
    for activation in Activation::ALL {
        let suiting = targets().filter(|target| activation.suits(*target));
        all.extend(suiting.map(|target| {
            let endpoint = Endpoint::new(target).with_activation(*activation);
            endpoint.expect("suits").with_strict(true)
        }));
    }
    all.push(Endpoint::new(Target::OpenAiChat).with_budget(Budget {
        max_tools: Some(6),
        ..Budget::default()
    }));
    let mut different = Vec::new();
    for endpoint in all {
        if !different.contains(&endpoint) {
            different.push(endpoint);
        }
    }
    different
}

/// One branch of the conversation, as an agent keeps it.
struct Conversation {
    endpoint: Endpoint,
    session: Session,
    history: Vec<Value>,
    tools: String,
}

impl Conversation {
    fn open(registry: &Arc<Registry>, endpoint: Endpoint) -> Self {
        let all = support::rights(Term::All);
        let session = Session::open(registry, all, &[]).expect("opened");
        let tools = session.render(&endpoint).json.to_string();
        Self {
            endpoint,
            session,
            history: Vec::new(),
            tools,
        }
    }

    fn fork(&self) -> Self {
        Self {
            endpoint: self.endpoint,
            session: self.session.fork(),
            history: self.history.clone(),
            tools: self.tools.clone(),
        }
    }

    /// Takes the session up from its snapshot, as another node does.
    fn restart(&mut self, registry: &Arc<Registry>) {
        let before = self.session.render(&self.endpoint);
        let snapshot = self.session.snapshot();
        let all = support::rights(Term::All);
        self.session = Session::restore(registry, all, &snapshot).expect("restored");
        let after = self.session.render(&self.endpoint);
        assert_eq!(before.json, after.json, "{:?}", self.endpoint);
    }

    /// What the model sees in the next request.
    fn visible(&self) -> Vec<Visible> {
        Model(self.endpoint).sees(&self.tools, &self.history)
    }

    /// One turn: the model's calls in, their answers into the history. Gives what came of each.
    fn turn(&mut self, turn: usize, calls: &[(&str, Value)]) -> Vec<Prepared> {
        let model = Model(self.endpoint);
        let answers = match self.endpoint.target() {
            Target::Mcp => calls
                .iter()
                .map(|call| model.answer(turn, std::slice::from_ref(call)))
                .collect(),
            _ => vec![model.answer(turn, calls)],
        };
        let mut prepared = Vec::new();
        for answer in answers {
            let calls = self
                .session
                .decode_calls(&self.endpoint, &answer.to_string())
                .expect("an answer");
            let came: Vec<Prepared> = calls.iter().map(|call| self.prepare(call)).collect();
            let results: Vec<CallAnswer<'_>> = came.iter().map(answer_of).collect();
            let pairs: Vec<_> = calls.iter().zip(results.iter().map(Some)).collect();
            self.history.push(answer);
            self.history
                .extend(self.session.encode_results(&self.endpoint, &pairs));
            prepared.extend(came);
        }
        assert_eq!(prepared.len(), calls.len(), "{:?}", self.endpoint);
        prepared
    }

    fn prepare(&self, call: &ModelCall) -> Prepared {
        let request = CallRequest {
            name: &call.name,
            arguments: &call.arguments.text(),
            endpoint: Some(self.endpoint),
            ..CallRequest::default()
        };
        self.session.prepare(&request).expect("prepared")
    }

    /// The model calls a tool that it sees, through `call_tool` where it has to.
    fn call(&mut self, turn: usize, tool: &Visible) -> Prepared {
        let arguments = Model::arguments(&tool.schema);
        let prepared = if self.endpoint.activation() == Activation::MetaTool {
            let wrapped = json!({"name": tool.name, "arguments": arguments});
            self.turn(turn, &[("call_tool", wrapped)])
        } else {
            self.turn(turn, &[(&tool.name, arguments)])
        };
        prepared.into_iter().next().expect("one call")
    }

    /// Renders the next request and holds it against the one before.
    fn next_request(&mut self, keeps_prefix: bool) {
        let rendered = self.session.render(&self.endpoint);
        let again = self.session.render(&self.endpoint);
        assert!(Arc::ptr_eq(&rendered, &again), "an unchanged session");
        let suffix = self.endpoint.target().wrapping().suffix;
        let kept = self.tools.strip_suffix(suffix).expect("the wrapping");
        // A mark of the cache moves on; the tools before it stay.
        let mark = r#",{"cachePoint":{"type":"default"}}"#;
        let kept = kept.strip_suffix(mark).unwrap_or(kept);
        if keeps_prefix {
            assert!(rendered.json.starts_with(kept), "{:?}", self.endpoint);
        }
        if !matches!(
            self.endpoint.activation(),
            Activation::GrowingList | Activation::AnthropicReference
        ) {
            assert_eq!(*self.tools, *rendered.json, "{:?}", self.endpoint);
        }
        if *self.tools != *rendered.json {
            self.tools = rendered.json.to_string();
            let tools: Value = serde_json::from_str(&self.tools).expect("JSON");
            let target = self.endpoint.target();
            gatekeepers::check(target, &tools).expect("the provider takes the tools");
        }
        self.check_history();
    }

    /// What a provider would refuse the whole request for.
    fn check_history(&self) {
        let target = self.endpoint.target();
        let declared = Model(self.endpoint).declared(&self.tools);
        let names = every(&declared, |v| v["name"].as_str());
        for name in every(&self.history, |v| {
            (v["type"] == "tool_reference").then(|| v["tool_name"].as_str().expect("a name"))
        }) {
            assert!(names.contains(&name), "{name} is not declared");
        }
        let known = [
            Target::AnthropicMessages,
            Target::Mistral,
            Target::GeminiParameters,
            Target::GeminiJsonSchema,
        ];
        if known.contains(&target) {
            let history = Value::from(self.history.clone());
            gatekeepers::check_history(target, &declared.into(), &history).expect("the history");
        }
    }
}

fn answer_of(prepared: &Prepared) -> CallAnswer<'_> {
    let text = match prepared {
        Prepared::Ready(call) => format!("did {}", call.tool.name()),
        Prepared::Searched { text, .. } => text.clone(),
        Prepared::Described(description) => description.text.clone(),
        Prepared::Script(code) => code.clone(),
        Prepared::Refused(refusal) => refusal.text(),
    };
    let found = match prepared {
        Prepared::Searched { outcome, .. } => outcome.hits(),
        _ => &[],
    };
    CallAnswer {
        parts: vec![ResultPart::Text(text)],
        is_error: matches!(prepared, Prepared::Refused(_)),
        found: found
            .iter()
            .map(|hit| FoundTool {
                name: hit.tool.name(),
                added: hit.state == HitState::Added,
            })
            .collect(),
    }
}

fn without(name: &str) -> Arc<Selection> {
    let others = Term::Not(Box::new(support::names(&[name])));
    support::rights(Term::And(vec![Term::All, others]))
}

/// Searches, and calls what is visible then: everything that the model sees reaches its tool.
fn search_and_call(conversation: &mut Conversation, turn: usize, gone: Option<&str>) {
    let query = format!("Please rename one {} in things", THINGS[turn % 10]);
    let limit = if turn < 10 { 2 } else { 3 };
    let search = json!({"query": query, "limit": limit});
    let came = conversation.turn(turn, &[("tool_search", search)]);
    let Prepared::Searched { outcome, .. } = &came[0] else {
        panic!("{:?}: {came:?}", conversation.endpoint);
    };
    assert!(!outcome.hits().is_empty());
    let moved = matches!(turn, WITHDRAWS | GIVES_BACK);
    conversation.next_request(!moved);
    let own = ["tool_search", "describe_tool", "call_tool"];
    let visible = conversation.visible();
    let tools: Vec<_> = visible
        .iter()
        .filter(|tool| !own.contains(&&*tool.name) && tool.name != "shop_status")
        .collect();
    let everything_fits = conversation
        .endpoint
        .budget()
        .max_tools
        .is_none_or(|max| max > 40);
    assert!(tools.len() > 3 || turn < 2 || !everything_fits);
    // The newest, the oldest, and one in between.
    for at in [tools.len() - 1, 0, turn % tools.len()] {
        let came = conversation.call(turn, tools[at]);
        match &came {
            Prepared::Ready(call) => {
                assert_eq!(call.arguments, r#"{"id[]":"x"}"#);
                assert_ne!(Some(&**call.tool.name()), gone);
            }
            Prepared::Refused(refusal) => {
                let Some(gone) = gone else {
                    panic!(
                        "{:?}, turn {turn}: {}",
                        conversation.endpoint,
                        refusal.text()
                    )
                };
                assert!(refusal.text().contains(gone), "{}", refusal.text());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn prefixes_hold_and_every_reference_and_call_resolves_in_a_long_conversation() {
    let registry = catalogue();
    for endpoint in endpoints() {
        let mut conversation = Conversation::open(&registry, endpoint);
        let mut fork = None;
        let mut gone: Option<String> = None;
        for turn in 0..TURNS {
            match turn {
                FORKS => fork = Some(conversation.fork()),
                WITHDRAWS => {
                    let lost = "rename_invoice";
                    let withdrawn = conversation.session.authorize(without(lost));
                    assert!(withdrawn.expect("authorized").iter().any(|n| **n == *lost));
                    gone = Some(lost.to_owned());
                }
                GIVES_BACK => {
                    let rights = support::rights(Term::All);
                    conversation.session.authorize(rights).expect("authorized");
                    gone = None;
                }
                RESTARTS => conversation.restart(&registry),
                _ => {}
            }
            search_and_call(&mut conversation, turn, gone.as_deref());
            let rendered = conversation.session.render(&endpoint);
            let tombstone =
                gone.is_some() && endpoint.activation() == Activation::AnthropicReference;
            assert_eq!(rendered.withdrawn.len(), usize::from(tombstone));
            if endpoint.activation() != Activation::MetaTool
                && let Some(gone) = &gone
            {
                let description = "Will rename one invoice.";
                assert!(!conversation.tools.contains(description), "{gone}");
            }
        }
        let active = conversation.session.describe().tools.len();
        assert!(active > 15, "the conversation activated {active} tools");

        let mut fork = fork.expect("forked");
        assert!(fork.session.describe().tools.len() < active);
        for turn in TURNS..TURNS + 5 {
            search_and_call(&mut fork, turn, None);
        }
    }
}

#[test]
fn a_tool_that_was_lost_between_search_and_answer_leaves_nothing_in_the_history() {
    let registry = catalogue();
    for endpoint in endpoints() {
        let mut conversation = Conversation::open(&registry, endpoint);
        let model = Model(endpoint);
        let search = json!({"query": "rename one invoice", "limit": 1});
        let answer = model.answer(0, &[("tool_search", search)]).to_string();
        let calls = conversation.session.decode_calls(&endpoint, &answer);
        let calls = calls.expect("an answer");
        let came = conversation.prepare(&calls[0]);
        let result = answer_of(&came);
        let rights = without("rename_invoice");
        conversation.session.authorize(rights).expect("authorized");
        let pairs = [(&calls[0], Some(&result))];
        let messages = conversation.session.encode_results(&endpoint, &pairs);
        let text = Value::from(messages.clone()).to_string();
        assert!(!text.contains("rename_invoice"), "{endpoint:?}: {text}");
        conversation.history.extend(messages);
        conversation.next_request(true);
    }
}
