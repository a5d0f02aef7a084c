//! What can go wrong in the bridge, beside the core's own errors.

use toolcrib_codemode::Refused;

/// Shorthand for results of the bridge.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure on its way to a Java exception.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The core refused.
    #[error(transparent)]
    Core(#[from] toolcrib_core::Error),
    /// A script was not taken.
    #[error(transparent)]
    Script(#[from] Refused),
    /// A handle that was closed, or never was one.
    #[error("this {0} is closed")]
    Closed(&'static str),
    /// A frame that the Java side cannot have written.
    #[error("a frame from Java cannot be read at byte {at} of {length}: {what}")]
    Frame {
        /// Where reading stopped.
        at: usize,
        /// The length of the frame.
        length: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// The system allows no further thread, for work that needs more stack than the caller's has.
    #[error("no thread can be started for this work: {0}")]
    NoThread(String),
    /// The JVM refused, most often with a pending exception such as `OutOfMemoryError`.
    #[error("the JVM refused: {0}")]
    Jni(#[from] jni::errors::Error),
}

impl Error {
    /// The stable code, from which Java's `NativeErrors` chooses the exception.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Core(error) => error.code(),
            Self::Script(Refused::TooLong { .. }) => "limit_exceeded",
            Self::Script(Refused::Busy { .. }) => "scripts_busy",
            Self::NoThread(_) | Self::Script(Refused::NoThread) => "no_thread",
            Self::Closed(_) | Self::Script(Refused::Closed) => "closed",
            Self::Frame { .. } | Self::Jni(_) => "internal",
        }
    }
}
