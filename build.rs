//! Stamps the native library with what it was built from.

use std::{env, path::Path, process::Command};

fn main() {
    let commit = commit().unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=TOOLCRIB_COMMIT={commit}");
    for (stamp, source) in [
        ("TOOLCRIB_TARGET", "TARGET"),
        ("TOOLCRIB_PROFILE", "PROFILE"),
    ] {
        let value = env::var(source).expect("cargo sets it for build scripts");
        println!("cargo::rustc-env={stamp}={value}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SOURCE_COMMIT");
}

/// The commit: from the environment where the sources come without their history, else from git.
fn commit() -> Option<String> {
    if let Ok(commit) = env::var("SOURCE_COMMIT") {
        return Some(commit);
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Only a commit or a checkout makes the stamp stale, not every edit.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
