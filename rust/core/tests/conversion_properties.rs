//! What holds for every schema: total, deterministic, idempotent, bounded, sound, complete.

mod conversion;

use conversion::sample::{self, Dice};
use conversion::{declared, forms, schema_of};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{Declaration, Effect, Target};
use toolcrib_core::schema::canonical;

fn key() -> BoxedStrategy<String> {
    prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "name", "items", "type", "properties"]),
        1 => prop::sample::select(vec!["a.b", "x[]", "x", "Start<", "Start>", "名前", "", "$ref", "1st"]),
    ]
    .prop_map(str::to_owned)
    .boxed()
}

fn leaf() -> BoxedStrategy<Value> {
    prop_oneof![
        4 => Just(json!({"type": "string"})),
        2 => (0u64..4, 3u64..9).prop_map(|(a, b)| json!({"type": "string", "minLength": a, "maxLength": b})),
        2 => Just(json!({"type": "string", "pattern": "^[a-z]+$", "description": "lower case"})),
        1 => Just(json!({"type": "string", "pattern": "^(?=a)\\w+$"})),
        1 => Just(json!({"type": "string", "format": "uri"})),
        2 => Just(json!({"type": "integer"})),
        2 => (-3i64..3).prop_map(|n| json!({"type": "integer", "exclusiveMinimum": n})),
        1 => (-3i64..3).prop_map(|n| json!({"type": "number", "minimum": n, "exclusiveMinimum": true})),
        1 => Just(json!({"type": "number", "multipleOf": 0.5})),
        1 => Just(json!({"type": "boolean", "default": false})),
        1 => Just(json!({"type": "null"})),
        1 => Just(json!({"type": ["string", "null"]})),
        1 => Just(json!({"type": ["string", "integer", "array"], "minimum": 2})),
        1 => Just(json!({"type": "string", "nullable": true, "enum": ["a", "b"]})),
        2 => Just(json!({"enum": ["a", "b", ""]})),
        1 => Just(json!({"enum": [1, "b", null, {"c": 1}]})),
        1 => Just(json!({"type": "integer", "enum": [1, 2]})),
        1 => Just(json!({"const": "fixed"})),
        1 => Just(json!({"const": 5})),
        1 => Just(json!({})),
        1 => Just(json!(true)),
        1 => Just(json!(false)),
        1 => Just(json!({"type": "any", "description": "anything"})),
        1 => Just(json!({"type": "float"})),
        1 => Just(json!({"type": "string[]"})),
        1 => Just(json!({"type": "object"})),
        1 => Just(json!({"type": "array"})),
        1 => Just(json!({"$ref": "#"})),
        2 => Just(json!({"$ref": "#/$defs/d"})),
        1 => Just(json!({"$ref": "#/definitions/e", "description": "sibling"})),
        1 => Just(json!({"$ref": "#/properties/a"})),
        1 => Just(json!({"$ref": "https://example.com/schema.json"})),
        1 => Just(json!({"type": "string", "required": true})),
        1 => any::<u8>().prop_map(|n| json!({"minimum": n, "type": 5, "items": "no"})),
    ]
    .boxed()
}

fn node() -> BoxedStrategy<Value> {
    leaf()
        .prop_recursive(4, 40, 5, |inner| {
            let map = prop::collection::vec((key(), inner.clone()), 0..4);
            let list = prop::collection::vec(inner.clone(), 1..4);
            let names = prop::collection::vec(key(), 0..3);
            prop_oneof![
                5 => object(map.clone(), names.clone(), inner.clone()),
                2 => inner.clone().prop_map(|i| json!({"type": "array", "items": i})),
                1 => (inner.clone(), 0u64..3).prop_map(|(i, n)| json!({"type": "array", "items": i, "minItems": n, "uniqueItems": true})),
                1 => list.clone().prop_map(|l| json!({"type": "array", "items": l})),
                1 => list.clone().prop_map(|l| json!({"type": "array", "items": l, "additionalItems": false, "minItems": 1})),
                1 => (list.clone(), inner.clone()).prop_map(|(l, i)| json!({"type": "array", "prefixItems": l, "items": i})),
                2 => list.clone().prop_map(|l| json!({"anyOf": l})),
                1 => list.clone().prop_map(|l| json!({"oneOf": l, "description": "one of"})),
                1 => list.clone().prop_map(|l| json!({"allOf": l})),
                1 => (list.clone(), map.clone()).prop_map(|(l, m)| json!({"type": "object", "properties": as_map(m), "anyOf": l})),
                1 => inner.clone().prop_map(|i| json!({"anyOf": [{"not": {}}, i]})),
                1 => inner.clone().prop_map(|i| json!({"type": "string", "not": i})),
                1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"type": "object", "if": a, "then": b})),
                1 => inner.clone().prop_map(|i| json!({"type": "object", "additionalProperties": i})),
                1 => inner.clone().prop_map(|i| json!({"type": "object", "patternProperties": {"^x": i}, "minProperties": 1})),
                1 => inner.clone().prop_map(|i| json!({"type": "array", "contains": i})),
                1 => names.prop_map(|n| json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": n}, {"required": ["a"]}]})),
                1 => (map, key()).prop_map(|(m, k)| json!({"type": "object", "properties": as_map(m), "dependencies": {k: ["a"]}})),
            ]
        })
        .boxed()
}

fn as_map(members: Vec<(String, Value)>) -> Value {
    members.into_iter().collect::<Map<_, _>>().into()
}

fn object(
    map: impl Strategy<Value = Vec<(String, Value)>> + 'static,
    names: impl Strategy<Value = Vec<String>> + 'static,
    inner: BoxedStrategy<Value>,
) -> BoxedStrategy<Value> {
    let others = prop_oneof![
        4 => Just(None),
        3 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        1 => inner.prop_map(Some),
    ];
    (map, names, others, any::<bool>())
        .prop_map(|(map, names, others, listed)| {
            let mut required: Vec<String> = if listed {
                map.iter()
                    .map(|(k, _)| k.clone())
                    .filter(|k| k.len() % 2 == 1)
                    .collect()
            } else {
                names
            };
            required.dedup();
            let mut made = json!({"type": "object", "properties": as_map(map)});
            if !required.is_empty() {
                made["required"] = required.into();
            }
            if let Some(others) = others {
                made["additionalProperties"] = others;
            }
            made
        })
        .boxed()
}

fn whole() -> impl Strategy<Value = Value> {
    let drafts = prop::sample::select(vec![
        "",
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ]);
    (node(), node(), node(), drafts).prop_map(|(root, d, e, draft)| {
        let Value::Object(mut root) = root else {
            return root;
        };
        root.insert("$defs".to_owned(), json!({ "d": d }));
        root.insert("definitions".to_owned(), json!({ "e": e }));
        if !draft.is_empty() {
            root.insert("$schema".to_owned(), draft.into());
        }
        root.into()
    })
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .offline()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(schema)
        .unwrap_or_else(|e| panic!("{schema} is no schema: {e}"))
}

/// A schema that is legal in its draft means what a validator of that draft says. Words of OpenAPI
/// and of other drafts than its own are read all the same, which no validator does.
fn check_same_meaning(schema: &Value) -> Result<(), String> {
    let text = schema.to_string();
    let foreign: &[&str] = if text.contains("draft-04") {
        &["nullable", "prefixItems", "contains", "const", "if"]
    } else if text.contains("draft-07") {
        &["nullable", "prefixItems"]
    } else {
        &["nullable", "additionalItems", "dependencies"]
    };
    let legal = jsonschema::meta::is_valid(schema)
        && !foreign
            .iter()
            .any(|word| text.contains(&format!("\"{word}\"")));
    // Whether formats are checked is a matter of the draft, unless it is said.
    let build = |schema: &Value| {
        jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .build(schema)
    };
    let Ok(original) = build(schema) else {
        return Ok(());
    };
    let (meant, notes) = canonical(schema);
    let read = build(&meant).expect("a canonical schema compiles");
    // What had to be repaired was not legal, whatever the meta-schema says of it.
    let legal = legal && notes.is_empty();
    for seed in 0..if legal { 12 } else { 0 } {
        for source in [schema, &meant] {
            let value = sample::value(source, source, &mut Dice::new(seed), 12);
            if original.is_valid(&value) != read.is_valid(&value) {
                return Err(format!(
                    "schema {schema}\nmeant  {meant}\nvalue  {value}\noriginal {}\nnotes  {notes:?}",
                    original.is_valid(&value)
                ));
            }
        }
    }
    Ok(())
}

fn worst(declaration: &Declaration) -> Vec<Effect> {
    let mut effects: Vec<Effect> = declaration.notes().iter().map(|n| n.effect).collect();
    effects.sort_unstable();
    effects.dedup();
    effects
}

/// Arguments valid for the declaration, mapped back, are valid for the tool, or a note says that
/// the declaration accepts more. Returns how many arguments were tried.
fn check_sound(schema: &Value, target: Target, strict: bool, tries: u64) -> Result<usize, String> {
    let Ok(made) = declared(schema, target, strict) else {
        return Ok(0);
    };
    if worst(&made).contains(&Effect::Loosened) {
        return Ok(0);
    }
    let (meant, _) = canonical(schema);
    let shown = schema_of(&made, target);
    // `nullable` is no keyword of JSON Schema; the canonical reading spells it out.
    let (read, _) = canonical(&shown);
    let (accepts, wants) = (validator(&read), validator(&meant));
    let mut tried = 0;
    for seed in 0..tries {
        let given = sample::value(&read, &read, &mut Dice::new(seed), 12);
        if accepts.is_valid(&given) {
            tried += 1;
            let restored = made.restore(given.clone());
            if !wants.is_valid(&restored) {
                return Err(format!(
                    "{target:?} strict={strict}\nschema {schema}\nmeant  {meant}\nshown  {shown}\n\
                     given  {given}\nback   {restored}\nnotes  {:?}",
                    made.notes()
                ));
            }
        }
    }
    Ok(tried)
}

/// Arguments valid for the tool are valid for the declaration, unless a note says that it accepts
/// less. Where values take another form on the way, soundness covers them.
fn check_complete(
    schema: &Value,
    target: Target,
    strict: bool,
    tries: u64,
) -> Result<usize, String> {
    let Ok(made) = declared(schema, target, strict) else {
        return Ok(0);
    };
    let other_form = |why: &str| {
        ["key renamed", "null stands", "JSON text", "wrapped"]
            .iter()
            .any(|w| why.contains(w))
    };
    if worst(&made).contains(&Effect::Narrowed) || made.notes().iter().any(|n| other_form(n.why)) {
        return Ok(0);
    }
    let (meant, _) = canonical(schema);
    let (read, _) = canonical(&schema_of(&made, target));
    let (accepts, wants) = (validator(&read), validator(&meant));
    let mut tried = 0;
    for seed in 0..tries {
        let given = sample::value(&meant, &meant, &mut Dice::new(seed), 12);
        if given.is_object() && wants.is_valid(&given) {
            tried += 1;
            if !accepts.is_valid(&given) {
                return Err(format!(
                    "{target:?} strict={strict}\nschema {schema}\nmeant  {meant}\nread   {read}\n\
                     given  {given}\nnotes  {:?}",
                    made.notes()
                ));
            }
        }
    }
    Ok(tried)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_schema_has_a_bounded_declaration_for_every_target(schema in whole()) {
        for (target, strict) in forms() {
            let made = declared(&schema, target, strict).expect("nothing here is too large");
            prop_assert!(made.json().len() <= Limits::default().max_declaration_bytes);
            let again = declared(&schema, target, strict).expect("again");
            prop_assert_eq!(made.json(), again.json());
        }
    }

    #[test]
    fn declaring_what_was_declared_changes_nothing(schema in whole()) {
        for (target, strict) in forms() {
            let once = declared(&schema, target, strict).expect("declared");
            let shown = schema_of(&once, target);
            let twice = declared(&shown, target, once.is_strict()).expect("declared again");
            prop_assert_eq!(&shown, &schema_of(&twice, target), "{:?} {}", target, strict);
        }
    }

    #[test]
    fn arguments_that_fit_the_declaration_fit_the_tool(schema in whole()) {
        for (target, strict) in forms() {
            if let Err(why) = check_sound(&schema, target, strict, 12) {
                prop_assert!(false, "{}", why);
            }
        }
    }

    #[test]
    fn arguments_that_fit_the_tool_fit_the_declaration(schema in whole()) {
        for (target, strict) in forms() {
            if let Err(why) = check_complete(&schema, target, strict, 12) {
                prop_assert!(false, "{}", why);
            }
        }
    }

    #[test]
    fn the_canonical_schema_is_its_own_canonical_schema_and_compiles(schema in whole()) {
        let (once, _) = canonical(&schema);
        let (twice, _) = canonical(&once);
        validator(&once);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn the_canonical_schema_of_a_legal_schema_accepts_the_same_values(schema in whole()) {
        if let Err(why) = check_same_meaning(&schema) {
            prop_assert!(false, "{}", why);
        }
    }

    #[test]
    fn any_json_at_all_is_read(schema in any_json()) {
        for (target, strict) in forms() {
            let _ = declared(&schema, target, strict);
        }
    }
}

fn any_json() -> BoxedStrategy<Value> {
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "$ref",
        "required",
        "anyOf",
        "allOf",
        "not",
        "enum",
        "const",
        "minimum",
        "additionalProperties",
        "$defs",
        "nullable",
        "object",
        "array",
        "string",
        "#",
        "#/$defs/a",
        "a",
        "prefixItems",
        "if",
        "description",
        "pattern",
        "(",
        "format",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            3 => prop::collection::vec((word.clone(), inner), 0..6)
                .prop_map(|m| m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>().into()),
        ]
    })
    .boxed()
}

#[test]
fn real_schemas_are_sound_and_complete_and_stable() {
    let mut tried = 0;
    for (set, path) in conversion::data::SETS {
        let Some(tools) = conversion::data::tools(path) else {
            return;
        };
        for (at, tool) in tools.iter().enumerate() {
            // The catalogues are alike within themselves; every tenth tool shows what there is.
            let huge = tool.input_schema.to_string().len() > 20_000;
            if (set != "hard" && at % 10 != 0) || huge {
                continue;
            }
            for (target, strict) in forms() {
                tried += check_sound(&tool.input_schema, target, strict, 2)
                    .unwrap_or_else(|why| panic!("{set} {}: {why}", tool.name));
                tried += check_complete(&tool.input_schema, target, strict, 2)
                    .unwrap_or_else(|why| panic!("{set} {}: {why}", tool.name));
                let once = declared(&tool.input_schema, target, strict).expect("declared");
                let shown = schema_of(&once, target);
                let twice = declared(&shown, target, once.is_strict()).expect("again");
                assert_eq!(
                    shown,
                    schema_of(&twice, target),
                    "{set} {} {target:?}",
                    tool.name
                );
            }
        }
    }
    assert!(tried > 10_000, "only {tried} arguments were tried");
}
