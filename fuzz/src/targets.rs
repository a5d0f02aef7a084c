//! Each target takes any bytes, and panics if something does not hold for them.

use std::{
    sync::{Arc, OnceLock},
    thread,
};

use toolcrib_core::{
    Limits,
    call::{CallRequest, Prepared},
    name::Naming,
    provider::{Endpoint, Target},
    registry::Registry,
    session::{SearchRequest, Session},
    source::{ExposureRules, SourceDefinition, ToolInput},
    tool::{Exposure, ToolDefinition},
    view::{Selection, Term},
};

use crate::{
    frames, limits,
    script::script,
    wire::{Reader, Writer},
};

/// A name and its target.
pub type Named = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: [Named; 7] = [
    ("wire", wire),
    ("tools_list", tools_list),
    ("schema", schema),
    ("arguments", arguments),
    ("snapshot", snapshot),
    ("query", query),
    ("script", script),
];

/// Tells the parts of an input from each other, where it has several.
const SEPARATOR: u8 = 0;

/// Frames as they come from Java.
pub fn wire(input: &[u8]) {
    let _ = Reader::read(input, limits::read);
    let _ = Reader::read(input, |frame| frames::selection(frame, &Limits::default()));
    if let Ok(source) = Reader::read(input, frames::source_definition) {
        let _ = publish(source);
    }
}

/// A page of a `tools/list` result, from an MCP server that nobody controls.
pub fn tools_list(input: &[u8]) {
    let text = String::from_utf8_lossy(input).into_owned();
    let Some((registry, session)) = publish(source(vec![ToolInput::ToolsList(text)])) else {
        return;
    };
    let mut frame = Writer::new();
    let snapshot = registry.snapshot();
    for source in snapshot.sources() {
        frames::source(&mut frame, source);
        for tool in source.tools() {
            assert!(!tool.is_empty() && tool.len() <= 64);
        }
    }
    render(&session, &one_of_endpoints(input));
}

/// The input schema of a tool, on its way to every provider.
pub fn schema(input: &[u8]) {
    let tool = tool(String::from_utf8_lossy(input).into_owned());
    if let Some((_, session)) = publish(source(vec![tool])) {
        render(&session, &one_of_endpoints(input));
    }
}

/// What a model sends for a schema: SCHEMA, a zero byte, ARGUMENTS.
pub fn arguments(input: &[u8]) {
    let (schema, arguments) = split(input);
    let Some((_, session)) = publish(source(vec![tool(schema)])) else {
        return;
    };
    for endpoint in [None, Some(one_of_endpoints(input))] {
        if let Some(endpoint) = &endpoint {
            let _ = session.render(endpoint);
        }
        let request = CallRequest {
            name: "tool",
            arguments: &arguments,
            endpoint,
            position: None,
            allow_inactive: true,
        };
        let prepared = session
            .prepare(&request)
            .expect("no model can cause an error");
        if let Prepared::Ready(call) = &prepared {
            serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&call.arguments)
                .expect("what is executed has one JSON object for arguments");
        }
        let again = session.prepare(&request).expect("as before");
        assert_eq!(format!("{prepared:?}"), format!("{again:?}"));
    }
}

/// Bytes that claim to be the snapshot of a session.
pub fn snapshot(input: &[u8]) {
    let registry = shop();
    let Ok(session) = Session::restore(registry, everything(), input) else {
        return;
    };
    render(&session, &one_of_endpoints(input));
    let kept = session.snapshot();
    let again = Session::restore(registry, everything(), &kept).expect("what was kept is read");
    assert_eq!(kept, again.snapshot(), "nothing is lost on the way");
    let _ = session.describe();
    let _ = session.rewind_to("turn-1");
    let _ = session.rewind(1);
    let _ = session.fork().snapshot();
}

/// What is looked for, and a description in which it is: QUERY, a zero byte, DESCRIPTION.
pub fn query(input: &[u8]) {
    let (query, description) = split(input);
    search(&open(shop()), &query);
    let tool = ToolInput::Definition(Box::new(ToolDefinition {
        name: "tool".into(),
        description,
        ..ToolDefinition::default()
    }));
    if let Some((_, session)) = publish(source(vec![tool])) {
        search(&session, &query);
    }
}

fn search(session: &Session, query: &str) {
    let request = SearchRequest {
        query,
        limit: Some(i64::MAX),
        position: None,
        within: None,
    };
    let found = session.view().search(&request, session.registry().limits());
    let again = session.view().search(&request, session.registry().limits());
    assert!(found.len() <= session.registry().limits().max_search_limit);
    let names = |hits: &[(Arc<toolcrib_core::tool::Tool>, f32)]| {
        let name = |(tool, score): &(Arc<toolcrib_core::tool::Tool>, f32)| {
            assert!(score.is_finite(), "{score}");
            (Arc::clone(tool.name()), score.to_bits())
        };
        hits.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&found), names(&again));
    let outcome = session.search(&request).expect("a query has no errors");
    let mut frame = Writer::new();
    frames::outcome(&mut frame, &outcome, &outcome.text());
}

/// One of what each provider's endpoints take, and what its own takes today. All of them for every
/// input would be nearly all of the time; this comes round to each of them by changing a byte.
fn one_of_endpoints(input: &[u8]) -> Endpoint {
    let sum = input
        .iter()
        .fold(0, |sum: usize, byte| sum + usize::from(*byte));
    let target = Target::ALL[sum / 2 % Target::ALL.len()];
    if sum % 2 == 0 {
        Endpoint::new(target)
    } else {
        Endpoint::native(target)
    }
}

/// Renders for a provider: one JSON text, the same each time.
fn render(session: &Session, endpoint: &Endpoint) {
    let [first, second] = [session.fork(), session.fork()].map(|fork| fork.render(endpoint));
    assert_eq!(first.json, second.json);
    assert_eq!(first.notes, second.notes);
    assert_eq!(first.quarantined, second.quarantined);
}

fn publish(definition: SourceDefinition) -> Option<(Arc<Registry>, Session)> {
    let registry = Arc::new(Registry::with_deep_work(Limits::default(), deep_work));
    // As the bridge does, whose thread may have next to no stack.
    let mut report = None;
    deep_work(&mut || report = Some(registry.put(definition.clone()).map_err(Into::into)));
    let report = report.expect("the work was done");
    frames::publish_result(&mut Writer::new(), &report);
    report.ok()?;
    let session = open(&registry);
    Some((registry, session))
}

fn deep_work(work: &mut (dyn FnMut() + Send)) {
    thread::scope(|scope| {
        let deep = thread::Builder::new().stack_size(64 << 20);
        let outcome = deep.spawn_scoped(scope, work).expect("a thread").join();
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

fn open(registry: &Arc<Registry>) -> Session {
    Session::open(registry, everything(), &[]).expect("nothing is pinned")
}

fn everything() -> Arc<Selection> {
    Arc::new(Selection::new(Term::All, &Limits::default()).expect("one term"))
}

fn source(tools: Vec<ToolInput>) -> SourceDefinition {
    SourceDefinition {
        name: "source".into(),
        naming: Naming::Plain,
        exposure: ExposureRules {
            default: Exposure::Direct,
            overrides: Vec::new(),
        },
        tools,
        ..SourceDefinition::default()
    }
}

fn tool(input_schema: String) -> ToolInput {
    ToolInput::Definition(Box::new(ToolDefinition {
        name: "tool".into(),
        description: "Does something".into(),
        input_schema,
        ..ToolDefinition::default()
    }))
}

fn shop() -> &'static Arc<Registry> {
    static SHOP: OnceLock<Arc<Registry>> = OnceLock::new();
    SHOP.get_or_init(|| {
        let named = |name: &str, description: &str| {
            ToolInput::Definition(Box::new(ToolDefinition {
                name: name.into(),
                description: description.into(),
                ..ToolDefinition::default()
            }))
        };
        let registry = Arc::new(Registry::with_deep_work(Limits::default(), deep_work));
        let tools = vec![
            named(
                "order_get",
                "Look up an order's status 按订单号查询订单状态",
            ),
            named("order_cancel", "Cancels an order that was not shipped"),
            named("sendInvoice", "Sends the invoice of an order by e-mail"),
        ];
        registry.put(source(tools)).expect("the shop is published");
        registry
    })
}

fn split(input: &[u8]) -> (String, String) {
    let at = input.iter().position(|byte| *byte == SEPARATOR);
    let (first, second) = input.split_at(at.unwrap_or(input.len()));
    let second = second.strip_prefix(&[SEPARATOR]).unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(first), text(second))
}
