//! An engine in which everything that a script finds stands ready, and no script yet. Making one is
//! most of what a short script costs, so threads make them ahead; each is for one script alone.

use std::{
    cell::{Cell, OnceCell, RefCell},
    ffi::{CStr, CString},
    rc::Rc,
    slice,
    sync::OnceLock,
};

use rquickjs::{Context, Ctx, Error, Function, Object, Persistent, Result, Runtime, Value, qjs};
use tokio::time::Instant;

use crate::{
    ScriptLimits,
    collections::Collections,
    memory::Memory,
    natives::{self, Run},
    script::Stop,
};

/// What runs in an engine before a script; each is a function.
const SCRIPTS: [(&CStr, &str); 4] = [
    (c"texts.js", include_str!("prelude/texts.js")),
    (c"lists.js", include_str!("prelude/lists.js")),
    (c"prelude.js", include_str!("prelude/prelude.js")),
    (c"freeze.js", include_str!("prelude/freeze.js")),
];
/// Rejections that nothing has handled are remembered up to this number; one is enough to fail.
const REJECTIONS: usize = 64;
/// Less does not hold the engine itself, whose start cannot fail in order.
const LEAST_MEMORY: usize = 1 << 20;
/// Bytes at which the engine looks for what nobody uses any more, for the first time; a bit more than
/// it has when a script begins.
const FIRST_COLLECTION: usize = 640 << 10;
/// Stack that is left to what the engine and the host do beyond the script's own limit.
const MOST_STACK: usize = 4 << 20;

/// Promises that were rejected and not handled, each with its reason.
pub(crate) type Rejections = Rc<RefCell<Vec<[Persistent<Value<'static>>; 2]>>>;

/// An engine for one script. It stays on the thread that made it.
pub(crate) struct Sandbox {
    pub rejections: Rejections,
    /// A value of the context, which goes before it.
    prelude: Persistent<Object<'static>>,
    pub bound: Rc<Bound>,
    pub context: Context,
}

/// What the functions of an engine know of the script that it runs, once there is one.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    pub run: OnceCell<Rc<Run>>,
    /// When the present phase of running has to end.
    pub until: Cell<Option<Instant>>,
    /// Whether the engine was ever refused memory.
    pub ran_out: Cell<bool>,
    pub collections: Collections,
}

impl Bound {
    /// Whether the present phase of running had to end by now.
    pub fn is_late(&self) -> bool {
        self.until
            .get()
            .is_some_and(|until| Instant::now() >= until)
    }

    /// Whether the script is to stop; not one that has made an end itself, which may still say so.
    pub fn is_over(&self) -> bool {
        let run = self.run.get();
        run.is_some_and(|run| run.script.stopped().is_some_and(|stop| stop != Stop::Exit))
    }

    /// Whether the engine is to come to its end now.
    pub fn interrupts(&self) -> bool {
        let Some(run) = self.run.get() else {
            return false;
        };
        if self.is_late() {
            run.script.stop(Stop::Ran);
        }
        run.script.stopped().is_some()
    }
}

impl Sandbox {
    /// # Errors
    ///
    /// If the memory that a script may have does not hold an engine.
    pub fn new(limits: &ScriptLimits) -> Result<Self> {
        let bound = Rc::<Bound>::default();
        let memory = Memory::new(
            limits.script_memory_bytes.max(LEAST_MEMORY),
            Rc::clone(&bound),
        );
        let runtime = Runtime::new_with_alloc(memory)?;
        runtime.set_max_stack_size(limits.script_stack_bytes.clamp(1, MOST_STACK));
        // There is nothing to collect before the script.
        runtime.set_gc_threshold(usize::MAX);
        let asked = Rc::clone(&bound);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            asked.collections.resume();
            asked.interrupts()
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
        let context = Context::full(&runtime)?;
        let prelude = context.with(|ctx| {
            let natives = natives::object(&ctx, &bound)?;
            let [texts, lists, prelude, freeze] = functions(&ctx)?;
            let asking = natives::asking(&ctx, &bound)?;
            texts.call::<_, ()>((asking.clone(),))?;
            lists.call::<_, ()>((asking,))?;
            let prelude: Object<'_> = prelude.call((natives,))?;
            freeze.call::<_, ()>(())?;
            Ok::<_, Error>(Persistent::save(&ctx, prelude))
        })?;
        runtime.set_gc_threshold(FIRST_COLLECTION);
        context.with(|ctx| bound.collections.of(&ctx));
        Ok(Self {
            rejections,
            prelude,
            bound,
            context,
        })
    }

    /// What the prelude gives to the host.
    pub fn prelude<'js>(&self, ctx: &Ctx<'js>) -> Result<Object<'js>> {
        self.prelude.clone().restore(ctx)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // They hold values of the context, and the engine has them as well.
        self.rejections.borrow_mut().clear();
    }
}

/// The functions of [`SCRIPTS`]. Their code is read once in a process, in an engine of its own; what
/// the others get is what the engine made of it.
fn functions<'js>(ctx: &Ctx<'js>) -> Result<[Function<'js>; 4]> {
    static CODE: OnceLock<[Vec<u8>; 4]> = OnceLock::new();
    let code = match CODE.get() {
        Some(code) => code,
        None => {
            let made = Context::full(&Runtime::new()?)?.with(|ctx| compile(&ctx))?;
            CODE.get_or_init(|| made)
        }
    };
    let raw = ctx.as_raw().as_ptr();
    let read = |code: &Vec<u8>| {
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        // SAFETY: the bytes were written by `compile`, by this engine in this process, and nobody
        // has changed them; the context is that of `ctx`. What was read is given on to be called.
        let made = unsafe {
            let read = qjs::JS_ReadObject(raw, code.as_ptr(), code.len() as _, flags);
            if qjs::JS_IsException(read) {
                return Err(Error::Exception);
            }
            qjs::JS_EvalFunction(raw, read)
        };
        Function::from_value(owned(ctx, made)?)
    };
    let [a, b, c, d] = code;
    Ok([read(a)?, read(b)?, read(c)?, read(d)?])
}

/// A value that the engine gave away, or the exception that it has thrown instead.
fn owned<'js>(ctx: &Ctx<'js>, value: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: only the tag is looked at; and the value was given to us, by this engine.
    unsafe {
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}

/// What the engine makes of [`SCRIPTS`], as bytes.
fn compile(ctx: &Ctx<'_>) -> Result<[Vec<u8>; 4]> {
    let raw = ctx.as_raw().as_ptr();
    let mut code = <[Vec<u8>; 4]>::default();
    for ((name, source), code) in SCRIPTS.iter().zip(&mut code) {
        let text = CString::new(*source)?;
        let flags =
            qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
        // SAFETY: both texts end in NUL and live until the call is over; the context is that of `ctx`.
        let compiled = unsafe {
            let length = source.len() as _;
            qjs::JS_Eval(raw, text.as_ptr(), length, name.as_ptr(), flags as i32)
        };
        let compiled = owned(ctx, compiled)?;
        let flags = qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE;
        let mut length = 0;
        // SAFETY: the function is alive, the context is that of `ctx`.
        let written =
            unsafe { qjs::JS_WriteObject(raw, &mut length, compiled.as_raw(), flags as i32) };
        if written.is_null() {
            return Err(Error::Exception);
        }
        // SAFETY: as many bytes were written there, for us; they are freed once, by who made them.
        unsafe {
            code.extend_from_slice(slice::from_raw_parts(written, length as usize));
            qjs::js_free(raw, written.cast());
        }
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_leaves_nothing_behind() {
        let sandbox = Sandbox::new(&ScriptLimits::default()).expect("there is memory");
        let bound = Rc::clone(&sandbox.bound);
        assert!(Rc::weak_count(&bound) > 1);
        drop(sandbox);
        assert_eq!((Rc::strong_count(&bound), Rc::weak_count(&bound)), (1, 0));
    }
}
