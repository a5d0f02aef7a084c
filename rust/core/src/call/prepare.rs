use std::{fmt::Write, sync::Arc};

use serde_json::Value;

use super::Problem;
use crate::{
    Error, Limits, Result, json,
    name::{CODEMODE, TOOL_SEARCH},
    provider::{DeclareOptions, Endpoint},
    session::{Description, Reach, SearchOutcome, Session},
    tool::Tool,
    view::View,
};

/// What a model asked to be called.
#[derive(Debug, Clone, Default)]
pub struct CallRequest<'a> {
    /// The name the model used.
    pub name: &'a str,
    /// The arguments as JSON text; empty text and `null` mean none.
    pub arguments: &'a str,
    /// The endpoint whose declarations the model saw, to map its arguments back. None where the
    /// arguments are meant for the tool's own schema.
    pub endpoint: Option<Endpoint>,
    /// The turn or message id for the journal, should the call be a search.
    pub position: Option<&'a str>,
    /// Whether a tool that is not in the active set may be called. A right to it is needed anyway.
    pub allow_inactive: bool,
}

/// What is to be done with a call.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// Ask for permission, then execute.
    Ready(ReadyCall),
    /// The call was `tool_search`, and this is its answer.
    Searched {
        /// What was found.
        outcome: SearchOutcome,
        /// What the model reads of it.
        text: String,
    },
    /// The call was `describe_tool`, and this is its answer.
    Described(Description),
    /// The call was `codemode`, and this is the script to run.
    Script(String),
    /// There is nothing to execute; tell the model why.
    Refused(Refusal),
}

/// A call that may be executed once the caller's permission for it has been asked.
#[derive(Debug, Clone)]
pub struct ReadyCall {
    /// The tool.
    pub tool: Arc<Tool>,
    /// The revision of the tool's source, see [`crate::source::SourceDefinition::revision`].
    pub revision: u64,
    /// Its arguments: one JSON object, valid for the tool's own schema.
    pub arguments: String,
}

/// Why a call is not executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The caller has no tool of this name. Whether there is one that the caller may not know makes
    /// no difference.
    NotFound {
        /// The name asked for, cut to 64 bytes.
        name: String,
        /// Names out of the caller's own view that look like it.
        near_names: Vec<Arc<str>>,
        /// A source that is to come, may be known to the caller, and has tools of such names.
        expected: Option<Arc<str>>,
        /// How others are found.
        reach: Reach,
    },
    /// The caller may use the tool, but it was not declared yet.
    NotActive {
        /// Its name.
        name: Arc<str>,
        /// How it comes to be declared, or to be called all the same.
        reach: Reach,
    },
    /// The arguments do not fit the tool's schema.
    InvalidArguments {
        /// The tool's name.
        name: Arc<str>,
        /// What is wrong, at most `max_problems`.
        problems: Vec<Problem>,
    },
}

impl Session {
    /// Finds the tool of a call among the caller's, maps its arguments back and validates them;
    /// answers the calls of Toolcrib's own tools itself.
    ///
    /// # Errors
    ///
    /// A position that is too long. Everything a model can get wrong is a [`Refusal`].
    pub fn prepare(&self, request: &CallRequest<'_>) -> Result<Prepared> {
        let endpoint = request.endpoint.as_ref();
        let Some(builtin) = self.own_tool(request.name, endpoint) else {
            return self.prepare_tool(request, |tool, arguments| match endpoint {
                Some(endpoint) => self.map_back(tool, endpoint, arguments),
                None => arguments,
            });
        };
        let arguments = match read_arguments(request.arguments, self.registry().limits()) {
            Ok(arguments) => arguments,
            Err(problem) => return Ok(Refusal::invalid(builtin.name.into(), vec![problem])),
        };
        let arguments = match endpoint {
            Some(endpoint) => builtin.declaration(endpoint).restore(arguments),
            None => arguments,
        };
        (builtin.prepare)(self, request, arguments)
    }

    /// A call of a tool of the registry; `restore` maps the arguments back.
    pub(crate) fn prepare_tool(
        &self,
        request: &CallRequest<'_>,
        restore: impl FnOnce(&Tool, Value) -> Value,
    ) -> Result<Prepared> {
        let limits = self.registry().limits();
        let Some(tool) = &self.tool_meant(request.name) else {
            return Ok(Prepared::Refused(self.not_found(request.name)));
        };
        if !request.allow_inactive && !self.is_active(tool.name()) {
            return Ok(Prepared::Refused(Refusal::NotActive {
                name: Arc::clone(tool.name()),
                reach: self.reach(),
            }));
        }
        let invalid = |problems| Ok(Refusal::invalid(Arc::clone(tool.name()), problems));
        let arguments = match read_arguments(request.arguments, limits) {
            Ok(arguments) => restore(tool, arguments),
            Err(problem) => return invalid(vec![problem]),
        };
        let registry = self.registry();
        let validator = registry.validators().get(tool, registry);
        let problems = match validator.is_deep(&arguments) {
            true => registry.deep(|| validator.problems(&arguments, limits)),
            false => validator.problems(&arguments, limits),
        };
        if !problems.is_empty() {
            return invalid(problems);
        }
        let source = self.view().snapshot().source(tool.source()).cloned();
        Ok(Prepared::Ready(ReadyCall {
            tool: Arc::clone(tool),
            revision: source.map_or(0, |source| source.revision),
            arguments: arguments.to_string(),
        }))
    }

    /// The arguments as the tool wants them, by the declaration that the model was given.
    fn map_back(&self, tool: &Tool, endpoint: &Endpoint, arguments: Value) -> Value {
        let last = self.answered_rendering(endpoint);
        let given = last.as_ref().and_then(|last| last.declaration(tool.name()));
        if let Some(declaration) = given {
            return declaration.restore(arguments);
        }
        // Never given: the caller allows inactive tools, or the list was too long.
        let options = DeclareOptions {
            strict: endpoint.is_strict(),
            deferred: false,
        };
        let declaration = tool.declaration(endpoint.target(), options, self.registry());
        match declaration.as_ref() {
            Ok(declaration) => declaration.restore(arguments),
            Err(_) => arguments,
        }
    }
}

pub(crate) fn read_arguments(text: &str, limits: &Limits) -> Result<Value, Problem> {
    if matches!(text.trim(), "" | "null") {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    Error::check_limit(
        "argument bytes",
        "max_arguments_bytes",
        text.len(),
        limits.max_arguments_bytes,
    )
    .and_then(|()| json::parse("the arguments", text, limits))
    .and_then(|value| match json::has_lost_digits(text) {
        true => Err(Error::InvalidArgument(json::LOST_DIGITS.into())),
        false => Ok(value),
    })
    .map_err(|error| Problem::at_root("type", error.to_string(), "a JSON object"))
}

const NEAR_NAMES: usize = 3;
const NAME_BYTES: usize = 64;

impl Refusal {
    pub(crate) fn invalid(name: Arc<str>, problems: Vec<Problem>) -> Prepared {
        Prepared::Refused(Self::InvalidArguments { name, problems })
    }

    pub(crate) fn not_found(
        view: &View,
        name: &str,
        expected: Option<Arc<str>>,
        reach: Reach,
    ) -> Self {
        Self::NotFound {
            name: json::cut(name, NAME_BYTES).to_owned(),
            near_names: view.near_names(json::cut(name, 2 * NAME_BYTES), NEAR_NAMES),
            expected,
            reach,
        }
    }

    /// The refusal as a model reads it that knows `tool_search` by that name.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_at(None)
    }

    /// The refusal as the model at `endpoint` reads it.
    #[must_use]
    pub fn text_at(&self, endpoint: Option<&Endpoint>) -> String {
        let search = endpoint.map_or(TOOL_SEARCH, Endpoint::search_name);
        match self {
            Self::NotFound {
                name,
                near_names,
                expected,
                reach,
            } => {
                let mut text = format!("You have no tool named \"{name}\".");
                if let Some(source) = expected {
                    _ = write!(
                        text,
                        " The tools of {source} are not known yet; try again later."
                    );
                }
                if !near_names.is_empty() {
                    _ = write!(text, " Similar names: {}.", near_names.join(", "));
                }
                match reach {
                    Reach::Search => _ = write!(text, " Use {search} to find what you need."),
                    Reach::Scripts => {
                        _ = write!(text, " A script of {CODEMODE} finds others by searchTools.");
                    }
                    Reach::Nothing => {}
                }
                text
            }
            Self::NotActive { name, reach } => {
                let mut text = format!(
                    "{name} is not among your declared tools yet, so its parameters are not known to you."
                );
                match reach {
                    Reach::Search => {
                        _ = write!(text, " Search for it with {search} first, then call it.");
                    }
                    Reach::Scripts => _ = write!(text, " Call it from a script of {CODEMODE}."),
                    Reach::Nothing => {}
                }
                text
            }
            Self::InvalidArguments { name, problems } => {
                let mut text = format!(
                    "The arguments of {name} are not valid; nothing was executed. Mend this and call again:"
                );
                for problem in problems {
                    _ = write!(text, "\n- {}", problem.line());
                }
                text
            }
        }
    }
}
