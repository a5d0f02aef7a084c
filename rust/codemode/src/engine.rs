//! One script in one engine, on the thread that it was given.

use std::{collections::HashMap, rc::Rc, sync::Arc};

use rquickjs::{
    Ctx, Error, Exception, Function, Object, Promise, Result, Value, context::EvalOptions,
    promise::PromiseState,
};
use serde_json::value::RawValue;
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};

use crate::{
    Completion, Failure, FailureKind,
    natives::Run,
    sandbox::Sandbox,
    script::{Event, Phase, Script, Stop},
};

/// The name of the script in stacks.
const SCRIPT: &str = "script.js";
/// Makes `await` and `return` of the top level mean what they seem to; on the first line, so that
/// the lines are the script's own.
const HEAD: &str = "(async function () {";
const TAIL: &str = "\n})";
/// No more of a line is repeated in a failure, in bytes.
const LINE_BYTES: usize = 120;

/// What a script came to: the JSON of what it returned, if anything.
pub(crate) type End = std::result::Result<Option<String>, Failure>;

type Inbox = mpsc::UnboundedReceiver<Event>;

/// Runs the script in `sandbox`, which is made if there is none yet and has served its time
/// afterwards; comes back when the script has ended, was stopped, or can never end.
pub(crate) fn run(
    script: &Arc<Script>,
    tokio: &tokio::runtime::Runtime,
    sandbox: &mut Option<Sandbox>,
) -> End {
    let inbox = script.inbox().ok_or_else(|| bug("it was run twice"))?;
    let sandbox = match sandbox {
        Some(made) => made,
        None => {
            let made = Sandbox::new(&script.limits);
            // Nothing but the engine's own code has run.
            sandbox.insert(made.map_err(|_| out_of_memory(script))?)
        }
    };
    let run = Rc::new(Run::new(Arc::clone(script)));
    if sandbox.bound.run.set(Rc::clone(&run)).is_err() {
        return Err(bug("its engine was used before"));
    }
    let mut engine = Engine {
        script,
        tokio,
        inbox,
        sandbox,
        since: Instant::now(),
    };
    let value = engine.run(&run)?;
    match script.ask(|host| host.commit(run.take_writes())) {
        Some(Ok(())) => Ok(value),
        Some(Err(message)) => Err(Failure {
            kind: FailureKind::Limit,
            message,
        }),
        None => Err(bug("what it stored could not be kept")),
    }
}

pub(crate) fn bug(what: &str) -> Failure {
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
    sandbox: &'a Sandbox,
    /// When the present phase of running began.
    since: Instant,
}

impl Engine<'_> {
    fn run(&mut self, run: &Rc<Run>) -> End {
        let sandbox = self.sandbox;
        sandbox.context.with(|ctx| {
            self.begin_running();
            let end = self.script_in(&ctx, run);
            self.end_running();
            end
        })
    }

    /// The whole of the script; begins and ends in a phase of running.
    fn script_in(&mut self, ctx: &Ctx<'_>, run: &Rc<Run>) -> End {
        let started = self.start(ctx);
        let (prelude, answer) = self.or_failure(ctx, started)?;
        loop {
            while self.script.stopped().is_none() && ctx.execute_pending_job() {
                if self.sandbox.bound.is_late() {
                    self.script.stop(Stop::Ran);
                }
            }
            if let Some(stop) = self.script.stopped() {
                return stop.failure(&self.script.limits).map_or(Ok(None), Err);
            }
            match answer.state() {
                PromiseState::Pending => {}
                PromiseState::Resolved => return self.answer(ctx, &prelude, &answer),
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
                let settled = self.settle(ctx, &prelude, run, id, completion);
                self.or_failure(ctx, settled)?;
            }
        }
    }

    /// Reads and calls the script.
    fn start<'js>(&self, ctx: &Ctx<'js>) -> Result<(Object<'js>, Promise<'js>)> {
        let prelude = self.sandbox.prelude(ctx)?;
        let source = [HEAD, &self.script.code, TAIL].concat();
        let mut options = EvalOptions::default();
        options.filename = Some(SCRIPT.to_owned());
        let main: Value<'_> = ctx.eval_with_options(source, options)?;
        let answer = prelude.get::<_, Function<'_>>("run")?.call((main,))?;
        Ok((prelude, answer))
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
        prelude: &Object<'js>,
        run: &Rc<Run>,
        id: u32,
        completion: Completion,
    ) -> Result<()> {
        let settle: Function<'_> = prelude.get("settle")?;
        match completion {
            Completion::Refreshed if run.refreshed(id) => settle.call((id, "refreshed")),
            Completion::Unknown if run.refreshed(id) => settle.call((id, "unknown")),
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
    fn answer<'js>(&self, ctx: &Ctx<'js>, prelude: &Object<'js>, answer: &Promise<'js>) -> End {
        let text = answer.result::<String>().unwrap_or(Err(Error::Unknown));
        let value = self.read(&self.or_failure(ctx, text)?)?;
        let overlooked = self.sandbox.rejections.borrow_mut().drain(..).next();
        let Some([_, reason]) = overlooked else {
            return Ok(value);
        };
        let told = reason
            .restore(ctx)
            .and_then(|reason| prelude.get::<_, Function<'_>>("failed")?.call((reason,)));
        let text: String = self.or_failure(ctx, told)?;
        self.read(&text).map_err(|mut failure| {
            failure.message += " (of a promise that the script did not await)";
            failure
        })
    }

    /// Reads the JSON in which the prelude answers.
    fn read(&self, answer: &str) -> End {
        let Ok(fields) = serde_json::from_str::<HashMap<&str, &RawValue>>(answer) else {
            return Err(bug("its answer cannot be read"));
        };
        let text = |name| {
            let field: Option<&&RawValue> = fields.get(name);
            field.and_then(|text| serde_json::from_str::<String>(text.get()).ok())
        };
        let Some(message) = text("failure") else {
            return Ok(fields.get("value").map(|value| value.get().to_owned()));
        };
        if matches!(&*message, "null" | "undefined") && self.sandbox.bound.ran_out.get() {
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
                .unwrap_or_else(|| bug("it exited too soon")));
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
                other => bug(&other.to_string()),
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
        self.sandbox.bound.until.set(Some(until));
        self.since = Instant::now();
        self.script.phase.send_replace(Phase::Running(until));
    }

    fn end_running(&mut self) {
        self.script.phase.send_replace(Phase::Waiting);
        self.script.progress().clock.ran += self.since.elapsed();
    }
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
