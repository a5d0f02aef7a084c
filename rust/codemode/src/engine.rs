//! One script in one engine, on the thread that it was given.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    sync::Arc,
};

use rquickjs::{
    Context, Ctx, Error, Exception, FromJs, Function, Object, Persistent, Promise, Result, Runtime,
    Value, context::EvalOptions, promise::PromiseState,
};
use serde_json::value::RawValue;
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};

use crate::{
    Completion, Failure, FailureKind,
    memory::Memory,
    natives::{self, Run},
    script::{Event, Phase, Script, Stop},
};

/// The name of the script in stacks.
const SCRIPT: &str = "script.js";
/// Makes `await` and `return` of the top level mean what they seem to; on the first line, so that
/// the lines are the script's own.
const HEAD: &str = "(async function () {";
const TAIL: &str = "\n})";
const PRELUDE: &str = include_str!("prelude.js");
/// No more of a line is repeated in a failure, in bytes.
const LINE_BYTES: usize = 120;
/// Rejections that nothing has handled are remembered up to this number; one is enough to fail.
const REJECTIONS: usize = 64;
/// Less does not hold the engine itself, whose start cannot fail in order.
const LEAST_MEMORY: usize = 1 << 20;
/// Stack that is left to what the engine and the host do beyond the script's own limit.
const MOST_STACK: usize = 4 << 20;

/// What a script came to: the JSON of what it returned, if anything.
pub(crate) type End = std::result::Result<Option<String>, Failure>;

type Inbox = mpsc::UnboundedReceiver<Event>;
type Rejections = Rc<RefCell<Vec<[Persistent<Value<'static>>; 2]>>>;

/// Runs the script; comes back when it has ended, was stopped, or can never end.
pub(crate) fn run(script: &Arc<Script>, tokio: &tokio::runtime::Runtime) -> End {
    let inbox = script.inbox().ok_or_else(|| sandbox("it was run twice"))?;
    let run = Rc::new(Run::new(Arc::clone(script)));
    let mut engine =
        Engine::new(script, tokio, inbox).map_err(|error| sandbox(&error.to_string()))?;
    let end = engine.run(&run);
    drop(engine);
    let value = end?;
    match script.ask(|host| host.commit(run.take_writes())) {
        Some(Ok(())) => Ok(value),
        Some(Err(message)) => Err(Failure {
            kind: FailureKind::Limit,
            message,
        }),
        None => Err(sandbox("what it stored could not be kept")),
    }
}

pub(crate) fn sandbox(what: &str) -> Failure {
    Failure {
        kind: FailureKind::Sandbox,
        message: format!("The script could not be run: {what}."),
    }
}

pub(crate) fn cancelled() -> Failure {
    Failure {
        kind: FailureKind::Cancelled,
        message: "The script was cancelled before it ran.".into(),
    }
}

struct Engine<'a> {
    script: &'a Arc<Script>,
    tokio: &'a tokio::runtime::Runtime,
    inbox: Inbox,
    /// When the present phase of running has to end.
    until: Rc<Cell<Instant>>,
    /// When it began.
    since: Instant,
    /// Whether the engine was ever refused memory.
    ran_out: Rc<Cell<bool>>,
    rejections: Rejections,
    context: Context,
}

impl<'a> Engine<'a> {
    fn new(
        script: &'a Arc<Script>,
        tokio: &'a tokio::runtime::Runtime,
        inbox: Inbox,
    ) -> Result<Self> {
        let limits = &script.limits;
        let ran_out = Rc::new(Cell::new(false));
        let memory = Memory::new(
            limits.script_memory_bytes.max(LEAST_MEMORY),
            Rc::clone(&ran_out),
        );
        let runtime = Runtime::new_with_alloc(memory)?;
        runtime.set_max_stack_size(limits.script_stack_bytes.clamp(1, MOST_STACK));
        let until = Rc::new(Cell::new(Instant::now()));
        let (watched, deadline) = (Arc::clone(script), Rc::clone(&until));
        runtime.set_interrupt_handler(Some(Box::new(move || {
            if Instant::now() >= deadline.get() {
                watched.stop(Stop::Ran);
            }
            watched.stopped().is_some()
        })));
        let rejections = Rejections::default();
        let tracked = Rc::clone(&rejections);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            move |ctx, promise, reason, is_handled| {
                let mut rejections = tracked.borrow_mut();
                let promise = Persistent::save(&ctx, promise);
                if is_handled {
                    rejections.retain(|[of, _]| *of != promise);
                } else if rejections.len() < REJECTIONS {
                    rejections.push([promise, Persistent::save(&ctx, reason)]);
                }
            },
        )));
        Ok(Self {
            script,
            tokio,
            inbox,
            until,
            since: Instant::now(),
            ran_out,
            rejections,
            context: Context::full(&runtime)?,
        })
    }

    fn run(&mut self, run: &Rc<Run>) -> End {
        let context = self.context.clone();
        context.with(|ctx| {
            self.begin_running();
            let end = self.script_in(&ctx, run);
            self.end_running();
            // They hold on to values of the context.
            self.rejections.borrow_mut().clear();
            end
        })
    }

    /// The whole of the script; begins and ends in a phase of running.
    fn script_in(&mut self, ctx: &Ctx<'_>, run: &Rc<Run>) -> End {
        let started = self.start(ctx, run);
        let (sandbox, answer) = self.or_failure(ctx, started)?;
        loop {
            while self.script.stopped().is_none() && ctx.execute_pending_job() {
                if Instant::now() >= self.until.get() {
                    self.script.stop(Stop::Ran);
                }
            }
            if let Some(stop) = self.script.stopped() {
                return stop.failure(&self.script.limits).map_or(Ok(None), Err);
            }
            match answer.state() {
                PromiseState::Pending => {}
                PromiseState::Resolved => return self.answer(ctx, &sandbox, &answer),
                PromiseState::Rejected => {
                    let rejected = answer.result::<()>().unwrap_or(Ok(()));
                    return self.or_failure(ctx, rejected).map(|()| None);
                }
            }
            if !run.expects_something() {
                return Err(Failure {
                    kind: FailureKind::Script,
                    message: "The script awaits a promise that nothing can settle any more.".into(),
                });
            }
            if let Some(Event::Completed(id, completion)) = self.wait() {
                let settled = self.settle(ctx, &sandbox, run, id, completion);
                self.or_failure(ctx, settled)?;
            }
        }
    }

    /// Prepares the context and calls the script.
    fn start<'js>(&self, ctx: &Ctx<'js>, run: &Rc<Run>) -> Result<(Object<'js>, Promise<'js>)> {
        let natives = natives::object(ctx, run)?;
        let prelude: Function<'_> = evaluate(ctx, "prelude.js", PRELUDE)?;
        let sandbox: Object<'_> = prelude.call((natives,))?;
        let source = [HEAD, &self.script.code, TAIL].concat();
        let main: Value<'_> = evaluate(ctx, SCRIPT, &source)?;
        let answer = sandbox.get::<_, Function<'_>>("run")?.call((main,))?;
        Ok((sandbox, answer))
    }

    /// Waits for the next event; None when the time to wait is over.
    fn wait(&mut self) -> Option<Event> {
        // What is there already needs no waiting.
        if let Ok(event) = self.inbox.try_recv() {
            return Some(event);
        }
        self.end_running();
        let began = Instant::now();
        let until = self.script.progress().clock.wait_until(&self.script.limits);
        let inbox = &mut self.inbox;
        let event = self
            .tokio
            .block_on(async { timeout_at(until, inbox.recv()).await });
        self.script.progress().clock.waited += began.elapsed();
        self.begin_running();
        event.unwrap_or_else(|_| {
            self.script.stop(Stop::Waited);
            None
        })
    }

    fn settle<'js>(
        &self,
        ctx: &Ctx<'js>,
        sandbox: &Object<'js>,
        run: &Rc<Run>,
        id: u32,
        completion: Completion,
    ) -> Result<()> {
        let settle: Function<'_> = sandbox.get("settle")?;
        match completion {
            Completion::Refreshed if run.refreshed(id) => settle.call((id, "refreshed")),
            Completion::Replied(reply) if run.replied(id, reply.kind) => {
                let limit = self.script.limits.script_result_bytes;
                let length = |json: &Option<String>| json.as_ref().map_or(0, String::len);
                let bytes = reply.text.len() + length(&reply.structured) + length(&reply.content);
                if bytes > limit {
                    let text = format!(
                        "The call was executed, but its result of {bytes} bytes is more than a script may read, {limit} (script_result_bytes)."
                    );
                    return settle.call((id, "limit", text));
                }
                let json = |json: Option<String>| -> Result<Value<'js>> {
                    match json {
                        Some(json) => {
                            Ok(rquickjs::String::from_str(ctx.clone(), &json)?.into_value())
                        }
                        None => Ok(Value::new_undefined(ctx.clone())),
                    }
                };
                let structured = json(reply.structured)?;
                let content = json(reply.content)?;
                settle.call((id, reply.kind.word(), reply.text, structured, content))
            }
            _ => Ok(()),
        }
    }

    /// What the script's own promise came to.
    fn answer<'js>(&self, ctx: &Ctx<'js>, sandbox: &Object<'js>, answer: &Promise<'js>) -> End {
        let text = answer.result::<String>().unwrap_or(Err(Error::Unknown));
        let value = self.read(&self.or_failure(ctx, text)?)?;
        let overlooked = self.rejections.borrow_mut().drain(..).next();
        let Some([_, reason]) = overlooked else {
            return Ok(value);
        };
        let told = reason
            .restore(ctx)
            .and_then(|reason| sandbox.get::<_, Function<'_>>("failed")?.call((reason,)));
        let text: String = self.or_failure(ctx, told)?;
        self.read(&text).map_err(|mut failure| {
            failure.message += " (of a promise that the script did not await)";
            failure
        })
    }

    /// Reads the JSON in which the prelude answers.
    fn read(&self, answer: &str) -> End {
        let Ok(fields) = serde_json::from_str::<HashMap<&str, &RawValue>>(answer) else {
            return Err(sandbox("its answer cannot be read"));
        };
        let text = |name| {
            let field: Option<&&RawValue> = fields.get(name);
            field.and_then(|text| serde_json::from_str::<String>(text.get()).ok())
        };
        let Some(message) = text("failure") else {
            return Ok(fields.get("value").map(|value| value.get().to_owned()));
        };
        if message == "null" && self.ran_out.get() {
            // What the engine throws where there is no memory for an error.
            return Err(out_of_memory(self.script));
        }
        let limit = fields
            .get("limit")
            .is_some_and(|limit| limit.get() == "true");
        let kind = if limit {
            FailureKind::Limit
        } else {
            FailureKind::Script
        };
        Err(self.failure(kind, message, &text("stack").unwrap_or_default()))
    }

    /// The failure that an error of the engine stands for. An exception of the script's is caught
    /// by the prelude; what comes here is one that the prelude could not handle.
    fn or_failure<T>(&self, ctx: &Ctx<'_>, result: Result<T>) -> std::result::Result<T, Failure> {
        let error = match result {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let thrown = matches!(error, Error::Exception).then(|| ctx.catch());
        if let Some(stop) = self.script.stopped() {
            return Err(stop
                .failure(&self.script.limits)
                .unwrap_or_else(|| sandbox("it exited too soon")));
        }
        let exception = thrown
            .and_then(Value::into_object)
            .and_then(Exception::from_object);
        let Some(exception) = exception else {
            return Err(match error {
                Error::InvalidString(_) => Failure {
                    kind: FailureKind::Script,
                    message: "The script has a NUL character.".into(),
                },
                // There was not even memory for the exception.
                Error::Exception | Error::Allocation => out_of_memory(self.script),
                other => sandbox(&other.to_string()),
            });
        };
        let name: String = exception.get("name").unwrap_or_default();
        let message = exception.message().unwrap_or_default();
        if message == "out of memory" {
            return Err(out_of_memory(self.script));
        }
        let stack = exception.stack().unwrap_or_default();
        Err(self.failure(FailureKind::Script, format!("{name}: {message}"), &stack))
    }

    /// A failure with the line of the script that its stack names first.
    fn failure(&self, kind: FailureKind, mut message: String, stack: &str) -> Failure {
        let number = stack.split_once("script.js:").map(|(_, rest)| {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            rest[..digits].parse::<usize>().unwrap_or(0)
        });
        let lines = self.script.code.lines().count();
        if let Some(number) = number
            .map(|number| number.min(lines))
            .filter(|number| *number > 0)
        {
            let line = self
                .script
                .code
                .lines()
                .nth(number - 1)
                .unwrap_or_default()
                .trim();
            let shown = &line[..line.floor_char_boundary(LINE_BYTES)];
            message += &format!(", at line {number}: {shown}");
        }
        Failure { kind, message }
    }

    fn begin_running(&mut self) {
        let until = self.script.progress().clock.run_until(&self.script.limits);
        self.until.set(until);
        self.since = Instant::now();
        self.script.phase.send_replace(Phase::Running(until));
    }

    fn end_running(&mut self) {
        self.script.phase.send_replace(Phase::Waiting);
        self.script.progress().clock.ran += self.since.elapsed();
    }
}

/// Evaluates `source` in strict mode.
fn evaluate<'js, V: FromJs<'js>>(ctx: &Ctx<'js>, name: &str, source: &str) -> Result<V> {
    let mut options = EvalOptions::default();
    options.filename = Some(name.to_owned());
    ctx.eval_with_options(source, options)
}

fn out_of_memory(script: &Script) -> Failure {
    Failure {
        kind: FailureKind::Limit,
        message: format!(
            "The script needed more than {} bytes of memory (script_memory_bytes).",
            script.limits.script_memory_bytes
        ),
    }
}
