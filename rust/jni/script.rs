//! Natives of scripts, and the upcalls by which a script reaches Java.
//!
//! A script runs on a thread of its registry's pool. What it asks of Java goes to `ScriptRun.event`,
//! which hands it to an executor and returns; the answer comes back by id, through
//! [`script_reply`]. So no thread of the pool waits in Java, and no Java thread waits here.

use std::{
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use jni::{
    Env, JavaVM, NativeMethod, jni_sig, jni_str,
    objects::{JByteArray, JClass, JObject},
    refs::Global,
    sys::jlong,
};
use toolcrib_codemode::{
    CallState, Completion, Failure, FailureKind, Host, Namespace, Outcome, Pool, Reply, ReplyKind,
    Resolved, Script, Search, Summary, ThreadHooks,
};
use toolcrib_core::{
    session::{ScriptName, Session},
    tool::Tool,
};

use crate::{
    error::Result,
    handles::Handles,
    library::native,
    limits,
    session::SESSIONS,
    throw::{Throw, forgiving},
    wire::{Reader, Writer},
};

/// The pools of open registries.
static POOLS: Handles<Pool> = Handles::new(2, "tool registry");
/// The scripts that have not finished.
static SCRIPTS: Handles<Arc<Script>> = Handles::new(3, "script");

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn script_pool_open(frame: jbyte[]) -> jlong),
    native!(fn script_pool_limits(pool: jlong) -> jbyte[]),
    native!(fn script_pool_close(pool: jlong)),
    native!(fn script_start(pool: jlong, session: jlong, code: jbyte[], run: JObject) -> jlong),
    native!(fn script_reply(script: jlong, frame: jbyte[])),
    native!(fn script_cancel(script: jlong)),
];

/// What `ScriptRun.event` is told; the numbers are the wire's.
#[derive(Clone, Copy)]
enum Tell {
    Call = 0,
    Refresh = 1,
    Abandon = 2,
    Finished = 3,
    Overran = 4,
}

/// What Java answers; the position of each is its number on the wire.
#[derive(Clone, Copy)]
enum Answer {
    Refreshed,
    Replied,
    Unknown,
}

impl Answer {
    const ALL: [Self; 3] = [Self::Refreshed, Self::Replied, Self::Unknown];
}

/// How much of a description a list has, in bytes.
const SUMMARY_BYTES: usize = 300;

fn script_pool_open(env: &mut Env<'_>, _: JClass<'_>, frame: JByteArray<'_>) -> Result<jlong> {
    let limits = Reader::read(&env.convert_byte_array(frame)?, limits::read_script)?;
    let hooks = ThreadHooks {
        begin: attach,
        end: detach,
    };
    Ok(POOLS.insert(Pool::new(limits, hooks)))
}

fn script_pool_limits<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    pool: jlong,
) -> Result<JByteArray<'local>> {
    let pool = POOLS.get(pool)?;
    let mut frame = Writer::new();
    limits::write_script(&mut frame, pool.limits());
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn script_pool_close(_: &mut Env<'_>, _: JClass<'_>, pool: jlong) -> Result<()> {
    if let Ok(open) = POOLS.get(pool) {
        open.close();
    }
    POOLS.close(pool);
    Ok(())
}

fn script_start(
    env: &mut Env<'_>,
    _: JClass<'_>,
    pool: jlong,
    session: jlong,
    code: JByteArray<'_>,
    run: JObject<'_>,
) -> Result<jlong> {
    let pool = POOLS.get(pool)?;
    let code = env.convert_byte_array(code)?;
    let code = toolcrib_core::json::text("the script", &code)?.to_owned();
    let host = Arc::new(JavaHost {
        session: SESSIONS.get(session)?,
        run: env.new_global_ref(run)?,
        script: OnceLock::new(),
        preview_bytes: pool.limits().script_preview_bytes,
    });
    let script = pool.script(code, Arc::clone(&host) as Arc<dyn Host>)?;
    let number = SCRIPTS.insert(Arc::clone(&script));
    // Nobody else sets it, and it is set before anything of the script runs.
    let _ = host.script.set(number);
    if let Err(refused) = pool.start(&script) {
        SCRIPTS.close(number);
        return Err(refused.into());
    }
    Ok(number)
}

fn script_reply(
    env: &mut Env<'_>,
    _: JClass<'_>,
    script: jlong,
    frame: JByteArray<'_>,
) -> Result<()> {
    let (id, completion) = Reader::read(&env.convert_byte_array(frame)?, |frame| {
        let id = u32::try_from(frame.number()?).unwrap_or(0);
        let completion = match frame.constant(&Answer::ALL)? {
            Answer::Refreshed => Completion::Refreshed,
            Answer::Unknown => Completion::Unknown,
            Answer::Replied => Completion::Replied(Reply {
                kind: frame.constant(&ReplyKind::ALL)?,
                text: frame.text()?.to_owned(),
                structured: frame.optional(|frame| Ok(frame.text()?.to_owned()))?,
                content: frame.optional(|frame| Ok(frame.text()?.to_owned()))?,
            }),
        };
        Ok((id, completion))
    })?;
    // A script that has finished needs no answer any more.
    if let Ok(script) = SCRIPTS.get(script) {
        script.complete(id, completion);
    }
    Ok(())
}

fn script_cancel(_: &mut Env<'_>, _: JClass<'_>, script: jlong) -> Result<()> {
    if let Ok(script) = SCRIPTS.get(script) {
        script.cancel();
    }
    Ok(())
}

/// How often Java is told of the end of a script that it has no memory for, for half a minute.
const TRIES_TO_TELL: usize = 150;
const TIME_BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// The session of a script, and the Java object that executes its calls.
struct JavaHost {
    session: Arc<Session>,
    run: Global<JObject<'static>>,
    script: OnceLock<jlong>,
    preview_bytes: usize,
}

impl JavaHost {
    fn number(&self) -> jlong {
        self.script.get().copied().unwrap_or(0)
    }

    /// Tells Java; false if Java threw or there is no way to it.
    fn tell(&self, what: Tell, write: impl FnOnce(&mut Writer)) -> bool {
        let mut frame = Writer::new();
        frame.number(what as u64);
        write(&mut frame);
        let frame = frame.finish();
        let Ok(vm) = JavaVM::singleton() else {
            return false;
        };
        // The thread is attached already: by `attach`, or because it is one of Java's.
        let told = vm.attach_current_thread(|env| -> jni::errors::Result<bool> {
            Ok(forgiving(env, |env| {
                let frame = env.byte_array_from_slice(&frame)?;
                env.call_method(
                    &self.run,
                    jni_str!("event"),
                    jni_sig!((long, byte[]) -> void),
                    &[self.number().into(), (&frame).into()],
                )?;
                Ok(())
            }))
        });
        told.unwrap_or(false)
    }

    /// Completes what Java could not be asked for.
    fn complete(&self, id: u32, completion: Completion) {
        if let Ok(script) = SCRIPTS.get(self.number()) {
            script.complete(id, completion);
        }
    }
}

impl Host for JavaHost {
    fn call(&self, id: u32, name: &str, arguments: &str) {
        let told = self.tell(Tell::Call, |frame| {
            frame.number(id.into()).text(name).text(arguments);
        });
        if !told {
            let reply = Reply {
                kind: ReplyKind::Unavailable,
                text: format!("{name} cannot be executed now."),
                structured: None,
                content: None,
            };
            self.complete(id, Completion::Replied(reply));
        }
    }

    fn refresh(&self, id: u32) {
        let told = self.tell(Tell::Refresh, |frame| {
            frame.number(id.into());
        });
        if !told {
            self.complete(id, Completion::Unknown);
        }
    }

    fn abandon(&self, id: u32) {
        self.tell(Tell::Abandon, |frame| {
            frame.number(id.into());
        });
    }

    fn resolve(&self, name: &str) -> Resolved {
        let names = |names: Vec<Arc<str>>| names.iter().map(ToString::to_string).collect();
        match self.session.script_name(name) {
            ScriptName::Tool(tool) => Resolved::Tool(tool.name().to_string()),
            ScriptName::Unknown(near) => Resolved::Unknown(names(near)),
            ScriptName::Ambiguous(several) => Resolved::Ambiguous(names(several)),
        }
    }

    fn search(&self, search: &Search) -> Vec<Summary> {
        let namespace = search.namespace.as_deref();
        let found = self
            .session
            .script_search(&search.query, search.limit, namespace);
        found.iter().map(summary).collect()
    }

    fn describe(&self, name: &str) -> Option<String> {
        self.session.script_declaration(name)
    }

    fn namespace(&self, name: &str) -> Result<Namespace, Vec<String>> {
        let names = |names: Vec<Arc<str>>| names.iter().map(ToString::to_string).collect();
        let found = self.session.script_namespace(name).map_err(names)?;
        Ok(Namespace {
            name: found.source.name().to_string(),
            description: found.source.description().to_owned(),
            instructions: found.source.instructions().to_owned(),
            tools: names(found.tools),
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
        SCRIPTS.close(self.number());
        if self.tell(Tell::Finished, |frame| {
            write_outcome(frame, &outcome, self.preview_bytes);
        }) {
            return;
        }
        // Java has no memory for it. Somebody waits for the end, so at least that has to arrive.
        let lost = Outcome {
            output: String::new(),
            value: None,
            failure: Some(Failure {
                kind: FailureKind::Sandbox,
                message: "Its result was lost: Java had no memory for it.".into(),
            }),
            ..outcome
        };
        for _ in 0..TRIES_TO_TELL {
            thread::sleep(TIME_BETWEEN_TRIES);
            if self.tell(Tell::Finished, |frame| {
                write_outcome(frame, &lost, self.preview_bytes);
            }) {
                return;
            }
        }
    }

    fn overran(&self) {
        self.tell(Tell::Overran, |_| ());
    }
}

fn summary(tool: &Arc<Tool>) -> Summary {
    Summary {
        name: tool.name().to_string(),
        description: tool.summary(SUMMARY_BYTES),
    }
}

fn write_outcome(frame: &mut Writer, outcome: &Outcome, preview_bytes: usize) {
    frame
        .text(&outcome.text(preview_bytes))
        .text(&outcome.output);
    frame.optional_text(outcome.value.as_deref());
    frame.optional(outcome.failure.as_ref(), |frame, failure| {
        frame.number(position(failure)).text(&failure.message);
    });
    frame.list(&outcome.calls, |frame, call| {
        frame.number(call.id.into()).text(&call.name);
        // What never began, what is not known, and then how it ended.
        frame.number(match call.state {
            CallState::Waiting => 0,
            CallState::Abandoned => 1,
            CallState::Done(kind) => 2 + kind as u64,
        });
    });
    frame
        .number(outcome.ran.as_nanos() as u64)
        .number(outcome.waited.as_nanos() as u64);
}

fn position(failure: &Failure) -> u64 {
    let of = |kind: &FailureKind| *kind == failure.kind;
    FailureKind::ALL.iter().position(of).unwrap_or(0) as u64
}

/// Attaches the current thread, which the library made, as a daemon: it must not keep the JVM from
/// exiting. The `jni` crate attaches as a user thread only, so this asks the JVM itself.
fn attach() {
    let Ok(vm) = JavaVM::singleton() else { return };
    let vm = vm.get_raw();
    let mut env = std::ptr::null_mut();
    // SAFETY: the interface is the JVM's own, of JNI 1.4 or newer as `JNI_OnLoad` demands 1.8; the
    // thread was made a moment ago and is not attached. Null arguments stand for the defaults.
    unsafe { ((**vm).v1_4.AttachCurrentThreadAsDaemon)(vm, &mut env, std::ptr::null_mut()) };
}

/// Detaches the current thread before it ends.
fn detach() {
    let Ok(vm) = JavaVM::singleton() else { return };
    let vm = vm.get_raw();
    // SAFETY: the interface is the JVM's own; `attach` attached this thread, nothing of Java is on
    // its stack, and every reference made on it went with the frame it was made in.
    unsafe { ((**vm).v1_1.DetachCurrentThread)(vm) };
}
