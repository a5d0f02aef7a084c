//! Tools: definitions as they come in, and the checked form that the registry keeps.

mod annotations;
mod definition;
mod exposure;
mod published;

pub use annotations::Annotations;
pub use definition::ToolDefinition;
pub use exposure::Exposure;
pub use published::Tool;
