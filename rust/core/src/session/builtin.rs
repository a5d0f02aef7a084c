//! The tools that Toolcrib itself adds to a session; which of them it offers stands in
//! [`super::offer`].

use std::sync::LazyLock;

use serde_json::Value;

use super::Session;
use crate::{
    Limits, Result,
    call::{CallRequest, Prepared},
    name::{CALL_TOOL, CODEMODE, DESCRIBE_TOOL, TOOL_SEARCH},
    provider::{
        Activation, Declaration, DeclareOptions, DeclaredTool, Endpoint, Target, declare_with,
        tool_search,
    },
};

/// One of these tools.
pub(crate) struct Builtin {
    pub name: &'static str,
    /// What its declarations are made of.
    tool: fn() -> DeclaredTool<'static>,
    /// Whether an endpoint declares it, if it is offered; none is callable where it is not declared.
    declared: fn(&Endpoint) -> bool,
    /// Answers a call, whose arguments are restored and nothing more.
    pub prepare: fn(&Session, &CallRequest<'_>, Value) -> Result<Prepared>,
}

/// All of them, in the order in which requests declare them. `codemode` has its place among the
/// tools of the session, and so have the others where a session comes to have them later.
#[rustfmt::skip]
const BUILTINS: &[Builtin] = &[
    Builtin { name: TOOL_SEARCH, tool: tool_search::tool, declared: always, prepare: Session::prepare_search },
    Builtin { name: DESCRIBE_TOOL, tool: tool_search::describe_tool, declared: where_tools_never_change, prepare: Session::prepare_description },
    Builtin { name: CALL_TOOL, tool: tool_search::call_tool, declared: where_tools_never_change, prepare: Session::prepare_named },
    Builtin { name: CODEMODE, tool: tool_search::codemode, declared: never, prepare: Session::prepare_script },
];

fn always(_: &Endpoint) -> bool {
    true
}

fn never(_: &Endpoint) -> bool {
    false
}

fn where_tools_never_change(endpoint: &Endpoint) -> bool {
    endpoint.activation() == Activation::MetaTool
}

/// By position in [`BUILTINS`] and in [`Target::ALL`].
static DECLARATIONS: LazyLock<Vec<Vec<Declaration>>> = LazyLock::new(|| {
    let of = |builtin: &Builtin| {
        // Plain: an optional argument is worth more than a strict one.
        let plain = DeclareOptions::default();
        let declare = |target: &Target| {
            declare_with(&(builtin.tool)(), *target, plain, &Limits::default())
                .expect("a small schema has a declaration for every target")
        };
        Target::ALL.iter().map(declare).collect()
    };
    BUILTINS.iter().map(of).collect()
});

/// By position in [`Target::ALL`].
static RENAMED_SEARCH: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
    let declare = |target: &Target| {
        let endpoint = Endpoint::new(*target).with_search_renamed(true);
        endpoint
            .declare_tool_search(&Limits::default())
            .expect("a small schema has a declaration for every target")
    };
    Target::ALL.iter().map(declare).collect()
});

static CLIENT_SEARCH: LazyLock<Declaration> = LazyLock::new(|| {
    tool_search::declare_as_client_tool(&Limits::default())
        .expect("a small schema has a declaration")
});

impl Builtin {
    /// Those by which `endpoint` reaches what is found, in order.
    pub fn of(endpoint: &Endpoint) -> impl Iterator<Item = &'static Self> {
        BUILTINS
            .iter()
            .filter(|builtin| (builtin.declared)(endpoint))
    }

    /// The one of this name that a model may call at `endpoint`, if it is offered; without an
    /// endpoint those count that are declared everywhere.
    pub fn called(name: &str, endpoint: Option<&Endpoint>) -> Option<&'static Self> {
        if name == CODEMODE {
            return Some(Self::codemode());
        }
        let anywhere = Endpoint::new(Target::Mcp);
        let endpoint = endpoint.unwrap_or(&anywhere);
        let name = match name == endpoint.search_name() {
            true => TOOL_SEARCH,
            false => name,
        };
        Self::of(endpoint).find(|builtin| builtin.name == name)
    }

    /// `codemode`, which the session declares.
    pub fn codemode() -> &'static Self {
        let mut all = BUILTINS.iter();
        all.find(|builtin| builtin.name == CODEMODE)
            .expect("it is one of them")
    }

    /// Its declaration, made once for all sessions.
    pub fn declaration(&self, endpoint: &Endpoint) -> &'static Declaration {
        let searches = self.name == TOOL_SEARCH;
        if searches && endpoint.activation() == Activation::OpenAiClientSearch {
            return &CLIENT_SEARCH;
        }
        if searches && endpoint.search_name() != TOOL_SEARCH {
            return &RENAMED_SEARCH[endpoint.target() as usize];
        }
        let at = BUILTINS
            .iter()
            .position(|builtin| builtin.name == self.name);
        let declarations = &DECLARATIONS[at.expect("it is one of them")];
        &declarations[endpoint.target() as usize]
    }
}
