//! The canonical reading, and faults that conversion once had.

mod conversion;

use conversion::{declared, forms, schema_of};
use serde_json::{Value, json};
use toolcrib_core::provider::{Effect, Target};
use toolcrib_core::schema::canonical;

fn meant(schema: Value) -> Value {
    canonical(&schema).0
}

fn compiles(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .offline()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(schema)
        .unwrap_or_else(|e| panic!("{schema}: {e}"))
}

#[test]
fn the_canonical_schema_accepts_what_the_original_accepts() {
    // Legal schemas of their drafts, so that a validator knows their meaning too.
    let cases = [
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"a": {"type": "number", "minimum": 1, "exclusiveMinimum": true}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}], "additionalItems": false}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"enum": [1, "x"]}}, "dependencies": {"a": ["b"]}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"a": {"anyOf": [{"not": {}}, {"type": "integer"}]}}, "unevaluatedProperties": false}),
    ];
    for schema in cases {
        let original = jsonschema::options().offline().build(&schema).unwrap();
        let read = compiles(&meant(schema.clone()));
        for value in [
            json!({"a": 1}),
            json!({"a": 2}),
            json!({"a": "x"}),
            json!({"a": ["s"]}),
            json!({"a": ["s", 1]}),
            json!({}),
            json!({"a": 1, "b": 2}),
            json!({"c": 1}),
        ] {
            assert_eq!(
                original.is_valid(&value),
                read.is_valid(&value),
                "{schema} {value}"
            );
        }
    }
}

#[test]
fn every_hard_schema_compiles_once_it_is_canonical() {
    let Some(tools) = conversion::data::tools("schemas/hard.jsonl.gz") else {
        return;
    };
    assert_eq!(tools.len(), 231);
    for tool in tools {
        let once = meant(tool.input_schema);
        // The largest cost a second each to compile and show nothing new.
        if once.to_string().len() < 60_000 {
            compiles(&once);
        }
        assert_eq!(meant(once.clone()), once, "{}", tool.name);
    }
}

#[test]
fn a_circle_of_references_left_a_member_of_all_of_that_said_nothing() {
    let schema = json!({
        "$ref": "#/$defs/d",
        "$defs": {"d": {"allOf": [{"$ref": "#/$defs/d"}, {"type": "string"}]}},
    });
    let once = meant(schema);
    assert_eq!(once["$defs"]["d"], json!({"type": "string"}));
    assert_eq!(meant(once.clone()), once);
}

#[test]
fn a_wrapped_root_was_not_unwrapped_beside_other_keys() {
    let made = declared(&json!({"type": "string"}), Target::AnthropicMessages, false).unwrap();
    assert_eq!(
        made.restore(json!({"value": "a", "reason": "why"})),
        json!("a")
    );
}

#[test]
fn a_required_key_without_a_property_was_renamed_for_good() {
    let schema = json!({"type": "object", "properties": {}, "required": ["x[]"]});
    for (target, strict) in forms() {
        let made = declared(&schema, target, strict).unwrap();
        if target != Target::Mcp {
            let text = target == Target::GeminiParameters;
            let given = if text {
                json!({"x": "\"v\""})
            } else {
                json!({"x": "v"})
            };
            assert_eq!(made.restore(given), json!({"x[]": "v"}), "{target:?}");
        }
    }
}

#[test]
fn elements_of_any_type_made_a_union_that_read_differently_the_second_time() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "array", "prefixItems": [{}, {"type": "string"}]}}});
    let made = declared(&schema, Target::OpenAiResponses, false).unwrap();
    assert_eq!(
        schema_of(&made, Target::OpenAiResponses)["properties"]["x"]["items"],
        json!({})
    );
}

#[test]
fn gemini_refused_a_title_beside_any_of() {
    let schema = json!({"type": "object", "properties": {"x": {"title": "X", "default": 1, "anyOf": [{"type": "string"}, {"type": "integer"}]}}});
    let made = declared(&schema, Target::GeminiParameters, false).unwrap();
    let x = &schema_of(&made, Target::GeminiParameters)["properties"]["x"];
    assert_eq!(x.get("title"), None);
    assert_eq!(x["description"], "(default 1)");
}

#[test]
fn null_alone_became_a_type_that_gemini_does_not_know() {
    let schema = json!({"type": "object", "properties": {"x": {"type": ["string", "null"], "enum": [null]}}});
    let made = declared(&schema, Target::GeminiParameters, false).unwrap();
    assert_eq!(
        schema_of(&made, Target::GeminiParameters)["properties"]["x"]["type"],
        "string"
    );
    assert_eq!(made.restore(json!({"x": "null"})), json!({"x": null}));
}

#[test]
fn an_alternative_of_any_type_stayed_beside_others_and_was_dropped_the_second_time() {
    let schema = json!({"type": "object", "properties": {"x": {"oneOf": [{"not": {"const": 1}}, {"type": "string"}]}}});
    let made = declared(&schema, Target::BedrockConverse, false).unwrap();
    let x = &schema_of(&made, Target::BedrockConverse)["properties"]["x"];
    assert_eq!(x.get("anyOf"), None);
}

#[test]
fn a_tuple_position_that_accepts_nothing_was_taken_for_one_that_accepts_all() {
    let once = meant(json!({"type": "array", "prefixItems": [{"type": "string"}, false]}));
    assert_eq!(
        once,
        json!({"type": "array", "prefixItems": [{"type": "string"}], "maxItems": 1})
    );
    assert_eq!(
        meant(json!({"prefixItems": [false]})),
        json!({"maxItems": 0})
    );
}

#[test]
fn an_object_that_lost_its_only_property_stayed_an_empty_object_for_gemini() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "object", "properties": {"a": false}}}});
    let made = declared(&schema, Target::GeminiParameters, false).unwrap();
    assert_eq!(
        schema_of(&made, Target::GeminiParameters)["properties"]["x"]["type"],
        "string"
    );
}

#[test]
fn a_definition_stayed_although_the_only_reference_to_it_was_given_as_text() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"anyOf": [{"$ref": "#/$defs/d"}, {"not": {"const": 1}}]}},
        "$defs": {"d": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    });
    let made = declared(&schema, Target::GeminiJsonSchema, false).unwrap();
    assert_eq!(
        schema_of(&made, Target::GeminiJsonSchema).get("$defs"),
        None
    );
}

#[test]
fn a_definition_that_turned_out_to_accept_nothing_was_still_referred_to() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d"}, "b": {"type": "string"}},
        "$defs": {"d": {"type": "object", "anyOf": [{"type": "string"}, {"type": "integer"}]}},
    });
    let made = declared(&schema, Target::AnthropicMessages, true).unwrap();
    let shown = schema_of(&made, Target::AnthropicMessages);
    assert_eq!(shown["properties"].get("a"), None);
    assert_eq!(shown.get("$defs"), None);
}

/// The schema of property `x`, declared.
fn of_x(x: Value, target: Target, strict: bool) -> Value {
    let schema = json!({"type": "object", "properties": {"x": x}});
    let made = declared(&schema, target, strict).expect("declared");
    schema_of(&made, target)["properties"]["x"].clone()
}

#[test]
fn the_elements_of_a_tuple_escaped_the_rule_for_all_elements_of_a_merged_schema() {
    let tuple = json!({"allOf": [
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "prefixItems": [{"const": 5}]},
    ]});
    let made = of_x(tuple, Target::GeminiJsonSchema, false);
    assert_eq!(made["maxItems"], 0, "{made}");
}

#[test]
fn a_required_property_that_is_never_valid_left_a_closed_object_that_accepted_nothing_open() {
    let schema = json!({"allOf": [
        {"type": "object", "properties": {}, "additionalProperties": false},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    ]});
    let made = declared(&schema, Target::AnthropicMessages, false).expect("declared");
    let said = made.notes().iter().any(|n| n.effect == Effect::Loosened);
    assert!(said, "{:?}", made.notes());
}

#[test]
fn the_only_alternative_left_stood_beside_what_contradicts_it() {
    let x = json!({"type": "string", "anyOf": [
        {"type": "number"}, {"allOf": [{"type": "string"}, {"type": "null"}]},
    ]});
    assert_eq!(of_x(x, Target::Ollama, false), Value::Null);
}

#[test]
fn a_property_that_admits_null_was_required_without_a_note() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": false});
    let made = declared(&schema, Target::OpenAiResponses, true).expect("declared");
    assert!(made.notes().iter().any(|n| n.effect == Effect::Narrowed));
}

#[test]
fn recursion_that_only_a_merge_makes_required_went_to_gemini_as_a_reference() {
    let schema = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/d"}},
        "$defs": {"d": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/d"}},
            "anyOf": [{"type": "object", "properties": {}, "required": ["next"]}],
        }},
    });
    let made = declared(&schema, Target::GeminiJsonSchema, false).expect("declared");
    let shown = schema_of(&made, Target::GeminiJsonSchema);
    assert!(!shown.to_string().contains("$ref"), "{shown}");
}

#[test]
fn a_renamed_property_that_is_a_reference_got_a_description_beside_it_that_strict_schemas_forbid() {
    let schema = json!({
        "type": "object",
        "properties": {"x[]": {"$ref": "#/$defs/d"}},
        "required": ["x[]"],
        "additionalProperties": false,
        "$defs": {"d": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}},
    });
    let anthropic = declared(&schema, Target::AnthropicMessages, true).expect("declared");
    let shown = schema_of(&anthropic, Target::AnthropicMessages);
    assert_eq!(shown["properties"]["x"], json!({"$ref": "#/$defs/d"}));
    let openai = declared(&schema, Target::OpenAiChat, true).expect("declared");
    let shown = schema_of(&openai, Target::OpenAiChat);
    assert_eq!(
        shown["properties"]["x"]["anyOf"],
        json!([{"$ref": "#/$defs/d"}])
    );
}
