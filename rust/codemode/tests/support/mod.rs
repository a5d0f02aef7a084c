//! A host with a few tools, and a way to run a script to its end.
#![allow(dead_code)] // Each test binary uses its own part.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, OnceLock, Weak,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use toolcrib_codemode::{
    Completion, Host, Namespace, Outcome, Pool, Refused, Reply, ReplyKind, Resolved, Script,
    ScriptLimits, Search, Summary, ThreadHooks,
};

type Tool = dyn Fn(&str) -> Option<Reply> + Send + Sync;
type Hook = dyn Fn(&str) + Send + Sync;

/// Tools by name; one that answers None never answers.
#[derive(Clone, Default)]
pub struct Tools {
    tools: BTreeMap<String, Arc<Tool>>,
    pub stored: Arc<Mutex<BTreeMap<String, String>>>,
    pub abandoned: Arc<Mutex<Vec<u32>>>,
    pub open: Arc<AtomicUsize>,
    pub most_open: Arc<AtomicUsize>,
    pub refreshes: Arc<AtomicUsize>,
    pub overran: Arc<AtomicUsize>,
    /// From this refresh on the rights cannot be asked; 0 is never.
    pub unknown_from: usize,
    /// What a resolve, a search and so on do first.
    pub hook: Option<Arc<Hook>>,
}

pub fn completed(structured: &str) -> Option<Reply> {
    Some(Reply {
        kind: ReplyKind::Completed,
        text: structured.to_owned(),
        structured: Some(structured.to_owned()),
        content: None,
    })
}

pub fn ended(kind: ReplyKind, text: &str) -> Option<Reply> {
    Some(Reply {
        kind,
        text: text.to_owned(),
        structured: None,
        content: None,
    })
}

impl Tools {
    /// `echo` gives its arguments back, `fail` fails, `refuse` is refused, `never` never answers.
    pub fn usual() -> Self {
        Self::default()
            .with("echo", completed)
            .with("fail", |_| ended(ReplyKind::Failed, "the disk is full"))
            .with("refuse", |_| ended(ReplyKind::Refused, "not for you"))
            .with("never", |_| None)
            .with("my-server.get", completed)
    }

    pub fn with(
        mut self,
        name: &str,
        tool: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        self.tools.insert(name.to_owned(), Arc::new(tool));
        self
    }

    pub fn hooked(mut self, hook: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.hook = Some(Arc::new(hook));
        self
    }
}

pub struct TestHost {
    tools: Tools,
    script: OnceLock<Weak<Script>>,
    outcome: mpsc::Sender<Outcome>,
}

impl TestHost {
    fn hook(&self, what: &str) {
        if let Some(hook) = &self.tools.hook {
            hook(what);
        }
    }

    fn script(&self) -> Option<Arc<Script>> {
        self.script.get()?.upgrade()
    }

    fn summaries(&self) -> Vec<Summary> {
        let summary = |name: &String| Summary {
            name: name.clone(),
            description: format!("the tool {name}"),
        };
        self.tools.tools.keys().map(summary).collect()
    }
}

impl Host for TestHost {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        self.hook("call");
        let open = self.tools.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.tools.most_open.fetch_max(open, Ordering::SeqCst);
        let (tool, arguments) = (Arc::clone(&self.tools.tools[name]), arguments.to_owned());
        let (script, open) = (self.script(), Arc::clone(&self.tools.open));
        std::thread::spawn(move || {
            let reply = tool(&arguments);
            open.fetch_sub(1, Ordering::SeqCst);
            if let (Some(reply), Some(script)) = (reply, script) {
                script.complete(id, Completion::Replied(reply));
            }
        });
    }

    fn refresh(&self, id: u32) {
        self.hook("refresh");
        let asked = self.tools.refreshes.fetch_add(1, Ordering::SeqCst) + 1;
        let unknown = self.tools.unknown_from > 0 && asked >= self.tools.unknown_from;
        if let Some(script) = self.script() {
            let completion = match unknown {
                true => Completion::Unknown,
                false => Completion::Refreshed,
            };
            script.complete(id, completion);
        }
    }

    fn abandon(&self, id: u32) {
        self.tools
            .abandoned
            .lock()
            .expect("no test panics with it")
            .push(id);
    }

    fn resolve(&self, name: &str) -> Resolved {
        self.hook("resolve");
        if self.tools.tools.contains_key(name) {
            return Resolved::Tool(name.to_owned());
        }
        let alias = |tool: &str| tool.replace(|c: char| !c.is_ascii_alphanumeric(), "_") == name;
        match self.tools.tools.keys().find(|tool| alias(tool)) {
            Some(tool) => Resolved::Tool(tool.clone()),
            None => Resolved::Unknown(self.tools.tools.keys().take(2).cloned().collect()),
        }
    }

    fn search(&self, search: &Search) -> Vec<Summary> {
        self.hook("search");
        let mut found = self.summaries();
        found.retain(|tool| search.query.contains(&tool.name));
        found.truncate(search.limit.unwrap_or(8).max(1) as usize);
        found
    }

    fn describe(&self, name: &str) -> Option<String> {
        self.hook("describe");
        Some(format!(
            "declare function {name}(input: unknown): Promise<ToolResult>;"
        ))
    }

    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>> {
        self.hook("namespace");
        match name {
            "test" => Ok(Namespace {
                name: "test".into(),
                description: "tools for tests".into(),
                instructions: "use them".into(),
                tools: self.tools.tools.keys().cloned().collect(),
            }),
            _ => Err(vec!["test".into()]),
        }
    }

    fn tools(&self, limit: usize) -> (Vec<Summary>, usize) {
        self.hook("tools");
        let mut tools = self.summaries();
        let total = tools.len();
        tools.truncate(limit);
        (tools, total)
    }

    fn load(&self, key: &str) -> Option<String> {
        self.hook("load");
        self.tools
            .stored
            .lock()
            .expect("no test panics with it")
            .get(key)
            .cloned()
    }

    fn commit(&self, writes: Vec<(String, Option<String>)>) -> Result<(), String> {
        self.hook("commit");
        let mut stored = self.tools.stored.lock().expect("no test panics with it");
        for (key, value) in writes {
            match value {
                Some(value) => stored.insert(key, value),
                None => stored.remove(&key),
            };
        }
        Ok(())
    }

    fn finished(&self, outcome: Outcome) {
        self.hook("finished");
        let _ = self.outcome.send(outcome);
    }

    fn overran(&self) {
        self.tools.overran.fetch_add(1, Ordering::SeqCst);
    }
}

/// A script that was started, and the outcome that will come of it.
pub struct Running {
    pub script: Arc<Script>,
    outcome: mpsc::Receiver<Outcome>,
}

impl Running {
    /// Waits for the outcome; a minute is for ever.
    pub fn outcome(&self) -> Outcome {
        self.outcome
            .recv_timeout(Duration::from_secs(60))
            .expect("every script comes to an end")
    }
}

pub fn start(pool: &Pool, tools: &Tools, code: &str) -> Result<Running, Refused> {
    let (sender, outcome) = mpsc::channel();
    let host = Arc::new(TestHost {
        tools: tools.clone(),
        script: OnceLock::new(),
        outcome: sender,
    });
    let script = pool.script(code.to_owned(), host.clone())?;
    host.script.set(Arc::downgrade(&script)).expect("once");
    pool.start(&script)?;
    Ok(Running { script, outcome })
}

pub fn limits(change: impl FnOnce(&mut ScriptLimits)) -> ScriptLimits {
    let mut limits = ScriptLimits::default();
    change(&mut limits);
    limits
}

pub fn pool(limits: ScriptLimits) -> Pool {
    Pool::new(limits, ThreadHooks::default())
}

/// Runs a script with the usual tools and limits.
pub fn run(code: &str) -> Outcome {
    run_with(&Tools::usual(), ScriptLimits::default(), code)
}

pub fn run_with(tools: &Tools, limits: ScriptLimits, code: &str) -> Outcome {
    let pool = pool(limits);
    let running = start(&pool, tools, code).expect("there is room for one");
    running.outcome()
}

/// What a script returned, which must have completed.
pub fn value(code: &str) -> String {
    let outcome = run(code);
    assert_eq!(outcome.failure, None, "{code}\n{outcome:?}");
    outcome.value.unwrap_or_else(|| "undefined".into())
}

/// Kind and message of the failure that a script must come to.
pub fn failure(code: &str) -> (toolcrib_codemode::FailureKind, String) {
    let outcome = run(code);
    let failure = outcome
        .failure
        .unwrap_or_else(|| panic!("{code} completed"));
    (failure.kind, failure.message)
}
