//! What holds for every conversation, whatever happens in it.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use support::{names, registry, rights, source, tool};
use toolcrib_core::{
    Error, Limits,
    call::{CallRequest, Prepared},
    provider::{Endpoint, Target},
    registry::Registry,
    session::{SearchOutcome, SearchRequest, Session, Standing},
    source::SourceDefinition,
    view::{Selection, Term},
};

const TOOLS: usize = 8;

/// One thing that happens to a session or around it.
#[derive(Debug, Clone)]
enum Event {
    Search(usize),
    Activate(Vec<usize>),
    Authorize(Vec<usize>),
    PutSource(Vec<usize>),
    RemoveSource,
    Checkpoint,
    Rewind(usize),
    Restart,
    Fork,
}

fn some_tools() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..TOOLS, 0..TOOLS)
}

fn an_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0..TOOLS).prop_map(Event::Search),
        2 => some_tools().prop_map(Event::Activate),
        2 => some_tools().prop_map(Event::Authorize),
        1 => some_tools().prop_map(Event::PutSource),
        1 => Just(Event::RemoveSource),
        2 => Just(Event::Checkpoint),
        1 => (0..4usize).prop_map(Event::Rewind),
        1 => Just(Event::Restart),
        1 => Just(Event::Fork),
    ]
}

fn name(n: usize) -> String {
    format!(
        "tool_{}",
        [
            "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"
        ][n]
    )
}

fn term(tools: &[usize]) -> Arc<Selection> {
    let names: Vec<String> = tools.iter().map(|n| name(*n)).collect();
    rights(support::names(
        &names.iter().map(String::as_str).collect::<Vec<_>>(),
    ))
}

fn the_source(tools: &[usize]) -> SourceDefinition {
    let mut tools: Vec<usize> = tools.to_vec();
    tools.sort_unstable();
    tools.dedup();
    source(
        "s",
        tools
            .iter()
            .map(|n| tool(&name(*n), &format!("Does number {n}.")))
            .collect(),
    )
}

fn declared(session: &Session) -> Vec<(Vec<String>, String)> {
    Target::ALL
        .iter()
        .map(|target| {
            let rendered = session.render(&Endpoint::new(*target));
            (
                rendered.names.iter().map(ToString::to_string).collect(),
                rendered.json.to_string(),
            )
        })
        .collect()
}

proptest! {
    #![proptest_config(support::cases(64))]

    #[test]
    fn the_bytes_of_a_growing_list_begin_with_the_bytes_of_before(events in prop::collection::vec(an_event(), 1..25)) {
        let everything: Vec<usize> = (0..TOOLS).collect();
        let registry = registry([the_source(&everything)]);
        let mut session = Session::open(&registry, Arc::new(Selection::all()), &[]).expect("opens");
        let mut current = Arc::new(Selection::all());
        let mut checkpoints = Vec::new();
        let mut before = declared(&session);
        for event in events {
            match &event {
                Event::Search(n) => {
                    let request = SearchRequest { query: &name(*n), limit: Some(1), ..SearchRequest::default() };
                    session.search(&request).expect("searches");
                }
                Event::Activate(tools) => {
                    let names: Vec<String> = tools.iter().map(|n| name(*n)).collect();
                    session.activate(&names.iter().map(String::as_str).collect::<Vec<_>>(), Some("p")).expect("activates");
                }
                Event::Authorize(tools) => {
                    current = term(tools);
                    session.authorize(Arc::clone(&current)).expect("authorizes");
                }
                Event::PutSource(tools) => drop(registry.put(the_source(tools)).expect("puts")),
                Event::RemoveSource => drop(registry.remove("s")),
                Event::Checkpoint => checkpoints.push(session.checkpoint(None).expect("a checkpoint")),
                Event::Rewind(back) => {
                    if let Some(checkpoint) = checkpoints.iter().rev().nth(*back) {
                        let known = session.describe().journal.iter().any(|e| e.id == *checkpoint) || *checkpoint == 0;
                        prop_assert_eq!(session.rewind(*checkpoint).is_ok(), known);
                    }
                }
                Event::Restart => {
                    let restored = Session::restore(&registry, Arc::clone(&current), &session.snapshot()).expect("restores");
                    prop_assert_eq!(format!("{:?}", restored.describe()), format!("{:?}", session.describe()));
                    prop_assert_eq!(restored.snapshot(), session.snapshot());
                    for target in Target::ALL {
                        let endpoint = Endpoint::native(*target).with_strict(true);
                        let (here, there) = (session.render(&endpoint), restored.render(&endpoint));
                        prop_assert_eq!(&here.json, &there.json);
                        prop_assert_eq!(&here.withdrawn, &there.withdrawn);
                    }
                    session = restored;
                }
                Event::Fork => {
                    let fork = session.fork();
                    let twin = session.fork();
                    fork.rewind(0).expect("rewinds");
                    prop_assert_eq!(twin.snapshot(), session.snapshot());
                }
            }
            let after = declared(&session);
            let both = Target::ALL.iter().zip(before.iter().zip(&after));
            for (target, ((names_before, bytes_before), (names_after, bytes_after))) in both {
                let searches = names_after.iter().any(|name| name == "tool_search");
                prop_assert_eq!(searches, session.describe().authorized > 0);
                let unlost: Vec<_> = names_before.iter().filter(|name| names_after.contains(name)).collect();
                prop_assert!(names_after.iter().zip(&unlost).all(|(a, b)| a == *b), "{names_before:?} then {names_after:?}");
                if unlost.len() == names_before.len() {
                    let content = bytes_before.strip_suffix(target.wrapping().suffix).expect("the suffix");
                    prop_assert!(bytes_after.starts_with(content));
                }
            }
            let deferred = session.render(&Endpoint::native(Target::AnthropicMessages));
            let mut listed: Vec<_> = deferred.names.iter().chain(&deferred.withdrawn).collect();
            let count = listed.len();
            listed.sort();
            listed.dedup();
            prop_assert_eq!(listed.len(), count, "no name stands in the list twice");
            let described = session.describe();
            let active: Vec<_> = described.tools.iter().filter(|(_, s)| *s == Standing::Active).map(|(n, _)| n.to_string()).collect();
            let mut rendered = after[0].0.clone();
            rendered.retain(|name| name != "tool_search");
            let mut expected = active.clone();
            rendered.sort();
            expected.sort();
            prop_assert_eq!(rendered, expected);
            before = after;
        }
    }

    #[test]
    fn any_bytes_are_a_snapshot_or_a_named_error(bytes in prop::collection::vec(any::<u8>(), 0..200), flip in any::<(usize, u8)>()) {
        let registry = registry([the_source(&[0, 1, 2])]);
        let all = Arc::new(Selection::all());
        let restored = |bytes: &[u8]| match Session::restore(&registry, Arc::clone(&all), bytes) {
            Ok(session) => drop(session.describe()),
            Err(error) => assert!(matches!(error, Error::InvalidSnapshot(_) | Error::LimitExceeded { .. }), "{error}"),
        };
        restored(&bytes);
        restored(&[b"TCS\x02", bytes.as_slice()].concat());
        let session = Session::open(&registry, Arc::clone(&all), &["tool_alpha"]).expect("opens");
        session.activate(&["tool_beta", "tool_gamma"], Some("position")).expect("activates");
        let _ = session.render(&Endpoint::new(Target::Mcp));
        let mut good = session.snapshot();
        let at = flip.0 % good.len();
        good[at] ^= flip.1;
        restored(&good);
        good.truncate(at);
        restored(&good);
    }
}

#[test]
fn an_unchanged_session_is_not_rendered_again() {
    let registry = registry([the_source(&[0, 1])]);
    let session =
        Session::open(&registry, Arc::new(Selection::all()), &["tool_alpha"]).expect("opens");
    let first = session.render(&Endpoint::new(Target::AnthropicMessages));
    assert!(Arc::ptr_eq(
        &first,
        &session.render(&Endpoint::new(Target::AnthropicMessages))
    ));
    session.activate(&["tool_beta"], None).expect("activates");
    assert!(!Arc::ptr_eq(
        &first,
        &session.render(&Endpoint::new(Target::AnthropicMessages))
    ));
}

#[test]
fn renderings_of_a_session_have_revisions_of_their_own() {
    let registry = registry([the_source(&[0, 1])]);
    let session =
        Session::open(&registry, Arc::new(Selection::all()), &["tool_alpha"]).expect("opens");
    let [claude, mcp] = [Target::AnthropicMessages, Target::Mcp].map(Endpoint::new);
    let first = session.render(&claude).revision;
    assert!(first > 0);
    assert_eq!(session.render(&claude).revision, first);
    let others = [
        session.render(&mcp).revision,
        session.render(&claude).revision,
    ];
    assert!(!others.contains(&first) && others[0] != others[1]);
}

#[test]
fn a_prepared_call_names_the_revision_of_its_source_though_no_tool_changed() {
    let registry = registry([the_source(&[0])]);
    let session = Session::open(&registry, term(&[0]), &[]).expect("opens");
    let request = CallRequest {
        name: &name(0),
        allow_inactive: true,
        ..CallRequest::default()
    };
    for revision in [7, u64::MAX] {
        let again = SourceDefinition {
            revision,
            ..the_source(&[0])
        };
        let report = registry.put(again).expect("is put");
        assert_eq!(report.changed, 0);
        session.authorize(term(&[0])).expect("authorizes");
        let Ok(Prepared::Ready(call)) = session.prepare(&request) else {
            panic!("it can be executed");
        };
        assert_eq!(call.revision, revision);
    }
}

#[test]
fn a_full_active_set_says_so_and_loses_nothing() {
    let mut limits = Limits::default();
    limits.max_active_tools = 2;
    let registry = Arc::new(Registry::new(limits));
    registry.put(the_source(&[0, 1, 2, 3])).expect("puts");
    let session =
        Session::open(&registry, Arc::new(Selection::all()), &["tool_alpha"]).expect("opens");
    let outcome = session
        .search(&SearchRequest {
            query: "number",
            ..SearchRequest::default()
        })
        .expect("searches");
    assert_eq!(outcome.added().len(), 1);
    assert!(
        outcome.text().contains("your list of tools is full"),
        "{}",
        outcome.text()
    );
    assert_eq!(session.describe().tools.len(), 2);
    let full = session
        .search(&SearchRequest {
            query: "tool theta delta",
            ..SearchRequest::default()
        })
        .expect("searches");
    assert!(!matches!(full, SearchOutcome::Nothing { .. }));
    assert_eq!(
        Session::open(&registry, Arc::new(Selection::all()), &["a", "b", "c"])
            .expect_err("too many")
            .code(),
        "limit_exceeded"
    );
}

#[test]
fn an_empty_name_was_taken_for_a_late_tool_search_and_panicked() {
    let registry = registry([the_source(&[0])]);
    let pinned = Session::open(&registry, term(&[0]), &[""]);
    assert_eq!(
        pinned.err().map(|error| error.code()),
        Some("invalid_argument")
    );
    // A mark "p", then "" activated and declared.
    let snapshot = b"TCS\x02\x02\x02\x01\x04\x01\x01p\x00\x02\x03\x01\x01q\x01\x00\x01\x00\x00\x00";
    let restored = Session::restore(&registry, term(&[0]), snapshot);
    assert_eq!(
        restored.err().map(|error| error.code()),
        Some("invalid_snapshot")
    );
}

#[test]
fn marks_and_positions_are_bounded() {
    let mut limits = Limits::default();
    limits.max_marks = 2;
    let registry = Arc::new(Registry::new(limits));
    registry.put(the_source(&[0])).expect("puts");
    let session = Session::open(&registry, Arc::new(Selection::all()), &[]).expect("opens");
    session.checkpoint(Some("1")).expect("room");
    session.checkpoint(Some("2")).expect("room");
    assert_eq!(
        session.checkpoint(Some("3")).expect_err("full").code(),
        "limit_exceeded"
    );
    let long = "x".repeat(257);
    let request = SearchRequest {
        query: "number",
        position: Some(&long),
        ..SearchRequest::default()
    };
    assert_eq!(
        session.search(&request).expect_err("long").code(),
        "limit_exceeded"
    );
    assert!(
        session.describe().tools.is_empty(),
        "a refused search activates nothing"
    );
}

#[test]
fn direct_tools_are_active_as_soon_as_the_caller_may_use_them() {
    let registry = registry([the_source(&[0])]);
    let session =
        Session::open(&registry, rights(names(&["tool_alpha", "greet"])), &[]).expect("opens");
    let mut direct = source("t", vec![tool("greet", ""), tool("part", "")]);
    direct.exposure.default = toolcrib_core::tool::Exposure::Direct;
    registry.put(direct).expect("puts");
    assert_eq!(
        session
            .render(&Endpoint::new(Target::Mcp))
            .names
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["tool_search", "greet"]
    );
    session.authorize(rights(Term::All)).expect("authorizes");
    assert_eq!(session.render(&Endpoint::new(Target::Mcp)).names.len(), 3);
}

#[test]
fn a_tool_that_was_away_comes_back_behind_what_was_declared_meanwhile() {
    let registry = registry([the_source(&[0]), source("t", vec![tool("other", "")])]);
    let session =
        Session::open(&registry, Arc::new(Selection::all()), &["tool_alpha"]).expect("opens");
    let shown = || {
        session.render(&Endpoint::new(Target::Mcp)).names[1..]
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(), ["tool_alpha"]);
    registry.remove("s");
    session.activate(&["other"], None).expect("activates");
    assert_eq!(shown(), ["other"]);
    registry.put(the_source(&[0])).expect("puts");
    assert_eq!(shown(), ["other", "tool_alpha"]);
}

#[test]
fn a_checkpoint_set_right_after_going_back_named_an_entry_that_was_gone() {
    let registry = registry([source("shop", vec![tool("order_get", "Finds an order")])]);
    let session = Session::open(&registry, rights(Term::All), &[]).expect("a session");
    let start = session.checkpoint(None).expect("a checkpoint");
    session.activate(&["order_get"], None).expect("activated");
    session.rewind(start).expect("the checkpoint is there");
    let again = session.checkpoint(None).expect("a checkpoint");
    session.activate(&["order_get"], None).expect("activated");
    session.rewind(again).expect("so is this one");
    assert!(!session.is_active("order_get"));
}
