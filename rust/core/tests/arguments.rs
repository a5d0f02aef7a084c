//! Argument validation against schemas and values that were made to break it.

use serde_json::{Value, json};
use toolcrib_core::{Limits, call::ArgumentValidator};

/// Runs on a thread with the smallest stack that a Java thread is likely to have.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("it lives");
}

fn problems(schema: &Value, arguments: &Value) -> Vec<String> {
    let limits = Limits::default();
    ArgumentValidator::compile(schema, &limits)
        .problems(arguments, &limits)
        .iter()
        .map(|p| p.line())
        .collect()
}

#[test]
fn a_reference_that_leads_to_itself_ends() {
    on_a_small_stack(|| {
        for schema in [
            json!({"$ref": "#"}),
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
            json!({"not": {"$ref": "#"}}),
            json!({"$dynamicAnchor": "x", "$dynamicRef": "#x"}),
        ] {
            let _ = problems(&schema, &json!({"a": 1}));
        }
    });
}

#[test]
fn a_schema_that_doubles_at_every_step_ends() {
    on_a_small_stack(|| {
        let mut definitions = serde_json::Map::new();
        for step in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", step + 1)});
            definitions.insert(format!("d{step}"), json!({"allOf": [next, next]}));
        }
        definitions.insert("d40".into(), json!({"required": ["never"]}));
        let schema = json!({"$defs": definitions, "$ref": "#/$defs/d0"});
        let _ = problems(&schema, &json!({"a": 1}));

        let doubling = json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}, "required": ["b"]});
        let mut deep = json!({"b": 1});
        for _ in 0..60 {
            deep = json!({"a": deep, "b": 1});
        }
        let _ = problems(&doubling, &deep);
    });
}

#[test]
fn schemas_and_arguments_at_the_depth_limit_fit_the_stack() {
    on_a_small_stack(|| {
        let depth = Limits::default().max_json_depth;
        let mut schema = json!({"type": "integer"});
        let mut arguments = json!("no integer");
        // One level of arguments is two of the schema.
        for _ in 0..depth / 2 - 1 {
            schema = json!({"properties": {"a": schema}});
            arguments = json!({"a": arguments});
        }
        assert_eq!(problems(&schema, &arguments).len(), 1);
        let tree = json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false});
        let mut deep = json!({"b": 1});
        for _ in 0..depth - 2 {
            deep = json!({"a": deep});
        }
        assert_eq!(problems(&tree, &deep).len(), 1);
    });
}

#[test]
fn regular_expressions_that_explode_end() {
    let bait = "a".repeat(40_000) + "!";
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(?=(a+))\\1*$",
        "(?<=(a*))b",
        "(x{1000}){1000}",
    ] {
        let schema = json!({"properties": {"a": {"pattern": pattern}}});
        let _ = problems(&schema, &json!({"a": bait}));
    }
}

#[test]
fn nothing_is_fetched_and_a_schema_that_needs_it_still_has_its_tool() {
    for reference in [
        "https://example.invalid/schema.json",
        "file:///etc/passwd",
        "schema.json",
    ] {
        let schema = json!({"properties": {"a": {"$ref": reference}}, "required": ["a"]});
        assert_eq!(problems(&schema, &json!({"a": 1})), Vec::<String>::new());
        assert_eq!(problems(&schema, &json!([])).len(), 1);
    }
}

#[test]
fn a_schema_that_does_not_compile_let_every_object_through() {
    let broken = [
        // A type that does not exist, a keyword of the wrong kind, a reference to another file.
        json!({"type": "object", "properties": {"id": {"type": "int"}, "note": {"type": "text"}}, "required": ["id"]}),
        json!({"type": "object", "properties": {"id": {"type": "integer", "minimum": "0"}}, "required": ["id"]}),
        json!({"type": "object", "properties": {"id": {"type": "integer"}, "other": {"$ref": "other.json#/x"}}, "required": ["id"]}),
        // A circle beside what is sound.
        json!({"type": "object", "properties": {"id": {"type": "integer"}, "loop": {"$ref": "#/$defs/a"}}, "required": ["id"],
               "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
    ];
    for schema in broken {
        assert_eq!(problems(&schema, &json!({"id": 1})), [""; 0], "{schema}");
        assert_eq!(
            problems(&schema, &json!({"id": "one"})).len(),
            1,
            "{schema}"
        );
        assert_eq!(problems(&schema, &json!({})).len(), 1, "{schema}");
    }
}

#[test]
fn what_the_declaration_allowed_was_refused() {
    let none = Vec::<String>::new();
    let nullable =
        json!({"type": "object", "properties": {"id": {"type": "string", "nullable": true}}});
    assert_eq!(problems(&nullable, &json!({"id": null})), none);
    assert_eq!(problems(&nullable, &json!({"id": 1})).len(), 1);
}

#[test]
fn a_wrapper_around_the_schema_let_every_object_through() {
    let schema = json!({"jsonSchema": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}});
    assert_eq!(problems(&schema, &json!({"id": 1})), Vec::<String>::new());
    assert_eq!(problems(&schema, &json!({})).len(), 1);
}

#[test]
fn a_strange_dialect_is_read_as_the_newest() {
    let schema = json!({"$schema": "https://example.com/my-dialect", "required": ["a"]});
    assert_eq!(
        problems(&schema, &json!({})),
        ["(arguments): the property \"a\" is missing"]
    );
}

#[test]
fn a_problem_does_not_repeat_long_values_or_whole_objects() {
    let secret = "s3cret".repeat(50);
    let schema = json!({"properties": {
        "text": {"enum": ["a", "b"]}, "object": {"required": ["x"], "type": "object"}, "list": {"type": "integer"}}});
    let all = problems(
        &schema,
        &json!({"text": secret, "object": {"password": secret}, "list": [secret]}),
    )
    .join("\n");
    assert!(!all.contains("s3cret"), "{all}");
    assert!(
        all.contains(
            "/text: a text of 300 characters is not one of the values; allowed: [\"a\",\"b\"]"
        ),
        "{all}"
    );
}

#[test]
fn problems_are_bounded_in_number_and_size() {
    let limits = Limits::default();
    let names: Vec<_> = (0..500)
        .map(|n| format!("property_{n}_{}", "x".repeat(300)))
        .collect();
    let schema = json!({"required": names, "additionalProperties": false});
    let unexpected: serde_json::Map<_, _> = (0..500)
        .map(|n| (format!("u{n}_{}", "y".repeat(300)), json!(1)))
        .collect();
    let problems =
        ArgumentValidator::compile(&schema, &limits).problems(&Value::Object(unexpected), &limits);
    assert_eq!(problems.len(), limits.max_problems);
    assert!(problems.iter().all(|problem| problem.line().len() < 1_000));
}

#[test]
fn a_depth_without_limit_was_reserved_as_memory() {
    let mut limits = Limits::default();
    let schema = json!({"properties": {"a": {"$ref": "#"}, "b": {"type": "integer"}}});
    let arguments = (0..120).fold(json!({"b": "x"}), |inner, _| json!({"a": inner}));
    for depth in [i32::MAX as usize, isize::MAX as usize] {
        limits.max_json_depth = depth;
        let validator = ArgumentValidator::compile(&schema, &limits);
        assert_eq!(validator.problems(&arguments, &limits).len(), 1);
    }
}
