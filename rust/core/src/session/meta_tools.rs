//! Tools that are found, described and called without being declared: for endpoints whose declared
//! tools never change.

use std::{fmt::Write, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::{SearchOutcome, Session, search};
use crate::{
    Limits, Result,
    call::{CallRequest, Prepared, Problem, Refusal, read_arguments},
    name::{CALL_TOOL, DESCRIBE_TOOL},
    provider::{DeclareOptions, Target},
    registry::Registry,
    tool::{DeclarationResult, Tool},
};

/// The answer of `describe_tool`.
#[derive(Debug, Clone)]
pub struct Description {
    /// The tool.
    pub tool: Arc<Tool>,
    /// What the model reads: its declaration as JSON in MCP's form, at most
    /// `max_declaration_bytes` long.
    pub text: String,
}

/// The form in which tools are described, and in which `call_tool` takes their arguments: of all
/// targets it keeps most of a schema.
fn described(tool: &Tool, registry: &Registry) -> Arc<DeclarationResult> {
    tool.declaration(Target::Mcp, DeclareOptions::default(), registry)
}

#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default, deserialize_with = "crate::json::plain")]
    arguments: Value,
}

impl Named {
    fn read(builtin: &'static str, arguments: Value) -> Result<Self, Refusal> {
        serde_json::from_value(arguments).map_err(|_| Refusal::InvalidArguments {
            name: builtin.into(),
            problems: vec![Problem::at_root(
                "required",
                "the text \"name\" is missing".into(),
                "{\"name\": \"…\"}",
            )],
        })
    }
}

impl Session {
    /// Answers `describe_tool` out of the caller's view.
    pub(super) fn prepare_description(
        &self,
        _: &CallRequest<'_>,
        arguments: Value,
    ) -> Result<Prepared> {
        let named = match Named::read(DESCRIBE_TOOL, arguments) {
            Ok(named) => named,
            Err(refusal) => return Ok(Prepared::Refused(refusal)),
        };
        let Some(tool) = self.tool_meant(&named.name) else {
            return Ok(Prepared::Refused(self.not_found(&named.name)));
        };
        let text = match described(&tool, self.registry()).as_ref() {
            Ok(declaration) => declaration.json().to_owned(),
            Err(_) => format!(
                "{}: its parameters are too large to be shown.",
                search::line_of(&tool)
            ),
        };
        Ok(Prepared::Described(Description { tool, text }))
    }

    /// Unwraps `call_tool`: from here on it is a call of the tool itself. Active or not makes no
    /// difference, since no tool is declared here that could be out of the model's sight.
    pub(super) fn prepare_named(
        &self,
        request: &CallRequest<'_>,
        arguments: Value,
    ) -> Result<Prepared> {
        let named = match Named::read(CALL_TOOL, arguments) {
            Ok(named) => named,
            Err(refusal) => return Ok(Prepared::Refused(refusal)),
        };
        let inner = match named.arguments {
            // Many models write the inner object as text.
            Value::String(text) => text,
            arguments => arguments.to_string(),
        };
        let own = self.own_tool(&named.name, request.endpoint.as_ref());
        if let Some(own) = own.filter(|own| own.name != CALL_TOOL) {
            return match read_arguments(&inner, self.registry().limits()) {
                Ok(arguments) => (own.prepare)(self, request, arguments),
                Err(problem) => Ok(Refusal::invalid(own.name.into(), vec![problem])),
            };
        }
        let request = CallRequest {
            name: &named.name,
            arguments: &inner,
            endpoint: None,
            position: request.position,
            allow_inactive: true,
        };
        self.prepare_tool(&request, |tool, arguments| {
            match described(tool, self.registry()).as_ref() {
                Ok(declaration) => declaration.restore(arguments),
                Err(_) => arguments,
            }
        })
    }
}

impl SearchOutcome {
    /// The answer as a model reads it that calls tools through `call_tool`: as many of the best
    /// tools as fit are described at once.
    pub(super) fn meta_text(&self, registry: &Registry) -> String {
        let hits = self.hits();
        if hits.is_empty() {
            return self.text();
        }
        let mut text = format!(
            "Call what was found through {CALL_TOOL}, with the tool's name and arguments. \
             {DESCRIBE_TOOL} shows the parameters that are not shown here.\n"
        );
        let Limits { preview_bytes, .. } = *registry.limits();
        let mut left = preview_bytes;
        for hit in hits {
            match described(&hit.tool, registry).as_ref() {
                Ok(declaration) if declaration.json().len() <= left => {
                    left -= declaration.json().len();
                    _ = writeln!(text, "{}", declaration.json());
                }
                // Those that follow are worse answers, and shown no better.
                _ => {
                    left = 0;
                    _ = writeln!(text, "- {}", search::line_of(&hit.tool));
                }
            }
        }
        search::not_searched(&mut text, self.not_ready());
        text.truncate(text.trim_end().len());
        text
    }
}
