//! The library itself: its start, its version, its level of logging.

use std::{
    ffi::c_void,
    panic::{self, AssertUnwindSafe},
};

use jni::{
    Env, JavaVM, NativeMethod, jni_str,
    objects::{JByteArray, JClass},
    strings::JNIString,
    sys::{self, jint},
};

use crate::{
    classes,
    error::Result,
    log,
    throw::{self, Throw},
    wire::Writer,
};

/// What Java and native code must agree on, raised with every change of a native method or of a
/// frame; `NativeBridge.ABI` is the same number.
const ABI: jint = 9;

/// A native method of `NativeBridge`, implemented by the function of that name. Needs [`Throw`] in
/// scope. It has no exported name, which would not survive shading; [`classes`] registers it.
macro_rules! native {
    ($($signature:tt)*) => {
        ::jni::native_method! {
            java_type = "dev.toolcrib.NativeBridge",
            error_policy = Throw,
            static $($signature)*
        }
    };
}
pub(crate) use native;

/// The natives of this module.
pub const NATIVES: &[NativeMethod] = &[
    native!(fn abi() -> jint),
    native!(fn version() -> jbyte[]),
    native!(fn log_level(level: jint)),
];

/// Called by the JVM when it has loaded the library, before any other native.
///
/// # Safety
///
/// Only the JVM calls it, with its own invocation interface.
#[unsafe(export_name = "JNI_OnLoad")]
pub unsafe extern "system" fn on_load(vm: *mut sys::JavaVM, _: *mut c_void) -> jint {
    // SAFETY: the JVM passes its own, valid interface. Making the wrapper also keeps it for
    // `JavaVM::singleton`.
    let vm = unsafe { JavaVM::from_raw(vm) };
    throw::install_panic_hook();
    log::install();
    // No panic may reach the JVM's frames; one here has nothing of ours to leave half done.
    let start = AssertUnwindSafe(|| vm.attach_current_thread(start));
    match panic::catch_unwind(start) {
        Ok(Ok(())) => sys::JNI_VERSION_1_8,
        _ => sys::JNI_ERR,
    }
}

/// Binds the natives. Where that fails, the exception that says why is left pending: the JVM throws
/// it from `System.load`.
fn start(env: &mut Env<'_>) -> jni::errors::Result<()> {
    let registered = classes::register_natives(env);
    if let Err(error) = &registered
        && !env.exception_check()
    {
        let message = format!("the natives of Toolcrib cannot be bound: {error}");
        // Returns an error when it has thrown.
        let _ = env.throw_new(
            jni_str!("java/lang/UnsatisfiedLinkError"),
            JNIString::from(message),
        );
    }
    registered
}

fn abi(_: &mut Env<'_>, _: JClass<'_>) -> Result<jint> {
    Ok(ABI)
}

fn version<'local>(env: &mut Env<'local>, _: JClass<'local>) -> Result<JByteArray<'local>> {
    let mut frame = Writer::new();
    frame
        .text(env!("CARGO_PKG_VERSION"))
        .text(env!("TOOLCRIB_COMMIT"));
    frame.count(ABI as usize);
    frame
        .text(env!("TOOLCRIB_TARGET"))
        .text(env!("TOOLCRIB_PROFILE"));
    Ok(env.byte_array_from_slice(&frame.finish())?)
}

fn log_level(env: &mut Env<'_>, _: JClass<'_>, level: jint) -> Result<()> {
    classes::keep_log(env)?;
    log::set_level(u8::try_from(level).unwrap_or(0));
    Ok(())
}
