//! The tools of one request, from declarations in the order of the active set.

use crate::provider::{Activation, Budget, Declaration, Endpoint, Target};

/// Which form of a declaration goes into a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As declared.
    Full,
    /// The plain form of a strict declaration: the request's budget for strict ones is spent.
    Plain,
    /// None: the request already holds as many tools as the endpoint takes.
    LeftOut,
}

/// Decides the form of each declaration, first come first served, so that what follows changes
/// nothing that stands before it.
#[must_use]
pub fn fit(budget: &Budget, declarations: &[&Declaration]) -> Vec<Form> {
    let within = |used: usize, limit: Option<usize>| limit.is_none_or(|limit| used <= limit);
    let (mut strict, mut optional, mut unions) = (0, 0, 0);
    declarations
        .iter()
        .enumerate()
        .map(|(at, declaration)| {
            if !within(at + 1, budget.max_tools) {
                return Form::LeftOut;
            }
            if !declaration.is_strict() {
                return Form::Full;
            }
            let weight = declaration.weight();
            let fits = within(strict + 1, budget.max_strict)
                && within(optional + weight.optional, budget.max_strict_optional)
                && within(unions + weight.unions, budget.max_strict_unions);
            if !fits {
                return Form::Plain;
            }
            strict += 1;
            optional += weight.optional;
            unions += weight.unions;
            Form::Full
        })
        .collect()
}

/// The tools of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// JSON of the value of [`crate::provider::Wrapping::field`].
    pub json: String,
    /// The form of each declaration, in the order given.
    pub forms: Vec<Form>,
}

/// A declaration that is never loaded. Anthropic writes more into the prompt as soon as the first
/// deferred tool appears; with this one that is so from the first request on, and the cache holds.
const PLACEHOLDER_TOOL: &str = r#"{"name":"tool_placeholder","description":"Not in use.","input_schema":{"type":"object","properties":{}},"defer_loading":true}"#;

/// The same where nothing else is there from the start, which Anthropic refuses.
const EAGER_PLACEHOLDER: &str = r#"{"name":"tool_placeholder","description":"Not in use.","input_schema":{"type":"object","properties":{}}}"#;

const ANTHROPIC_MARK: &str = r#","cache_control":{"type":"ephemeral"}}"#;
const BEDROCK_MARK: &str = r#"{"cachePoint":{"type":"default"}}"#;

/// Renders the tools of one request. A longer list of the same declarations keeps every byte of a
/// shorter one up to its suffix, but for the cache mark where that moves on to a new tool.
///
/// Empty where there is nothing to declare: then leave the field out.
#[must_use]
pub fn render(endpoint: &Endpoint, declarations: &[&Declaration]) -> Rendered {
    let forms = fit(&endpoint.budget(), declarations);
    let chosen: Vec<&Declaration> = declarations
        .iter()
        .zip(&forms)
        .filter_map(|(declaration, form)| match form {
            Form::Full => Some(*declaration),
            Form::Plain => Some(declaration.plain()),
            Form::LeftOut => None,
        })
        .collect();
    if chosen.is_empty() {
        return Rendered {
            json: String::new(),
            forms,
        };
    }
    let anthropic = endpoint.target() == Target::AnthropicMessages;
    let marked = endpoint.has_cache_breakpoint();
    let last_eager = chosen.iter().rposition(|d| !d.is_deferred());
    let placeholder_at = (endpoint.activation() == Activation::AnthropicReference).then(|| {
        chosen
            .iter()
            .position(|d| d.is_deferred())
            .unwrap_or(chosen.len())
    });
    let placeholder = match last_eager {
        Some(_) => PLACEHOLDER_TOOL,
        None => EAGER_PLACEHOLDER,
    };
    let wrapping = endpoint.target().wrapping();
    let size: usize = chosen.iter().map(|d| d.json().len() + 1).sum();
    let mut json = String::with_capacity(size + 256);
    json.push_str(wrapping.prefix);
    let mut separator = "";
    let mut push = |json: &mut String, element: &str, tail: &str| {
        json.push_str(separator);
        json.push_str(element);
        json.push_str(tail);
        separator = ",";
    };
    for (at, declaration) in chosen.iter().enumerate() {
        if placeholder_at == Some(at) {
            push(&mut json, placeholder, "");
        }
        match declaration.json().strip_suffix('}') {
            Some(open) if anthropic && marked && last_eager == Some(at) => {
                push(&mut json, open, ANTHROPIC_MARK);
            }
            _ => push(&mut json, declaration.json(), ""),
        }
    }
    if placeholder_at == Some(chosen.len()) {
        push(&mut json, placeholder, "");
    }
    let bedrock = matches!(
        endpoint.target(),
        Target::BedrockConverse | Target::BedrockClaude
    );
    if bedrock && marked {
        push(&mut json, BEDROCK_MARK, "");
    }
    json.push_str(wrapping.suffix);
    Rendered { json, forms }
}

/// The declaration that a model means by `name`: its own name, or one that models garble it to.
#[must_use]
pub fn named<'a>(declarations: &[&'a Declaration], name: &str) -> Option<&'a Declaration> {
    let exact = |name: &str| declarations.iter().copied().find(|d| d.name() == name);
    exact(name).or_else(|| exact(meant(name)))
}

/// What is left of a name without what models write around it.
pub(crate) fn meant(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix("functions.").unwrap_or(name)
}
