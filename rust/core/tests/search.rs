//! Search by example, through the public interface.

use roaring::RoaringBitmap;
use serde_json::{Value, json};
use toolcrib_core::search::{Document, Field, Query, SearchIndex};

fn document<'a>(name: &'a str, description: &'a str, schema: &'a Value) -> Document<'a> {
    Document {
        name,
        local_name: name,
        title: None,
        description,
        domain: None,
        tags: Vec::new(),
        keywords: Vec::new(),
        source: "",
        source_description: "",
        input_schema: schema,
    }
}

fn index(tools: &[(&str, &str)]) -> SearchIndex {
    let mut editor = SearchIndex::new().edit();
    for (slot, (name, description)) in (0..).zip(tools) {
        editor.insert(slot, &document(name, description, &json!({})));
    }
    editor.finish()
}

fn all() -> RoaringBitmap {
    (0..100).collect()
}

fn query(text: &str) -> Query<'_> {
    Query {
        text,
        limit: 10,
        filter: None,
    }
}

fn find(index: &SearchIndex, view: &RoaringBitmap, text: &str) -> Vec<u32> {
    let hits = index.search(&index.scope(view), &query(text));
    hits.into_iter().map(|hit| hit.slot).collect()
}

const TOOLS: [(&str, &str); 5] = [
    ("get_weather", "Current weather of a city"),
    ("create_issue", "Opens an issue in a repository"),
    ("listIssues", "All issues of a repository"),
    ("send_mail", "Sends a message to a mailbox"),
    ("query_order", "查询订单的物流状态"),
];

#[test]
fn words_of_names_and_descriptions_are_found() {
    let index = index(&TOOLS);
    assert_eq!(find(&index, &all(), "What is the weather in Paris?"), [0]);
    assert_eq!(find(&index, &all(), "list issues"), [2, 1]);
    assert_eq!(find(&index, &all(), "我的订单到哪里了"), [4]);
    assert!(find(&index, &all(), "zebra").is_empty());
    assert!(find(&index, &all(), "").is_empty());
}

#[test]
fn a_whole_identifier_finds_its_tool_first() {
    let index = index(&[
        ("issue", "create create create issue"),
        ("create_issue_comment", "create an issue"),
        ("createIssue", "Opens it"),
    ]);
    assert_eq!(find(&index, &all(), "create_issue").first(), Some(&2));
}

#[test]
fn parameters_are_searched() {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string", "description": "Where to look"},
        "filter": {"type": "object", "properties": {
            "kind": {"enum": ["sunny", "rainy"]}}}}});
    let mut editor = index(&TOOLS).edit();
    editor.insert(7, &document("nameless", "", &schema));
    let index = editor.finish();
    assert_eq!(find(&index, &all(), "rainy"), [7]);
    assert_eq!(find(&index, &all(), "kind"), [7]);
    assert_eq!(find(&index, &all(), "look"), [7]);
}

#[test]
fn a_tool_outside_the_view_is_not_found_and_not_suggested() {
    let index = index(&TOOLS);
    let mut view = all();
    view.remove(0);
    assert!(find(&index, &view, "weather").is_empty());
    let near = index.near_names(&index.scope(&view), "get_wether", 5);
    assert!(!near.contains(&0));
}

#[test]
fn a_misspelled_name_has_near_names() {
    let index = index(&TOOLS);
    let scope = index.scope(&all());
    assert_eq!(index.near_names(&scope, "get_wether", 5).first(), Some(&0));
    assert_eq!(index.near_names(&scope, "listissue", 5).first(), Some(&2));
    assert!(index.near_names(&scope, "zzz", 5).is_empty());
}

#[test]
fn an_explanation_names_fields_and_adds_up_to_the_score() {
    let index = index(&TOOLS);
    let scope = index.scope(&all());
    let query = query("create issue");
    let hit = index.search(&scope, &query)[0];
    let explanation = index.explain(&scope, &query, hit.slot);
    assert_eq!(explanation.score, hit.score);
    let sum: f32 = explanation.contributions.iter().map(|c| c.score).sum();
    assert!((sum - hit.score).abs() < 1e-4);
    let in_name = |c: &toolcrib_core::search::Contribution| c.field == Field::Name;
    assert!(explanation.contributions.iter().any(in_name));
    assert_eq!(index.explain(&scope, &query, 99).score, 0.0);
}

#[test]
fn an_edit_leaves_the_old_index_as_it_was() {
    let old = index(&TOOLS);
    let mut editor = old.edit();
    editor.remove(0);
    editor.insert(1, &document("close_issue", "Closes it", &json!({})));
    let new = editor.finish();
    assert_eq!(find(&old, &all(), "weather"), [0]);
    assert!(find(&new, &all(), "weather").is_empty());
    assert!(find(&new, &all(), "opens").is_empty());
    assert_eq!(find(&new, &all(), "closes"), [1]);
}
