//! Failures and panics become Java exceptions.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, PanicHookInfo},
};

use jni::{
    Env,
    errors::ErrorPolicy,
    jni_sig, jni_str,
    objects::{JString, JThrowable},
};

use crate::{classes, error::Error, stack::NoThread};

/// Throws the exception that belongs to an error's code, and the text of a panic as an internal
/// error. An exception that is pending already, thrown by Java code called from here, stays.
#[derive(Debug)]
pub struct Throw;

impl<T: Default> ErrorPolicy<T, Error> for Throw {
    type Captures<'local: 'native, 'native> = ();

    fn on_error<'local: 'native, 'native>(
        env: &mut Env<'local>,
        _: &mut (),
        error: Error,
    ) -> jni::errors::Result<T> {
        throw(env, error.code(), &error.to_string())?;
        Ok(T::default())
    }

    fn on_panic<'local: 'native, 'native>(
        env: &mut Env<'local>,
        captures: &mut (),
        payload: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<T> {
        match payload.downcast::<NoThread>() {
            Ok(no_thread) => Self::on_error(env, captures, Error::NoThread(no_thread.0)),
            Err(payload) => {
                throw(env, "internal", &panic_text(payload.as_ref()))?;
                Ok(T::default())
            }
        }
    }
}

fn throw(env: &mut Env<'_>, code: &str, message: &str) -> jni::errors::Result<()> {
    if env.exception_check() {
        return Ok(());
    }
    let code = JString::from_str(env, code)?;
    let message = JString::from_str(env, message)?;
    let errors = classes::find(env, "NativeErrors")?;
    let exception = env
        .call_static_method(
            &errors,
            jni_str!("exception"),
            jni_sig!((java.lang.String, java.lang.String) -> java.lang.RuntimeException),
            &[(&code).into(), (&message).into()],
        )?
        .l()?;
    let exception = env.cast_local::<JThrowable>(exception)?;
    match env.throw(&exception) {
        // What a successful throw returns.
        Ok(()) | Err(jni::errors::Error::JavaException) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Calls Java and takes no interest in what it throws; false if it threw. Left to the attachment of
/// the thread, an exception would be taken apart, with a local reference for each of its frames.
pub fn forgiving(
    env: &mut Env<'_>,
    call: impl FnOnce(&mut Env<'_>) -> jni::errors::Result<()>,
) -> bool {
    let called = call(env);
    if called.is_err() {
        env.exception_clear();
    }
    called.is_ok()
}

thread_local! {
    static LAST_PANIC_AT: Cell<Option<String>> = const { Cell::new(None) };
}

/// Keeps where a panic happened for the exception that will tell of it, in place of printing it to
/// the standard error of a service.
pub fn install_panic_hook() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(ToString::to_string);
        LAST_PANIC_AT.set(place);
    }));
}

/// The text of a panic and where it happened. The place is that of the current thread's last panic.
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without text");
    match LAST_PANIC_AT.take() {
        Some(place) => format!("panic in native code: {text} ({place})"),
        None => format!("panic in native code: {text}"),
    }
}
