//! The golden vectors of `tests/vectors`, which the Java tests run as well.
//!
//! `TOOLCRIB_BLESS=1 cargo test -p toolcrib-core --test conversion_vectors` writes what the code says
//! now; read the difference before it is committed.

mod conversion;

use std::fs;
use std::path::PathBuf;

use conversion::{forms, schema_of};
use serde_json::{Map, Value, json};
use toolcrib_core::Limits;
use toolcrib_core::provider::{
    Declaration, DeclareOptions, DeclaredTool, Note, Target, declare_with,
};
use toolcrib_core::schema::canonical;

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors")).join(name)
}

fn compare(name: &str, expected: impl Fn(&Map<String, Value>) -> Map<String, Value>) {
    let text = fs::read_to_string(path(name)).expect("the vectors are part of the repository");
    let rows: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("JSON");
    let found: Vec<Map<String, Value>> = rows.iter().map(expected).collect();
    if std::env::var_os("TOOLCRIB_BLESS").is_some() {
        let rows: Vec<String> = found.iter().map(written).collect();
        fs::write(path(name), format!("[\n{}\n]\n", rows.join(",\n"))).expect("written");
        return;
    }
    for (row, found) in rows.iter().zip(&found) {
        assert_eq!(written(row), written(found), "{}", row["row"]);
    }
}

/// One line for the row and one for each of its results, so that a change is easy to read.
fn written(row: &Map<String, Value>) -> String {
    let mut lines = Vec::new();
    for (key, value) in row {
        let value = match value {
            Value::Array(items) if key == "declarations" => {
                let items: Vec<String> = items.iter().map(|i| format!("  {i}")).collect();
                format!("[\n{}\n ]", items.join(",\n"))
            }
            other => other.to_string(),
        };
        lines.push(format!(" {}: {value}", Value::from(key.as_str())));
    }
    format!("{{\n{}\n}}", lines.join(",\n"))
}

fn notes(notes: &[Note]) -> Value {
    notes
        .iter()
        .map(|n| {
            json!([
                n.pointer,
                n.what,
                n.why,
                format!("{:?}", n.effect).to_lowercase()
            ])
        })
        .collect::<Vec<_>>()
        .into()
}

fn label(target: Target, strict: bool) -> String {
    format!("{}{}", target.name(), if strict { " strict" } else { "" })
}

/// A row without a name or description is about a tool like this.
fn text<'a>(row: &'a Map<String, Value>, key: &str, default: &'a str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or(default)
}

fn declaration(row: &Map<String, Value>, target: Target, strict: bool) -> Declaration {
    let tool = DeclaredTool {
        name: text(row, "name", "a_tool"),
        title: None,
        description: text(row, "description", "Does it."),
        input_schema: &row["schema"],
        output_schema: row.get("outputSchema"),
        annotations: None,
    };
    let options = DeclareOptions {
        strict,
        deferred: false,
    };
    declare_with(&tool, target, options, &Limits::default()).expect("declared")
}

/// What there is to know of a declaration; name and description only where they changed.
fn result(row: &Map<String, Value>, made: &Declaration, target: Target) -> Value {
    let element: Value = serde_json::from_str(made.json()).expect("JSON");
    assert_eq!(
        element.to_string(),
        made.json(),
        "compact, in the order of the keys"
    );
    let envelope = element
        .get("function")
        .or(element.get("toolSpec"))
        .unwrap_or(&element);
    let mut result = json!({
        "schema": schema_of(made, target),
        "strict": made.is_strict(),
        "notes": notes(made.notes()),
    });
    let description = text(row, "description", "Does it.");
    if envelope["description"] != description {
        result["description"] = envelope["description"].clone();
    }
    if envelope["name"] != text(row, "name", "a_tool") {
        result["name"] = envelope["name"].clone();
    }
    if let Some(output) = envelope.get("outputSchema") {
        result["outputSchema"] = output.clone();
    }
    result
}

#[test]
fn every_row_of_the_matrix_is_declared_as_recorded() {
    compare("declarations.json", |row| {
        let mut groups: Vec<(Vec<String>, Value)> = Vec::new();
        for (target, strict) in forms() {
            let result = result(row, &declaration(row, target, strict), target);
            let label = label(target, strict);
            match groups.iter_mut().find(|(_, known)| *known == result) {
                Some((labels, _)) => labels.push(label),
                None => groups.push((vec![label], result)),
            }
        }
        let declarations = groups.into_iter().map(|(labels, result)| {
            let mut all = json!({ "targets": labels });
            for (key, value) in result.as_object().expect("an object") {
                all[key] = value.clone();
            }
            all
        });
        let mut found = row.clone();
        found.insert(
            "declarations".to_owned(),
            declarations.collect::<Vec<_>>().into(),
        );
        found
    });
}

/// The rows of the conversion matrix, and the vectors that show them.
const MATRIX: &[(&str, &[&str])] = &[
    ("$schema", &["$schema, $id, $anchor, $comment"]),
    (
        "$id, $anchor, $comment",
        &["$schema, $id, $anchor, $comment"],
    ),
    ("definitions", &["definitions"]),
    (
        "local $ref + $defs",
        &["local $ref and $defs", "$ref by pointer"],
    ),
    (
        "$ref with siblings",
        &["$ref with siblings", "$ref with a constraint beside it"],
    ),
    ("external/network $ref", &["external $ref"]),
    (
        "recursion",
        &[
            "recursion through an optional property",
            "recursion without a way out",
        ],
    ),
    ("root type missing", &["root type missing"]),
    ("root non-object type", &["root of another type"]),
    (
        "root anyOf/oneOf",
        &["root anyOf", "root oneOf of required"],
    ),
    ("root allOf", &["root allOf"]),
    (
        "root not/if/enum/dependent*",
        &[
            "root not, if, dependent",
            "root enum",
            "root dependentSchemas, else",
        ],
    ),
    (
        "nested anyOf",
        &["nested anyOf", "nested anyOf beside type and properties"],
    ),
    (
        "nested oneOf",
        &["nested oneOf", "nested oneOf of exclusive types"],
    ),
    ("nested allOf", &["nested allOf", "allOf of one $ref"]),
    ("not", &["not"]),
    (
        "anyOf:[{not:{}},X]",
        &["anyOf with the impossible, as zod writes optional"],
    ),
    ("if/then/else", &["if, then, else"]),
    (
        "dependentRequired/Schemas",
        &["dependentRequired, dependencies", "dependentSchemas"],
    ),
    ("const", &["const", "const of a number", "const of null"]),
    (
        "string enum",
        &["enum of strings", "enum with the empty string"],
    ),
    (
        "number/bool/null enum",
        &["enum of numbers", "enum of booleans and null"],
    ),
    ("object/array in enum", &["enum with an object"]),
    (
        "type list with null",
        &[
            "type list with null",
            "type list with null and enum",
            "anyOf with null, as pydantic writes optional",
        ],
    ),
    ("other type list", &["other type list"]),
    ("nullable:true", &["nullable", "nullable reference"]),
    (
        "typeless / {} / true schema",
        &["no type", "true", "a type that does not exist"],
    ),
    ("false schema", &["false"]),
    ("array without items", &["array without items"]),
    ("array-form items", &["items as an array, draft 7"]),
    (
        "prefixItems",
        &["prefixItems", "prefixItems with more behind them"],
    ),
    (
        "minItems/maxItems",
        &["minItems, maxItems", "items that are never valid"],
    ),
    ("uniqueItems, contains*", &["uniqueItems, contains"]),
    (
        "object without properties",
        &["object without properties", "no parameters"],
    ),
    (
        "additionalProperties:false",
        &[
            "additionalProperties false",
            "root keywords beside properties",
        ],
    ),
    (
        "additionalProperties:true or {}",
        &[
            "additionalProperties true",
            "additionalProperties as an empty schema",
        ],
    ),
    (
        "additionalProperties:{schema}",
        &["additionalProperties as a map"],
    ),
    (
        "patternProperties, propertyNames, unevaluated*",
        &[
            "patternProperties, propertyNames",
            "unevaluatedProperties, unevaluatedItems",
        ],
    ),
    (
        "minProperties/maxProperties",
        &["minProperties, maxProperties"],
    ),
    (
        "all optional",
        &["all optional", "optional that admits null", "optional enum"],
    ),
    ("minLength/maxLength", &["minLength, maxLength"]),
    ("pattern (simple)", &["pattern"]),
    (
        "pattern with lookaround/backrefs/\\b",
        &[
            "pattern with look-ahead",
            "pattern with a back-reference",
            "pattern with a word boundary",
        ],
    ),
    (
        "format in common set",
        &[
            "format in the common set",
            "format that strict DeepSeek knows",
        ],
    ),
    (
        "other format",
        &[
            "other formats",
            "number format",
            "a format that nobody knows",
        ],
    ),
    ("minimum/maximum", &["minimum, maximum"]),
    (
        "exclusiveMinimum/Maximum numeric",
        &[
            "exclusiveMinimum of an integer",
            "exclusiveMinimum of a number",
        ],
    ),
    (
        "boolean exclusiveMinimum",
        &[
            "exclusiveMinimum as a boolean, draft 4",
            "exclusiveMaximum as a boolean, draft 4",
        ],
    ),
    ("multipleOf", &["multipleOf"]),
    ("default", &["default"]),
    ("title", &["title"]),
    (
        "examples, deprecated, readOnly, x-*",
        &["examples, deprecated, readOnly, x-*"],
    ),
    (
        "property key outside charset",
        &["property keys outside the charset", "odd keys at depth"],
    ),
    ("tool name outside", &["tool name that starts with a digit"]),
    ("empty description", &["empty description"]),
    ("depth > 10", &["deeper than ten"]),
    ("outputSchema", &["outputSchema"]),
];

/// Annotations, icons, `_meta` and `execution` are for the host; no schema carries them.
#[test]
fn every_row_of_the_matrix_has_a_vector() {
    let text = fs::read_to_string(path("declarations.json")).expect("the vectors");
    let rows: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("JSON");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["row"].as_str()).collect();
    for (matrix, vectors) in MATRIX {
        for vector in *vectors {
            assert!(names.contains(vector), "{matrix} has no vector {vector:?}");
        }
    }
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len(), "two vectors of one name");
}

#[test]
fn arguments_come_back_as_recorded() {
    let text = fs::read_to_string(path("declarations.json")).expect("the vectors");
    let rows: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("JSON");
    let mut tried = 0;
    for row in &rows {
        for case in row
            .get("back")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let (target, strict) = forms()
                .find(|(target, strict)| case["target"] == label(*target, *strict))
                .expect("a known target");
            let made = declaration(row, target, strict);
            assert_eq!(
                made.restore(case["given"].clone()),
                case["arguments"],
                "{}",
                row["row"]
            );
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} cases");
}

#[test]
fn every_draft_is_read_as_recorded() {
    compare("schema.json", |row| {
        let (meant, found) = canonical(&row["schema"]);
        let mut all = row.clone();
        all.insert("canonical".to_owned(), meant);
        all.insert("notes".to_owned(), notes(&found));
        // What a Java program sees of it: MCP takes every keyword.
        let made = declaration(row, Target::Mcp, false);
        all.insert("declared".to_owned(), schema_of(&made, Target::Mcp));
        all
    });
}
