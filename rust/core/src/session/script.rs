//! What a script of a session sees: the tools that it may call, and what it learns of them.
//!
//! It may call the active tools of `direct` exposure and all of `codemode` and `deferred` exposure
//! that the caller may discover, active or not. Everything here says no more than the caller may
//! know.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::{SearchRequest, Session, State};
use crate::{
    Result,
    call::{CallRequest, Prepared, Problem, Refusal},
    name::CODEMODE,
    schema,
    source::Source,
    tool::{Exposure, Tool},
    view::{Selection, Term, View},
};

/// What a name stands for in a script.
#[derive(Debug, Clone)]
pub enum ScriptName {
    /// A tool that the script may call.
    Tool(Arc<Tool>),
    /// None; names of such tools that look like it.
    Unknown(Vec<Arc<str>>),
    /// Written with `_` for what no identifier has, each of these names is the same.
    Ambiguous(Vec<Arc<str>>),
}

/// A source, as far as a script may know it.
#[derive(Debug, Clone)]
pub struct ScriptNamespace {
    /// The source.
    pub source: Arc<Source>,
    /// The names of its tools that the script may call, sorted.
    pub tools: Vec<Arc<str>>,
}

const NEAR_NAMES: usize = 3;
/// How many sources are named where there is none of a name.
const SOURCES: usize = 20;
/// Longest declaration that a script is given, in bytes; what is longer loses its details.
const DECLARATION_BYTES: usize = 16_000;
const NAMESPACE: &str = "mcp__";
const RESULT: &str =
    "type ToolResult<T> = { structuredContent?: T; content: { type: \"text\"; text: string }[] };";

impl Session {
    /// The tool that a script means by `name`: its public name, or that with `_` in place of
    /// everything that an identifier has not.
    #[must_use]
    pub fn script_name(&self, name: &str) -> ScriptName {
        let state = self.state();
        if let Some(tool) = state.view.tool(name)
            && state.may_call(tool)
        {
            return ScriptName::Tool(Arc::clone(tool));
        }
        // Only names with something else than an identifier has are written in another way.
        let alias =
            |tool: &&Arc<Tool>| tool.name().contains('-') && identifier(tool.name()) == name;
        let meant: Vec<_> = match name.contains('_') {
            true => state
                .view
                .tools()
                .filter(alias)
                .filter(|tool| state.may_call(tool))
                .take(NEAR_NAMES)
                .collect(),
            false => Vec::new(),
        };
        match &meant[..] {
            [] => {
                let near = state
                    .view
                    .near_names(crate::json::cut(name, 128), 2 * NEAR_NAMES);
                let may_call = |name: &Arc<str>| {
                    state
                        .view
                        .tool(name)
                        .is_some_and(|tool| state.may_call(tool))
                };
                ScriptName::Unknown(near.into_iter().filter(may_call).take(NEAR_NAMES).collect())
            }
            [tool] => ScriptName::Tool(Arc::clone(tool)),
            several => {
                ScriptName::Ambiguous(several.iter().map(|tool| Arc::clone(tool.name())).collect())
            }
        }
    }

    /// Searches the tools that a script may call, and activates nothing. `namespace` is a name as
    /// [`Session::script_namespace`] takes it; nothing is found in one that is not there.
    #[must_use]
    pub fn script_search(
        &self,
        query: &str,
        limit: Option<i64>,
        namespace: Option<&str>,
    ) -> Vec<Arc<Tool>> {
        let state = self.state();
        let limits = self.registry.limits();
        let within = match namespace {
            None => None,
            Some(name) => match source_named(&state.view, name) {
                Some(source) => Some(Selection::of(Term::Source((&**source.name()).into()))),
                None => return Vec::new(),
            },
        };
        let request = SearchRequest {
            query,
            limit,
            position: None,
            within: within.as_ref(),
        };
        let found = state.view.search(&request, limits);
        found
            .into_iter()
            .map(|(tool, _)| tool)
            .filter(|tool| state.may_call(tool))
            .collect()
    }

    /// The TypeScript declaration of a tool that a script may call, by its public name: what the
    /// script gives it and what it gets back.
    #[must_use]
    pub fn script_declaration(&self, name: &str) -> Option<String> {
        let tool = match self.script_name(name) {
            ScriptName::Tool(tool) => tool,
            _ => return None,
        };
        Some(self.registry.deep(|| declaration(&tool)))
    }

    /// A source with a tool that the script may call: by its name, by `mcp__` and its name, and by
    /// either with `_` in place of everything that an identifier has not.
    ///
    /// # Errors
    ///
    /// The names of such sources, where none has this name; the first ones if there are many.
    pub fn script_namespace(&self, name: &str) -> Result<ScriptNamespace, Vec<Arc<str>>> {
        let state = self.state();
        let Some(source) = source_named(&state.view, name) else {
            return Err(state.view.sources().into_iter().take(SOURCES).collect());
        };
        let callable = |name: &&Arc<str>| {
            state
                .view
                .tool(name)
                .is_some_and(|tool| state.may_call(tool))
        };
        let mut tools: Vec<_> = source.tools().iter().filter(callable).cloned().collect();
        tools.sort_unstable();
        Ok(ScriptNamespace {
            source: Arc::clone(source),
            tools,
        })
    }

    /// The first `limit` tools by name that a script may call, and how many the caller has.
    #[must_use]
    pub fn script_tools(&self, limit: usize) -> (Vec<Arc<Tool>>, usize) {
        let state = self.state();
        let tools = state.view.tools().filter(|tool| state.may_call(tool));
        (tools.take(limit).cloned().collect(), state.view.len())
    }
}

#[derive(Deserialize)]
struct CodemodeArguments {
    code: String,
}

impl Session {
    /// Reads a call of `codemode`, for who runs scripts.
    pub(super) fn prepare_script(&self, _: &CallRequest<'_>, arguments: Value) -> Result<Prepared> {
        let Ok(arguments) = serde_json::from_value::<CodemodeArguments>(arguments) else {
            let problem = Problem::at_root(
                "required",
                "the text \"code\" is missing".into(),
                "{\"code\": \"…\"}",
            );
            return Ok(Refusal::invalid(CODEMODE.into(), vec![problem]));
        };
        Ok(Prepared::Script(arguments.code))
    }
}

impl State {
    /// Whether a script may call a tool of the view.
    fn may_call(&self, tool: &Tool) -> bool {
        match tool.exposure() {
            Exposure::Direct => self.journal.is_active(tool.name()),
            Exposure::Codemode | Exposure::Deferred => true,
            Exposure::Hidden => false,
        }
    }
}

fn declaration(tool: &Tool) -> String {
    let parse = |schema: &str| crate::json::value(schema).unwrap_or(Value::Bool(true));
    let output = tool.output_schema().map(parse);
    let input = parse(tool.input_schema());
    let text = schema::typescript(
        tool.name(),
        tool.description(),
        &input,
        output.as_ref(),
        Some("ToolResult"),
        DECLARATION_BYTES,
    );
    format!(
        "{RESULT}\n\n{text}// await tools.{}({{ … }})\n",
        identifier(tool.name())
    )
}

fn source_named<'a>(view: &'a View, name: &str) -> Option<&'a Arc<Source>> {
    let bare = name.strip_prefix(NAMESPACE).unwrap_or(name);
    let visible = view.sources();
    let exact = [name, bare]
        .into_iter()
        .find(|name| visible.iter().any(|source| **source == **name));
    let alias = || {
        visible
            .iter()
            .map(|source| &**source)
            .find(|source| identifier(source) == bare)
    };
    view.snapshot().source(exact.or_else(alias)?)
}

/// A name as scripts and declarations write it.
fn identifier(name: &str) -> String {
    let mut made: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}
