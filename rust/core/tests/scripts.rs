//! What a script sees of its session, and what it keeps there.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use support::{names, registry, rights, source, tool};
use toolcrib_core::{
    Error, Limits,
    call::{CallRequest, Prepared, Refusal},
    name::CODEMODE,
    provider::{Endpoint, Target},
    registry::Registry,
    session::{STORED_KEY_BYTES, ScriptName, Session},
    source::SourceDefinition,
    tool::Exposure,
    view::{Selection, Term},
};

fn shop(exposure: Exposure) -> SourceDefinition {
    let tools = ["get-order", "get_order_lines", "cancel_order"];
    let mut shop = source(
        "my-shop",
        tools.map(|name| tool(name, "Does orders.")).into(),
    );
    shop.exposure.default = exposure;
    shop.description = "Orders".into();
    shop
}

fn session(exposure: Exposure, term: Term) -> Session {
    let registry = registry([shop(exposure)]);
    Session::open(&registry, rights(term), &[]).expect("opens")
}

fn texts(names: &[Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

#[test]
fn a_name_means_a_tool_by_itself_and_with_underscores() {
    let session = session(Exposure::Deferred, Term::All);
    for name in ["get-order", "get_order"] {
        let ScriptName::Tool(tool) = session.script_name(name) else {
            panic!("{name} is a tool");
        };
        assert_eq!(&**tool.name(), "get-order");
    }
    let ScriptName::Unknown(near) = session.script_name("cancel_orders") else {
        panic!("there is none");
    };
    assert_eq!(texts(&near)[0], "cancel_order");
}

#[test]
fn a_name_that_means_two_tools_means_neither() {
    let registry = registry([source("s", vec![tool("a-b_c", ""), tool("a_b-c", "")])]);
    let session = Session::open(&registry, rights(Term::All), &[]).expect("opens");
    let ScriptName::Ambiguous(both) = session.script_name("a_b_c") else {
        panic!("two tools have this name");
    };
    assert_eq!(texts(&both), ["a-b_c", "a_b-c"]);
}

#[test]
fn only_what_the_caller_may_know_is_told() {
    let session = session(Exposure::Deferred, names(&["get-order"]));
    let found = session.script_search("cancel the lines of an order", Some(20), None);
    assert_eq!(found.len(), 1);
    assert!(
        matches!(session.script_name("cancel_order"), ScriptName::Unknown(near) if texts(&near) == ["get-order"] || near.is_empty())
    );
    assert_eq!(session.script_tools(10).0.len(), 1);
    assert_eq!(
        texts(&session.script_namespace("my_shop").unwrap().tools),
        ["get-order"]
    );
    assert!(session.script_declaration("cancel_order").is_none());
    let nothing = self::session(Exposure::Deferred, Term::None);
    assert!(nothing.script_namespace("my-shop").unwrap_err().is_empty());
    assert!(
        nothing
            .script_search("order", None, Some("my-shop"))
            .is_empty()
    );
}

#[test]
fn hidden_tools_are_not_there_and_direct_ones_are_where_they_are_active() {
    let hidden = session(Exposure::Hidden, Term::All);
    assert!(
        matches!(hidden.script_name("get-order"), ScriptName::Unknown(near) if near.is_empty())
    );
    let mut limits = Limits::default();
    limits.max_active_tools = 1;
    let registry = Arc::new(Registry::new(limits));
    registry.put(shop(Exposure::Direct)).expect("puts");
    let crowded = Session::open(&registry, rights(Term::All), &[]).expect("opens");
    assert!(matches!(
        crowded.script_name("cancel_order"),
        ScriptName::Tool(_)
    ));
    assert!(matches!(
        crowded.script_name("get-order"),
        ScriptName::Unknown(_)
    ));
    assert_eq!(crowded.script_tools(10).0.len(), 1);
}

#[test]
fn a_namespace_is_found_by_each_of_its_names() {
    let session = session(Exposure::Codemode, Term::All);
    for name in ["my-shop", "my_shop", "mcp__my-shop", "mcp__my_shop"] {
        let found = session.script_namespace(name).expect(name);
        assert_eq!((&**found.source.name(), found.tools.len()), ("my-shop", 3));
        assert_eq!(session.script_search("order", None, Some(name)).len(), 3);
    }
    assert_eq!(
        texts(&session.script_namespace("shop").unwrap_err()),
        ["my-shop"]
    );
}

#[test]
fn a_declaration_tells_what_a_script_gets_back() {
    let mut tool = tool("get-order", "Gets an order.");
    tool.input_schema =
        r#"{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}"#.into();
    tool.output_schema = Some(r#"{"type":"object","properties":{"sum":{"type":"number"}}}"#.into());
    let registry = registry([source("s", vec![tool])]);
    let session = Session::open(&registry, rights(Term::All), &[]).expect("opens");
    let text = session
        .script_declaration("get_order")
        .expect("it is there");
    assert!(text.starts_with("type ToolResult<T> = {"), "{text}");
    assert!(text.ends_with("/** Gets an order. */\ndeclare function get_order(input: GetOrderInput): Promise<ToolResult<GetOrderOutput>>;\n// await tools.get_order({ … })\n"), "{text}");
}

fn scripted(exposure: Exposure) -> Arc<Registry> {
    let registry = Arc::new(Registry::new(Limits::default()).with_scripts());
    registry.put(shop(exposure)).expect("puts");
    registry
}

fn declared(session: &Session) -> Vec<String> {
    let rendered = session.render(&Endpoint::new(Target::OpenAiChat));
    rendered.names.iter().map(ToString::to_string).collect()
}

#[test]
fn codemode_comes_with_the_first_tool_of_its_exposure_and_goes_with_the_last() {
    let registry = scripted(Exposure::Deferred);
    let session = Session::open(&registry, rights(Term::All), &[]).expect("opens");
    assert_eq!(declared(&session), ["tool_search"]);
    session
        .activate(&["cancel_order"], None)
        .expect("activates");
    let before = session
        .render(&Endpoint::new(Target::OpenAiChat))
        .json
        .to_string();
    let mut stock = source("stock", vec![tool("count_stock", "Counts.")]);
    stock.exposure.default = Exposure::Codemode;
    registry.put(stock).expect("puts");
    assert_eq!(
        declared(&session),
        ["tool_search", "cancel_order", CODEMODE]
    );
    let after = session
        .render(&Endpoint::new(Target::OpenAiChat))
        .json
        .to_string();
    assert!(
        after.starts_with(&before[..before.len() - 1]),
        "the bytes of before come first"
    );
    let restored =
        Session::restore(&registry, rights(Term::All), &session.snapshot()).expect("restores");
    assert_eq!(declared(&restored), declared(&session));
    assert_eq!(
        session.describe().tools.len(),
        1,
        "it is no tool of the registry"
    );
    let lost = session
        .authorize(Arc::new(Selection::all().clone()))
        .expect("authorizes");
    assert!(lost.is_empty());
    session.authorize(rights(Term::None)).expect("authorizes");
    assert!(declared(&session).is_empty());
}

#[test]
fn a_call_of_codemode_is_a_script_for_who_has_it() {
    let call = |session: &Session, arguments: &str| {
        let request = CallRequest {
            name: CODEMODE,
            arguments,
            ..CallRequest::default()
        };
        session.prepare(&request).expect("prepares")
    };
    let registry = scripted(Exposure::Codemode);
    let session = Session::open(&registry, rights(Term::All), &[]).expect("opens");
    assert!(
        matches!(call(&session, r#"{"code": "return 1"}"#), Prepared::Script(code) if code == "return 1")
    );
    assert!(matches!(
        call(&session, "{}"),
        Prepared::Refused(Refusal::InvalidArguments { .. })
    ));
    session.authorize(rights(Term::None)).expect("authorizes");
    assert!(matches!(
        call(&session, r#"{"code": ""}"#),
        Prepared::Refused(Refusal::NotFound { .. })
    ));
    let off = self::session(Exposure::Codemode, Term::All);
    assert!(matches!(
        call(&off, r#"{"code": ""}"#),
        Prepared::Refused(Refusal::NotFound { .. })
    ));
    assert_eq!(declared(&off), ["tool_search"]);
}

fn store(session: &Session, key: &str, value: Option<&str>) -> Result<(), Error> {
    session.store(vec![(key.into(), value.map(Into::into))])
}

#[test]
fn what_is_stored_goes_back_with_the_conversation() {
    let session = session(Exposure::Deferred, Term::All);
    let start = session.checkpoint(None).unwrap();
    store(&session, "a", Some("1")).unwrap();
    let one = session.checkpoint(None).unwrap();
    store(&session, "a", Some("2")).unwrap();
    store(&session, "b", Some("3")).unwrap();
    let fork = session.fork();
    session.rewind(one).unwrap();
    assert_eq!(
        (session.stored("a").as_deref(), session.stored("b")),
        (Some("1"), None)
    );
    let restored =
        Session::restore(session.registry(), rights(Term::All), &session.snapshot()).unwrap();
    assert_eq!(restored.stored("a").as_deref(), Some("1"));
    assert_eq!(restored.snapshot(), session.snapshot());
    session.rewind(start).unwrap();
    assert_eq!(session.stored("a"), None);
    assert_eq!(fork.stored("b").as_deref(), Some("3"));
    store(&fork, "b", None).unwrap();
    assert_eq!(fork.stored("b"), None);
}

#[test]
fn what_is_stored_is_bounded_and_so_is_its_history() {
    let mut limits = Limits::default();
    limits.max_stored_bytes = 160;
    limits.max_marks = 3;
    let registry = Arc::new(Registry::new(limits));
    let session = Session::open(&registry, rights(Term::All), &[]).unwrap();
    assert!(store(&session, "k", Some(&"x".repeat(96))).is_err());
    assert_eq!(session.stored("k"), None);
    for round in 0..200 {
        store(&session, "k", Some(&format!("{round:090}"))).unwrap();
    }
    assert!(session.stored("k").unwrap().ends_with("199"));
    assert!(
        session.snapshot().len() < 400,
        "{}",
        session.snapshot().len()
    );
    assert_eq!(session.describe().journal.len(), 3);
}

#[test]
fn keys_of_a_letter_or_two_took_many_times_the_limit() {
    let session = session(Exposure::Deferred, Term::All);
    let keys = (0..20_000).map(|key| (format!("{key:x}"), Some("1".to_owned())));
    let error = session.store(keys.collect()).unwrap_err();
    assert_eq!(error.code(), "limit_exceeded");
}

#[test]
fn a_session_that_is_full_in_every_way_outgrew_what_restore_accepts() {
    let limits = Limits::default();
    let registry = Arc::new(Registry::new(limits.clone()));
    let names: Vec<String> = (0..limits.max_active_tools)
        .map(|n| format!("{n:064}"))
        .collect();
    let pinned: Vec<&str> = names.iter().map(String::as_str).collect();
    let session = Session::open(&registry, rights(Term::All), &pinned).unwrap();
    for mark in 0..limits.max_marks {
        session.checkpoint(Some(&format!("{mark:0256}"))).unwrap();
    }
    let keys = limits.max_stored_bytes / (STORED_KEY_BYTES + 8 + 1_000);
    for round in 0..5 {
        let value = Some(round.to_string().repeat(1_000));
        let writes = (0..keys).map(|key| (format!("{key:08}"), value.clone()));
        session.store(writes.collect()).unwrap();
    }
    let snapshot = session.snapshot();
    assert!(
        snapshot.len() > limits.max_snapshot_bytes / 2,
        "{}",
        snapshot.len()
    );
    let restored = Session::restore(&registry, rights(Term::All), &snapshot).unwrap();
    assert_eq!(restored.snapshot(), snapshot);
}

#[test]
fn a_snapshot_of_many_tiny_things_is_refused_before_they_take_room() {
    let registry = Arc::new(Registry::new(Limits::default()));
    let million = [0xc0, 0x84, 0x3d];
    // So many marks, or after none of them so many writes, of a few bytes each.
    let mut marks = b"TCS\x02\x00".to_vec();
    marks.extend(million);
    marks.resize(4 << 20, 1);
    let mut writes = b"TCS\x03\x01\x00\x00\x00\x00".to_vec();
    writes.extend(million);
    writes.extend([1, 1, b'k', 0].repeat(1_000_000));
    for snapshot in [marks, writes] {
        let refused = Session::restore(&registry, rights(Term::All), &snapshot);
        assert_eq!(
            refused.err().map(|error| error.code()),
            Some("limit_exceeded")
        );
    }
}

proptest! {
    #[test]
    fn snapshots_with_stored_values_restore_and_broken_ones_do_no_harm(
        writes in prop::collection::vec(("[a-c]", prop::option::of("[0-9]{0,8}")), 0..12),
        cut in 0usize..200,
        byte in any::<u8>(),
    ) {
        let session = session(Exposure::Deferred, Term::All);
        for (key, value) in &writes {
            store(&session, key, value.as_deref()).unwrap();
        }
        let snapshot = session.snapshot();
        let restored = Session::restore(session.registry(), rights(Term::All), &snapshot).unwrap();
        for key in ["a", "b", "c"] {
            prop_assert_eq!(restored.stored(key), session.stored(key));
        }
        let mut broken = snapshot;
        let at = cut % broken.len();
        broken[at] = byte;
        let _ = Session::restore(session.registry(), rights(Term::All), &broken);
        broken.truncate(at);
        let _ = Session::restore(session.registry(), rights(Term::All), &broken);
    }
}
