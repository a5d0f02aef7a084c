//! Values that fit a schema, more often than not.

use serde_json::{Map, Value, json};

/// A small generator with a fixed sequence per seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).expect("small")
    }
}

/// A value made after `schema`; the caller checks whether it fits.
pub fn value(schema: &Value, root: &Value, dice: &mut Dice, depth: usize) -> Value {
    let Value::Object(node) = schema else {
        return any(dice);
    };
    if depth == 0 {
        return any(dice);
    }
    if let Some(target) = node.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|p| root.pointer(p));
        return target.map_or(Value::Null, |t| value(t, root, dice, depth - 1));
    }
    if let Some(constant) = node.get("const") {
        return constant.clone();
    }
    if let Some(Value::Array(values)) = node.get("enum")
        && !values.is_empty()
    {
        return values[dice.below(values.len())].clone();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = node.get(keyword)
            && !branches.is_empty()
        {
            let branch = value(&branches[dice.below(branches.len())], root, dice, depth - 1);
            if let Value::Object(more) = &branch {
                let mut own = object(node, root, dice, depth);
                let more = more.clone();
                own.extend(more);
                return own.into();
            }
            return branch;
        }
    }
    if let Some(Value::Array(all)) = node.get("allOf") {
        let mut joined = object(node, root, dice, depth);
        let mut last = Value::Null;
        for one in all {
            last = value(one, root, dice, depth - 1);
            if let Value::Object(more) = &last {
                joined.extend(more.clone());
            }
        }
        return if last.is_object() {
            joined.into()
        } else {
            last
        };
    }
    match type_of(node, dice) {
        "object" => object(node, root, dice, depth).into(),
        "array" => array(node, root, dice, depth),
        "string" => string(node, dice),
        "integer" => number(node, dice, true),
        "number" => number(node, dice, false),
        "boolean" => (dice.below(2) == 0).into(),
        "null" => Value::Null,
        _ => any(dice),
    }
}

fn any(dice: &mut Dice) -> Value {
    match dice.below(7) {
        0 => json!("text"),
        1 => json!(7),
        2 => json!({"free": 1}),
        3 => json!([1, "two"]),
        4 => json!(null),
        5 => json!("{\"a\": 1}"),
        _ => json!(true),
    }
}

fn type_of<'a>(node: &'a Map<String, Value>, dice: &mut Dice) -> &'a str {
    match node.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) if !names.is_empty() => {
            names[dice.below(names.len())].as_str().unwrap_or("any")
        }
        _ if node.contains_key("properties") => "object",
        _ if node.contains_key("items") => "array",
        _ => "any",
    }
}

fn object(
    node: &Map<String, Value>,
    root: &Value,
    dice: &mut Dice,
    depth: usize,
) -> Map<String, Value> {
    let mut made = Map::new();
    let empty = Map::new();
    let required: Vec<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (key, child) in node
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty)
    {
        if required.contains(&key.as_str()) || dice.below(2) == 0 {
            made.insert(key.clone(), value(child, root, dice, depth - 1));
        }
    }
    let rest = node
        .get("additionalProperties")
        .unwrap_or(&Value::Bool(true));
    for key in &required {
        if !made.contains_key(*key) {
            made.insert((*key).to_owned(), value(rest, root, dice, depth - 1));
        }
    }
    if *rest != Value::Bool(false) && dice.below(3) == 0 {
        made.insert("other_key".to_owned(), value(rest, root, dice, depth - 1));
    }
    made
}

fn array(node: &Map<String, Value>, root: &Value, dice: &mut Dice, depth: usize) -> Value {
    let least = node
        .get("minItems")
        .and_then(Value::as_u64)
        .unwrap_or(0)
        .min(8);
    let most = node
        .get("maxItems")
        .and_then(Value::as_u64)
        .unwrap_or(least + 2)
        .min(least + 2);
    let length = usize::try_from(least).expect("small") + dice.below(3);
    let length = length.min(usize::try_from(most).expect("small"));
    let prefix = node
        .get("prefixItems")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let items = node.get("items").unwrap_or(&Value::Bool(true));
    (0..length)
        .map(|at| value(prefix.get(at).unwrap_or(items), root, dice, depth - 1))
        .collect::<Vec<_>>()
        .into()
}

fn string(node: &Map<String, Value>, dice: &mut Dice) -> Value {
    let least = node
        .get("minLength")
        .and_then(Value::as_u64)
        .unwrap_or(0)
        .min(64);
    let mut text = ["", "abc", "12", "{\"a\": null}", "null", "x y"][dice.below(6)].to_owned();
    while (text.chars().count() as u64) < least {
        text.push('a');
    }
    if let Some(most) = node.get("maxLength").and_then(Value::as_u64) {
        text = text
            .chars()
            .take(usize::try_from(most).unwrap_or(64))
            .collect();
    }
    text.into()
}

fn number(node: &Map<String, Value>, dice: &mut Dice, integer: bool) -> Value {
    let bound = |key: &str| node.get(key).and_then(Value::as_f64);
    let low = bound("minimum").or(bound("exclusiveMinimum").map(|n| n + 1.0));
    let high = bound("maximum").or(bound("exclusiveMaximum").map(|n| n - 1.0));
    let start = low.or(high).unwrap_or(0.0).clamp(-1e9, 1e9);
    let offset = f64::from(u32::try_from(dice.below(3)).expect("small"));
    let number = if low.is_some() {
        start + offset
    } else {
        start - offset
    };
    if integer || number.fract() == 0.0 && dice.below(2) == 0 {
        json!(number.round() as i64)
    } else {
        json!(number)
    }
}
