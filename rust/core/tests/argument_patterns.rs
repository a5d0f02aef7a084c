//! Argument validation against regular expressions that were made to take memory and time.

use serde_json::{Value, json};
use toolcrib_core::{
    Limits,
    call::ArgumentValidator,
    schema::{Effect, Note, canonical},
};

fn problems(schema: &Value, arguments: &Value) -> Vec<String> {
    let limits = Limits::default();
    ArgumentValidator::compile(schema, &limits)
        .problems(arguments, &limits)
        .iter()
        .map(|problem| problem.line())
        .collect()
}

fn with_patterns(count: usize, pattern: &str) -> Value {
    let properties: serde_json::Map<_, _> = (0..count)
        .map(|at| {
            (
                format!("p{at}"),
                json!({"pattern": format!("{pattern}{at}")}),
            )
        })
        .collect();
    json!({"type": "object", "properties": properties, "required": ["p0"]})
}

/// The patterns that are left in the canonical reading, and the notes of those that are not.
fn kept(schema: &Value) -> (usize, Vec<Note>) {
    let (canonical, mut notes) = canonical(schema);
    notes.retain(|note| note.effect == Effect::Loosened);
    (canonical.to_string().matches("\"pattern\"").count(), notes)
}

fn is_too_much(problems: &[String]) -> bool {
    matches!(problems, [one] if one.contains("too long to be checked"))
}

/// About `length` letters a and b, in no order that repeats.
fn letters(length: usize) -> String {
    let mut state = 1u32;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { 'a' } else { 'b' }
        })
        .collect()
}

#[test]
fn five_thousand_patterns_took_two_gigabytes() {
    for (count, pattern, least, most) in [
        (5_000, "a{9000}b", 5, 11),
        (5_000, r"\pL{40}", 0, 0),
        (600, r"\pL{200}x", 0, 0),
        (5_000, r"\pL{10}x", 5, 10),
        (5_000, "^x", 500, 1_000),
        (5_000, "(((a)|b)*c){100}", 5, 100),
    ] {
        let schema = with_patterns(count, pattern);
        let (kept, notes) = kept(&schema);
        assert!((least..=most).contains(&kept), "{kept} of {pattern}");
        assert!(!notes.is_empty(), "{pattern}");
        // What is no pattern is checked all the same.
        assert_eq!(
            problems(&schema, &json!({})),
            ["(arguments): the property \"p0\" is missing"],
            "{pattern}"
        );
    }
}

#[test]
fn one_pattern_that_was_too_large_took_all_checks_with_it() {
    let schema = json!({"properties": {"a": {"pattern": r"x\pL{100}x"}, "b": {"type": "integer"}}});
    assert_eq!(problems(&schema, &json!({"a": "x"})), [""; 0]);
    assert_eq!(problems(&schema, &json!({"b": "x"})).len(), 1);
}

#[test]
fn ordinary_patterns_are_kept_in_any_number() {
    let patterns = [
        r"^[A-Z]{2}-\d{6}$",
        r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        r"^(\d{4})-(\d{2})-(\d{2})$",
        r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
        r"^[\p{L}\p{N} ._-]{1,200}$",
        r"^.{1,5000}$",
        r"^(?=.*[A-Z])(?=.*\d)[\s\S]{8,204800}$",
        r"^(?!\s*$).+",
        r"^((?!forbidden).)*$",
        r"^(?!-)(?!.*--)[a-z0-9-]{1,63}(?<!-)$",
    ];
    let properties: serde_json::Map<_, _> = (0..2_000)
        .map(|at| {
            (
                format!("p{at}"),
                json!({"pattern": patterns[at % patterns.len()]}),
            )
        })
        .collect();
    assert_eq!(
        kept(&json!({"properties": properties})),
        (2_000, Vec::new())
    );
}

#[test]
fn a_large_pattern_on_a_long_text_was_one_step() {
    for pattern in [
        "[ab]*a[ab]{2000}c",
        "a[ab]{9000}c",
        "(?=[ab]*c)x",
        "[ab]*(?=[ab]*a[ab]{12}c)x",
    ] {
        let text = letters(900_000);
        for (schema, arguments) in [
            (
                json!({"properties": {"a": {"pattern": pattern}}}),
                json!({"a": text}),
            ),
            (
                json!({"properties": {"a": {"items": {"allOf": [{"pattern": pattern}]}}}}),
                json!({"a": [1, text]}),
            ),
            (
                json!({"additionalProperties": {"$ref": "#/$defs/a"}, "$defs": {"a": {"pattern": pattern}}}),
                json!({"a": text}),
            ),
            (
                json!({"patternProperties": {pattern: false}}),
                json!({&text: 1}),
            ),
            (
                json!({"propertyNames": {"pattern": pattern}}),
                json!({&text: 1}),
            ),
            (
                json!({"additionalProperties": {"unevaluatedProperties": {"pattern": pattern}}}),
                json!({"a": {"b": text}}),
            ),
        ] {
            assert!(
                is_too_much(&problems(&schema, &arguments)),
                "{pattern} in {schema}"
            );
        }
    }
}

#[test]
fn a_long_text_that_no_pattern_reads_is_not_refused() {
    let schema = json!({"properties": {
        "path": {"pattern": "^/[ab]{1,2000}c$"},
        "lines": {"prefixItems": [{"pattern": "^/[ab]{1,2000}c$"}]},
        "content": {"type": "string"}}});
    let arguments = json!({
        "path": format!("/{}c", "ab".repeat(200)),
        "lines": ["/ac", letters(400_000)],
        "content": letters(500_000)});
    assert_eq!(problems(&schema, &arguments), [""; 0]);
}

#[test]
fn ordinary_patterns_read_ordinary_texts() {
    let text = "words and more words, ".repeat(450);
    for pattern in [
        r"^[A-Z]{2}-\d{6}$|.",
        r"\d{4}-\d{2}-\d{2}|words",
        r"^(?!\s*$).+",
        r"^((?!forbidden).){1,12000}",
        r"^[\s\S]{1,20000}$",
        r"^[\p{L}\p{P} ]+$",
        r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|,)",
    ] {
        let schema = json!({"properties": {"a": {"type": "array", "items": {"pattern": pattern}}}});
        let found = problems(&schema, &json!({"a": [text, text, text]}));
        assert!(!is_too_much(&found), "{pattern}: {found:?}");
    }
    let long = "x".repeat(1_000_000);
    for pattern in [
        r"\S",
        "^x+$",
        r"^[\s\S]*$",
        r"^(?!\s*$).+",
        "^.{1,2000000}$",
    ] {
        let schema = json!({"properties": {"a": {"pattern": pattern}}});
        assert_eq!(problems(&schema, &json!({"a": long})), [""; 0], "{pattern}");
    }
}

#[test]
fn a_pattern_that_is_left_out_refuses_nothing_more() {
    let large = r"x\pL{100}x";
    for schema in [
        json!({"properties": {"a": {"not": {"pattern": large}}}}),
        json!({"properties": {"a": {"if": {"pattern": large}, "then": false}}}),
        json!({"properties": {"a": {"oneOf": [{"pattern": large}, {"type": "string"}]}}}),
        json!({"properties": {"b": {"contains": {"pattern": large}, "maxContains": 1}}}),
        json!({"patternProperties": {large: true}, "additionalProperties": false}),
        json!({"allOf": [{"patternProperties": {large: true}}], "unevaluatedProperties": false}),
    ] {
        let arguments = json!({"a": "xyz", "b": ["x", "y"]});
        assert_eq!(problems(&schema, &arguments), [""; 0], "{schema}");
        assert!(!kept(&schema).1.is_empty(), "{schema}");
    }
    let either = json!({"properties": {"a": {"oneOf": [{"pattern": large}, {"type": "integer"}]}}});
    assert_eq!(problems(&either, &json!({"a": 1})), [""; 0]);
}
