//! Schemas that a server made large on purpose: how the work grows, and what is left of them.

mod conversion;

use std::hint::black_box;
use std::time::{Duration, Instant};

use conversion::{declared, forms, schema_of};
use serde_json::{Value, json};
use toolcrib_core::provider::{Effect, Target};

fn list(n: usize, element: impl Fn(usize) -> Value) -> Value {
    (0..n).map(element).collect::<Vec<_>>().into()
}

fn object(n: usize, member: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..n).map(member).collect())
}

/// Members of `allOf` that all speak of one property and of one of their own.
fn meeting(n: usize) -> Value {
    let member = |i| {
        let own = format!("p{i}");
        json!({"type": "object", "properties": {own: {"type": "string"}, "z": {"minLength": i}}})
    };
    json!({"type": "object", "allOf": list(n, member)})
}

/// Each member of `allOf` restricts the properties of all others: what it means takes the square
/// of what it says.
fn multiplying(n: usize) -> Value {
    let member = |i| {
        let own = format!("p{i}");
        json!({"properties": {own: {}}, "additionalProperties": {"not": {"const": i}}})
    };
    json!({"type": "object", "allOf": list(n, member)})
}

fn time(schema: &Value, target: Target, strict: bool) -> Duration {
    let measure = |_| {
        let start = Instant::now();
        let _ = black_box(declared(black_box(schema), target, strict));
        start.elapsed()
    };
    (0..3).map(measure).min().expect("three of them")
}

/// One of each kind: everything kept, merged, strict, and written out.
const KINDS: [(Target, bool); 4] = [
    (Target::AnthropicMessages, false),
    (Target::Compatible, false),
    (Target::OpenAiResponses, true),
    (Target::GeminiParameters, false),
];

/// Four times the schema takes far less than the sixteen times of what goes by the square.
fn grows_with_its_length(made: impl Fn(usize) -> Value, n: usize) {
    const MOST: u32 = 9;
    let (short, long) = (made(n), made(4 * n));
    for (target, strict) in KINDS {
        // Other work on the machine may slow down one side: a square is there every time.
        let ratios = || time(&long, target, strict) > time(&short, target, strict) * MOST;
        assert!(
            !(ratios() && ratios() && ratios()),
            "{target:?} strict {strict}"
        );
    }
}

#[test]
fn schemas_that_meet_in_one_property_were_nested_and_copied_each_time() {
    grows_with_its_length(meeting, 300);
    let excluding =
        |n| json!({"allOf": list(n, |i| json!({"properties": {"z": {"not": {"const": i}}}}))});
    grows_with_its_length(excluding, 300);
}

#[test]
fn keys_that_are_equal_at_their_start_were_numbered_from_one_each_time() {
    let key = |i| {
        (
            format!("{}.{i} ", "k".repeat(80)),
            json!({"type": "string"}),
        )
    };
    let schema = |n| json!({"type": "object", "properties": object(n, key)});
    grows_with_its_length(schema, 300);
    let made = declared(&schema(3), Target::AnthropicMessages, false).expect("declared");
    let made = schema_of(&made, Target::AnthropicMessages);
    let names = made["properties"].as_object().expect("an object").keys();
    let base = "k".repeat(56);
    let expected = [base.clone(), format!("{base}_2"), format!("{base}_3")];
    assert!(names.eq(&expected), "{made}");
}

#[test]
fn alternatives_were_compared_each_with_each() {
    let in_property =
        |branches: Value| json!({"type": "object", "properties": {"a": {"oneOf": branches}}});
    grows_with_its_length(|n| in_property(list(n, |i| json!({"const": i}))), 500);
    let tagged = |i| {
        let (kind, own) = (format!("k{i}"), format!("v{i}"));
        json!({"type": "object", "properties": {"kind": {"const": kind}, own: {}}, "required": ["kind"]})
    };
    grows_with_its_length(|n| in_property(list(n, tagged)), 200);
    grows_with_its_length(|n| json!({"oneOf": list(n, tagged)}), 200);
}

#[test]
fn required_names_were_searched_for_each_property() {
    let name = |i| format!("p{i:05}");
    let schema = |n| {
        json!({
            "type": "object",
            "properties": object(n, |i| (name(i), json!(i % 2 == 0))),
            "required": list(n, |i| name(i).into()),
        })
    };
    grows_with_its_length(schema, 1_000);
}

#[test]
fn anchors_below_a_long_key_each_kept_all_of_it() {
    let schema = |n: usize| {
        let named = object(n, |i| (format!("p{i}"), json!({"$id": format!("a{i}")})));
        json!({"type": "object", "properties": {"k".repeat(40 * n): named}})
    };
    grows_with_its_length(schema, 2_500);
}

#[test]
fn alternatives_with_distinct_values_are_still_exclusive_however_many() {
    for n in [2, 40, 3_000] {
        let schema = json!({"type": "object", "properties": {
            "a": {"oneOf": list(n, |i| json!({"const": i}))},
        }});
        let made = declared(&schema, Target::BedrockConverse, false).expect("declared");
        let why = "not supported, written as anyOf";
        assert!(made.notes().iter().all(|n| n.why != why), "{n}");
    }
}

#[test]
fn an_all_of_of_forty_kilobytes_was_kept_from_every_provider_that_merges_it() {
    let schema = meeting(500);
    for (target, strict) in forms() {
        let made = declared(&schema, target, strict).expect("declared");
        let made = schema_of(&made, target);
        let properties = made["properties"].as_object().expect("an object");
        assert_eq!(properties.len(), 501, "{target:?} strict {strict}");
    }
}

#[test]
fn a_schema_whose_meaning_is_the_square_of_its_text_held_its_thread() {
    let schema = multiplying(4_000);
    for target in [Target::Compatible, Target::GeminiParameters, Target::Mcp] {
        let made = declared(&schema, target, false).expect("declared");
        let told = made.notes().iter().any(|note| {
            note.what == "size"
                && note.why.starts_with("more work than a conversion may take")
                && note.effect == Effect::Loosened
        });
        assert!(told, "{target:?} {:?}", made.notes());
        let again = declared(&schema, target, false).expect("declared");
        assert_eq!(made.json(), again.json());
    }
}
