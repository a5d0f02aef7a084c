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
    provider::Target,
    registry::Registry,
    session::{HitState, SearchOutcome, SearchRequest, Session, Standing},
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
            "remove" => Ok(json!(self.registry.remove(text("source")))),
            "list" => {
                let view = self.registry.view(&rights(of));
                let request = PageRequest { cursor: optional("cursor").map(str::to_owned), limit: of["limit"].as_u64().unwrap_or(100) as usize };
                let page = view.page(&request);
                Ok(json!({"tools": texts(page.tools.iter().map(|t| t.name())), "nextCursor": page.next_cursor}))
            }
            "open" => {
                let pinned: Vec<&str> = of["pinned"].as_array().into_iter().flatten().map(|n| n.as_str().expect("a name")).collect();
                Session::open(&self.registry, rights(of), &pinned).map(|session| self.keep(text("session"), session))
            }
            "fork" => {
                let fork = self.session(of).fork();
                Ok(self.keep(text("as"), fork))
            }
            "restore" => {
                let bytes = unhex(text("snapshot"));
                Session::restore(&self.registry, rights(of), &bytes).map(|session| self.keep(text("session"), session))
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
                    .map(|outcome| searched(&outcome))
            }
            "activate" => {
                let names: Vec<&str> = of["names"].as_array().expect("names").iter().map(|n| n.as_str().expect("a name")).collect();
                self.session(of).activate(&names, optional("position")).map(|added| json!(texts(&added)))
            }
            "render" => {
                let rendered = self.session(of).render(target(&of["target"]).expect("a target"));
                Ok(json!({"names": texts(&rendered.names), "json": &*rendered.json, "quarantined": texts(rendered.quarantined.iter().map(|(name, _)| name))}))
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
                    target: target(&of["target"]),
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

fn target(value: &Value) -> Option<Target> {
    Some(match value.as_str()? {
        "anthropic-messages" => Target::AnthropicMessages,
        "openai-responses" => Target::OpenAiResponses,
        "openai-chat" => Target::OpenAiChat,
        "mcp" => Target::Mcp,
        other => panic!("no target: {other}"),
    })
}

fn searched(outcome: &SearchOutcome) -> Value {
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
    json!({"outcome": kind, "hits": hits, "added": texts(outcome.added()), "text": outcome.text()})
}

fn called(prepared: &Prepared) -> Value {
    match prepared {
        Prepared::Ready(call) => {
            json!({"outcome": "ready", "tool": &**call.tool.name(), "arguments": call.arguments})
        }
        Prepared::Searched(outcome) => searched(outcome),
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
