//! The programs of `tests/vectors/scripts.json` over a session of the core, which JUnit runs through
//! the bridge as well.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, OnceLock, Weak, mpsc},
    time::Duration,
};

use serde_json::{Value, json};
use toolcrib_codemode::{
    Completion, Host, Namespace, Outcome, Pool, Reply, ReplyKind, Resolved, Script, ScriptLimits,
    Search, Summary, ThreadHooks,
};
use toolcrib_core::{
    Limits,
    call::{CallRequest, Prepared},
    registry::Registry,
    session::{ScriptName, Session},
    source::{ExposureRules, SourceDefinition, ToolInput},
    tool::Tool,
    view::{Selection, Term},
};

struct OverSession {
    session: Session,
    answers: Value,
    script: OnceLock<Weak<Script>>,
    outcome: mpsc::Sender<Outcome>,
}

impl OverSession {
    fn complete(&self, id: u32, completion: Completion) {
        if let Some(script) = self.script.get().and_then(Weak::upgrade) {
            script.complete(id, completion);
        }
    }

    fn reply(&self, name: &str, arguments: &str) -> Reply {
        let request = CallRequest {
            name,
            arguments,
            allow_inactive: true,
            ..CallRequest::default()
        };
        let reply = |kind, text: String| Reply {
            kind,
            text,
            structured: None,
            content: None,
        };
        match self.session.prepare(&request).expect("it is prepared") {
            Prepared::Ready(call) => match &self.answers[&**call.tool.name()] {
                Value::String(failure) => reply(ReplyKind::Failed, failure.clone()),
                answer => Reply {
                    structured: Some(answer.to_string()),
                    ..reply(ReplyKind::Completed, answer.to_string())
                },
            },
            Prepared::Refused(refusal) => reply(ReplyKind::InvalidArguments, refusal.text()),
            other => panic!("not for scripts: {other:?}"),
        }
    }
}

fn summary(tool: &Arc<Tool>) -> Summary {
    Summary {
        name: tool.name().to_string(),
        description: tool.summary(300),
    }
}

fn texts(names: Vec<Arc<str>>) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

impl Host for OverSession {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        self.complete(id, Completion::Replied(self.reply(name, arguments)));
    }

    fn refresh(&self, id: u32) {
        self.complete(id, Completion::Refreshed);
    }

    fn abandon(&self, _: u32) {}

    fn resolve(&self, name: &str) -> Resolved {
        match self.session.script_name(name) {
            ScriptName::Tool(tool) => Resolved::Tool(tool.name().to_string()),
            ScriptName::Unknown(near) => Resolved::Unknown(texts(near)),
            ScriptName::Ambiguous(several) => Resolved::Ambiguous(texts(several)),
        }
    }

    fn search(&self, search: &Search) -> Vec<Summary> {
        let within = search.namespace.as_deref();
        let found = self
            .session
            .script_search(&search.query, search.limit, within);
        found.iter().map(summary).collect()
    }

    fn describe(&self, name: &str) -> Option<String> {
        self.session.script_declaration(name)
    }

    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>> {
        let found = self.session.script_namespace(name).map_err(texts)?;
        Ok(Namespace {
            name: found.source.name().to_string(),
            description: found.source.description().to_owned(),
            instructions: found.source.instructions().to_owned(),
            tools: texts(found.tools),
        })
    }

    fn tools(&self, limit: usize) -> (Vec<Summary>, usize) {
        let (tools, total) = self.session.script_tools(limit);
        (tools.iter().map(summary).collect(), total)
    }

    fn load(&self, key: &str) -> Option<String> {
        self.session.stored(key)
    }

    fn commit(&self, writes: Vec<(String, Option<String>)>) -> Result<(), String> {
        self.session
            .store(writes)
            .map_err(|error| error.to_string())
    }

    fn finished(&self, outcome: Outcome) {
        let _ = self.outcome.send(outcome);
    }
}

fn session(vector: &Value) -> Session {
    let registry = Arc::new(Registry::new(Limits::default()).with_scripts());
    for source in vector["sources"].as_array().expect("sources") {
        let text = |key: &str| source[key].as_str().unwrap_or_default().to_owned();
        let definition = SourceDefinition {
            name: text("name"),
            description: text("description"),
            instructions: text("instructions"),
            exposure: ExposureRules {
                default: serde_json::from_value(source["exposure"].clone()).expect("an exposure"),
                overrides: Vec::new(),
            },
            tools: vec![ToolInput::ToolsList(source["tools"].to_string())],
            ..SourceDefinition::default()
        };
        registry.put(definition).expect("it is published");
    }
    let names: Vec<Box<str>> = vector["rights"]["not"]["names"]
        .as_array()
        .expect("names")
        .iter()
        .map(|name| name.as_str().expect("a name").into())
        .collect();
    let term = Term::Not(Box::new(Term::Names(names)));
    let rights = Selection::new(term, registry.limits()).expect("a selection");
    Session::open(&registry, Arc::new(rights), &[]).expect("a session")
}

#[test]
fn every_program_returns_what_is_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/scripts.json");
    let text = fs::read_to_string(path).expect("the vector is there");
    let vector: Value = serde_json::from_str(&text).expect("it is JSON");
    let pool = Pool::new(ScriptLimits::default(), ThreadHooks::default());
    let mut wrong = Vec::new();
    for program in vector["programs"].as_array().expect("programs") {
        let (sender, outcome) = mpsc::channel();
        let host = Arc::new(OverSession {
            session: session(&vector),
            answers: vector["answers"].clone(),
            script: OnceLock::new(),
            outcome: sender,
        });
        let code = program["code"].as_str().expect("a program").to_owned();
        let script = pool.script(code, host.clone()).expect("it is short");
        host.script.set(Arc::downgrade(&script)).expect("once");
        pool.start(&script).expect("there is room");
        let outcome = outcome
            .recv_timeout(Duration::from_secs(60))
            .expect("it ends");
        let mut told = BTreeMap::from([("about", program["about"].clone())]);
        match outcome.failure {
            Some(failure) => {
                let failure = json!({"kind": failure.kind.word(), "message": failure.message});
                told.insert("failure", failure);
            }
            None => {
                let value = outcome.value.unwrap_or_else(|| "null".into());
                told.insert("value", serde_json::from_str(&value).expect("JSON"));
            }
        }
        let mut recorded = program.clone();
        recorded.as_object_mut().expect("an object").remove("code");
        if json!(told) != recorded {
            wrong.push(format!("{}\n{recorded}", json!(told)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
