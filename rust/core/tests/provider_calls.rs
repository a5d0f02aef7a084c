//! Calls in, results out, per provider.

use serde_json::{Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    Activation, CallArguments, CallOutcome, Declaration, DeclaredTool, Endpoint, ModelCall,
    ResultPart, Target, call_id, decode_calls, encode_results,
};

fn decoded(target: Target, answer: Value) -> Vec<ModelCall> {
    decode_calls(target, &answer, &Limits::default())
}

fn given(call: &ModelCall) -> &Value {
    match &call.arguments {
        CallArguments::Given(value) => value,
        CallArguments::Unreadable { problem, .. } => panic!("unreadable: {problem}"),
    }
}

fn says(text: &str) -> CallOutcome<'static> {
    CallOutcome {
        parts: vec![ResultPart::Text(text.to_owned())],
        ..CallOutcome::default()
    }
}

fn pictured() -> CallOutcome<'static> {
    let mut outcome = says("a chart");
    outcome.parts.push(ResultPart::Image {
        media_type: "image/png".into(),
        base64: "QUJD".into(),
    });
    outcome
}

fn declared(endpoint: &Endpoint) -> Declaration {
    let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let tool = DeclaredTool {
        name: "found_tool",
        title: None,
        description: "Found.",
        input_schema: &schema,
        output_schema: None,
        annotations: None,
    };
    endpoint
        .declare_activated(&tool, &Limits::default())
        .expect("declared")
}

#[test]
fn parallel_calls_are_read_in_order_from_every_provider() {
    let text = r#"{"a":1}"#;
    let answers = [
        (
            Target::AnthropicMessages,
            json!({"content": [
                {"type": "text", "text": "…"},
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web", "input": {}},
                {"type": "tool_use", "id": "toolu_1", "name": "one", "input": {"a": 1}},
                {"type": "tool_use", "id": "toolu_2", "name": "two", "input": {}}]}),
        ),
        (
            Target::OpenAiResponses,
            json!({"output": [
                {"type": "reasoning"},
                {"type": "function_call", "call_id": "c1", "name": "one", "arguments": text},
                {"type": "function_call", "call_id": "c2", "name": "two", "arguments": ""}]}),
        ),
        (
            Target::OpenAiChat,
            json!({"choices": [{"message": {"tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "one", "arguments": text}},
                {"id": "c2", "type": "function", "function": {"name": "two", "arguments": "{}"}}]}}]}),
        ),
        (
            Target::GeminiJsonSchema,
            json!({"candidates": [{"content": {"parts": [
                {"functionCall": {"name": "one", "args": {"a": 1}}, "thoughtSignature": "x"},
                {"functionCall": {"name": "two"}}]}}]}),
        ),
        (
            Target::BedrockConverse,
            json!({"output": {"message": {"content": [
                {"toolUse": {"toolUseId": "t1", "name": "one", "input": {"a": 1}}},
                {"toolUse": {"toolUseId": "t2", "name": "two", "input": {}}}]}}}),
        ),
        (
            Target::Mistral,
            json!({"choices": [{"message": {"tool_calls": [
                {"id": "abcdefghi", "function": {"name": "one", "arguments": {"a": 1}}},
                {"id": "123456789", "function": {"name": "two", "arguments": text}}]}}]}),
        ),
        (
            Target::Ollama,
            json!({"message": {"tool_calls": [
                {"function": {"name": "one", "arguments": {"a": 1}}},
                {"function": {"name": "two", "arguments": {}}}]}}),
        ),
    ];
    for (target, answer) in answers {
        let calls = decoded(target, answer);
        let names: Vec<&str> = calls.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["one", "two"], "{target:?}");
        assert_eq!(given(&calls[0]), &json!({"a": 1}), "{target:?}");
        assert!(given(&calls[1]).is_object(), "{target:?}");
    }
    let call = decoded(
        Target::Mcp,
        json!({"method": "tools/call", "params": {"name": "one"}}),
    );
    assert_eq!(call[0].name, "one");
}

#[test]
fn argument_text_that_is_no_json_object_is_reported_not_lost() {
    let call = |arguments: &str| {
        let answer =
            json!([{"type": "function_call", "call_id": "c", "name": "t", "arguments": arguments}]);
        decoded(Target::OpenAiResponses, answer).remove(0).arguments
    };
    for text in [r#"{"a": 1"#, "[1]", "42", "\"text\"", "{'a': 1}"] {
        assert!(
            matches!(call(text), CallArguments::Unreadable { .. }),
            "{text}"
        );
    }
    assert_eq!(call("null"), CallArguments::Given(json!({})));
    assert_eq!(
        call(r#""{\"a\": 1}""#),
        CallArguments::Given(json!({"a": 1})),
        "encoded twice"
    );
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    assert!(matches!(
        call(&format!("{{\"a\": {deep}}}")),
        CallArguments::Unreadable { .. }
    ));
}

#[test]
fn answers_that_hold_no_call_are_read_as_none() {
    for target in Target::ALL {
        for answer in [
            json!(null),
            json!("text"),
            json!({"content": "text"}),
            json!([1, {"x": []}]),
        ] {
            assert_eq!(decoded(*target, answer), [], "{target:?}");
        }
    }
}

#[test]
fn a_client_search_of_openai_is_a_call_of_tool_search_and_answered_with_definitions() {
    let endpoint = Endpoint::native(Target::OpenAiResponses);
    let calls = decoded(
        Target::OpenAiResponses,
        json!([
            {"type": "tool_search_call", "execution": "client", "call_id": "s1", "arguments": {"query": "x"}},
            {"type": "tool_search_call", "execution": "server", "call_id": null, "arguments": {}},
            {"type": "function_call", "call_id": "c1", "name": "x", "namespace": "github", "arguments": "{}"}]),
    );
    assert_eq!(calls.len(), 2);
    assert_eq!(
        (calls[0].name.as_str(), calls[0].is_provider_search),
        ("tool_search", true)
    );
    assert_eq!(calls[1].namespace.as_deref(), Some("github"));
    let found = declared(&endpoint);
    let outcome = CallOutcome {
        activated: vec![&found],
        ..says("one tool")
    };
    let items = encode_results(&endpoint, &[(&calls[0], Some(&outcome)), (&calls[1], None)]);
    assert_eq!(items[0]["type"], "tool_search_output");
    assert_eq!(items[0]["call_id"], "s1");
    assert_eq!(items[0]["tools"][0]["name"], "found_tool");
    assert_eq!(items[0]["tools"][0]["defer_loading"], true);
    assert_eq!(items[1]["type"], "function_call_output");
    assert!(items[1]["output"].as_str().unwrap().starts_with("Error: "));
}

#[test]
fn an_activation_leaves_the_artefact_of_its_kind() {
    let search = ModelCall {
        id: Some("toolu_1".into()),
        name: "tool_search".into(),
        namespace: None,
        is_provider_search: false,
        arguments: CallArguments::Given(json!({"query": "x"})),
    };
    let answered = |endpoint: &Endpoint| {
        let found = declared(endpoint);
        let outcome = CallOutcome {
            activated: vec![&found],
            ..says("one tool")
        };
        encode_results(endpoint, &[(&search, Some(&outcome))])
    };
    let anthropic = answered(&Endpoint::native(Target::AnthropicMessages));
    assert_eq!(
        anthropic[0]["content"][0]["content"],
        json!([{"type": "tool_reference", "tool_name": "found_tool"}])
    );
    let growing = answered(&Endpoint::new(Target::AnthropicMessages));
    assert_eq!(growing[0]["content"][0]["content"], "one tool");
    let additional = Endpoint::new(Target::OpenAiResponses)
        .with_activation(Activation::OpenAiAdditionalTools)
        .unwrap();
    let items = answered(&additional);
    assert_eq!(items[0]["type"], "function_call_output");
    assert_eq!(items[1]["type"], "additional_tools");
    assert_eq!(items[1]["role"], "developer");
    assert_eq!(items[1]["tools"][0].get("defer_loading"), None);
}

#[test]
fn all_results_of_a_turn_go_together_and_no_call_stays_unanswered() {
    for target in Target::ALL {
        let endpoint = Endpoint::new(*target);
        let calls: Vec<ModelCall> = (0..3)
            .map(|n| ModelCall {
                id: Some(format!("call_{n}")),
                name: format!("tool_{n}"),
                namespace: None,
                is_provider_search: false,
                arguments: CallArguments::Given(json!({})),
            })
            .collect();
        let fine = says("fine");
        let failed = CallOutcome {
            is_error: true,
            ..says("broken")
        };
        let turn = [
            (&calls[0], Some(&fine)),
            (&calls[1], Some(&failed)),
            (&calls[2], None),
        ];
        let messages = encode_results(&endpoint, &turn);
        let together = matches!(
            target,
            Target::AnthropicMessages
                | Target::GeminiParameters
                | Target::GeminiJsonSchema
                | Target::BedrockConverse
                | Target::BedrockClaude
        );
        assert_eq!(messages.len(), if together { 1 } else { 3 }, "{target:?}");
        let text = Value::from(messages).to_string();
        for part in ["fine", "broken", "not executed"] {
            assert!(text.contains(part), "{target:?}: {text}");
        }
        let flags = text.matches("rror").count();
        assert!(flags >= 2, "{target:?} does not tell errors apart: {text}");
        assert_eq!(encode_results(&endpoint, &[]), Vec::<Value>::new());
    }
}

#[test]
fn a_schema_in_a_result_is_text_for_gemini() {
    let call = ModelCall {
        id: None,
        name: "t".into(),
        namespace: None,
        is_provider_search: false,
        arguments: CallArguments::Given(json!({})),
    };
    let outcome = says(r##"{"$ref": "#/$defs/a"}"##);
    let endpoint = Endpoint::new(Target::GeminiJsonSchema);
    let message = &encode_results(&endpoint, &[(&call, Some(&outcome))])[0];
    assert!(message["parts"][0]["functionResponse"]["response"]["output"].is_string());
    assert_eq!(message["parts"][0]["functionResponse"].get("id"), None);
}

#[test]
fn images_go_where_the_provider_takes_them() {
    for target in Target::ALL {
        let call = ModelCall {
            id: Some("abcdefghi".into()),
            name: "t".into(),
            namespace: None,
            is_provider_search: false,
            arguments: CallArguments::Given(json!({})),
        };
        let messages = encode_results(&Endpoint::new(*target), &[(&call, Some(&pictured()))]);
        let text = Value::from(messages.clone()).to_string();
        assert_eq!(
            text.contains("QUJD"),
            *target != Target::Compatible,
            "{target:?}: {text}"
        );
        if *target == Target::OpenAiChat {
            assert!(messages[0]["content"].is_string());
            assert_eq!(messages[1]["role"], "user");
        }
    }
}

#[test]
fn a_foreign_call_id_becomes_the_same_legal_id_every_time() {
    let foreign = "call_0123456789abcdef";
    let id = call_id(Target::Mistral, foreign);
    assert_eq!(id.len(), 9);
    assert!(id.chars().all(|c| c.is_ascii_alphanumeric()));
    assert_eq!(id, call_id(Target::Mistral, foreign));
    assert_ne!(id, call_id(Target::Mistral, "call_0123456789abcdee"));
    assert_eq!(call_id(Target::Mistral, "D681PevKs"), "D681PevKs");
    assert_eq!(
        call_id(Target::BedrockClaude, "tooluse_a.b:c-d"),
        "tooluse_a.b:c-d"
    );
    assert_ne!(call_id(Target::AnthropicMessages, "call|1"), "call|1");
    assert!(call_id(Target::OpenAiChat, &"x".repeat(70)).len() <= 64);
}
