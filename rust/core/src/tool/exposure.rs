use serde::{Deserialize, Serialize};

/// How a tool reaches the model. A matter of availability, not of permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exposure {
    /// Declared from the start.
    Direct,
    /// Reached from scripts; where nobody runs any, by tool search.
    #[default]
    Codemode,
    /// Reached by tool search, and by scripts that run anyhow.
    Deferred,
    /// Not reachable.
    Hidden,
}

impl Exposure {
    /// All exposures; the position of each is its number on the wire.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Codemode, Self::Deferred, Self::Hidden];
}
