//! The one error type of the core. Each variant has a stable code; the bridge maps codes to Java
//! exceptions in one table.

use thiserror::Error;

/// Shorthand for results of the core.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong, and what the reader can do about it.
///
/// Messages name the offending thing and the mend. They never contain argument values or tools
/// that the reader may not know.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// A value that can never be right, such as an empty source name.
    #[error("{0}")]
    InvalidArgument(String),
    /// Something is larger than a documented limit of [`crate::Limits`].
    #[error("{what} is {actual}, the limit is {limit} ({name})")]
    LimitExceeded {
        /// What was measured, with its unit, for example "tool definition bytes".
        what: String,
        /// The name of the field of [`crate::Limits`] that sets the limit.
        name: &'static str,
        /// The measured value.
        actual: u64,
        /// The limit in force.
        limit: u64,
    },
    /// Text that should be JSON and is not, with position.
    #[error("not valid JSON: {0}")]
    InvalidJson(String),
    /// Bytes that should be UTF-8 and are not.
    #[error("{what} is not valid UTF-8: byte {at} is the first that does not fit")]
    InvalidUtf8 {
        /// What was read.
        what: String,
        /// Offset of the first invalid byte.
        at: usize,
    },
    /// Bytes that claim to be a session snapshot and cannot be read.
    #[error("not a readable session snapshot: {0}")]
    InvalidSnapshot(String),
    /// A checkpoint or position that this session's journal does not have.
    #[error("{0}")]
    UnknownCheckpoint(String),
    /// A bitmap was made for another registry version than the current one.
    #[error(
        "made for registry version {made_for}, the registry is at {current}: list and decide again"
    )]
    StaleVersion {
        /// The version the caller worked on.
        made_for: u64,
        /// The version in force.
        current: u64,
    },
}

impl Error {
    /// The stable code of this error, in lower case with underscores.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidArgument(_) => "invalid_argument",
            Self::LimitExceeded { .. } => "limit_exceeded",
            Self::InvalidJson(_) => "invalid_json",
            Self::InvalidUtf8 { .. } => "invalid_utf8",
            Self::InvalidSnapshot(_) => "invalid_snapshot",
            Self::UnknownCheckpoint(_) => "unknown_checkpoint",
            Self::StaleVersion { .. } => "stale_version",
        }
    }

    /// Refuses `actual` when it is above `limit`.
    pub(crate) fn check_limit(
        what: &str,
        name: &'static str,
        actual: usize,
        limit: usize,
    ) -> Result<()> {
        if actual <= limit {
            return Ok(());
        }
        Err(Self::LimitExceeded {
            what: what.to_owned(),
            name,
            actual: actual as u64,
            limit: limit as u64,
        })
    }
}
