use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;

use super::{Annotations, Tool};
use crate::{
    Limits, json,
    provider::{Declaration, DeclareOptions, DeclaredTool, Rejection, Target, declare_with},
    registry::Registry,
};

/// How a tool is declared for one target, or why it is not.
pub type DeclarationResult = Result<Declaration, Rejection>;

type Form = (Target, DeclareOptions);

/// The declarations of one tool, each made when a session first renders it. A list, since a service
/// has one or two endpoints and most tools are never rendered.
#[derive(Default)]
pub(crate) struct Declarations(Mutex<Vec<(Form, Arc<DeclarationResult>)>>);

// What can be made again from the rest of the tool is no part of what the tool is, nor of what is
// said of it: the same tool would be written differently once it has been rendered.
impl fmt::Debug for Declarations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declarations").finish_non_exhaustive()
    }
}

impl PartialEq for Declarations {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Declarations {}

impl Declarations {
    fn get(&self, form: Form) -> Option<Arc<DeclarationResult>> {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, declaration) = made.iter().find(|(of, _)| *of == form)?;
        Some(Arc::clone(declaration))
    }

    /// Keeps what was made first, so that everybody has the same.
    fn keep(&self, form: Form, declaration: DeclarationResult) -> Arc<DeclarationResult> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, first)) = made.iter().find(|(of, _)| *of == form) {
            return Arc::clone(first);
        }
        let declaration = Arc::new(declaration);
        made.push((form, Arc::clone(&declaration)));
        declaration
    }
}

impl Tool {
    /// This tool for `target`: converted once, the same bytes ever after. Options that the target
    /// does not have change nothing.
    #[must_use]
    pub fn declaration(
        &self,
        target: Target,
        options: DeclareOptions,
        registry: &Registry,
    ) -> Arc<DeclarationResult> {
        let form = (target, options.of(target));
        // Not made under the lock: it may take long, and run on another thread.
        self.declarations.get(form).unwrap_or_else(|| {
            let made = registry.deep(|| self.declare(form, registry.limits()));
            self.declarations.keep(form, made)
        })
    }

    fn declare(&self, (target, options): Form, limits: &Limits) -> DeclarationResult {
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
            annotations: Some(&self.annotations).filter(|hints| **hints != Annotations::default()),
        };
        declare_with(&tool, target, options, limits)
    }
}
