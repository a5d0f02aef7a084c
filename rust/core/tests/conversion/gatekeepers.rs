//! What each provider refuses, written from its documents and from reports of real refusals, without
//! a look at the converter. `check` takes the value of the request's tools field.

use std::collections::HashSet;

use serde_json::{Map, Value};
use toolcrib_core::provider::Target;

type Verdict = Result<(), String>;

fn refuse<T>(why: impl Into<String>) -> Result<T, String> {
    Err(why.into())
}

fn must(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

pub fn check(target: Target, tools: &Value) -> Verdict {
    match target {
        Target::AnthropicMessages => anthropic(tools),
        Target::OpenAiResponses => openai(tools, |t| t, &["type", "defer_loading"], None),
        Target::OpenAiChat => openai(tools, |t| &t["function"], &[], Some(128)),
        Target::GeminiParameters | Target::GeminiJsonSchema => gemini(tools),
        Target::BedrockConverse | Target::BedrockClaude => {
            bedrock(tools, target == Target::BedrockClaude)
        }
        Target::Mistral => chat(tools, |_| Ok(())),
        Target::Ollama => chat(tools, |schema| walk(schema, &mut ollama_node)),
        Target::Compatible => {
            must(list(tools)?.len() <= 128, || "more than 128 tools".into())?;
            chat(tools, |schema| {
                must(schema["properties"].is_object(), || {
                    "parameters without properties".into()
                })?;
                walk(schema, &mut |node, place| compatible_node(node, place))
            })
        }
        Target::Mcp => list(tools)?.iter().try_for_each(|tool| {
            must(tool["inputSchema"]["type"] == "object", || {
                "inputSchema is no object".into()
            })?;
            valid_2020(&tool["inputSchema"])?;
            match tool.get("outputSchema") {
                Some(schema) => must(schema["type"] == "object", || "outputSchema".into()),
                None => Ok(()),
            }
        }),
        _ => refuse("no gatekeeper"),
    }
}

fn list(tools: &Value) -> Result<&Vec<Value>, String> {
    tools
        .as_array()
        .filter(|l| !l.is_empty())
        .ok_or_else(|| "tools is no filled list".into())
}

fn name(tool: &Value, most: usize, extra: &str) -> Result<String, String> {
    let name = tool["name"].as_str().ok_or("a name is missing")?;
    let legal = |c: char| c.is_ascii_alphanumeric() || extra.contains(c);
    must(
        (1..=most).contains(&name.len()) && name.chars().all(legal),
        || format!("name {name:?} is not legal"),
    )?;
    Ok(name.to_owned())
}

fn unique(names: &[String]) -> Verdict {
    let mut seen = HashSet::new();
    must(names.iter().all(|n| seen.insert(n)), || {
        "tool names must be unique".into()
    })
}

fn description(tool: &Value) -> Verdict {
    match tool.get("description") {
        None => Ok(()),
        Some(text) => must(text.is_string(), || "description is no string".into()),
    }
}

fn valid_2020(schema: &Value) -> Verdict {
    must(schema.is_object(), || "schema is no object".into())?;
    let mut plain = schema.clone();
    if let Some(map) = plain.as_object_mut() {
        map.shift_remove("$schema");
    }
    must(jsonschema::draft202012::meta::is_valid(&plain), || {
        "JSON schema is invalid. It must match JSON Schema draft 2020-12".into()
    })?;
    references_resolve(schema, schema)
}

fn references_resolve(value: &Value, root: &Value) -> Verdict {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get("$ref") {
                let found = text.strip_prefix('#').and_then(|p| root.pointer(p));
                must(found.is_some(), || format!("{text} refers to nothing"))?;
            }
            map.values().try_for_each(|v| references_resolve(v, root))
        }
        Value::Array(items) => items.iter().try_for_each(|v| references_resolve(v, root)),
        _ => Ok(()),
    }
}

fn only(map: &Value, keys: &[&str]) -> Verdict {
    let map = map.as_object().ok_or("not an object")?;
    match map.keys().find(|k| !keys.contains(&k.as_str())) {
        Some(key) => refuse(format!("unknown field {key}")),
        None => Ok(()),
    }
}

/// What a schema is to the one above it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Root,
    Property,
    Items,
    Branch,
    Other,
}

/// Calls `visit` for every schema, by where schemas stand.
fn walk(schema: &Value, visit: &mut dyn FnMut(&Map<String, Value>, Place) -> Verdict) -> Verdict {
    walk_at(schema, Place::Root, visit)
}

fn walk_at(
    schema: &Value,
    place: Place,
    visit: &mut dyn FnMut(&Map<String, Value>, Place) -> Verdict,
) -> Verdict {
    let Value::Object(node) = schema else {
        return must(schema.is_boolean(), || {
            format!("{schema} is not of type 'object', 'boolean'")
        });
    };
    visit(node, place)?;
    for (key, value) in node {
        match key.as_str() {
            "properties" => {
                let map = value.as_object().ok_or("properties is no object")?;
                for child in map.values() {
                    walk_at(child, Place::Property, visit)?;
                }
            }
            "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => {
                for child in value.as_object().into_iter().flat_map(Map::values) {
                    walk_at(child, Place::Other, visit)?;
                }
            }
            "items" => walk_at(value, Place::Items, visit)?,
            "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties" => {
                walk_at(value, Place::Other, visit)?;
            }
            "anyOf" | "oneOf" | "allOf" => {
                for child in value.as_array().ok_or("a combinator is no list")? {
                    walk_at(child, Place::Branch, visit)?;
                }
            }
            "prefixItems" => {
                for child in value.as_array().ok_or("prefixItems is no list")? {
                    walk_at(child, Place::Other, visit)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn types(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn free_of(schema: &Value, keywords: &[&str]) -> Verdict {
    match keywords.iter().find(|k| schema.get(**k).is_some()) {
        Some(keyword) => refuse(format!("{keyword} at the top level")),
        None => Ok(()),
    }
}

// --- Anthropic -----------------------------------------------------------------------------

fn anthropic(tools: &Value) -> Verdict {
    const FIELDS: [&str; 6] = [
        "name",
        "description",
        "input_schema",
        "strict",
        "defer_loading",
        "cache_control",
    ];
    let tools = list(tools)?;
    let (mut names, mut eager, mut marks) = (Vec::new(), 0, 0);
    let mut strict = StrictSum::default();
    for tool in tools {
        only(tool, &FIELDS)?;
        names.push(name(tool, 64, "_-")?);
        description(tool)?;
        let deferred = tool["defer_loading"] == true;
        eager += usize::from(!deferred);
        marks += usize::from(tool.get("cache_control").is_some());
        must(!(deferred && tool.get("cache_control").is_some()), || {
            "cannot have both defer_loading and cache_control".into()
        })?;
        claude_schema(&tool["input_schema"])?;
        if tool["strict"] == true {
            strict.add(&tool["input_schema"])?;
        }
    }
    unique(&names)?;
    must(eager > 0, || {
        "at least one tool must have defer_loading=false".into()
    })?;
    must(marks <= 4, || "more than four cache breakpoints".into())?;
    strict.within()
}

fn claude_schema(schema: &Value) -> Verdict {
    must(schema["type"] == "object", || {
        "input_schema.type: field required".into()
    })?;
    free_of(schema, &["oneOf", "anyOf", "allOf"])?;
    valid_2020(schema)?;
    let keys = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys);
    for key in keys {
        let legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        must(
            (1..=64).contains(&key.len()) && key.chars().all(legal),
            || format!("property key {key:?} should match ^[a-zA-Z0-9_.-]{{1,64}}$"),
        )?;
    }
    Ok(())
}

#[derive(Default)]
struct StrictSum {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl StrictSum {
    fn within(&self) -> Verdict {
        must(self.tools <= 20, || "more than 20 strict tools".into())?;
        must(self.optional <= 24, || {
            "more than 24 optional parameters".into()
        })?;
        must(self.unions <= 16, || "more than 16 union parameters".into())
    }

    fn add(&mut self, schema: &Value) -> Verdict {
        self.tools += 1;
        walk(schema, &mut |node, _| {
            const REFUSED: [&str; 24] = [
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "minLength",
                "maxLength",
                "maxItems",
                "uniqueItems",
                "contains",
                "minContains",
                "maxContains",
                "prefixItems",
                "oneOf",
                "not",
                "if",
                "then",
                "else",
                "patternProperties",
                "propertyNames",
                "dependentRequired",
                "dependentSchemas",
                "minProperties",
                "maxProperties",
            ];
            if let Some(keyword) = REFUSED.iter().find(|k| node.contains_key(**k)) {
                return refuse(format!("strict: {keyword} is not supported"));
            }
            if types(node).contains(&"object") || node.contains_key("properties") {
                must(
                    node.get("additionalProperties") == Some(&Value::Bool(false)),
                    || {
                        "For 'object' type, 'additionalProperties' must be explicitly set to false"
                            .into()
                    },
                )?;
            }
            must(
                node.get("minItems").is_none_or(|n| n.as_u64() <= Some(1)),
                || "strict: minItems above 1".into(),
            )?;
            must(
                !(node.contains_key("allOf") && node.contains_key("$ref")),
                || "strict: allOf with $ref".into(),
            )?;
            let values = node
                .get("enum")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            must(
                !values.iter().any(|v| v.is_object() || v.is_array()),
                || "strict: enum".into(),
            )?;
            if let Some(pattern) = node.get("pattern").and_then(Value::as_str) {
                let odd = ["(?=", "(?!", "(?<", "\\b", "\\1"];
                must(!odd.iter().any(|o| pattern.contains(o)), || {
                    "strict: pattern".into()
                })?;
            }
            let formats = [
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "uri",
                "ipv4",
                "ipv6",
                "uuid",
            ];
            must(
                node.get("format")
                    .and_then(Value::as_str)
                    .is_none_or(|f| formats.contains(&f)),
                || "strict: format".into(),
            )?;
            let properties = node.get("properties").and_then(Value::as_object);
            let required = node
                .get("required")
                .and_then(Value::as_array)
                .map_or(0, Vec::len);
            self.optional += properties.map_or(0, Map::len).saturating_sub(required);
            self.unions += usize::from(node.contains_key("anyOf") || types(node).len() > 1);
            Ok(())
        })?;
        acyclic(schema)
    }
}

fn acyclic(schema: &Value) -> Verdict {
    fn visit(value: &Value, root: &Value, open: &mut Vec<String>) -> Verdict {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(text)) = map.get("$ref") {
                    must(!open.contains(text), || "strict: recursive schema".into())?;
                    if let Some(target) = text.strip_prefix('#').and_then(|p| root.pointer(p)) {
                        open.push(text.clone());
                        visit(target, root, open)?;
                        open.pop();
                    }
                }
                map.iter()
                    .filter(|(k, _)| *k != "$defs")
                    .try_for_each(|(_, v)| visit(v, root, open))
            }
            Value::Array(items) => items.iter().try_for_each(|v| visit(v, root, open)),
            _ => Ok(()),
        }
    }
    visit(schema, schema, &mut Vec::new())
}

// --- OpenAI --------------------------------------------------------------------------------

fn openai(
    tools: &Value,
    function: fn(&Value) -> &Value,
    fields: &[&str],
    most: Option<usize>,
) -> Verdict {
    let tools = list(tools)?;
    must(most.is_none_or(|most| tools.len() <= most), || {
        "Invalid 'tools': array too long. Expected an array with maximum length 128".into()
    })?;
    let mut names = Vec::new();
    for tool in tools {
        must(tool["type"] == "function", || "type is not function".into())?;
        let function = function(tool);
        let mut known = vec!["name", "description", "parameters", "strict"];
        known.extend(fields);
        only(function, &known)?;
        names.push(name(function, 64, "_-")?);
        description(function)?;
        let schema = &function["parameters"];
        must(schema["type"] == "object", || {
            format!(
                "schema must be a JSON Schema of 'type: \"object\"', got {}",
                schema["type"]
            )
        })?;
        free_of(schema, &["oneOf", "anyOf", "allOf", "enum", "not"])?;
        walk(schema, &mut |node, _| {
            if types(node).contains(&"object") {
                must(node.contains_key("properties"), || {
                    "object schema missing properties".into()
                })?;
            }
            if types(node).contains(&"array") {
                must(node.contains_key("items"), || {
                    "array schema missing items".into()
                })?;
            }
            let names = node.get("required").is_none_or(|r| {
                r.as_array()
                    .is_some_and(|names| names.iter().all(Value::is_string))
            });
            must(names, || "required is not of type 'array'".into())
        })?;
        references_resolve(schema, schema)?;
        if function["strict"] == true {
            openai_strict(schema)?;
        }
    }
    unique(&names)
}

fn openai_strict(schema: &Value) -> Verdict {
    let mut properties = 0;
    let mut values = 0;
    walk(schema, &mut |node, _| {
        const REFUSED: [&str; 16] = [
            "allOf",
            "oneOf",
            "not",
            "dependentRequired",
            "dependentSchemas",
            "if",
            "then",
            "else",
            "minLength",
            "maxLength",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "uniqueItems",
            "contains",
        ];
        if let Some(keyword) = REFUSED.iter().find(|k| node.contains_key(**k)) {
            return refuse(format!("strict: '{keyword}' is not permitted"));
        }
        let typed = ["type", "$ref", "anyOf", "enum", "const"]
            .iter()
            .any(|k| node.contains_key(*k));
        must(typed, || "strict: schema must have a 'type' key".into())?;
        must(!node.contains_key("$ref") || node.len() == 1, || {
            "strict: $ref cannot have keywords beside it".into()
        })?;
        if types(node).contains(&"object") {
            let listed = node.get("properties").and_then(Value::as_object);
            let required: HashSet<&str> = node
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let keys: HashSet<&str> = listed
                .into_iter()
                .flat_map(Map::keys)
                .map(String::as_str)
                .collect();
            properties += keys.len();
            must(keys == required, || {
                "strict: 'required' must include every key in properties".into()
            })?;
            must(
                node.get("additionalProperties") == Some(&Value::Bool(false)),
                || "strict: 'additionalProperties' is required to be false".into(),
            )?;
        }
        values += node
            .get("enum")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        Ok(())
    })?;
    must(properties <= 5_000 && values <= 1_000, || {
        "strict: too large".into()
    })?;
    must(depth(schema) <= 10, || {
        "strict: nested deeper than 10".into()
    })
}

/// Levels of objects and arrays.
fn depth(schema: &Value) -> usize {
    let Value::Object(node) = schema else {
        return 0;
    };
    let own = usize::from(node.contains_key("properties") || node.contains_key("items"));
    let below = node
        .iter()
        .filter(|(k, _)| *k != "$defs")
        .map(|(key, value)| match key.as_str() {
            "properties" => value
                .as_object()
                .into_iter()
                .flat_map(Map::values)
                .map(depth)
                .max(),
            "items" => Some(depth(value)),
            "anyOf" => value.as_array().into_iter().flatten().map(depth).max(),
            _ => None,
        });
    own + below.flatten().max().unwrap_or(0)
}

// --- Gemini --------------------------------------------------------------------------------

fn gemini(tools: &Value) -> Verdict {
    let declarations = list(&list(tools)?[0]["functionDeclarations"])?;
    let mut names = Vec::new();
    for tool in declarations {
        only(
            tool,
            &["name", "description", "parameters", "parametersJsonSchema"],
        )?;
        let name = name(tool, 64, "_-.")?;
        must(
            !name.starts_with(|c: char| !(c.is_ascii_alphabetic() || c == '_')),
            || "Invalid function name. Must start with a letter or an underscore".into(),
        )?;
        names.push(name);
        description(tool)?;
        if let Some(schema) = tool.get("parameters") {
            must(schema["type"] == "object", || {
                "parameters is no OBJECT".into()
            })?;
            walk(schema, &mut gemini_node)?;
            must(depth(schema) <= 16, || {
                "exceeds the maximum allowed nesting depth".into()
            })?;
        }
        if let Some(schema) = tool.get("parametersJsonSchema") {
            must(schema["type"] == "object", || {
                "parametersJsonSchema is no object".into()
            })?;
            walk(schema, &mut gemini_json_node)?;
            must(depth(schema) <= 16, || {
                "exceeds the maximum allowed nesting depth".into()
            })?;
            references_resolve(schema, schema)?;
        }
    }
    unique(&names)
}

fn gemini_node(node: &Map<String, Value>, _: Place) -> Verdict {
    const FIELDS: [&str; 20] = [
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "items",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "propertyOrdering",
        "minProperties",
        "maxProperties",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "default",
    ];
    for key in node.keys() {
        must(
            FIELDS.contains(&key.as_str()) || key == "anyOf" || key == "example",
            || format!("Unknown name \"{key}\": Cannot find field"),
        )?;
    }
    must(!node.get("type").is_some_and(Value::is_array), || {
        "Proto field is not repeating".into()
    })?;
    if node.contains_key("anyOf") {
        let allowed = |k: &String| matches!(k.as_str(), "anyOf" | "description" | "nullable");
        return must(node.keys().all(allowed), || "fields beside anyOf".into());
    }
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
    must(
        ["string", "number", "integer", "boolean", "array", "object"].contains(&kind),
        || format!("type {kind:?} is not specified"),
    )?;
    if let Some(values) = node.get("enum") {
        must(kind == "string", || {
            "enum: only allowed for STRING type".into()
        })?;
        let filled = |v: &Value| v.as_str().is_some_and(|s| !s.is_empty());
        must(
            values.as_array().is_some_and(|l| l.iter().all(filled)),
            || "enum value".into(),
        )?;
    }
    if let Some(format) = node.get("format").and_then(Value::as_str) {
        let known = ["enum", "date-time", "float", "double", "int32", "int64"];
        must(known.contains(&format), || {
            "only 'enum' and 'date-time' are supported".into()
        })?;
    }
    match kind {
        "array" => must(node.contains_key("items"), || "items: missing field".into()),
        "object" => {
            let listed = node.get("properties").and_then(Value::as_object);
            let listed = listed.filter(|p| !p.is_empty());
            let listed = listed.ok_or("properties: should be non-empty for OBJECT type")?;
            for key in listed.keys() {
                let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let first = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                must(first && key.len() <= 64 && key.chars().all(legal), || {
                    format!("parameter name {key:?}")
                })?;
            }
            let names = node
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            for name in names.filter_map(Value::as_str) {
                must(listed.contains_key(name), || {
                    format!("required: {name} is not defined")
                })?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn gemini_json_node(node: &Map<String, Value>, _: Place) -> Verdict {
    const KEYWORDS: [&str; 22] = [
        "$id",
        "$defs",
        "$ref",
        "$anchor",
        "type",
        "format",
        "title",
        "description",
        "enum",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "anyOf",
        "oneOf",
        "properties",
        "additionalProperties",
        "required",
        "propertyOrdering",
        "default",
    ];
    for key in node.keys() {
        must(KEYWORDS.contains(&key.as_str()), || {
            format!("Unknown name \"{key}\"")
        })?;
    }
    if node.contains_key("$ref") {
        let allowed = |k: &String| k.starts_with('$') || k == "description" || k == "default";
        return must(node.keys().all(allowed), || "fields beside $ref".into());
    }
    if node.contains_key("anyOf") {
        return must(!node.contains_key("type"), || "type beside anyOf".into());
    }
    must(!types(node).is_empty(), || "a schema without a type".into())?;
    if let Some(values) = node.get("enum").and_then(Value::as_array) {
        must(
            values.iter().all(|v| v.is_string() || v.is_number()),
            || "enum value".into(),
        )?;
    }
    Ok(())
}

// --- Bedrock -------------------------------------------------------------------------------

fn bedrock(config: &Value, claude: bool) -> Verdict {
    let mut names = Vec::new();
    let mut strict = StrictSum::default();
    for tool in list(&config["tools"])? {
        if tool.get("cachePoint").is_some() {
            continue;
        }
        let spec = &tool["toolSpec"];
        only(spec, &["name", "description", "inputSchema", "strict"])?;
        names.push(name(spec, 64, "_-")?);
        let filled = spec
            .get("description")
            .is_none_or(|d| d.as_str().is_some_and(|t| !t.is_empty()));
        must(filled, || "description: length must be at least 1".into())?;
        let schema = &spec["inputSchema"]["json"];
        must(schema["type"] == "object", || {
            "The value at toolSpec.inputSchema.json.type".into()
        })?;
        if claude {
            claude_schema(schema)?;
        } else {
            free_of(
                schema,
                &["oneOf", "anyOf", "allOf", "$ref", "$defs", "$schema"],
            )?;
            references_resolve(schema, schema)?;
        }
        if spec["strict"] == true {
            strict.add(schema)?;
        }
    }
    unique(&names)?;
    strict.within()
}

// --- Mistral, Ollama and the rest ----------------------------------------------------------

fn chat(tools: &Value, schema_rule: impl Fn(&Value) -> Verdict) -> Verdict {
    let mut names = Vec::new();
    for tool in list(tools)? {
        let function = &tool["function"];
        let name = name(function, 64, "_-")?;
        must(!name.starts_with(|c: char| c.is_ascii_digit()), || {
            "name starts with a digit".into()
        })?;
        names.push(name);
        description(function)?;
        let schema = &function["parameters"];
        must(schema["type"] == "object", || {
            format!(
                "schema must be a JSON Schema of 'type: \"object\"', got 'type: {}'",
                schema["type"]
            )
        })?;
        free_of(schema, &["oneOf", "anyOf", "allOf"])?;
        schema_rule(schema)?;
    }
    unique(&names)
}

/// The server keeps these and drops everything else without a word; what is dropped has to be in
/// the description, so nothing else may be sent.
fn ollama_node(node: &Map<String, Value>, place: Place) -> Verdict {
    let kept = [
        "type",
        "anyOf",
        "items",
        "description",
        "enum",
        "properties",
        "required",
    ];
    for key in node.keys() {
        must(kept.contains(&key.as_str()), || {
            format!("{key} would be dropped")
        })?;
    }
    must(
        place != Place::Root || node.get("properties").is_some_and(Value::is_object),
        || "properties is no object".into(),
    )
}

fn compatible_node(node: &Map<String, Value>, _: Place) -> Verdict {
    let has = |key: &str| node.contains_key(key);
    must(!has("$ref") && !has("$defs"), || {
        "$ref is not resolved".into()
    })?;
    must(!has("not") && !has("oneOf") && !has("allOf"), || {
        "unsupported combinator".into()
    })?;
    must(!(has("type") && has("anyOf")), || {
        "when using anyOf, type should be defined in anyOf items instead of the parent".into()
    })?;
    must(has("type") || has("anyOf"), || {
        "a property without type".into()
    })?;
    must(!node.get("type").is_some_and(Value::is_array), || {
        "type list".into()
    })?;
    let others = node.get("additionalProperties");
    must(
        !others.is_some_and(|o| o.as_object().is_some_and(Map::is_empty)),
        || "additionalProperties without a type".into(),
    )?;
    must(!types(node).contains(&"array") || has("items"), || {
        "array without items".into()
    })
}
