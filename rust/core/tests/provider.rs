//! Declarations and the tools of a request through the public API.

mod conversion;

use conversion::{declared, forms, schema_pointer};
use serde_json::{Map, Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    Activation, Budget, Declaration, DeclareOptions, DeclaredTool, Endpoint, Form, Rejection,
    Target, declare, declare_with, fit, named, render, tool_search,
};

fn tool<'a>(name: &'a str, schema: &'a Value) -> DeclaredTool<'a> {
    DeclaredTool {
        name,
        title: Some("A tool"),
        description: "Does it.",
        input_schema: schema,
        output_schema: None,
        annotations: None,
    }
}

fn simple() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
}

#[test]
fn every_target_gets_its_own_envelope_around_an_object_root() {
    let schema = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    for target in Target::ALL {
        let made = declare(&tool("t", &schema), *target, &Limits::default()).unwrap();
        let element: Value = serde_json::from_str(made.json()).unwrap();
        let root = element.pointer(schema_pointer(*target)).unwrap();
        assert_eq!(root["type"], "object");
        assert_eq!(root["properties"]["a"]["type"], "string");
        assert_eq!(Target::from_name(target.name()), Some(*target));
    }
}

#[test]
fn a_name_no_provider_takes_is_replaced_by_one_that_stays_unique() {
    let schema = json!({});
    let name = |n: &str| {
        let made = declare(&tool(n, &schema), Target::OpenAiChat, &Limits::default()).unwrap();
        assert_eq!(made.tool(), n);
        made.name().to_owned()
    };
    assert_eq!(name("plain-name_1"), "plain-name_1");
    assert_ne!(name("7zip"), "_7zip");
    assert!(name("7zip").starts_with("_7zip_"));
    assert_eq!(name(&"x".repeat(65)).len(), 64);
    assert_ne!(name("a b"), name("a.b"));
}

#[test]
fn an_empty_description_is_left_out() {
    let schema = simple();
    for target in Target::ALL {
        let tool = DeclaredTool {
            description: "  ",
            ..tool("t", &schema)
        };
        let made = declare(&tool, *target, &Limits::default()).unwrap();
        assert!(
            !made.json().contains(r#""description""#),
            "{target:?}: {}",
            made.json()
        );
    }
}

#[test]
fn what_is_no_schema_is_rejected_for_every_target_with_the_reason() {
    for (target, strict) in forms() {
        let found = declared(&json!([1]), target, strict).unwrap_err();
        assert_eq!(found, Rejection::NotASchema { found: "an array" });
        assert!(
            declared(&Value::Null, target, strict).is_ok(),
            "null means no parameters"
        );
    }
}

#[test]
fn a_schema_too_large_for_its_budget_is_cut_and_says_so() {
    let properties: Map<String, Value> = (0..40)
        .map(|n| {
            let inner: Map<String, Value> = (0..40)
                .map(|m| {
                    (
                        format!("q{m}"),
                        json!({"type": "string", "description": "d".repeat(40)}),
                    )
                })
                .collect();
            (
                format!("p{n}"),
                json!({"type": "object", "properties": inner}),
            )
        })
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    let mut limits = Limits::default();
    limits.max_declaration_bytes = 20_000;
    for target in Target::ALL {
        let made = declare(&tool("t", &schema), *target, &limits).unwrap();
        assert!(made.json().len() <= 20_000);
        assert!(made.notes().iter().any(|n| n.what == "size"), "{target:?}");
        assert!(
            made.json().contains("p39"),
            "every parameter is still there"
        );
    }
    limits.max_declaration_bytes = 1_000;
    let found = declare(&tool("t", &schema), Target::Mistral, &limits).unwrap_err();
    assert!(matches!(found, Rejection::TooLarge { limit: 1_000, .. }));
}

#[test]
fn references_that_multiply_end_at_the_budget() {
    // Each definition refers twice to the next: written out, 2^40 schemas.
    let mut definitions = Map::new();
    for n in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(
            format!("d{n}"),
            json!({"type": "object", "properties": {"a": next, "b": next}}),
        );
    }
    definitions.insert("d40".to_owned(), json!({"type": "string"}));
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    for (target, strict) in forms() {
        let made = declared(&schema, target, strict).unwrap();
        assert!(made.json().len() <= Limits::default().max_declaration_bytes);
    }
    // The same within one value: allOf of allOf.
    let mut definitions = Map::new();
    for n in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(format!("d{n}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d30".to_owned(), json!({"type": "object"}));
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    for (target, strict) in forms() {
        let _ = declared(&schema, target, strict);
    }
}

#[test]
fn a_long_chain_of_definitions_needs_no_deep_stack() {
    let mut definitions = Map::new();
    for n in 0..5_000 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(
            format!("d{n}"),
            json!({"type": "object", "properties": {"n": next}}),
        );
    }
    definitions.insert("d5000".to_owned(), json!({"type": "string", "x[]": 1}));
    let alias = |n: usize| json!({"$ref": format!("#/$defs/e{}", n + 1)});
    definitions.extend((0..5_000).map(|n| (format!("e{n}"), alias(n))));
    definitions.insert("e5000".to_owned(), json!({"type": "string"}));
    let schema = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/d0"}, "y[]": {"$ref": "#/$defs/e0"}},
        "$defs": definitions,
    });
    let run = move || {
        for (target, strict) in forms() {
            let made = declared(&schema, target, strict).unwrap();
            let _ = made.restore(json!({"x": {"n": {"n": {}}}}));
        }
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn strict_falls_back_to_plain_where_the_meaning_would_be_lost() {
    let map = json!({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}}});
    for target in [
        Target::AnthropicMessages,
        Target::OpenAiChat,
        Target::OpenAiResponses,
    ] {
        let made = declared(&map, target, true).unwrap();
        assert!(!made.is_strict());
        assert_eq!(made.notes()[0].pointer, "/properties/m");
        assert_eq!(made.json(), declared(&map, target, false).unwrap().json());
        let kept = declared(&simple(), target, true).unwrap();
        assert!(kept.is_strict());
        assert_eq!(
            kept.plain().json(),
            declared(&simple(), target, false).unwrap().json()
        );
    }
    assert!(
        !declared(&simple(), Target::Ollama, true)
            .unwrap()
            .is_strict()
    );
}

fn many(endpoint: &Endpoint, schema: &Value, count: usize) -> Vec<Declaration> {
    (0..count)
        .map(|n| {
            endpoint
                .declare(&tool(&format!("t{n}"), schema), &Limits::default())
                .expect("declared")
        })
        .collect()
}

#[test]
fn budgets_are_met_first_come_first_served_and_visibly() {
    let chat = Endpoint::new(Target::OpenAiChat);
    let tools = many(&chat, &simple(), 130);
    let forms = fit(&chat.budget(), &tools.iter().collect::<Vec<_>>());
    assert_eq!(forms[127], Form::Full);
    assert_eq!(forms[128..], [Form::LeftOut, Form::LeftOut]);

    let strict = Endpoint::new(Target::AnthropicMessages).with_strict(true);
    let tools = many(&strict, &simple(), 22);
    let forms = fit(&strict.budget(), &tools.iter().collect::<Vec<_>>());
    assert_eq!(forms.iter().filter(|f| **f == Form::Full).count(), 20);
    assert_eq!(forms[20..], [Form::Plain, Form::Plain]);

    let optional: Map<String, Value> = (0..10)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let wide = json!({"type": "object", "properties": optional});
    let tools = many(&strict, &wide, 3);
    let forms = fit(&strict.budget(), &tools.iter().collect::<Vec<_>>());
    assert_eq!(forms, [Form::Full, Form::Full, Form::Plain]);
    assert_eq!(
        fit(&Budget::default(), &tools.iter().collect::<Vec<_>>()),
        [Form::Full; 3]
    );
}

#[test]
fn a_growing_list_keeps_every_byte_before_what_is_new() {
    for target in Target::ALL {
        for strict in [false, true] {
            let endpoint = Endpoint::new(*target).with_strict(strict);
            let tools = many(&endpoint, &simple(), 40);
            let tools: Vec<&Declaration> = tools.iter().collect();
            let suffix = target.wrapping().suffix;
            for count in 1..tools.len() {
                let shorter = render(&endpoint, &tools[..count]).json;
                let longer = render(&endpoint, &tools[..=count]).json;
                let kept = shorter.strip_suffix(suffix).unwrap();
                assert!(longer.starts_with(kept), "{target:?}");
                serde_json::from_str::<Value>(&longer).unwrap();
            }
        }
    }
}

#[test]
fn anthropic_defers_from_the_first_request_and_marks_the_last_eager_tool() {
    let endpoint = Endpoint::native(Target::AnthropicMessages);
    let limits = Limits::default();
    let schema = simple();
    let search = endpoint.declare_tool_search(&limits).unwrap();
    let one = endpoint
        .declare_activated(&tool("one", &schema), &limits)
        .unwrap();
    let two = endpoint
        .declare_activated(&tool("two", &schema), &limits)
        .unwrap();
    let first = render(&endpoint, &[&search]).json;
    let second = render(&endpoint, &[&search, &one]).json;
    let third = render(&endpoint, &[&search, &one, &two]).json;
    assert!(second.starts_with(first.strip_suffix(']').unwrap()));
    assert!(third.starts_with(second.strip_suffix(']').unwrap()));
    let tools: Vec<Value> = serde_json::from_str(&third).unwrap();
    assert_eq!(tools[0]["name"], "tool_search");
    assert_eq!(tools[0]["cache_control"]["type"], "ephemeral");
    assert_eq!(tools[1]["name"], "tool_placeholder");
    assert!(tools[1..].iter().all(|t| t["defer_loading"] == true));
    assert!(tools[1..].iter().all(|t| t.get("cache_control").is_none()));
    assert_eq!(render(&endpoint, &[]).json, "");
}

#[test]
fn bedrock_marks_with_an_element_of_its_own() {
    let endpoint = Endpoint::native(Target::BedrockClaude);
    let tools = many(&endpoint, &simple(), 1);
    let config: Value = serde_json::from_str(&render(&endpoint, &[&tools[0]]).json).unwrap();
    assert_eq!(config["tools"][1]["cachePoint"]["type"], "default");
}

#[test]
fn tool_search_is_declared_as_each_endpoint_wants_it() {
    let limits = Limits::default();
    for target in Target::ALL {
        let made = Endpoint::new(*target).declare_tool_search(&limits).unwrap();
        assert_eq!(made.name(), "tool_search");
        assert!(made.json().contains("full sentence"));
    }
    let client = Endpoint::native(Target::OpenAiResponses)
        .declare_tool_search(&limits)
        .unwrap();
    let element: Value = serde_json::from_str(client.json()).unwrap();
    assert_eq!(
        (&element["type"], &element["execution"]),
        (&json!("tool_search"), &json!("client"))
    );
    assert!(element["description"].is_string());
    assert_eq!(element["parameters"]["required"], json!(["query"]));
    for meta in [tool_search::describe_tool(), tool_search::call_tool()] {
        for target in Target::ALL {
            assert!(declare(&meta, *target, &limits).is_ok());
        }
    }
}

#[test]
fn an_activation_the_target_lacks_is_refused() {
    let chat = Endpoint::new(Target::OpenAiChat);
    assert!(
        chat.with_activation(Activation::AnthropicReference)
            .is_err()
    );
    assert!(chat.with_activation(Activation::MetaTool).is_ok());
}

#[test]
fn a_deferred_declaration_says_so_only_where_the_provider_knows_it() {
    let schema = simple();
    for target in Target::ALL {
        let options = DeclareOptions {
            strict: false,
            deferred: true,
        };
        let made = declare_with(&tool("t", &schema), *target, options, &Limits::default()).unwrap();
        let knows = matches!(target, Target::AnthropicMessages | Target::OpenAiResponses);
        assert_eq!(made.json().contains("defer_loading"), knows, "{target:?}");
    }
}

#[test]
fn mcp_carries_title_annotations_and_an_object_as_output_schema() {
    let schema = simple();
    let (object, list) = (json!({"type": "object"}), json!({"type": "array"}));
    let annotations = toolcrib_core::tool::Annotations {
        read_only_hint: Some(true),
        ..Default::default()
    };
    let mut tool = tool("t", &schema);
    tool.annotations = Some(&annotations);
    tool.output_schema = Some(&object);
    let made = declare(&tool, Target::Mcp, &Limits::default()).unwrap();
    let element: Value = serde_json::from_str(made.json()).unwrap();
    assert_eq!(element["title"], "A tool");
    assert_eq!(element["annotations"]["readOnlyHint"], true);
    assert_eq!(element["outputSchema"]["type"], "object");
    tool.output_schema = Some(&list);
    let made = declare(&tool, Target::Mcp, &Limits::default()).unwrap();
    assert!(!made.json().contains("outputSchema"));
}

#[test]
fn a_call_is_matched_to_its_declaration_by_name() {
    let endpoint = Endpoint::new(Target::OpenAiChat);
    let tools = many(&endpoint, &simple(), 2);
    let tools: Vec<&Declaration> = tools.iter().collect();
    assert_eq!(named(&tools, "t1").unwrap().tool(), "t1");
    assert_eq!(named(&tools, "functions.t1").unwrap().tool(), "t1");
    assert!(named(&tools, "t2").is_none());
}
