//! One turn of the model: its calls read, and their answers written for the history.

use serde_json::Value;

use super::{Rendered, Session, State, render::Place};
use crate::{
    Error, Limits, Result, json,
    provider::{
        self, Activation, CallOutcome, Declaration, Endpoint, ModelCall, ResultPart, decode_calls,
        without_lost_digits,
    },
};

/// How a call of a turn ended.
#[derive(Debug, Clone, Default)]
pub struct CallAnswer<'a> {
    /// What the model reads.
    pub parts: Vec<ResultPart>,
    /// The call failed.
    pub is_error: bool,
    /// Of a search: the tools that it found, best first.
    pub found: Vec<FoundTool<'a>>,
}

/// A tool that a search of the turn found.
#[derive(Debug, Clone, Copy)]
pub struct FoundTool<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether that search activated it; otherwise it was active before.
    pub added: bool,
}

/// Levels of a provider's answer around the arguments of a call.
const ENVELOPE_DEPTH: usize = 16;

impl Session {
    /// Reads every call of one answer of a model, in order: the provider's whole response, its
    /// message, or the list of its parts. Calls that the provider runs itself are left out. Whatever
    /// the model got wrong in a call comes to light when it is [prepared](Session::prepare).
    ///
    /// Half a surrogate pair, which JSON cannot have, is read as U+FFFD.
    ///
    /// # Errors
    ///
    /// An answer that is no JSON, longer than `max_answer_bytes`, or nested deeper than
    /// `max_json_depth` and what the provider has around arguments.
    pub fn decode_calls(&self, endpoint: &Endpoint, answer: &str) -> Result<Vec<ModelCall>> {
        let limits = self.registry().limits();
        Error::check_limit(
            "bytes of the model's answer",
            "max_answer_bytes",
            answer.len(),
            limits.max_answer_bytes,
        )?;
        let around = Limits {
            max_json_depth: json::max_depth(limits) + ENVELOPE_DEPTH,
            ..limits.clone()
        };
        let parse = |text: &str| json::parse("the model's answer", text, &around);
        let read = parse(answer).or_else(|error| match json::without_halves(answer) {
            Some(mended) => parse(&mended),
            None => Err(error),
        })?;
        let mut calls = decode_calls(endpoint.target(), &read, limits);
        if json::has_lost_digits(answer) {
            without_lost_digits(&mut calls);
        }
        Ok(calls)
    }

    /// Writes the answers of one turn: the messages or items to be appended, in this order, behind
    /// the model's own message. Every provider wants all calls of a turn answered together, so a
    /// call without an answer gets one that says so.
    ///
    /// The answer of a search becomes what its activation leaves in the history: references, whole
    /// declarations, or text. A tool that the caller lost since it was found leaves nothing.
    #[must_use]
    pub fn encode_results(
        &self,
        endpoint: &Endpoint,
        turn: &[(&ModelCall, Option<&CallAnswer<'_>>)],
    ) -> Vec<Value> {
        let mut state = self.state();
        // The next request declares what these answers refer to.
        let rendered = state.rendered_for(endpoint, self.registry());
        let outcomes: Vec<_> = turn
            .iter()
            .map(|(_, answer)| answer.map(|answer| state.outcome(&rendered, answer)))
            .collect();
        drop(state);
        let turn: Vec<_> = turn
            .iter()
            .zip(&outcomes)
            .map(|((call, _), outcome)| (*call, outcome.as_ref()))
            .collect();
        provider::encode_results(endpoint, &turn)
    }
}

impl State {
    fn outcome<'a>(&self, rendered: &'a Rendered, answer: &CallAnswer<'_>) -> CallOutcome<'a> {
        let lost = |tool: &FoundTool<'_>| self.view.tool(tool.name).is_none();
        let parts = if answer.found.iter().any(lost) {
            let text = "Some of what was found is not available any more; search again.";
            vec![ResultPart::Text(text.to_owned())]
        } else {
            answer.parts.clone()
        };
        let activated = answer.found.iter().filter(|tool| !lost(tool));
        CallOutcome {
            parts,
            is_error: answer.is_error,
            activated: activated
                .filter_map(|tool| rendered.carried(*tool))
                .collect(),
        }
    }
}

impl Rendered {
    /// What the history gets of a tool that was found.
    fn carried(&self, found: FoundTool<'_>) -> Option<&Declaration> {
        let seen = self.seen(found.name)?;
        // Found again, it is told again, for the first answer may have been cut from the history;
        // but what is added to a list of tools is added once.
        let again = self.endpoint.activation() != Activation::OpenAiAdditionalTools;
        let carries = seen.place != Place::Listed && (found.added || again);
        seen.declared().filter(|_| carries)
    }
}
