//! A host that notes what is done to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError, Weak, mpsc::Sender},
};

use toolcrib_codemode::{
    Completion, Host, Namespace, Outcome, Reply, ReplyKind, Resolved, Script, Search, Summary,
};

pub const TOOLS: [&str; 10] = [
    "a-b",
    "a.b",
    "broken",
    "echo",
    "fail",
    "large",
    "my-server.get",
    "never",
    "poison",
    "refuse",
];

/// What a host was asked for.
#[derive(Debug, Default)]
pub struct Seen {
    pub begun: BTreeMap<u32, ()>,
    pub open: BTreeSet<u32>,
    pub most_open: usize,
    pub abandoned: BTreeSet<u32>,
    pub commits: usize,
    pub stored: usize,
}

pub struct Notes {
    pub script: OnceLock<Weak<Script>>,
    pub outcome: Mutex<Option<Sender<Outcome>>>,
    pub seen: Mutex<Seen>,
}

impl Notes {
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn complete(&self, id: u32, completion: Completion) {
        if let Some(script) = self.script.get().and_then(Weak::upgrade) {
            script.complete(id, completion);
        }
    }
}

/// A panic in here is told as a failure of the sandbox, which no script may have.
impl Host for Notes {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(arguments)
            .expect("arguments are a JSON object");
        let answers = name != "never";
        {
            let mut seen = self.seen();
            assert!(
                seen.begun.insert(id, ()).is_none(),
                "no call is begun twice"
            );
            seen.open.insert(id);
            seen.most_open = seen.most_open.max(seen.open.len());
            if answers {
                seen.open.remove(&id);
            }
        }
        if !answers {
            return;
        }
        let (kind, structured) = match name {
            "fail" => (ReplyKind::Failed, None),
            "refuse" => (ReplyKind::Refused, None),
            "large" => (
                ReplyKind::Completed,
                Some(format!("\"{}\"", "x".repeat(33 << 10))),
            ),
            "broken" => (ReplyKind::Completed, Some("{no json".to_owned())),
            "poison" => (
                ReplyKind::Completed,
                Some(
                    r#"{"then":1,"__proto__":{"leak":1},"constructor":{"prototype":2}}"#.to_owned(),
                ),
            ),
            _ => (ReplyKind::Completed, Some(arguments.to_owned())),
        };
        let reply = Reply {
            kind,
            text: structured.clone().unwrap_or_else(|| "no".to_owned()),
            content: (name == "a.b").then(|| "[{\"type\":\"text\"}]".to_owned()),
            structured,
        };
        self.complete(id, Completion::Replied(reply.clone()));
        // Whoever answers twice is not heard.
        self.complete(id, Completion::Replied(reply));
    }

    fn refresh(&self, id: u32) {
        self.complete(id, Completion::Refreshed);
    }

    fn abandon(&self, id: u32) {
        let mut seen = self.seen();
        assert!(seen.begun.contains_key(&id));
        assert!(seen.abandoned.insert(id), "no call is abandoned twice");
    }

    fn resolve(&self, name: &str) -> Resolved {
        if TOOLS.contains(&name) {
            return Resolved::Tool(name.to_owned());
        }
        let plain = |tool: &&str| tool.replace(['-', '.'], "_") == name;
        let named: Vec<String> = TOOLS
            .into_iter()
            .filter(|tool| plain(tool))
            .map(Into::into)
            .collect();
        match named.as_slice() {
            [] => Resolved::Unknown(vec!["echo".to_owned()]),
            [tool] => Resolved::Tool(tool.clone()),
            _ => Resolved::Ambiguous(named),
        }
    }

    fn search(&self, search: &Search) -> Vec<Summary> {
        let most = search.limit.unwrap_or(2).clamp(0, 5) as usize;
        self.tools(most).0
    }

    fn describe(&self, name: &str) -> Option<String> {
        Some(format!(
            "declare function {name}(input: {{}}): Promise<ToolResult>;"
        ))
    }

    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>> {
        if name != "test" {
            return Err(vec!["test".to_owned()]);
        }
        Ok(Namespace {
            name: name.to_owned(),
            description: "tools".to_owned(),
            instructions: String::new(),
            tools: TOOLS.map(str::to_owned).to_vec(),
        })
    }

    fn tools(&self, limit: usize) -> (Vec<Summary>, usize) {
        let summary = |name: &str| Summary {
            name: name.to_owned(),
            description: "does something".to_owned(),
        };
        (
            TOOLS.into_iter().take(limit).map(summary).collect(),
            TOOLS.len(),
        )
    }

    fn load(&self, key: &str) -> Option<String> {
        (key == "kept").then(|| "[1]".to_owned())
    }

    fn commit(&self, writes: Vec<(String, Option<String>)>) -> Result<(), String> {
        let size = |(key, value): &(String, Option<String>)| {
            key.len() + value.as_ref().map_or(0, String::len)
        };
        let mut seen = self.seen();
        seen.commits += 1;
        seen.stored = writes.iter().map(size).sum();
        for value in writes.iter().filter_map(|(_, value)| value.as_ref()) {
            serde_json::from_str::<serde_json::Value>(value).expect("what is stored is JSON");
        }
        Ok(())
    }

    fn finished(&self, outcome: Outcome) {
        let sender = self
            .outcome
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let sender = sender.expect("a script finishes once");
        let _ = sender.send(outcome);
    }
}
