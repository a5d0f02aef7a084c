//! Calls of `tool_search`; how it is declared stands in [`crate::provider::tool_search`].

use serde::Deserialize;
use serde_json::Value;

use super::{SearchOutcome, SearchRequest, Session};
use crate::{
    Result,
    call::{CallRequest, Prepared, Problem, Refusal},
    name::TOOL_SEARCH,
    provider::{Activation, Endpoint},
};

/// The arguments of one call of `tool_search`, read leniently: a model that gets the limit wrong
/// still gets its tools.
#[derive(Debug, Deserialize)]
struct ToolSearchArguments {
    query: String,
    #[serde(default, deserialize_with = "lenient_limit")]
    limit: Option<i64>,
}

fn lenient_limit<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let value = crate::json::plain(from)?;
    let text = value.as_str().and_then(|text| text.trim().parse().ok());
    Ok(value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
        .or(text))
}

impl Session {
    /// Answers `tool_search`.
    pub(super) fn prepare_search(
        &self,
        request: &CallRequest<'_>,
        arguments: Value,
    ) -> Result<Prepared> {
        let Ok(arguments) = serde_json::from_value::<ToolSearchArguments>(arguments) else {
            let problem = Problem::at_root(
                "required",
                "the text \"query\" is missing".into(),
                "{\"query\": \"…\"}",
            );
            return Ok(Refusal::invalid(TOOL_SEARCH.into(), vec![problem]));
        };
        let outcome = self.search(&SearchRequest {
            query: &arguments.query,
            limit: arguments.limit,
            position: request.position,
            within: None,
        })?;
        let text = self.search_text(&outcome, request.endpoint.as_ref());
        Ok(Prepared::Searched { outcome, text })
    }

    /// What the model reads of a search at `endpoint`.
    fn search_text(&self, outcome: &SearchOutcome, endpoint: Option<&Endpoint>) -> String {
        match endpoint.map(Endpoint::activation) {
            Some(Activation::MetaTool) => outcome.meta_text(self.registry()),
            _ => outcome.text(),
        }
    }
}
