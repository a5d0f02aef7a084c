//! What is fuzzed, and a driver that needs nothing but stable Rust.

// The bridge is a library for the JVM alone, so that its frames are taken in by their sources.
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../../rust/jni/error.rs"]
mod error;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../../rust/jni/frames.rs"]
mod frames;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../../rust/jni/limits.rs"]
mod limits;
#[allow(dead_code, reason = "only the reading of frames is fuzzed")]
#[path = "../../rust/jni/wire.rs"]
mod wire;

pub mod drive;
pub mod script;
pub mod targets;
