//! The functions that the prelude gets from here. They take and give numbers and text only; the
//! prelude makes JavaScript of it.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    sync::Arc,
};

use rquickjs::{Ctx, Exception, Function, IntoJs, Object, Result, Value};
use serde_json::json;

use crate::{
    CallRecord, CallState, Host, ReplyKind, Resolved, Search,
    sandbox::Bound,
    script::{Script, Stop},
};

/// What one run keeps outside of the engine.
#[derive(Debug)]
pub(crate) struct Run {
    pub script: Arc<Script>,
    /// Calls that wait until others have come back: id, name, arguments.
    waiting: RefCell<VecDeque<(u32, String, String)>>,
    /// Calls that were begun and have not come back.
    open: Cell<usize>,
    refreshing: RefCell<BTreeSet<u32>>,
    refreshes: Cell<u32>,
    writes: RefCell<BTreeMap<String, Option<String>>>,
    written: Cell<usize>,
}

/// What a stored key counts besides its bytes and those of its value, as a session counts it.
const STORED_KEY_BYTES: usize = 64;

/// Ids of refreshes have this bit, ids of calls have not.
const REFRESH: u32 = 1 << 31;
/// Bytes of a key.
const KEY_BYTES: usize = 256;

impl Run {
    pub fn new(script: Arc<Script>) -> Self {
        Self {
            script,
            waiting: RefCell::default(),
            open: Cell::new(0),
            refreshing: RefCell::default(),
            refreshes: Cell::new(0),
            writes: RefCell::default(),
            written: Cell::new(0),
        }
    }

    /// Whether something will still come back.
    pub fn expects_something(&self) -> bool {
        self.open.get() > 0 || !self.refreshing.borrow().is_empty()
    }

    /// Notes that `id` has come back; false if nothing of that id was expected.
    pub fn refreshed(&self, id: u32) -> bool {
        self.refreshing.borrow_mut().remove(&id)
    }

    /// Notes how the call `id` ended, and begins one that waited; false if it was not open.
    pub fn replied(&self, id: u32, kind: ReplyKind) -> bool {
        let known = {
            let mut progress = self.script.progress();
            let at = (id as usize).checked_sub(1);
            let call = at.and_then(|at| progress.calls.get_mut(at));
            match call {
                Some(call) if call.state == CallState::Abandoned => {
                    call.state = CallState::Done(kind);
                    true
                }
                _ => false,
            }
        };
        if known {
            self.open.set(self.open.get() - 1);
            self.begin_waiting();
        }
        known
    }

    /// What the script stored.
    pub fn take_writes(&self) -> Vec<(String, Option<String>)> {
        self.writes.take().into_iter().collect()
    }

    fn call(&self, name: String, arguments: String) -> std::result::Result<u32, String> {
        let limits = &self.script.limits;
        let id = {
            let mut progress = self.script.progress();
            if progress.calls.len() >= limits.script_calls {
                return Err(format!(
                    "A script may make {} tool calls (script_calls); this is one more.",
                    limits.script_calls
                ));
            }
            let id = progress.calls.len() as u32 + 1;
            progress.calls.push(CallRecord {
                id,
                name: name.clone(),
                state: CallState::Waiting,
            });
            id
        };
        self.waiting.borrow_mut().push_back((id, name, arguments));
        self.begin_waiting();
        Ok(id)
    }

    fn begin_waiting(&self) {
        while self.open.get() < self.script.limits.script_parallel_calls.max(1) {
            let Some((id, name, arguments)) = self.waiting.borrow_mut().pop_front() else {
                return;
            };
            self.script.progress().calls[id as usize - 1].state = CallState::Abandoned;
            self.open.set(self.open.get() + 1);
            self.script.ask(|host| host.call(id, &name, &arguments));
        }
    }

    fn refresh(&self) -> u32 {
        let id = REFRESH | self.refreshes.get();
        self.refreshes.set((self.refreshes.get() + 1) & !REFRESH);
        self.refreshing.borrow_mut().insert(id);
        self.script.ask(|host| host.refresh(id));
        id
    }

    fn write(&self, text: &str) {
        let mut progress = self.script.progress();
        let limit = self.script.limits.script_output_bytes;
        if progress.output.len() + text.len() + 1 > limit {
            let room = limit.saturating_sub(progress.output.len());
            let fits = &text[..text.floor_char_boundary(room)];
            progress.output.push_str(fits);
            drop(progress);
            self.script.stop(Stop::Output);
            return;
        }
        progress.output.push_str(text);
        progress.output.push('\n');
    }

    fn load(&self, key: &str) -> Option<String> {
        match self.writes.borrow().get(key) {
            Some(written) => written.clone(),
            None => self.script.ask(|host| host.load(key)).flatten(),
        }
    }

    /// The answer of the host as JSON text.
    fn ask(&self, question: impl FnOnce(&dyn Host) -> serde_json::Value) -> String {
        let answer = self.script.ask(question);
        answer.map_or_else(String::new, |answer| answer.to_string())
    }

    /// Answers why not, if not.
    fn store(&self, key: String, value: Option<String>) -> Option<String> {
        if key.len() > KEY_BYTES {
            return Some(format!("A key has at most {KEY_BYTES} bytes."));
        }
        let size = |key: &str, value: &Option<String>| {
            STORED_KEY_BYTES + key.len() + value.as_ref().map_or(0, String::len)
        };
        let mut writes = self.writes.borrow_mut();
        let former = writes.get(&key).map_or(0, |value| size(&key, value));
        let written = self.written.get() - former + size(&key, &value);
        let limit = self.script.limits.script_store_bytes;
        if written > limit {
            return Some(format!(
                "A script may store {limit} bytes (script_store_bytes); this would make {written}."
            ));
        }
        self.written.set(written);
        writes.insert(key, value);
        None
    }
}

/// The function with which what runs before a script asks whether to go on, where the engine does
/// not. It throws once the script is to stop.
pub(crate) fn asking<'js>(ctx: &Ctx<'js>, bound: &Rc<Bound>) -> Result<Function<'js>> {
    let bound = Rc::downgrade(bound);
    Function::new(ctx.clone(), move |ctx: Ctx<'js>| {
        due(&ctx, bound.upgrade().as_deref())
    })
}

fn due(ctx: &Ctx<'_>, bound: Option<&Bound>) -> Result<()> {
    if bound.is_some_and(Bound::interrupts) {
        return Err(Exception::throw_message(ctx, "the script is being stopped"));
    }
    Ok(())
}

/// The object that the prelude is called with.
pub(crate) fn object<'js>(ctx: &Ctx<'js>, bound: &Rc<Bound>) -> Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;

    /// Sets a function of `natives` that is refused once the script is to stop.
    macro_rules! native {
        ($name:literal, |$ctx:ident, $run:ident $(, $arg:ident: $type:ty)*| $body:expr) => {{
            // Weak, so that an engine that forgets a function keeps nothing of the host.
            let bound = Rc::downgrade(bound);
            let function = move |$ctx: Ctx<'js> $(, $arg: $type)*| -> Result<Value<'js>> {
                let bound = bound.upgrade();
                let Some(run) = bound.as_ref().and_then(|bound| bound.run.get()) else {
                    return Err(Exception::throw_message(&$ctx, "there is no script"));
                };
                due(&$ctx, bound.as_deref())?;
                let $run = run;
                let value = $body.into_js(&$ctx)?;
                if run.script.stopped() == Some(Stop::Panicked) {
                    return Err(Exception::throw_message(&$ctx, "the script is being stopped"));
                }
                Ok(value)
            };
            natives.set($name, Function::new(ctx.clone(), function)?)?;
        }};
    }

    native!("call", |ctx, run, name: String, arguments: String| {
        match run.call(name, arguments) {
            Ok(id) => id.into_js(&ctx)?,
            Err(refused) => refused.into_js(&ctx)?,
        }
    });
    native!("refresh", |ctx, run| run.refresh());
    native!("resolve", |ctx, run, name: String| {
        run.ask(|host| match host.resolve(&name) {
            Resolved::Tool(tool) => json!({ "tool": tool }),
            Resolved::Unknown(near) => json!({ "near": near }),
            Resolved::Ambiguous(names) => json!({ "ambiguous": names }),
        })
    });
    native!("search", |ctx,
                       run,
                       query: String,
                       limit: Option<i64>,
                       namespace: Option<String>| {
        let search = Search {
            query,
            limit,
            namespace,
        };
        run.ask(|host| json!(host.search(&search)))
    });
    native!("describe", |ctx, run, name: String| run
        .script
        .ask(|host| host.describe(&name))
        .flatten());
    native!("namespace", |ctx, run, name: String| {
        run.ask(|host| match host.namespace(&name) {
            Ok(namespace) => json!(namespace),
            Err(near) => json!({ "unknown": near }),
        })
    });
    native!("tools", |ctx, run| {
        let limit = run.script.limits.script_listed_tools;
        run.ask(|host| {
            let (tools, total) = host.tools(limit);
            json!({ "tools": tools, "total": total })
        })
    });
    native!("write", |ctx, run, text: String| run.write(&text));
    native!("load", |ctx, run, key: String| run.load(&key));
    native!("store", |ctx, run, key: String, value: Option<String>| run
        .store(key, value));
    native!("exit", |ctx, run| run.script.stop(Stop::Exit));
    Ok(natives)
}
