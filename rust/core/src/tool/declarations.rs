use std::sync::Arc;

use once_cell::sync::OnceCell;
use serde_json::Value;

use super::Tool;
use crate::{
    Limits, json,
    provider::{Declaration, DeclaredTool, Rejection, Target, declare},
    registry::Registry,
};

/// How a tool is declared for one target, or why it is not.
pub type DeclarationResult = Result<Declaration, Rejection>;

/// The declarations of one tool, each made when a session first renders it.
#[derive(Debug, Default)]
pub(crate) struct Declarations(OnceCell<Box<[OnceCell<Arc<DeclarationResult>>]>>);

// What can be made again from the rest of the tool is no part of what the tool is.
impl PartialEq for Declarations {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Declarations {}

impl Tool {
    /// This tool for `target`: converted once, the same bytes ever after.
    #[must_use]
    pub fn declaration(&self, target: Target, registry: &Registry) -> Arc<DeclarationResult> {
        let targets = self
            .declarations
            .0
            .get_or_init(|| Target::ALL.iter().map(|_| OnceCell::new()).collect());
        let declaration = targets[target as usize]
            .get_or_init(|| Arc::new(registry.deep(|| self.declare(target, registry.limits()))));
        Arc::clone(declaration)
    }

    /// The model's arguments for the declaration of `target`, as this tool wants them.
    pub(crate) fn restore_arguments(
        &self,
        target: Target,
        arguments: Value,
        registry: &Registry,
    ) -> Value {
        match self.declaration(target, registry).as_ref() {
            Ok(declaration) => declaration.restore(arguments),
            Err(_) => arguments,
        }
    }

    fn declare(&self, target: Target, limits: &Limits) -> DeclarationResult {
        // Both schemas were parsed within limits when the tool was published.
        let parse = |text: &str| json::parse("schema", text, limits).unwrap_or(Value::Bool(true));
        let input_schema = parse(&self.input_schema);
        let output_schema = self.output_schema.as_deref().map(parse);
        let tool = DeclaredTool {
            name: &self.name,
            title: self.title(),
            description: &self.description,
            input_schema: &input_schema,
            output_schema: output_schema.as_ref(),
            annotations: Some(&self.annotations),
        };
        declare(&tool, target, limits)
    }
}
