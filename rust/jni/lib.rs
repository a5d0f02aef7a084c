//! The bridge between the JVM and the core: it converts, calls one core function, converts back.
//!
//! Every native method belongs to the Java class `NativeBridge`; its methods are grouped here by
//! the words of the project ([`registry`], [`session`], [`provider`], [`call`],
//! [`script`]). The other modules
//! are what they stand on:
//!
//! * [`wire`]: the frames in which arguments and results cross.
//! * [`handles`]: numbers in place of pointers, so that nothing Java passes can be undefined.
//! * [`classes`]: the Java classes, wherever shading has moved them.
//! * [`error`], [`throw`]: every failure, panics too, becomes the Java exception of its code.
//! * [`stack`]: work that needs more stack than a Java thread may have.
//! * [`log`]: events of the core as SLF4J events.

mod call;
mod classes;
mod error;
mod frames;
mod handles;
mod library;
mod limits;
mod log;
mod provider;
mod registry;
mod script;
mod session;
mod stack;
mod throw;
mod wire;

#[cfg(test)]
mod handles_test;
#[cfg(test)]
mod jvm_test;

/// What the table of handles is made of. `tests/handles_interleavings.rs` puts other parts in
/// place, with which every order of the steps of threads can be tried.
mod sync {
    pub(crate) use std::sync::{Arc, PoisonError, RwLock};
}

/// Every native method, bound to its Java class when the library is loaded.
pub const NATIVES: [&[jni::NativeMethod]; 6] = [
    library::NATIVES,
    registry::NATIVES,
    session::NATIVES,
    provider::NATIVES,
    call::NATIVES,
    script::NATIVES,
];
