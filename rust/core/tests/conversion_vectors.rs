//! The golden vectors of `tests/vectors`, which the Java tests run as well.
//!
//! `TOOLCRIB_BLESS=1 cargo test -p toolcrib-core --test conversion_vectors` writes what the code says
//! now; read the difference before it is committed.

mod conversion;

use std::fs;
use std::path::PathBuf;

use conversion::{declared, forms, schema_of};
use serde_json::{Map, Value, json};
use toolcrib_core::provider::{Note, Target};
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

#[test]
fn every_row_of_the_matrix_is_declared_as_recorded() {
    compare("declarations.json", |row| {
        let schema = &row["schema"];
        let mut groups: Vec<(Vec<String>, Value)> = Vec::new();
        for (target, strict) in forms() {
            let made = declared(schema, target, strict).expect("declared");
            let element: Value = serde_json::from_str(made.json()).unwrap();
            assert_eq!(
                element.to_string(),
                made.json(),
                "compact, in the order of the keys"
            );
            let description = element
                .pointer("/function/description")
                .or(element.pointer("/toolSpec/description"))
                .or(element.pointer("/description"));
            let mut result = json!({
                "schema": schema_of(&made, target),
                "strict": made.is_strict(),
                "notes": notes(made.notes()),
            });
            if description != Some(&json!("Does it.")) {
                result["description"] = description.cloned().unwrap_or_default();
            }
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
            let made = declared(&row["schema"], target, strict).expect("declared");
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
        all
    });
}
