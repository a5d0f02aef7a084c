//! What the index reads of one tool.

use serde_json::{Map, Value};

use super::fields::Field;

/// Schemas nested deeper than this are read down to here.
const MAX_DEPTH: usize = 64;

/// The searched parts of one tool, borrowed from wherever they are kept.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    /// The public name; decides between equal scores and matches when typed whole.
    pub name: &'a str,
    /// The name within the source.
    pub local_name: &'a str,
    /// A title for people.
    pub title: Option<&'a str>,
    /// What the tool says it does.
    pub description: &'a str,
    /// The business domain.
    pub domain: Option<&'a str>,
    /// Tags.
    pub tags: Vec<&'a str>,
    /// Other words for the tool.
    pub keywords: Vec<&'a str>,
    /// The name of the source.
    pub source: &'a str,
    /// The description of the source.
    pub source_description: &'a str,
    /// The input schema: parameter names, descriptions and enum values are read.
    pub input_schema: &'a Value,
}

impl Document<'_> {
    /// Passes every text of the tool with its field to `visit`.
    pub(super) fn texts(&self, visit: &mut dyn FnMut(Field, &str)) {
        visit(Field::Name, self.local_name);
        visit(Field::Title, self.title.unwrap_or_default());
        visit(Field::Description, self.description);
        visit(Field::Domain, self.domain.unwrap_or_default());
        self.tags.iter().for_each(|tag| visit(Field::Tag, tag));
        self.keywords
            .iter()
            .for_each(|word| visit(Field::Keyword, word));
        visit(Field::Source, self.source);
        visit(Field::SourceDescription, self.source_description);
        if let Value::Object(schema) = self.input_schema {
            parts_of(schema, 0, visit);
        }
    }
}

/// Walks the schemas inside `schema`. A `$ref` is not followed: what it points to is inside the
/// same document and read once, where it stands.
fn parts_of(schema: &Map<String, Value>, depth: usize, visit: &mut dyn FnMut(Field, &str)) {
    if depth > MAX_DEPTH {
        return;
    }
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    visit(Field::ParameterName, name);
                    schema_in(property, depth, visit);
                }
            }
            ("$defs" | "definitions" | "patternProperties", Value::Object(schemas)) => {
                schemas.values().for_each(|s| schema_in(s, depth, visit));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(schemas)) => {
                schemas.iter().for_each(|s| schema_in(s, depth, visit));
            }
            ("items" | "additionalProperties", schema) => schema_in(schema, depth, visit),
            ("enum", Value::Array(values)) => {
                for value in values.iter().filter_map(Value::as_str) {
                    visit(Field::ParameterText, value);
                }
            }
            ("const" | "description", Value::String(text)) => visit(Field::ParameterText, text),
            _ => {}
        }
    }
}

fn schema_in(value: &Value, depth: usize, visit: &mut dyn FnMut(Field, &str)) {
    if let Value::Object(schema) = value {
        parts_of(schema, depth + 1, visit);
    }
}
