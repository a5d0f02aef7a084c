//! The declarations of a session, in a provider's wire format.

use std::sync::Arc;

use serde_json::Value;

use super::{Session, State, TOOL_SEARCH_DESCRIPTION, TOOL_SEARCH_SCHEMA};
use crate::{
    Limits,
    name::TOOL_SEARCH,
    provider::{DeclaredTool, Rejection, Target, declare},
    registry::Registry,
    schema::Note,
    tool::Tool,
};

/// What a request declares.
#[derive(Debug)]
pub struct Rendered {
    /// The format.
    pub target: Target,
    /// The value of the request's `tools` field, as compact JSON. When the active set grows, its
    /// content (without the closing bracket) begins with the content of before, byte for byte.
    pub json: Arc<str>,
    /// The names of the declared tools, in order; `tool_search` first.
    pub names: Vec<Arc<str>>,
    /// Per tool, what had to be changed for this provider.
    pub notes: Vec<(Arc<str>, Vec<Note>)>,
    /// Active tools that this provider cannot be given, and why.
    pub quarantined: Vec<(Arc<str>, Rejection)>,
}

impl Session {
    /// Renders what the model may call now. An unchanged session gives the same object again.
    #[must_use]
    pub fn render(&self, target: Target) -> Arc<Rendered> {
        let mut state = self.state();
        if let Some((of, rendered)) = &state.rendered
            && *of == target
        {
            return Arc::clone(rendered);
        }
        state.declare();
        let rendered = Arc::new(state.render(target, &self.registry));
        state.rendered = Some((target, Arc::clone(&rendered)));
        rendered
    }

    /// The tool that the last rendering declared under `name`, where the provider did not allow the
    /// tool's own.
    pub(crate) fn declared_as(&self, name: &str, target: Target) -> Option<Arc<Tool>> {
        let state = self.state();
        let mut tools = state
            .declared
            .iter()
            .filter_map(|name| state.view.tool(name));
        let is_it = |tool: &&Arc<Tool>| {
            let declaration = tool.declaration(target, &self.registry);
            declaration
                .as_ref()
                .as_ref()
                .is_ok_and(|declaration| declaration.name() == name)
        };
        tools.find(is_it).cloned()
    }
}

impl State {
    /// Settles the order of declaration: what was declared keeps its place, what is new is appended
    /// in the order of activation.
    fn declare(&mut self) {
        let usable = self.usable();
        let view = &self.view;
        self.declared.retain(|name| view.tool(name).is_some());
        for name in usable {
            if !self.declared.contains(&name) {
                self.declared.push(name);
            }
        }
    }

    fn render(&self, target: Target, registry: &Registry) -> Rendered {
        let mut elements = vec![tool_search(target, registry.limits())];
        let mut names = vec![Arc::from(TOOL_SEARCH)];
        let mut notes = Vec::new();
        let mut quarantined = Vec::new();
        for tool in self.declared.iter().filter_map(|name| self.view.tool(name)) {
            match tool.declaration(target, registry).as_ref() {
                Ok(declaration) => {
                    elements.push(declaration.json().to_owned());
                    names.push(Arc::clone(tool.name()));
                    if !declaration.notes().is_empty() {
                        notes.push((Arc::clone(tool.name()), declaration.notes().to_vec()));
                    }
                }
                Err(rejection) => quarantined.push((Arc::clone(tool.name()), rejection.clone())),
            }
        }
        let wrapping = target.wrapping();
        let json = [wrapping.prefix, &elements.join(","), wrapping.suffix]
            .concat()
            .into();
        Rendered {
            target,
            json,
            names,
            notes,
            quarantined,
        }
    }
}

fn tool_search(target: Target, limits: &Limits) -> String {
    let schema: Value = serde_json::from_str(TOOL_SEARCH_SCHEMA).expect("the constant is JSON");
    let tool = DeclaredTool {
        name: TOOL_SEARCH,
        title: None,
        description: TOOL_SEARCH_DESCRIPTION,
        input_schema: &schema,
        output_schema: None,
        annotations: None,
    };
    declare(&tool, target, limits)
        .expect("the constant has a declaration for every target")
        .json()
        .to_owned()
}
