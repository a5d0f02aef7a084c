//! Runs `tests/vectors/scenarios/*.json`: conversations step by step, with the exact answer to each
//! step. JUnit runs the same files through the Java API.
//!
//! `UPDATE_VECTORS=1 cargo test --test scenarios` writes the answers anew; read the difference.

mod support;

use std::{collections::HashMap, sync::Arc};

use serde_json::{Map, Value, json};
use toolcrib_core::{
    Error, Limits,
    call::{CallRequest, Prepared, Preview, Refusal},
    provider::{Activation, Budget, Endpoint, ModelCall, ResultPart, Target},
    registry::Registry,
    session::{CallAnswer, FoundTool, HitState, SearchOutcome, SearchRequest, Session, Standing},
    view::{PageRequest, Selection},
};

#[test]
fn every_scenario_gives_its_recorded_answers() {
    let folder = support::vectors().join("scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the scenario can be read");
        let mut scenario: Value = serde_json::from_str(&text).expect("the scenario is JSON");
        let recorded = scenario.clone();
        let mut world = World::new();
        for step in scenario["steps"].as_array_mut().expect("steps") {
            let answer = world.play(step.as_object().expect("a step"));
            step["expect"] = answer;
        }
        if std::env::var_os("UPDATE_VECTORS").is_some() {
            let text = serde_json::to_string_pretty(&scenario).expect("JSON") + "\n";
            std::fs::write(&file, text).expect("the scenario can be written");
            continue;
        }
        let steps = recorded["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .zip(scenario["steps"].as_array().expect("steps"));
        for (number, (recorded, played)) in steps.enumerate() {
            assert_eq!(recorded, played, "{} step {number}", file.display());
        }
    }
}

struct World {
    registry: Arc<Registry>,
    sessions: HashMap<String, Session>,
    checkpoints: HashMap<String, u64>,
}

impl World {
    fn new() -> Self {
        Self {
            registry: Arc::new(Registry::new(Limits::default())),
            sessions: HashMap::new(),
            checkpoints: HashMap::new(),
        }
    }

    fn play(&mut self, step: &Map<String, Value>) -> Value {
        let (operation, of) = step.iter().next().expect("an operation");
        let text = |key: &str| of[key].as_str().unwrap_or_default();
        let optional = |key: &str| of[key].as_str();
        let answer = match operation.as_str() {
            "put" => self.registry.put(support::source_of(of)).map(|report| {
                json!({
                    "published": report.published, "changed": report.changed, "removed": report.removed,
                    "quarantined": report.quarantined.iter().map(|q| json!({"tool": q.tool, "code": q.reason.code()})).collect::<Vec<_>>(),
                })
            }),
            "announce" => self.registry.expect(support::expected_of(of)).map(|expected| json!(expected)),
            "remove" => Ok(json!(self.registry.remove(text("source")))),
            "list" => {
                let view = self.registry.view(&rights(of));
                let request = PageRequest { cursor: optional("cursor").map(str::to_owned), limit: of["limit"].as_u64().unwrap_or(100) as usize };
                let page = view.page(&request).expect("a cursor");
                Ok(json!({"tools": texts(page.tools.iter().map(|t| t.name())), "nextCursor": page.next_cursor}))
            }
            "open" => {
                let pinned: Vec<&str> = of["pinned"].as_array().into_iter().flatten().map(|n| n.as_str().expect("a name")).collect();
                let scripts = of["codemode"] == true;
                Session::open_with(&self.registry, rights(of), &pinned, scripts).map(|session| self.keep(text("session"), session))
            }
            "fork" => {
                let fork = self.session(of).fork();
                Ok(self.keep(text("as"), fork))
            }
            "restore" => {
                let bytes = unhex(text("snapshot"));
                let scripts = of["codemode"] == true;
                Session::restore_with(&self.registry, rights(of), &bytes, scripts).map(|session| self.keep(text("session"), session))
            }
            "snapshot" => Ok(json!(hex(&self.session(of).snapshot()))),
            "authorize" => self.session(of).authorize(rights(of)).map(|withdrawn| json!({"withdrawn": texts(&withdrawn)})),
            "search" => {
                let within = of.get("within").map(|w| support::rights(support::term(w)));
                self.session(of)
                    .search(&SearchRequest {
                        query: text("query"),
                        limit: of["limit"].as_i64(),
                        position: optional("position"),
                        within: within.as_deref(),
                    })
                    .map(|outcome| searched(&outcome, &outcome.text()))
            }
            "activate" => {
                let names: Vec<&str> = of["names"].as_array().expect("names").iter().map(|n| n.as_str().expect("a name")).collect();
                self.session(of).activate(&names, optional("position")).map(|added| json!(texts(&added)))
            }
            "render" => {
                let endpoint = endpoint(of).expect("an endpoint");
                let rendered = self.session(of).render(&endpoint);
                let mut answer = json!({"names": texts(&rendered.names), "json": &*rendered.json, "quarantined": texts(rendered.quarantined.iter().map(|(name, _)| name))});
                if !rendered.withdrawn.is_empty() {
                    answer["withdrawn"] = json!(texts(&rendered.withdrawn));
                }
                if !rendered.not_ready.is_empty() {
                    answer["notReady"] = json!(texts(&rendered.not_ready));
                }
                Ok(answer)
            }
            "turn" => {
                let endpoint = endpoint(of).expect("an endpoint");
                turn(self.session(of), &endpoint, &of["answer"])
            }
            "call" => {
                let arguments = match &of["arguments"] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let request = CallRequest {
                    name: text("name"),
                    arguments: &arguments,
                    endpoint: endpoint(of),
                    position: optional("position"),
                    allow_inactive: of["allowInactive"] == true,
                };
                self.session(of).prepare(&request).map(|prepared| called(&prepared))
            }
            "checkpoint" => self.session(of).checkpoint(optional("position")).map(|checkpoint| {
                if let Some(name) = optional("as") {
                    self.checkpoints.insert(name.to_owned(), checkpoint);
                }
                json!("done")
            }),
            "rewind" => match optional("position") {
                Some(position) => self.session(of).rewind_to(position),
                None => self.session(of).rewind(self.checkpoints[text("checkpoint")]),
            }
            .map(|()| json!("done")),
            "describe" => {
                let state = self.session(of).describe();
                Ok(json!({
                    "authorized": state.authorized,
                    "tools": state.tools.iter().map(|(name, standing)| json!([&**name, match standing {
                        Standing::Active => "active",
                        Standing::Pending => "pending",
                        Standing::Withheld => "withheld",
                    }])).collect::<Vec<_>>(),
                }))
            }
            "preview" => {
                let text = text("repeat").repeat(of["times"].as_u64().expect("times") as usize);
                let preview = Preview::of(&text, &Limits::default());
                Ok(json!({"bytes": preview.text.len(), "total": preview.total_bytes, "truncated": preview.truncated, "end": preview.text.lines().last()}))
            }
            other => panic!("no operation: {other}"),
        };
        answer.unwrap_or_else(|error: Error| json!({"error": error.code()}))
    }

    fn keep(&mut self, name: &str, session: Session) -> Value {
        self.sessions.insert(name.to_owned(), session);
        json!("done")
    }

    fn session(&self, of: &Value) -> &Session {
        &self.sessions[of["session"].as_str().expect("a session")]
    }
}

fn rights(of: &Value) -> Arc<Selection> {
    support::rights(support::term(&of["rights"]))
}

/// An endpoint: a target, or an object that says more.
fn endpoint(of: &Value) -> Option<Endpoint> {
    let more = &of["endpoint"];
    let name = of["target"].as_str().or_else(|| more["target"].as_str())?;
    let target = Target::from_name(name).expect("a target");
    let mut endpoint = match more["provider"] == true {
        true => Endpoint::native(target),
        false => Endpoint::new(target),
    };
    if let Some(name) = more["activation"].as_str() {
        let activation = Activation::from_name(name).expect("an activation");
        endpoint = endpoint.with_activation(activation).expect("suits");
    }
    if let Some(strict) = more["strict"].as_bool() {
        endpoint = endpoint.with_strict(strict);
    }
    endpoint = endpoint.with_search_renamed(more["searchRenamed"] == true);
    if let Some(max) = more["maxTools"].as_u64() {
        endpoint = endpoint.with_budget(Budget {
            max_tools: Some(max as usize),
            ..Budget::default()
        });
    }
    Some(endpoint)
}

/// A whole turn: every call of the answer is prepared, a tool answers what it was given, and all
/// results are written together.
fn turn(session: &Session, endpoint: &Endpoint, answer: &Value) -> Result<Value, Error> {
    let calls = session.decode_calls(endpoint, &answer.to_string())?;
    let prepared = calls
        .iter()
        .map(|call| {
            session.prepare(&CallRequest {
                name: &call.name,
                arguments: &call.arguments.text(),
                endpoint: Some(*endpoint),
                ..CallRequest::default()
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let answers: Vec<CallAnswer<'_>> = prepared
        .iter()
        .map(|prepared| answered(prepared, endpoint))
        .collect();
    let turn: Vec<(&ModelCall, _)> = calls.iter().zip(answers.iter().map(Some)).collect();
    let messages = session.encode_results(endpoint, &turn);
    let names: Vec<&str> = calls.iter().map(|call| &*call.name).collect();
    Ok(json!({"calls": names, "messages": messages}))
}

fn answered<'a>(prepared: &'a Prepared, endpoint: &Endpoint) -> CallAnswer<'a> {
    let text = match prepared {
        Prepared::Ready(_) => called(prepared).to_string(),
        Prepared::Searched { text, .. } => text.clone(),
        Prepared::Described(description) => description.text.clone(),
        Prepared::Script(code) => code.clone(),
        Prepared::Refused(refusal) => refusal.text_at(Some(endpoint)),
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

fn searched(outcome: &SearchOutcome, text: &str) -> Value {
    let hits: Vec<_> = outcome
        .hits()
        .iter()
        .map(|hit| {
            let state = match hit.state {
                HitState::Added => "added",
                HitState::AlreadyActive => "already_active",
                HitState::NoRoom => "no_room",
            };
            json!([&**hit.tool.name(), state])
        })
        .collect();
    let kind = match outcome {
        SearchOutcome::Found { .. } => "found",
        SearchOutcome::AlreadyActive { .. } => "already_active",
        SearchOutcome::Nothing { .. } => "nothing",
    };
    let mut answer =
        json!({"outcome": kind, "hits": hits, "added": texts(outcome.added()), "text": text});
    if !outcome.not_ready().is_empty() {
        answer["notReady"] = json!(texts(outcome.not_ready()));
    }
    answer
}

fn called(prepared: &Prepared) -> Value {
    match prepared {
        Prepared::Ready(call) => {
            json!({"outcome": "ready", "tool": &**call.tool.name(), "arguments": call.arguments})
        }
        Prepared::Searched { outcome, text } => searched(outcome, text),
        Prepared::Described(description) => {
            json!({"outcome": "described", "text": description.text})
        }
        Prepared::Script(code) => json!({"outcome": "script", "code": code}),
        Prepared::Refused(refusal) => {
            let kind = match refusal {
                Refusal::NotFound { .. } => "not_found",
                Refusal::NotActive { .. } => "not_active",
                Refusal::InvalidArguments { .. } => "invalid_arguments",
            };
            json!({"outcome": kind, "text": refusal.text()})
        }
    }
}

fn texts<'a>(names: impl IntoIterator<Item = &'a Arc<str>>) -> Vec<&'a str> {
    names.into_iter().map(AsRef::as_ref).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex"))
        .collect()
}
