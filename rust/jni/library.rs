//! The library itself: its start, its version, its level of logging.

use std::ffi::c_void;

use jni::{
    Env, JavaVM, NativeMethod,
    objects::{JByteArray, JClass},
    sys::{self, jint},
};

use crate::{
    error::Result,
    log,
    throw::{self, Throw},
    wire::Writer,
};

/// What Java and native code must agree on, raised with every change of a native method or of a
/// frame; `NativeBridge.ABI` is the same number.
const ABI: jint = 3;

/// A native method of `dev.toolcrib.NativeBridge`, implemented by the function of that name. Needs
/// [`Throw`] in scope.
macro_rules! native {
    ($($signature:tt)*) => {
        ::jni::native_method! {
            java_type = "dev.toolcrib.NativeBridge",
            error_policy = Throw,
            static extern $($signature)*
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
    let _ = unsafe { JavaVM::from_raw(vm) };
    throw::install_panic_hook();
    log::install();
    sys::JNI_VERSION_1_8
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

fn log_level(_: &mut Env<'_>, _: JClass<'_>, level: jint) -> Result<()> {
    log::set_level(u8::try_from(level).unwrap_or(0));
    Ok(())
}
