//! Which of Toolcrib's own tools a session offers, and what it says of sources that are to come.

mod support;

use std::sync::Arc;

use support::{names, registry, rights, source, tool};
use toolcrib_core::{
    Error, Limits,
    call::{CallRequest, Prepared, Refusal},
    name::{CALL_TOOL, CODEMODE, DESCRIBE_TOOL, Naming, OWN, TOOL_SEARCH},
    provider::{Endpoint, Target},
    registry::Registry,
    session::{Session, Step},
    source::{ExpectedSource, SourceDefinition},
    tool::Exposure,
    view::{Selection, Term},
};

fn exposed(name: &str, exposure: Exposure) -> SourceDefinition {
    let mut made = source(name, vec![tool(&format!("{name}_tool"), "Does something.")]);
    made.exposure.default = exposure;
    made
}

fn replacing(own: &[&str]) -> SourceDefinition {
    let tools = own.iter().map(|name| tool(name, "Does it in another way."));
    SourceDefinition {
        naming: Naming::Replacing,
        ..source("theirs", tools.collect())
    }
}

fn expected(name: &str, exposures: &[Exposure]) -> ExpectedSource {
    ExpectedSource {
        name: name.into(),
        exposures: exposures.to_vec(),
        domain: None,
        tags: Vec::new(),
    }
}

fn open(registry: &Arc<Registry>, term: Term, scripts: bool) -> Session {
    Session::open_with(registry, rights(term), &[], scripts).expect("opens")
}

fn chat() -> Endpoint {
    Endpoint::new(Target::OpenAiChat)
}

fn declared(session: &Session, endpoint: &Endpoint) -> Vec<String> {
    let rendered = session.render(endpoint);
    rendered.names.iter().map(ToString::to_string).collect()
}

fn prepare(session: &Session, name: &str, arguments: &str) -> Prepared {
    let request = CallRequest {
        name,
        arguments,
        endpoint: Some(chat()),
        ..CallRequest::default()
    };
    session.prepare(&request).expect("prepares")
}

#[test]
fn what_is_offered_follows_from_exposure_and_from_whether_scripts_are_run() {
    use Exposure::{Codemode, Deferred, Direct, Hidden};
    let cases: &[(&[Exposure], bool, &[&str])] = &[
        (&[], true, &[]),
        (&[Hidden], true, &[]),
        (&[Direct], true, &[]),
        (&[Deferred], true, &[TOOL_SEARCH]),
        (&[Direct, Deferred], false, &[TOOL_SEARCH]),
        (&[Codemode], true, &[CODEMODE]),
        (&[Codemode], false, &[TOOL_SEARCH]),
        (&[Codemode, Deferred], true, &[TOOL_SEARCH, CODEMODE]),
        (&[Codemode, Deferred], false, &[TOOL_SEARCH]),
    ];
    let meta = Endpoint::native(Target::Mcp);
    for (exposures, scripts, own) in cases {
        let sources = exposures.iter().map(|e| exposed(&format!("{e:?}"), *e));
        let session = open(&registry(sources), Term::All, *scripts);
        let offered = |endpoint: &Endpoint| -> Vec<String> {
            let all = declared(&session, endpoint).into_iter();
            all.filter(|name| OWN.contains(&&**name)).collect()
        };
        assert_eq!(offered(&chat()), *own, "{exposures:?} {scripts}");
        // What only serves who searches comes and goes with the search.
        let searches = own.contains(&TOOL_SEARCH);
        for name in [DESCRIBE_TOOL, CALL_TOOL] {
            assert_eq!(offered(&meta).iter().any(|own| own == name), searches);
        }
        for name in [TOOL_SEARCH, CODEMODE] {
            let answer = prepare(&session, name, r#"{"query": "x", "code": "x"}"#);
            let refused = matches!(answer, Prepared::Refused(_));
            assert_eq!(refused, !own.contains(&name), "{exposures:?} {name}");
        }
    }
}

#[test]
fn a_search_that_comes_later_is_appended_and_one_that_comes_back_too() {
    let registry = registry([exposed("clock", Exposure::Direct)]);
    let mut session = open(&registry, Term::All, false);
    let bytes = |session: &Session| session.render(&chat()).json.to_string();
    let first = bytes(&session);
    registry
        .put(exposed("shop", Exposure::Deferred))
        .expect("puts");
    let grown = bytes(&session);
    assert_eq!(declared(&session, &chat()), ["clock_tool", TOOL_SEARCH]);
    assert!(grown.starts_with(&first[..first.len() - 1]));
    session.activate(&["shop_tool"], None).expect("activates");
    let order = ["clock_tool", TOOL_SEARCH, "shop_tool"];
    assert_eq!(declared(&session, &chat()), order);
    // The order goes with the conversation.
    for again in [
        session.fork(),
        Session::restore(&registry, rights(Term::All), &session.snapshot()).expect("restores"),
    ] {
        assert_eq!(bytes(&again), bytes(&session));
        assert_eq!(again.snapshot(), session.snapshot());
    }
    let mark = session.checkpoint(None).expect("marks");
    session.activate(&["clock_tool"], None).expect("activates");
    session.rewind(mark).expect("rewinds");
    assert_eq!(declared(&session, &chat()), order);
    registry.remove("shop");
    assert_eq!(declared(&session, &chat()), ["clock_tool"]);
    session =
        Session::restore(&registry, rights(Term::All), &session.snapshot()).expect("restores");
    registry
        .put(exposed("shop", Exposure::Deferred))
        .expect("puts");
    assert_eq!(declared(&session, &chat()), order);
}

#[test]
fn a_search_that_is_there_at_the_first_rendering_comes_first_however_late_that_is() {
    let registry = registry([exposed("clock", Exposure::Direct)]);
    let session = open(&registry, Term::All, false);
    registry
        .put(exposed("shop", Exposure::Deferred))
        .expect("puts");
    assert_eq!(declared(&session, &chat()), [TOOL_SEARCH, "clock_tool"]);
}

#[test]
fn a_stored_name_that_no_tool_has_puts_no_search_twice_into_a_request() {
    let registry = registry([exposed("shop", Exposure::Deferred)]);
    let session = open(&registry, Term::All, false);
    // One activation by search of the empty name, which stands in every order.
    let forged = b"TCS\x04\x01\x01\x01\x02\x00\x01\x00\x01\x00\x01\x00\x00\x00";
    let restored = Session::restore(&registry, rights(Term::All), forged);
    assert_eq!(restored.err().map(|e| e.code()), Some("invalid_snapshot"));
    let restored = Session::restore(&registry, rights(Term::All), &session.snapshot());
    let restored = restored.expect("restores");
    for target in Target::ALL {
        let names = declared(&restored, &Endpoint::native(*target));
        let searches = names.iter().filter(|name| *name == TOOL_SEARCH).count();
        assert_eq!(searches, 1, "{names:?}");
    }
}

#[test]
fn a_tool_of_the_service_takes_the_place_of_ours_for_who_may_use_it() {
    let sources = [
        exposed("shop", Exposure::Deferred),
        exposed("stock", Exposure::Codemode),
        replacing(OWN),
    ];
    let registry = registry(sources);
    let theirs = open(&registry, Term::All, true);
    for endpoint in [chat(), Endpoint::native(Target::Mcp)] {
        let mut names = declared(&theirs, &endpoint);
        names.sort_unstable();
        let mut own = OWN.to_vec();
        own.sort_unstable();
        assert_eq!(names, own, "declared from the start, and once");
        assert!(theirs.render(&endpoint).json.contains("in another way"));
    }
    for name in OWN {
        let Prepared::Ready(call) = prepare(&theirs, name, "{}") else {
            panic!("{name} is theirs");
        };
        assert_eq!(&**call.tool.source(), "theirs");
    }
    let standing = theirs.describe().tools;
    assert_eq!(standing.len(), OWN.len(), "{standing:?}");

    let others = Term::Not(Box::new(Term::Source("theirs".into())));
    let ours = open(&registry, others.clone(), true);
    assert_eq!(declared(&ours, &chat()), [TOOL_SEARCH, CODEMODE]);
    let searched = prepare(&ours, TOOL_SEARCH, r#"{"query": "shop_tool"}"#);
    assert!(matches!(searched, Prepared::Searched { .. }));
    let script = prepare(&ours, CODEMODE, r#"{"code": "return 1"}"#);
    assert!(matches!(script, Prepared::Script(_)));

    // A right that is withdrawn gives ours back, and a call comes to ours from that moment.
    theirs.authorize(rights(others)).expect("authorizes");
    let searched = prepare(&theirs, TOOL_SEARCH, r#"{"query": "shop_tool"}"#);
    assert!(matches!(searched, Prepared::Searched { .. }));
    let names = declared(&theirs, &chat());
    assert!(names.contains(&TOOL_SEARCH.into()) && names.contains(&CODEMODE.into()));
}

#[test]
fn where_their_codemode_is_used_our_search_reaches_what_scripts_would() {
    let registry = registry([exposed("stock", Exposure::Codemode), replacing(&[CODEMODE])]);
    let session = open(&registry, Term::All, true);
    assert_eq!(declared(&session, &chat()), [TOOL_SEARCH, CODEMODE]);
}

#[test]
fn a_caller_who_lost_all_that_was_found_left_a_request_of_deferred_tools_alone() {
    let registry = registry([exposed("shop", Exposure::Deferred)]);
    let session = open(&registry, Term::All, false);
    let endpoint = Endpoint::native(Target::AnthropicMessages);
    session.search(&search("shop_tool")).expect("searches");
    assert_eq!(declared(&session, &endpoint), [TOOL_SEARCH, "shop_tool"]);
    session.authorize(rights(Term::None)).expect("authorizes");
    let rendered = session.render(&endpoint);
    let tools: serde_json::Value = serde_json::from_str(&rendered.json).expect("JSON");
    let tools = tools.as_array().expect("a list");
    assert_eq!(tools.len(), 2, "{tools:?}");
    assert!(tools.iter().any(|tool| tool.get("defer_loading").is_none()));
    assert_eq!(rendered.withdrawn, ["shop_tool".into()]);
}

#[test]
fn a_hidden_tool_takes_no_place() {
    let mut hidden = replacing(&[TOOL_SEARCH]);
    hidden.exposure.default = Exposure::Hidden;
    let registry = registry([exposed("shop", Exposure::Deferred), hidden]);
    let session = open(&registry, Term::All, false);
    let searched = prepare(&session, TOOL_SEARCH, r#"{"query": "shop_tool"}"#);
    assert!(matches!(searched, Prepared::Searched { .. }));
}

#[test]
fn an_endpoint_that_keeps_the_name_is_given_ours() {
    let registry = registry([
        exposed("shop", Exposure::Deferred),
        replacing(&[TOOL_SEARCH]),
    ]);
    let session = open(&registry, Term::All, false);
    for endpoint in [
        chat().with_search_renamed(true),
        Endpoint::native(Target::OpenAiResponses),
    ] {
        let rendered = session.render(&endpoint);
        assert_eq!(rendered.quarantined.len(), 1, "{:?}", rendered.quarantined);
        assert_eq!(rendered.quarantined[0].1.code(), "name_kept");
        assert!(!rendered.json.contains("in another way"));
        let request = CallRequest {
            name: endpoint.search_name(),
            arguments: r#"{"query": "shop_tool"}"#,
            endpoint: Some(endpoint),
            ..CallRequest::default()
        };
        let answer = session.prepare(&request).expect("prepares");
        assert!(matches!(answer, Prepared::Searched { .. }), "{answer:?}");
    }
}

#[test]
fn no_other_naming_takes_a_name_of_ours() {
    let mut plain = replacing(OWN);
    plain.naming = Naming::Plain;
    let mut server = replacing(OWN);
    server.name = "server".into();
    server.naming = Naming::Namespaced;
    let registry = registry([plain, server]);
    let view = registry.view(&Arc::new(Selection::all()));
    assert_eq!(view.len(), 2 * OWN.len());
    for name in OWN {
        assert!(view.tool(name).is_none(), "{name}");
    }
}

#[test]
fn a_refusal_names_only_what_is_offered() {
    let cases = [
        (Exposure::Direct, true, None),
        (Exposure::Deferred, true, Some(TOOL_SEARCH)),
        (Exposure::Codemode, true, Some(CODEMODE)),
        (Exposure::Codemode, false, Some(TOOL_SEARCH)),
    ];
    for (exposure, scripts, way) in cases {
        let registry = registry([exposed("s", exposure)]);
        let session = open(&registry, Term::All, scripts);
        for name in ["unheard_of", "s_tool"] {
            let Prepared::Refused(refusal) = prepare(&session, name, "{}") else {
                continue;
            };
            let text = refusal.text();
            for own in [TOOL_SEARCH, CODEMODE] {
                assert_eq!(text.contains(own), way == Some(own), "{exposure:?}: {text}");
            }
        }
    }
}

#[test]
fn a_source_that_is_to_come_is_offered_waited_for_and_named_to_who_may_know() {
    let registry = registry([]);
    let tickets = ExpectedSource {
        domain: Some("support".into()),
        tags: vec!["help".into()],
        ..expected("tickets", &[Exposure::Deferred])
    };
    assert!(registry.expect(tickets.clone()).expect("is expected"));
    let version = registry.version();
    assert!(registry.expect(tickets).expect("is expected"));
    assert_eq!(registry.version(), version, "nothing new");
    registry
        .expect(expected("lights", &[Exposure::Direct]))
        .expect("is expected");
    let all = |terms: &[Term]| Term::And(terms.to_vec());
    let not = |term: Term| Term::Not(Box::new(term));
    let domain = |name: &str| Term::Domain(name.into());
    let told = [
        Term::All,
        Term::Source("tickets".into()),
        domain("support"),
        Term::Tag("help".into()),
        Term::Exposure(Exposure::Deferred),
        all(&[domain("support"), not(domain("sales"))]),
        all(&[Term::All, not(Term::Source("other".into()))]),
        Term::Or(vec![Term::None, Term::Tag("help".into())]),
    ];
    for term in told {
        let session = open(&registry, term.clone(), false);
        let outcome = session.search(&search("ticket")).expect("searches");
        assert!(outcome.not_ready().contains(&"tickets".into()), "{term:?}");
        assert!(outcome.text().contains("tickets"));
        assert!(declared(&session, &chat()).contains(&TOOL_SEARCH.to_owned()));
        assert!(session.awaits(&Step::Search).contains(&"tickets".into()));
        let call = called("mcp__tickets__open");
        assert_eq!(session.awaits(&Step::Call(&call)), ["tickets".into()]);
        let text = refused(&session, "mcp__tickets__open");
        assert!(text.contains("tickets are not known yet"), "{text}");
    }
    let not_told = [
        Term::None,
        names(&["mcp__tickets__open", "tickets"]),
        domain("sales"),
        Term::Exposure(Exposure::Codemode),
        all(&[Term::All, not(Term::Tag("admin".into()))]),
        all(&[Term::All, not(names(&["mcp__tickets__close"]))]),
        not(domain("support")),
        not(Term::Source("tickets".into())),
        all(&[Term::Source("tickets".into()), Term::Tag("read".into())]),
    ];
    for term in not_told {
        let session = open(&registry, term.clone(), false);
        let outcome = session.search(&search("ticket")).expect("searches");
        assert!(!outcome.not_ready().contains(&"tickets".into()), "{term:?}");
        assert!(!declared(&session, &chat()).contains(&TOOL_SEARCH.to_owned()));
        assert!(!session.awaits(&Step::Search).contains(&"tickets".into()));
        let call = called("mcp__tickets__open");
        assert!(session.awaits(&Step::Call(&call)).is_empty());
        // Word for word what is said of a source that nobody has heard of.
        let of_nobody = refused(&session, "mcp__tackets__open").replace("tackets", "tickets");
        assert_eq!(refused(&session, "mcp__tickets__open"), of_nobody);
    }
    let session = open(&registry, Term::All, false);
    assert_eq!(session.awaits(&Step::Render), ["lights".into()]);
    assert_eq!(session.render(&chat()).not_ready, ["lights".into()]);
    registry
        .put(exposed("tickets", Exposure::Deferred))
        .expect("puts");
    assert!(registry.remove("lights"));
    assert!(!registry.remove("lights"));
    assert!(session.awaits(&Step::Search).is_empty());
    assert!(session.render(&chat()).not_ready.is_empty());
    let again = registry.expect(expected("tickets", &[Exposure::Deferred]));
    assert!(!again.expect("is there"), "what is there is not expected");
}

#[test]
fn a_call_waits_for_what_it_depends_on_and_for_nothing_else() {
    let registry = registry([exposed("shop", Exposure::Deferred)]);
    for name in ["tickets", "my-lights"] {
        registry
            .expect(expected(name, &[Exposure::Deferred]))
            .expect("is expected");
    }
    let session = open(&registry, Term::All, false);
    let awaits = |name: &str, arguments: &str, endpoint| {
        let call = CallRequest {
            name,
            arguments,
            endpoint: Some(endpoint),
            ..CallRequest::default()
        };
        let awaited = session.awaits(&Step::Call(&call));
        awaited.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let meta = Endpoint::native(Target::Mcp);
    let all = ["my-lights", "tickets"];
    assert_eq!(awaits(TOOL_SEARCH, "{}", chat()), all);
    assert_eq!(awaits("functions.tool_search", "{}", chat()), all);
    assert!(awaits("shop_tool", "{}", chat()).is_empty());
    assert!(awaits("unheard_of", "{}", chat()).is_empty());
    assert_eq!(awaits("mcp__my-lights__on", "{}", chat()), ["my-lights"]);
    for wrapper in [CALL_TOOL, DESCRIBE_TOOL] {
        let named = |name: &str| format!(r#"{{"name": "{name}"}}"#);
        assert_eq!(
            awaits(wrapper, &named("mcp__tickets__open"), meta),
            ["tickets"]
        );
        assert_eq!(awaits(wrapper, &named(TOOL_SEARCH), meta), all);
        assert!(awaits(wrapper, &named("shop_tool"), meta).is_empty());
        assert!(awaits(wrapper, "no JSON", meta).is_empty());
    }
}

#[test]
fn what_is_expected_is_bounded() {
    let mut limits = Limits::default();
    limits.max_sources = 2;
    let registry = Registry::new(limits);
    registry
        .put(exposed("a", Exposure::Deferred))
        .expect("puts");
    let expect = |name: &str| registry.expect(expected(name, &[Exposure::Deferred]));
    assert!(expect("b").expect("is expected"));
    assert!(expect("b").expect("is expected"));
    assert!(matches!(expect("c"), Err(Error::LimitExceeded { .. })));
    assert!(matches!(expect(" "), Err(Error::InvalidArgument(_))));
}

fn search(query: &str) -> toolcrib_core::session::SearchRequest<'_> {
    toolcrib_core::session::SearchRequest {
        query,
        ..Default::default()
    }
}

fn called(name: &str) -> CallRequest<'_> {
    CallRequest {
        name,
        ..CallRequest::default()
    }
}

fn refused(session: &Session, name: &str) -> String {
    match prepare(session, name, "{}") {
        Prepared::Refused(refusal @ Refusal::NotFound { .. }) => refusal.text(),
        other => panic!("{other:?}"),
    }
}
