//! When an engine looks for what nobody uses any more.
//!
//! Where it is refused memory it makes an error, and making anything may begin such a collection.
//! But in the middle of growing an object the engine has its list of properties in no list that a
//! collection may look at: collecting then ends the process. So nothing is collected from a refusal
//! until the engine asks whether to go on, which it does between operations alone.

use std::{cell::Cell, ptr};

use rquickjs::{Ctx, qjs};

/// The collections of one engine.
#[derive(Debug)]
pub(crate) struct Collections {
    engine: Cell<*mut qjs::JSRuntime>,
    /// The bytes at which the next one is due, while there are none.
    put_off: Cell<Option<qjs::size_t>>,
}

impl Default for Collections {
    fn default() -> Self {
        Self {
            engine: Cell::new(ptr::null_mut()),
            put_off: Cell::new(None),
        }
    }
}

impl Collections {
    /// Takes charge of those of the engine of `ctx`, which has to be gone before `self` is.
    pub fn of(&self, ctx: &Ctx<'_>) {
        // SAFETY: the context is that of `ctx`.
        self.engine
            .set(unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) });
    }

    /// Puts them off; called by the engine where it asks for memory.
    pub fn put_off(&self) {
        let engine = self.engine.get();
        if engine.is_null() || self.put_off.get().is_some() {
            return;
        }
        // SAFETY: who called is the engine, so it is there; this reads and sets a number of it that
        // it looks at where it makes objects, and it is not making one now.
        unsafe {
            self.put_off.set(Some(qjs::JS_GetGCThreshold(engine)));
            qjs::JS_SetGCThreshold(engine, qjs::size_t::MAX);
        }
    }

    /// Lets them be again; called by the engine where nothing of it is half done.
    pub fn resume(&self) {
        if let Some(due) = self.put_off.take() {
            // SAFETY: as above.
            unsafe { qjs::JS_SetGCThreshold(self.engine.get(), due) };
        }
    }
}
