//! Values that mean what they say.
//!
//! Where raw values are compiled in, serde_json's own reading of a [`Value`] takes an object with
//! one certain key for JSON text that is to be read in its place: what is nested there is beyond
//! every check of depth, and reading it again fails or says something else. So untrusted JSON is
//! read into values here and nowhere else.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads the one value that `text` is. Nested more than 127 deep it is refused.
pub(crate) fn value(text: &str) -> serde_json::Result<Value> {
    let mut from = serde_json::Deserializer::from_str(text);
    let value = plain(&mut from)?;
    from.end()?;
    Ok(value)
}

/// Reads a value out of anything; to be named by `deserialize_with` as well.
pub(crate) fn plain<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    from.deserialize_any(AnyValue)
}

/// As [`plain`], for what may be absent.
pub(crate) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    plain(from).map(|value| Some(value).filter(|value| !value.is_null()))
}

struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        plain(from).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Plain(member))) = members.next_entry::<String, Plain>()? {
            object.insert(key, member);
        }
        Ok(Value::Object(object))
    }
}
