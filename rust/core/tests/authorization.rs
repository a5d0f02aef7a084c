//! The property that everything else rests on: what a caller sees depends on nothing that the
//! caller may not know. Stated as strongly as it can be: a registry that holds the whole catalogue
//! answers a caller byte for byte as one that holds the caller's own tools alone.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use toolcrib_core::{
    Limits,
    call::{CallRequest, Prepared},
    name::{Naming, OWN},
    provider::{Endpoint, Target},
    registry::Registry,
    session::{SearchRequest, Session, Step},
    source::{ExpectedSource, SourceDefinition},
    tool::{Exposure, ToolDefinition},
    view::{PageRequest, Selection, Term},
};

const WORDS: &[&str] = &[
    "order", "cancel", "invoice", "weather", "create", "list", "customer", "issue", "refund",
    "user", "report", "订单", "发票", "天气", "查询", "客户", "退款",
];

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(WORDS)
}

fn a_tool() -> impl Strategy<Value = ToolDefinition> {
    (
        prop::collection::vec(word(), 1..3),
        prop::collection::vec(word(), 0..8),
        prop::option::of(prop::sample::select(&["sales", "hr", "it"][..])),
        prop::collection::vec(prop::sample::select(&["read", "write", "admin"][..]), 0..2),
        prop::sample::select(&[None, Some("direct"), Some("hidden"), Some("codemode")][..]),
        word(),
    )
        .prop_map(|(name, description, domain, tags, exposure, parameter)| ToolDefinition {
            name: name.join("_"),
            description: description.join(" "),
            input_schema: format!(r#"{{"type":"object","properties":{{"{parameter}":{{"type":"string"}}}},"required":["{parameter}"]}}"#),
            domain: domain.map(str::to_owned),
            tags: tags.into_iter().map(str::to_owned).collect(),
            exposure: exposure.map(|e| support::exposure(&e.into())),
            ..ToolDefinition::default()
        })
}

fn a_catalogue() -> impl Strategy<Value = Vec<SourceDefinition>> {
    let sources = prop::collection::vec((prop::collection::vec(a_tool(), 0..7), word()), 1..5);
    (sources, prop::sample::subsequence(OWN, 0..3)).prop_map(|(sources, replaced)| {
        let named =
            |(number, (tools, about)): (usize, (Vec<ToolDefinition>, &str))| SourceDefinition {
                description: format!("source about {about}"),
                naming: Naming::Namespaced,
                ..support::source(&format!("s{number}"), tools)
            };
        let mut sources: Vec<_> = sources.into_iter().enumerate().map(named).collect();
        if !replaced.is_empty() {
            let tools = replaced
                .into_iter()
                .map(|name| support::tool(name, "Theirs."));
            sources.push(SourceDefinition {
                naming: Naming::Replacing,
                ..support::source("theirs", tools.collect())
            });
        }
        sources
    })
}

fn expected_sources() -> impl Strategy<Value = Vec<ExpectedSource>> {
    let exposures = prop::sample::subsequence(&Exposure::ALL[..], 0..3);
    let domain = prop::option::of(prop::sample::select(&["sales", "hr", "it"][..]));
    let tags = prop::sample::subsequence(&["read", "write", "admin"][..], 0..3);
    prop::collection::vec((exposures, domain, tags), 0..3).prop_map(|sources| {
        let named = |(number, (exposures, domain, tags)): (usize, (_, Option<&str>, Vec<&str>))| {
            ExpectedSource {
                name: format!("e{number}").into(),
                exposures,
                domain: domain.map(str::to_owned),
                tags: tags.into_iter().map(str::to_owned).collect(),
            }
        };
        sources.into_iter().enumerate().map(named).collect()
    })
}

fn a_term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        Just(Term::All),
        Just(Term::None),
        (0..5usize).prop_map(|n| Term::Source(format!("s{n}").into())),
        prop::sample::select(&["theirs", "e0", "e1"][..]).prop_map(|s| Term::Source(s.into())),
        prop::sample::select(&Exposure::ALL[..]).prop_map(Term::Exposure),
        prop::sample::select(&["sales", "hr", "it"][..]).prop_map(|d| Term::Domain(d.into())),
        prop::sample::select(&["read", "write", "admin"][..]).prop_map(|t| Term::Tag(t.into())),
        prop::collection::vec(word(), 0..4).prop_map(|words| Term::Names(
            words
                .iter()
                .flat_map(|w| (0..4).map(move |n| format!("mcp__s{n}__{w}").into()))
                .collect()
        )),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Term::And),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Term::Or),
            inner.prop_map(|term| Term::Not(Box::new(term))),
        ]
    })
}

/// The catalogue as it would be if there were nothing but what `rights` selects.
fn own_catalogue(
    registry: &Registry,
    sources: &[SourceDefinition],
    rights: &Arc<Selection>,
) -> Vec<SourceDefinition> {
    let view = registry.view(rights);
    let mine = |source: &SourceDefinition, tool: &ToolDefinition| {
        let name = toolcrib_core::name::public_name(source.naming, &source.name, &tool.name);
        view.tool(&name).is_some()
    };
    let mut own = Vec::new();
    for source in sources {
        let mut kept = source.clone();
        kept.tools.retain(|input| match input {
            toolcrib_core::source::ToolInput::Definition(tool) => mine(source, tool),
            toolcrib_core::source::ToolInput::ToolsList(_) => false,
        });
        if !kept.tools.is_empty() {
            own.push(kept);
        }
    }
    own
}

/// Everything that one caller can learn, as text.
fn everything(
    registry: &Arc<Registry>,
    rights: &Arc<Selection>,
    queries: &[String],
    scripts: bool,
) -> Vec<String> {
    let limits = Limits::default();
    let mut seen = Vec::new();
    let view = registry.view(rights);
    seen.push(format!("{:?}", view.sources()));
    let mut cursor = None;
    loop {
        let page = view
            .page(&PageRequest { cursor, limit: 3 })
            .expect("the cursor is one of a page");
        seen.push(format!("{:?} {:?}", page.tools, page.next_cursor));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let pinned = ["mcp__s0__order"];
    let session =
        Session::open_with(registry, Arc::clone(rights), &pinned, scripts).expect("opens");
    seen.push(format!(
        "{:?} {:?}",
        session.awaits(&Step::Render),
        session.awaits(&Step::Search)
    ));
    for (turn, query) in queries.iter().enumerate() {
        let stateless = view.search(
            &SearchRequest {
                query,
                limit: Some(20),
                ..SearchRequest::default()
            },
            &limits,
        );
        // Scores included, to the last bit.
        seen.push(format!(
            "{:?}",
            stateless
                .iter()
                .map(|(tool, score)| (tool.name(), score.to_bits()))
                .collect::<Vec<_>>()
        ));
        let position = format!("turn-{turn}");
        let request = SearchRequest {
            query,
            limit: Some(2),
            position: Some(&position),
            within: None,
        };
        let outcome = session.search(&request).expect("searches");
        seen.push(format!("{outcome:?}\n{}", outcome.text()));
        for target in Target::ALL {
            for endpoint in [Endpoint::new(*target), Endpoint::native(*target)] {
                let rendered = session.render(&endpoint);
                seen.push(format!(
                    "{:?} {} {:?}",
                    rendered.names, rendered.json, rendered.not_ready
                ));
            }
        }
        let meta = Endpoint::native(Target::Mcp);
        let wrapped = format!(r#"{{"name":"mcp__s1__{query}","arguments":{{"order":1}}}}"#);
        for builtin in ["describe_tool", "call_tool"] {
            let request = CallRequest {
                name: builtin,
                arguments: &wrapped,
                endpoint: Some(meta),
                ..CallRequest::default()
            };
            seen.push(match session.prepare(&request).expect("prepares") {
                Prepared::Script(code) => code,
                Prepared::Refused(refusal) => refusal.text(),
                Prepared::Described(description) => description.text,
                Prepared::Ready(call) => format!("{} {}", call.tool.name(), call.arguments),
                other @ Prepared::Searched { .. } => panic!("{other:?}"),
            });
        }
        for (name, arguments) in [
            (query.replace(' ', "_"), "{}"),
            (format!("mcp__s1__{query}"), r#"{"order":1}"#),
            (format!("mcp__e0__{query}"), "{}"),
            ("codemode".to_owned(), r#"{"code":"return 1"}"#),
            ("tool_search".to_owned(), r#"{"query":"order"}"#),
        ] {
            let request = CallRequest {
                name: &name,
                arguments,
                allow_inactive: true,
                ..CallRequest::default()
            };
            seen.push(format!("{:?}", session.awaits(&Step::Call(&request))));
            seen.push(match session.prepare(&request).expect("prepares") {
                Prepared::Refused(refusal) => refusal.text(),
                other => format!("{other:?}"),
            });
        }
    }
    // Pending and withheld differ only for whoever runs the service, so names are all that is compared.
    seen.push(format!(
        "{:?}",
        session
            .describe()
            .tools
            .iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    ));
    seen
}

proptest! {
    #![proptest_config(support::cases(128))]

    #[test]
    fn a_caller_sees_what_the_callers_own_tools_alone_would_show(
        sources in a_catalogue(),
        to_come in expected_sources(),
        term in a_term(),
        queries in prop::collection::vec(prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" ")), 1..4),
        scripts: bool,
    ) {
        let whole = support::registry(sources.clone());
        for source in to_come {
            whole.expect(source).expect("is expected");
        }
        let rights = support::rights(term);
        let own = support::registry(own_catalogue(&whole, &sources, &rights));
        for source in whole.snapshot().expected(&rights) {
            own.expect(ExpectedSource::clone(&source)).expect("is expected");
        }
        let all = Arc::new(Selection::all());
        prop_assert_eq!(everything(&whole, &rights, &queries, scripts), everything(&own, &all, &queries, scripts));
    }

    #[test]
    fn who_may_know_of_a_source_may_use_every_tool_that_it_has_in_the_end(
        to_come in expected_sources(),
        term in a_term(),
        (name, exposure, tag) in (word(), 0..3usize, prop::option::of(prop::sample::select(&["read", "write", "admin"][..]))),
    ) {
        let registry = support::registry([]);
        for source in to_come {
            registry.expect(source).expect("is expected");
        }
        let known = registry.snapshot().expected(&support::rights(term.clone()));
        for source in known {
            let exposure = source.exposures[exposure % source.exposures.len()];
            let mut put = support::source(&source.name, vec![support::tool(name, "")]);
            put.naming = Naming::Namespaced;
            put.exposure.default = exposure;
            put.domain = source.domain.clone();
            put.tags = source.tags.iter().cloned().chain(tag.map(str::to_owned)).collect();
            registry.put(put).expect("puts");
            let view = registry.view(&support::rights(term.clone()));
            let seen = view.sources().contains(&source.name);
            prop_assert_eq!(seen, exposure != Exposure::Hidden);
        }
    }

    #[test]
    fn a_selection_means_what_it_says(sources in a_catalogue(), term in a_term()) {
        let registry = support::registry(sources);
        let snapshot = registry.snapshot();
        let view = registry.view(&support::rights(term.clone()));
        for tool in snapshot.tools() {
            let hidden = tool.exposure() == Exposure::Hidden;
            prop_assert_eq!(view.tool(tool.name()).is_some(), !hidden && selects(&term, tool), "{}", tool.name());
        }
    }

    #[test]
    fn equal_sets_share_one_view(sources in a_catalogue(), term in a_term()) {
        let registry = support::registry(sources);
        let by_expression = registry.view(&support::rights(term));
        let names = by_expression.tools().map(|tool| Box::from(tool.name().as_ref())).collect();
        let by_names = registry.view(&support::rights(Term::Names(names)));
        prop_assert!(Arc::ptr_eq(&by_expression, &by_names));
    }
}

/// What a selection says of one tool, word for word.
fn selects(term: &Term, tool: &toolcrib_core::tool::Tool) -> bool {
    match term {
        Term::None => false,
        Term::All => true,
        Term::Names(names) => names.iter().any(|name| **name == **tool.name()),
        Term::Source(source) => **source == **tool.source(),
        Term::Domain(domain) => tool.domain() == Some(domain),
        Term::Tag(tag) => tool.tags().any(|t| t == &**tag),
        Term::Exposure(exposure) => tool.exposure() == *exposure,
        Term::And(parts) => parts.iter().all(|part| selects(part, tool)),
        Term::Or(parts) => parts.iter().any(|part| selects(part, tool)),
        Term::Not(part) => !selects(part, tool),
    }
}
