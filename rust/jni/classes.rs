//! The Java classes that this copy of the library serves.
//!
//! Shading puts them into another package, so that their names are no constants here: the package
//! is that of the class that loads the library. Nothing of Java is held on to, or its class loader
//! could never go.

use std::sync::OnceLock;

use jni::{
    Env, jni_sig, jni_str,
    objects::{JClass, JObject, JObjectArray, JString},
    refs::Weak,
    strings::{JNIStr, JNIString},
};

use crate::NATIVES;

/// Where the classes are unless they were moved.
const PACKAGE: &str = "dev/toolcrib/";

static LOADED_BY: OnceLock<String> = OnceLock::new();

static LOG: OnceLock<Weak<JClass<'static>>> = OnceLock::new();

/// Binds the natives to the `NativeBridge` beside the class that is loading the library. To be
/// called while it does.
pub fn register_natives(env: &mut Env<'_>) -> jni::errors::Result<()> {
    let package = loading_package(env)?.unwrap_or_else(|| PACKAGE.to_owned());
    // The JVM starts a copy of the library once.
    let _ = LOADED_BY.set(package);
    let bridge = find(env, "NativeBridge")?;
    for natives in NATIVES {
        // SAFETY: `native_method!` checked each function against its signature, and the class
        // declares all of these as static.
        unsafe { env.register_native_methods(&bridge, natives)? };
    }
    Ok(())
}

/// The class of that simple name beside `NativeBridge`. To be called within a native method, or
/// while the library is loaded: then the JVM looks in the class loader of Toolcrib's classes.
pub fn find<'local>(env: &mut Env<'local>, name: &str) -> jni::errors::Result<JClass<'local>> {
    let package = LOADED_BY.get().map_or(PACKAGE, String::as_str);
    env.find_class(JNIString::from(format!("{package}{name}")))
}

/// Remembers `NativeLog` for threads that are not Java's own, on which the JVM looks in the class
/// loader of the system alone.
pub fn keep_log(env: &mut Env<'_>) -> jni::errors::Result<()> {
    if LOG.get().is_none() {
        let class = find(env, "NativeLog")?;
        // A second thread kept the same.
        let _ = LOG.set(env.new_weak_ref(&class)?);
    }
    Ok(())
}

/// The class `NativeLog`.
pub fn log<'local>(env: &mut Env<'local>) -> jni::errors::Result<JClass<'local>> {
    match LOG.get() {
        Some(kept) => kept
            .upgrade_local(env)?
            .ok_or(jni::errors::Error::NullPtr("NativeLog was unloaded")),
        None => find(env, "NativeLog"),
    }
}

/// The package of whoever called `System.load`, with a `/` at its end; nothing where the JVM keeps
/// no stack traces.
fn loading_package(env: &mut Env<'_>) -> jni::errors::Result<Option<String>> {
    let thread = env
        .call_static_method(
            jni_str!("java/lang/Thread"),
            jni_str!("currentThread"),
            jni_sig!(() -> java.lang.Thread),
            &[],
        )?
        .l()?;
    let frames = env
        .call_method(
            &thread,
            jni_str!("getStackTrace"),
            jni_sig!(() -> [java.lang.StackTraceElement]),
            &[],
        )?
        .l()?;
    let frames = env.cast_local::<JObjectArray<'_>>(frames)?;
    let mut within_load = false;
    for index in 0..frames.len(env)? {
        let frame = frames.get_element(env, index)?;
        let class = text(env, &frame, jni_str!("getClassName"))?;
        if class == "java.lang.System" {
            within_load = text(env, &frame, jni_str!("getMethodName"))? == "load";
        } else if within_load {
            return Ok(Some(package(&class)));
        }
    }
    Ok(None)
}

fn text(env: &mut Env<'_>, frame: &JObject<'_>, getter: &JNIStr) -> jni::errors::Result<String> {
    let text = env
        .call_method(frame, getter, jni_sig!(() -> java.lang.String), &[])?
        .l()?;
    env.cast_local::<JString<'_>>(text)?.try_to_string(env)
}

fn package(class: &str) -> String {
    let end = class.rfind('.').map_or(0, |dot| dot + 1);
    class[..end].replace('.', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_of_a_class_is_as_the_jvm_writes_it() {
        assert_eq!(package("dev.toolcrib.NativeLibrary"), PACKAGE);
        assert_eq!(
            package("shop.shaded.dev.toolcrib.NativeLibrary"),
            "shop/shaded/dev/toolcrib/"
        );
        assert_eq!(package("NativeLibrary"), "");
    }
}
