//! The bridge in a JVM with `-Xcheck:jni`, started by the invocation interface.
//!
//! A process can have one JVM, and what that says goes to its standard output, so each test runs
//! itself in a child process and reads what the child printed. The classes are compiled from their
//! sources: those that the bridge calls need nothing but the JDK.

use std::{
    env::{current_exe, var_os},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use jni::{
    Env, InitArgsBuilder, JNIVersion, JavaVM, NativeMethod, jni_sig, jni_str, native_method,
    objects::{JByteArray, JClass, JString, JThrowable},
    sys::{jint, jlong},
};

use crate::{
    NATIVES,
    error::{Error, Result},
    handles::Handles,
    log, stack,
    throw::{self, Throw},
    wire::Writer,
};

const CHILD: &str = "TOOLCRIB_TEST_CLASSES";
const INTERNAL: &str = "dev.toolcrib.ToolcribInternalException";
const WARNING: &str = "WARNING in native method";

#[test]
fn the_bridge_keeps_the_rules_of_jni_and_throws_what_the_codes_say() {
    let printed = in_child("child_uses_the_bridge");
    assert!(!printed.contains(WARNING), "{printed}");
}

#[test]
fn a_broken_rule_of_jni_is_seen() {
    let printed = in_child("child_breaks_a_rule");
    assert!(printed.contains(WARNING), "{printed}");
}

/// Runs one of the tests below in a process of its own and gives what it printed.
fn in_child(test: &str) -> String {
    let classes = compile(test);
    let child = Command::new(current_exe().expect("the test binary"))
        .args([
            "--exact",
            &format!("jvm_test::{test}"),
            "--nocapture",
            "--include-ignored",
        ])
        .env(CHILD, &classes)
        .output()
        .expect("the child starts");
    fs::remove_dir_all(&classes).expect("the classes can be removed");
    let printed = [child.stdout, child.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    assert!(child.status.success(), "{printed}");
    printed
}

fn compile(test: &str) -> PathBuf {
    let sources =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("java/toolcrib/src/main/java/dev/toolcrib");
    let classes = std::env::temp_dir().join(format!("toolcrib-{test}-{}", std::process::id()));
    let stubs = classes.join("stubs");
    fs::create_dir_all(&stubs).expect("a temporary directory");
    // The real one needs SLF4J.
    let log = "package dev.toolcrib; class NativeLog { static int events; static void event(byte[] frame) { events++; } static int events() { return events; } }";
    let probe = "package dev.toolcrib; class Probe { static native void fail(int how); static native int loud(); static native void mistake(); static void again() { fail(0); } static void thrower() { throw new ArithmeticException(\"of Java\"); } }";
    fs::write(stubs.join("NativeLog.java"), log).expect("a stub");
    fs::write(stubs.join("Probe.java"), probe).expect("a stub");
    let real = [
        "NativeBridge",
        "NativeErrors",
        "ToolcribException",
        "ToolcribInternalException",
    ];
    let status = Command::new("javac")
        .arg("-d")
        .arg(&classes)
        .args(real.map(|name| sources.join(name).with_extension("java")))
        .args(["NativeLog.java", "Probe.java"].map(|name| stubs.join(name)))
        .status()
        .expect("these tests need a JDK's javac");
    assert!(status.success());
    classes
}

/// Runs `test` in a JVM; does nothing unless this is the child.
fn in_jvm(test: impl FnOnce(&mut Env<'_>) -> jni::errors::Result<()>) {
    let Some(classes) = var_os(CHILD) else { return };
    let classes = format!("-Djava.class.path={}", classes.display());
    let arguments = InitArgsBuilder::new()
        .version(JNIVersion::V1_8)
        .option("-Xcheck:jni")
        .option(&*classes)
        .build()
        .expect("the arguments are fine");
    let vm = JavaVM::new(arguments).expect("a JVM starts");
    throw::install_panic_hook();
    log::install();
    vm.attach_current_thread(|env| {
        let bridge = env.find_class(jni_str!("dev/toolcrib/NativeBridge"))?;
        let probe = env.find_class(jni_str!("dev/toolcrib/Probe"))?;
        for natives in NATIVES {
            // SAFETY: `native_method!` checked each function against its signature, and both
            // classes declare all of these as static.
            unsafe { env.register_native_methods(&bridge, natives)? };
        }
        // SAFETY: as above.
        unsafe { env.register_native_methods(&probe, PROBES)? };
        test(env)
    })
    .expect("the test runs");
}

const PROBES: &[NativeMethod] = &[
    native_method! { java_type = "dev.toolcrib.Probe", error_policy = Throw, static fn fail(how: jint) },
    native_method! { java_type = "dev.toolcrib.Probe", error_policy = Throw, static fn loud() -> jint },
    native_method! { java_type = "dev.toolcrib.Probe", error_policy = Throw, static fn mistake() },
];

fn fail(env: &mut Env<'_>, class: JClass<'_>, how: jint) -> Result<()> {
    match how {
        0 => panic!("the answer is {}", 6 * 7),
        1 => Err(toolcrib_core::Error::InvalidArgument("no name".into()).into()),
        2 => Err(toolcrib_core::Error::InvalidSnapshot("no bytes".into()).into()),
        3 => Err(Error::Closed("thing")),
        4 => stack::with_large_stack(|| panic!("deep down")),
        // Through Java and into native code again.
        6 => {
            env.call_static_method(&class, jni_str!("again"), jni_sig!(() -> void), &[])?;
            Ok(())
        }
        7 => bottomless(1_000),
        8 => {
            let table = Handles::new(0, "bomb");
            let number = table.insert(Bomb);
            table.close(number);
            Ok(())
        }
        9 => std::panic::panic_any(42),
        // Its text is asked for, and then it goes off.
        10 => std::panic::panic_any(Bomb),
        11 => stack::with_large_stack(|| stack::with_large_stack(|| bottomless(100))),
        _ => {
            env.call_static_method(&class, jni_str!("thrower"), jni_sig!(() -> void), &[])?;
            Ok(())
        }
    }
}

/// Panics when there is nothing left to do.
fn bottomless(depth: usize) -> Result<()> {
    let kept = [depth; 16];
    match depth {
        0 => panic!("no bottom"),
        _ => bottomless(kept[0] - 1),
    }
}

/// What goes wrong where it is least expected.
#[derive(Debug)]
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("while dropping");
    }
}

fn loud(_: &mut Env<'_>, _: JClass<'_>) -> Result<jint> {
    log::set_level(3);
    tracing::info!(fields = 1, "heard");
    tracing::debug!("not heard");
    stack::with_large_stack(|| tracing::warn!("heard from another thread"));
    log::set_level(0);
    tracing::error!("not heard");
    Ok(0)
}

fn mistake(env: &mut Env<'_>, _: JClass<'_>) -> Result<()> {
    let raw = env.get_raw();
    // SAFETY: both calls are what the JVM allows but for the rule that is broken here on purpose:
    // nothing may be called while an exception is pending. The class is one that always exists.
    unsafe {
        let class = ((**raw).v1_1.FindClass)(raw, c"java/lang/RuntimeException".as_ptr());
        ((**raw).v1_1.ThrowNew)(raw, class, c"pending".as_ptr());
        ((**raw).v1_1.FindClass)(raw, c"java/lang/String".as_ptr());
        ((**raw).v1_1.ExceptionClear)(raw);
    }
    Ok(())
}

#[test]
#[ignore = "run by the_bridge_keeps_the_rules_of_jni_and_throws_what_the_codes_say"]
fn child_uses_the_bridge() {
    in_jvm(|env| {
        let bridge = env.find_class(jni_str!("dev/toolcrib/NativeBridge"))?;
        let probe = env.find_class(jni_str!("dev/toolcrib/Probe"))?;
        for (how, class, message) in [
            (0, INTERNAL, "the answer is 42"),
            (1, "java.lang.IllegalArgumentException", "no name"),
            (2, "dev.toolcrib.ToolcribException", "no bytes"),
            (3, "java.lang.IllegalStateException", "this thing is closed"),
            (4, INTERNAL, "deep down"),
            (5, "java.lang.ArithmeticException", "of Java"),
            (6, INTERNAL, "the answer is 42"),
            (7, INTERNAL, "no bottom"),
            (8, INTERNAL, "while dropping"),
            (9, INTERNAL, "a panic without text"),
            (10, INTERNAL, ""),
            (11, INTERNAL, "no bottom"),
        ] {
            let failed = env
                .call_static_method(
                    &probe,
                    jni_str!("fail"),
                    jni_sig!((how: jint) -> void),
                    &[how.into()],
                )
                .map(|_| ());
            let (of, said) = thrown(env, failed)?;
            assert_eq!(of, class);
            assert!(said.contains(message), "{said}");
        }
        assert_eq!(events_after_loud(env, &probe)?, 2);
        round_trip(env, &bridge)
    });
}

/// The class and message of the exception that a call ended with.
fn thrown(
    env: &mut Env<'_>,
    failed: jni::errors::Result<()>,
) -> jni::errors::Result<(String, String)> {
    assert!(failed.is_err(), "nothing was thrown");
    let exception: JThrowable<'_> = env.exception_occurred().expect("an exception is pending");
    env.exception_clear();
    let class = env.get_object_class(&exception)?;
    let name = text(env, &class, "getName")?;
    let message = text(env, &exception, "getMessage")?;
    Ok((name, message))
}

fn text<'o>(
    env: &mut Env<'_>,
    object: impl AsRef<jni::objects::JObject<'o>>,
    method: &str,
) -> jni::errors::Result<String> {
    let method = jni::strings::JNIString::from(method);
    let value = env
        .call_method(
            object.as_ref(),
            method,
            jni_sig!(() -> java.lang.String),
            &[],
        )?
        .l()?;
    env.cast_local::<JString<'_>>(value)?.try_to_string(env)
}

fn events_after_loud(env: &mut Env<'_>, probe: &JClass<'_>) -> jni::errors::Result<jint> {
    env.call_static_method(probe, jni_str!("loud"), jni_sig!(() -> jint), &[])?;
    env.call_static_method(
        jni_str!("dev/toolcrib/NativeLog"),
        jni_str!("events"),
        jni_sig!(() -> jint),
        &[],
    )?
    .i()
}

/// A registry from its opening to its second closing, and what it says afterwards.
fn round_trip(env: &mut Env<'_>, bridge: &JClass<'_>) -> jni::errors::Result<()> {
    let limits = env.byte_array_from_slice(&Writer::new().flag(true).count(0).finish())?;
    let registry: jlong = env
        .call_static_method(
            bridge,
            jni_str!("registryCreate"),
            jni_sig!((frame: jbyte[]) -> jlong),
            &[(&limits).into()],
        )?
        .j()?;
    let info = |env: &mut Env<'_>| {
        let info = env.call_static_method(
            bridge,
            jni_str!("registryInfo"),
            jni_sig!((registry: jlong) -> jbyte[]),
            &[registry.into()],
        )?;
        let info = info.l()?;
        let info = env.cast_local::<JByteArray<'_>>(info)?;
        env.convert_byte_array(info)
    };
    assert_eq!(info(env)?, [0, 0, 0, 0]);
    for _ in 0..2 {
        env.call_static_method(
            bridge,
            jni_str!("registryClose"),
            jni_sig!((registry: jlong) -> void),
            &[registry.into()],
        )?;
    }
    let failed = info(env).map(|_| ());
    let (class, _) = thrown(env, failed)?;
    assert_eq!(class, "java.lang.IllegalStateException");
    Ok(())
}

#[test]
#[ignore = "run by a_broken_rule_of_jni_is_seen"]
fn child_breaks_a_rule() {
    in_jvm(|env| {
        let probe = env.find_class(jni_str!("dev/toolcrib/Probe"))?;
        env.call_static_method(&probe, jni_str!("mistake"), jni_sig!(() -> void), &[])?;
        Ok(())
    });
}
