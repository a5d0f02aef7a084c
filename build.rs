//! Stamps the native library with what it was built from.

use std::env;

/// The commit, set by `make package`. Asking git would link the library anew after every commit.
const COMMIT: &str = "SOURCE_COMMIT";

fn main() {
    let commit = env::var(COMMIT).unwrap_or_else(|_| "unknown".into());
    println!("cargo::rustc-env=TOOLCRIB_COMMIT={commit}");
    for (stamp, source) in [
        ("TOOLCRIB_TARGET", "TARGET"),
        ("TOOLCRIB_PROFILE", "PROFILE"),
    ] {
        let value = env::var(source).expect("cargo sets it for build scripts");
        println!("cargo::rustc-env={stamp}={value}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={COMMIT}");
}
