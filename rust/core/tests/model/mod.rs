//! A model as far as tools are concerned: it knows nothing but the request, and answers in its
//! provider's words.

use serde_json::{Map, Value, json};
use toolcrib_core::provider::{Activation, Endpoint, Target};

/// A tool that the model can see and call.
#[derive(Debug, Clone, PartialEq)]
pub struct Visible {
    pub name: String,
    pub schema: Value,
}

/// The model behind one endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Model(pub Endpoint);

impl Model {
    /// The elements of the tools field.
    pub fn declared(self, tools: &str) -> Vec<Value> {
        let tools: Value = serde_json::from_str(tools).expect("the tools are JSON");
        let list = match self.0.target() {
            Target::GeminiParameters | Target::GeminiJsonSchema => {
                tools.pointer("/0/functionDeclarations")
            }
            Target::BedrockConverse | Target::BedrockClaude => tools.get("tools"),
            _ => Some(&tools),
        };
        list.and_then(Value::as_array).expect("a list").clone()
    }

    /// Every tool that the model may call, in order: those of the request, those that the history
    /// refers to or holds, and those that a text described.
    pub fn sees(self, tools: &str, history: &[Value]) -> Vec<Visible> {
        let references = every(history, |v| {
            (v["type"] == "tool_reference").then(|| v["tool_name"].as_str().expect("a name"))
        });
        let mut seen: Vec<Visible> = self
            .declared(tools)
            .iter()
            .filter_map(|element| Some((element, self.visible(element)?)))
            .filter(|(element, tool)| {
                element["defer_loading"] != true || references.contains(&tool.name.as_str())
            })
            .map(|(_, tool)| tool)
            .collect();
        let carried = every(history, |v| {
            let carries = v["type"] == "tool_search_output" || v["type"] == "additional_tools";
            carries.then(|| v["tools"].as_array().expect("a list"))
        });
        for element in carried.into_iter().flatten() {
            seen.extend(self.visible(element));
        }
        if self.0.activation() == Activation::MetaTool {
            let texts = every(history, |v| v.as_str());
            let lines = texts.into_iter().flat_map(str::lines);
            let described = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
            seen.extend(described.filter_map(|tool| {
                Some(Visible {
                    name: tool["name"].as_str()?.to_owned(),
                    schema: tool.get("inputSchema")?.clone(),
                })
            }));
        }
        seen
    }

    fn visible(self, element: &Value) -> Option<Visible> {
        let (name, schema) = match self.0.target() {
            Target::AnthropicMessages => ("/name", "/input_schema"),
            Target::OpenAiResponses => ("/name", "/parameters"),
            Target::Mcp => ("/name", "/inputSchema"),
            Target::GeminiParameters => ("/name", "/parameters"),
            Target::GeminiJsonSchema => ("/name", "/parametersJsonSchema"),
            Target::BedrockConverse | Target::BedrockClaude => {
                ("/toolSpec/name", "/toolSpec/inputSchema/json")
            }
            _ => ("/function/name", "/function/parameters"),
        };
        Some(Visible {
            name: element.pointer(name)?.as_str()?.to_owned(),
            schema: element.pointer(schema).cloned().unwrap_or_default(),
        })
    }

    /// Arguments that fit a schema with every property that must be given.
    pub fn arguments(schema: &Value) -> Value {
        let required = schema["required"].as_array().into_iter().flatten();
        let given = required.map(|key| {
            let key = key.as_str().expect("a name");
            let nullable = schema["properties"][key]["type"].is_array();
            let value = if nullable { Value::Null } else { "x".into() };
            (key.to_owned(), value)
        });
        Value::Object(given.collect::<Map<_, _>>())
    }

    /// The provider's response with these calls.
    pub fn answer(self, turn: usize, calls: &[(&str, Value)]) -> Value {
        let id = |at: usize| format!("call{turn:02}{at:03}");
        let calls: Vec<_> = calls
            .iter()
            .enumerate()
            .map(|(at, (name, arguments))| (id(at), *name, arguments))
            .collect();
        let each = |call: fn(&str, &str, &Value) -> Value| -> Vec<Value> {
            calls
                .iter()
                .map(|(id, name, arguments)| call(id, name, arguments))
                .collect()
        };
        match self.0.target() {
            Target::AnthropicMessages => json!({"role": "assistant", "content": each(
                |id, name, input| json!({"type": "tool_use", "id": id, "name": name, "input": input})
            )}),
            Target::OpenAiResponses if self.0.activation() == Activation::OpenAiClientSearch => {
                json!({"output": each(|id, name, arguments| match name {
                    "tool_search" => json!({"type": "tool_search_call", "execution": "client", "call_id": id, "arguments": arguments}),
                    _ => function_call(id, name, arguments),
                })})
            }
            Target::OpenAiResponses => json!({"output": each(function_call)}),
            Target::GeminiParameters | Target::GeminiJsonSchema => {
                json!({"candidates": [{"content": {"role": "model", "parts": each(
                    |_, name, args| json!({"functionCall": {"name": name, "args": args}})
                )}}]})
            }
            Target::BedrockConverse | Target::BedrockClaude => {
                json!({"output": {"message": {"role": "assistant", "content": each(
                    |id, name, input| json!({"toolUse": {"toolUseId": id, "name": name, "input": input}})
                )}}})
            }
            Target::Mcp => json!({"method": "tools/call", "params": each(
                |_, name, arguments| json!({"name": name, "arguments": arguments})
            )[0]}),
            Target::Ollama => json!({"message": {"role": "assistant", "tool_calls": each(
                |_, name, arguments| json!({"function": {"name": name, "arguments": arguments}})
            )}}),
            _ => json!({"choices": [{"message": {"role": "assistant", "tool_calls": each(
                |id, name, arguments| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
            )}}]}),
        }
    }
}

fn function_call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments.to_string()})
}

/// What `find` makes of every value in the history, at any depth, in order.
pub fn every<'a, T>(history: &'a [Value], find: impl Fn(&'a Value) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut pending: Vec<&Value> = history.iter().rev().collect();
    while let Some(value) = pending.pop() {
        found.extend(find(value));
        match value {
            Value::Object(map) => pending.extend(map.values().rev()),
            Value::Array(items) => pending.extend(items.iter().rev()),
            _ => {}
        }
    }
    found
}
