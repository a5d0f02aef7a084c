//! What the integration tests share: reading vectors, and building catalogues and selections.
#![allow(dead_code, reason = "every test crate uses a part of this")]

use std::{path::PathBuf, sync::Arc};

use serde_json::Value;
use toolcrib_core::{
    Limits,
    name::Naming,
    registry::Registry,
    source::{ExpectedSource, ExposureRules, SourceDefinition, ToolInput},
    tool::{Exposure, ToolDefinition},
    view::{Selection, Term},
};

/// Cases of a property that is slow to try: `usual`, or what `PROPTEST_CASES` says.
pub fn cases(usual: u32) -> proptest::test_runner::Config {
    let wanted = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    proptest::test_runner::Config::with_cases(wanted.unwrap_or(usual))
}

/// The folder of the golden vectors.
pub fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

/// Reads one file of golden vectors.
pub fn vector(name: &str) -> Value {
    let text = std::fs::read_to_string(vectors().join(name)).expect("the vector is there");
    serde_json::from_str(&text).expect("the vector is JSON")
}

/// A source of the service's own code with one domain per tool.
pub fn source(name: &str, tools: Vec<ToolDefinition>) -> SourceDefinition {
    SourceDefinition {
        name: name.into(),
        naming: Naming::Plain,
        exposure: ExposureRules {
            default: Exposure::Deferred,
            overrides: Vec::new(),
        },
        tools: tools
            .into_iter()
            .map(|tool| ToolInput::Definition(Box::new(tool)))
            .collect(),
        ..SourceDefinition::default()
    }
}

/// A tool that takes nothing.
pub fn tool(name: &str, description: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.into(),
        description: description.into(),
        ..ToolDefinition::default()
    }
}

/// A registry with these sources.
pub fn registry(sources: impl IntoIterator<Item = SourceDefinition>) -> Arc<Registry> {
    let registry = Arc::new(Registry::new(Limits::default()));
    for source in sources {
        registry.put(source).expect("the source is fine");
    }
    registry
}

pub fn rights(term: Term) -> Arc<Selection> {
    Arc::new(Selection::new(term, &Limits::default()).expect("the selection is within limits"))
}

pub fn names(names: &[&str]) -> Term {
    Term::Names(names.iter().map(|name| Box::from(*name)).collect())
}

/// A selection as vectors write it: `"all"`, `"none"`, or an object of one key.
pub fn term(value: &Value) -> Term {
    if let Some(text) = value.as_str() {
        return match text {
            "all" => Term::All,
            "none" => Term::None,
            other => panic!("no selection: {other}"),
        };
    }
    let (key, value) = value
        .as_object()
        .and_then(|o| o.iter().next())
        .expect("an object of one key");
    let text = || Box::from(value.as_str().expect("a text"));
    let parts = || value.as_array().expect("a list").iter().map(term).collect();
    match key.as_str() {
        "names" => Term::Names(
            value
                .as_array()
                .expect("a list")
                .iter()
                .map(|n| n.as_str().expect("a name").into())
                .collect(),
        ),
        "source" => Term::Source(text()),
        "domain" => Term::Domain(text()),
        "tag" => Term::Tag(text()),
        "exposure" => Term::Exposure(exposure(value)),
        "and" => Term::And(parts()),
        "or" => Term::Or(parts()),
        "not" => Term::Not(Box::new(term(value))),
        other => panic!("no selection: {other}"),
    }
}

pub fn exposure(value: &Value) -> Exposure {
    serde_json::from_value(value.clone()).expect("an exposure")
}

/// A naming as vectors write it; namespaced where they say nothing.
pub fn naming(value: &Value) -> Naming {
    match value.as_str() {
        Some("plain") => Naming::Plain,
        Some("replacing") => Naming::Replacing,
        None | Some("namespaced") => Naming::Namespaced,
        Some(other) => panic!("no naming: {other}"),
    }
}

/// A source that is to come, as vectors write it.
pub fn expected_of(value: &Value) -> ExpectedSource {
    let texts = |key: &str| {
        let list = value[key].as_array().into_iter().flatten();
        list.map(|text| text.as_str().expect("a text").to_owned())
            .collect()
    };
    ExpectedSource {
        name: value["name"].as_str().expect("a name").into(),
        exposures: value["exposures"]
            .as_array()
            .expect("exposures")
            .iter()
            .map(exposure)
            .collect(),
        domain: value["domain"].as_str().map(str::to_owned),
        tags: texts("tags"),
    }
}

/// A source as vectors write it.
pub fn source_of(value: &Value) -> SourceDefinition {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    SourceDefinition {
        name: text("name"),
        description: text("description"),
        instructions: text("instructions"),
        naming: naming(&value["naming"]),
        domain: value["domain"].as_str().map(str::to_owned),
        tags: value["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|t| t.as_str().expect("a tag").to_owned())
            .collect(),
        exposure: ExposureRules {
            default: value.get("exposure").map(exposure).unwrap_or_default(),
            overrides: value["toolExposure"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.clone(), exposure(value)))
                .collect(),
        },
        tools: vec![ToolInput::ToolsList(value["tools"].to_string())],
        ..SourceDefinition::default()
    }
}
