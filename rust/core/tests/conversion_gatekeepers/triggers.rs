//! What providers refused in real life, by its number in the catalogue.

use serde_json::{Value, json};
use toolcrib_core::provider::Target;

use Target::{
    AnthropicMessages as A, BedrockClaude as BC, BedrockConverse as B, Compatible as C,
    GeminiJsonSchema as GJ, GeminiParameters as GP, Mistral as M, OpenAiChat as O,
    OpenAiResponses as R,
};

/// The value of the tools field as a naive client sends it: name and schema as they are.
pub fn raw(target: Target, tools: &[(&str, Value)], extra: &Value) -> Value {
    let element = |(name, schema): &(&str, Value)| {
        let mut flat = json!({"name": name, "description": "Does it."});
        let key = match target {
            A => "input_schema",
            GJ => "parametersJsonSchema",
            Target::Mcp => "inputSchema",
            _ => "parameters",
        };
        flat[key] = schema.clone();
        for (key, value) in extra.as_object().into_iter().flatten() {
            flat[key] = value.clone();
        }
        match target {
            A | GP | GJ | Target::Mcp => flat,
            R => {
                let mut tool = json!({"type": "function", "strict": false});
                for (key, value) in flat.as_object().into_iter().flatten() {
                    tool[key] = value.clone();
                }
                tool
            }
            B | BC => {
                let mut spec = flat;
                if let Some(map) = spec.as_object_mut() {
                    map.shift_remove("parameters");
                }
                spec["inputSchema"] = json!({ "json": schema });
                json!({ "toolSpec": spec })
            }
            _ => json!({"type": "function", "function": flat}),
        }
    };
    let list: Vec<Value> = tools.iter().map(element).collect();
    match target {
        GP | GJ => json!([{ "functionDeclarations": list }]),
        B | BC => json!({ "tools": list }),
        _ => list.into(),
    }
}

pub fn props(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn closed(properties: Value) -> Value {
    let required: Vec<String> = properties
        .as_object()
        .map(|m| m.keys().cloned().collect())
        .unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

pub struct Trigger {
    pub number: u8,
    pub targets: Vec<Target>,
    pub tools: Vec<(&'static str, Value)>,
    /// Fields of every tool beside name, description and schema.
    pub extra: Value,
}

/// The catalogued triggers that a request's tools can carry, by their number in the catalogue.
pub fn triggers() -> Vec<Trigger> {
    let mut all = Vec::new();
    let mut add = |number: u8, targets: &[Target], schema: Value| {
        all.push(Trigger {
            number,
            targets: targets.to_vec(),
            tools: vec![("t", schema)],
            extra: json!({}),
        });
    };
    let tuple = props(
        json!({"x": {"type": "array", "items": [{"type": "number"}, {"type": "number"}], "additionalItems": false}}),
    );
    add(1, &[A], props(json!({"x": {"type": "strin"}})));
    add(
        2,
        &[A, O, R],
        props(json!({"x": {"type": "string", "required": false}})),
    );
    add(3, &[A, O, R, GP], tuple);
    add(4, &[A], props(json!({"x": {"type": "any"}})));
    add(
        5,
        &[A],
        props(json!({"x": {"type": ["string", "string[]"]}})),
    );
    add(
        6,
        &[A],
        json!({"description": null, "schema": {"type": "object", "properties": {}}}),
    );
    add(
        8,
        &[A],
        json!({"jsonSchema": {"type": "object", "properties": {}}}),
    );
    let two = json!([{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "string"}}}]);
    add(9, &[A], json!({"type": "object", "anyOf": two}));
    add(
        10,
        &[A],
        json!({"type": "object", "properties": {}, "oneOf": two}),
    );
    add(
        10,
        &[A],
        json!({"type": "object", "properties": {}, "allOf": two}),
    );
    add(
        11,
        &[A],
        json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    );
    add(
        12,
        &[A],
        json!({"type": "object", "properties": {"a": {}}, "allOf": [{"if": {"required": ["a"]}, "then": {"required": ["b"]}}]}),
    );
    add(
        13,
        &[A],
        json!({"type": "object", "properties": {}, "oneOf": [{"required": ["a"]}]}),
    );
    for (number, key) in [
        (16, "StartTime<"),
        (18, "rule_name[]"),
        (18, "settings[include_x]"),
        (19, "файл"),
        (20, "$.xgafv"),
    ] {
        add(number, &[A, BC], props(json!({key: {"type": "string"}})));
    }
    // An older validator refused dots; the current one takes them, Gemini's parameters do not.
    add(17, &[GP], props(json!({"a.b": {"type": "string"}})));
    add(33, &[O, R], props(json!({"x": {"type": "array"}})));
    add(
        34,
        &[O, R],
        props(json!({"x": {"type": ["string", "array"]}})),
    );
    add(
        35,
        &[O, R],
        json!({"type": "object", "properties": {}, "anyOf": two}),
    );
    add(37, &[O, R], props(json!({"x": {"type": "object"}})));
    add(37, &[O, R], json!({"type": "object"}));
    add(
        39,
        &[O, R],
        json!({"type": "object", "properties": {"type": "object", "a": {"type": "string"}}}),
    );
    add(
        41,
        &[GP, GJ],
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "string"}}}),
    );
    add(
        42,
        &[GP],
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
    );
    add(43, &[GP], props(json!({"x": {"type": ["string", "null"]}})));
    add(
        44,
        &[GP, GJ],
        props(json!({"x": {"type": "number", "exclusiveMinimum": 0}})),
    );
    add(
        44,
        &[GP, GJ],
        props(
            json!({"x": {"type": "object", "properties": {"a": {"type": "string"}}, "propertyNames": {"pattern": "^a"}}}),
        ),
    );
    add(
        45,
        &[GP, GJ],
        props(json!({"x": {"type": "string", "const": "a"}})),
    );
    add(
        46,
        &[GP],
        props(json!({"x": {"type": "integer", "enum": [1, 2]}})),
    );
    add(47, &[GP, GJ], props(json!({"x": {"enum": ["a", "b"]}})));
    add(
        48,
        &[GP],
        props(json!({"x": {"type": "object", "properties": {}}})),
    );
    add(
        49,
        &[GP, GJ],
        props(json!({"x": {"type": "string", "anyOf": [{"type": "string"}, {"type": "number"}]}})),
    );
    add(
        50,
        &[GP],
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"type": "string"}}}),
    );
    add(
        51,
        &[GP, GJ],
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d", "title": "X"}}, "$defs": {"d": {"type": "string"}}}),
    );
    let mut deep = json!({"type": "string"});
    for _ in 0..20 {
        deep = json!({"type": "object", "properties": {"x": deep}});
    }
    add(52, &[GP, GJ], deep);
    add(
        58,
        &[B, BC],
        json!({"properties": {"a": {"type": "string"}}}),
    );
    add(61, &[C], props(json!({"x": {"description": "no type"}})));
    add(
        61,
        &[C],
        props(json!({"x": {"type": "string", "anyOf": [{"type": "string"}, {"type": "number"}]}})),
    );
    add(
        61,
        &[C],
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d", "description": "d"}}, "$defs": {"d": {"type": "string"}}}),
    );
    add(62, &[C], json!({}));
    add(62, &[C], Value::Null);
    add(
        63,
        &[C],
        props(json!({"x": {"type": "object", "properties": {}, "additionalProperties": {}}})),
    );
    add(
        63,
        &[C],
        props(json!({"x": {"anyOf": [{"not": {}}, {"type": "string"}]}})),
    );
    add(64, &[C], json!({"type": "object"}));

    let plain = || props(json!({"a": {"type": "string"}}));
    let mut named = |number: u8, targets: &[Target], names: &[&'static str], extra: Value| {
        let tools = names.iter().map(|n| (*n, plain())).collect();
        all.push(Trigger {
            number,
            targets: targets.to_vec(),
            tools,
            extra,
        });
    };
    let none = || json!({});
    named(21, &[A], &["server.tool"], none());
    named(21, &[A], &["server/tool"], none());
    named(22, &[A], &["my tool"], none());
    named(23, &[A, O, R], &["My Server__tool"], none());
    named(
        24,
        &[O, R],
        &["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
        none(),
    );
    named(25, &[O, R], &["server/tool"], none());
    named(26, &[A, O, R], &["twice", "twice"], none());
    named(27, &[A], &["again", "other", "again"], none());
    named(53, &[GP, GJ], &["7zip"], none());
    named(54, &[GP, GJ], &["t"], json!({"defer_loading": true}));
    named(56, &[B, BC], &["t"], json!({"description": ""}));
    named(
        57,
        &[B, BC],
        &["bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"],
        none(),
    );
    named(
        60,
        &[M],
        &["ccccccccccccccccccccccccccccc_123e4567-e89b-12d3-a456-426614174000"],
        none(),
    );
    named(61, &[C], &["1st"], none());
    named(
        65,
        &[A],
        &["t"],
        json!({"defer_loading": true, "cache_control": {"type": "ephemeral"}}),
    );
    // A proxy that knows no deferral: one that is asked for what it has not.
    named(66, &[O], &["t"], json!({"defer_loading": true}));
    // 7, 14 and 15 are refusals by MCP clients.
    let result = |schema: Value| json!({ "outputSchema": schema });
    let draft_7 = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "string"}}});
    named(7, &[Target::Mcp], &["t"], result(draft_7));
    named(
        14,
        &[Target::Mcp],
        &["t"],
        result(json!({"type": "array", "items": {"type": "string"}})),
    );
    named(
        15,
        &[Target::Mcp],
        &["t"],
        result(props(
            json!({"x": {"type": "array", "items": [{"type": "number"}], "additionalItems": false}}),
        )),
    );
    named(
        15,
        &[Target::Mcp],
        &["t"],
        result(props(
            json!({"x": {"type": "array", "prefixItems": [{"type": "number"}], "items": false}}),
        )),
    );

    let names: Vec<&'static str> = (0..129)
        .map(|n| -> &'static str { Box::leak(format!("tool_{n}").into_boxed_str()) })
        .collect();
    named(40, &[O, C], &names, none());
    let strict = |number, targets: &[Target], names: &[&'static str], schema: Value| Trigger {
        number,
        targets: targets.to_vec(),
        tools: names.iter().map(|n| (*n, schema.clone())).collect(),
        extra: json!({"strict": true}),
    };
    let optional: serde_json::Map<String, Value> = (0..26)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let mut many_optional = closed(json!({}));
    many_optional["properties"] = optional.into();
    all.push(strict(
        29,
        &[A],
        &names[..21],
        closed(json!({"a": {"type": "string"}})),
    ));
    all.push(strict(30, &[A], &["t"], many_optional));
    all.push(strict(
        31,
        &[BC],
        &["t"],
        closed(json!({"x": props(json!({"a": {"type": "string"}}))})),
    ));
    all.push(strict(
        32,
        &[A],
        &["t"],
        closed(json!({"x": {"type": "string", "not": {"const": "a"}}})),
    ));
    all.push(strict(
        36,
        &[O, R],
        &["t"],
        closed(json!({"x": {"allOf": [{"type": "string"}, {"minLength": 1}]}})),
    ));
    all.push(strict(38, &[O, R], &["t"], {
        let mut schema = closed(json!({"a": {"type": "string"}, "b": {"type": "string"}}));
        schema["required"] = json!(["a"]);
        schema
    }));
    all
}
