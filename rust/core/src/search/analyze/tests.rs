use super::*;

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer.terms(text, &mut |term| terms.push(term.to_owned()));
    terms
}

#[test]
fn identifiers_are_taken_apart() {
    assert_eq!(terms("getHTTPStatus"), ["get", "http", "status"]);
    assert_eq!(
        terms("mcp__git-hub.list_PRs"),
        ["mcp", "git", "hub", "list", "pr"]
    );
}

#[test]
fn chinese_is_characters_and_pairs() {
    assert_eq!(terms("查天气"), ["查", "查天", "天", "天气", "气"]);
}
