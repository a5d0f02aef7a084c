//! The declarations of a session, in a provider's wire format.

use std::sync::Arc;

use super::{Session, State};
use crate::{
    name::TOOL_SEARCH,
    provider::{self, Endpoint, Form, Note, Rejection, Target},
    registry::Registry,
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
    /// Active tools beyond what one request of this provider takes, in order; callable all the same.
    pub left_out: Vec<Arc<str>>,
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
        let endpoint = Endpoint::new(target);
        let tool_search = endpoint
            .declare_tool_search(registry.limits())
            .expect("tool_search has a declaration for every target");
        let tools = self.declared.iter().filter_map(|name| self.view.tool(name));
        let results: Vec<_> = tools
            .map(|tool| (tool.name(), tool.declaration(target, registry)))
            .collect();
        let own_name = Arc::from(TOOL_SEARCH);
        let mut declarations = vec![&tool_search];
        let mut names = vec![&own_name];
        let mut quarantined = Vec::new();
        for (name, result) in &results {
            match result.as_ref() {
                Ok(declaration) => {
                    declarations.push(declaration);
                    names.push(name);
                }
                Err(rejection) => quarantined.push((Arc::clone(name), rejection.clone())),
            }
        }
        let request = provider::render(&endpoint, &declarations);
        let forms = || names.iter().zip(&declarations).zip(&request.forms);
        let is_in = |form: &Form| *form != Form::LeftOut;
        let declared = || {
            forms()
                .filter(|(_, form)| is_in(form))
                .map(|(tool, _)| tool)
        };
        Rendered {
            target,
            names: declared().map(|(name, _)| Arc::clone(name)).collect(),
            notes: declared()
                .filter(|(_, declaration)| !declaration.notes().is_empty())
                .map(|(name, declaration)| (Arc::clone(name), declaration.notes().to_vec()))
                .collect(),
            left_out: forms()
                .filter(|(_, form)| !is_in(form))
                .map(|((name, _), _)| Arc::clone(name))
                .collect(),
            json: request.json.into(),
            quarantined,
        }
    }
}
