//! Tools: definitions as they come in, and the checked form that the registry keeps.

mod annotations;
mod build;
mod declarations;
mod definition;
mod exposure;
mod published;
mod tools_list;

pub use annotations::Annotations;
pub use declarations::DeclarationResult;
pub use definition::ToolDefinition;
pub use exposure::Exposure;
pub use published::Tool;
pub(crate) use {
    build::{Built, build},
    declarations::Declarations,
    tools_list::{Listed, read},
};
