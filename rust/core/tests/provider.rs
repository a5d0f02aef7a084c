//! Declarations through the public API.

use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{DeclaredTool, Target, declare};

fn tool<'a>(name: &'a str, schema: &'a Value) -> DeclaredTool<'a> {
    DeclaredTool {
        name,
        title: None,
        description: "Does it.",
        input_schema: schema,
        output_schema: None,
        annotations: None,
    }
}

#[test]
fn every_target_gets_its_own_envelope_around_an_object_root() {
    let schema = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    for (target, at) in [
        (Target::AnthropicMessages, "/input_schema"),
        (Target::OpenAiResponses, "/parameters"),
        (Target::OpenAiChat, "/function/parameters"),
        (Target::Mcp, "/inputSchema"),
    ] {
        let made = declare(&tool("t", &schema), target, &Limits::default()).unwrap();
        let element: Value = serde_json::from_str(made.json()).unwrap();
        let root = element.pointer(at).unwrap();
        assert_eq!(root["type"], "object");
        assert_eq!(root["properties"]["a"]["type"], "string");
    }
}

#[test]
fn a_name_no_provider_takes_is_replaced_by_one_that_stays_unique() {
    let schema = json!({});
    let name = |n: &str| {
        declare(&tool(n, &schema), Target::OpenAiChat, &Limits::default())
            .unwrap()
            .name()
            .to_owned()
    };
    assert_eq!(name("plain-name_1"), "plain-name_1");
    assert_ne!(name("7zip"), "_7zip");
    assert!(name("7zip").starts_with("_7zip_"));
    assert_eq!(name(&"x".repeat(65)).len(), 64);
    assert_ne!(name("a b"), name("a.b"));
}
