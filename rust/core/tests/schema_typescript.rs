//! Tools as TypeScript.

mod conversion;

use conversion::data;
use serde_json::json;
use toolcrib_core::schema::typescript;

#[test]
fn a_tool_reads_like_hand_written_typescript() {
    let input = json!({
        "type": "object",
        "description": "What to look for.",
        "properties": {
            "query": {"type": "string", "description": "Free text.", "minLength": 1},
            "sort-by": {"enum": ["date", "name"]},
            "tree": {"$ref": "#/$defs/node"},
            "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "anything": {},
            "either": {"anyOf": [{"type": "string"}, {"type": "null"}]}
        },
        "required": ["query"],
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}}}
    });
    let output = json!({"type": "array", "items": {"type": ["string", "number"]}});
    let text = typescript(
        "find-items",
        "Finds items.\nAll of them. */",
        &input,
        Some(&output),
        None,
        10_000,
    );
    let expected = r#"type FindItemsInputNode = {
  next?: FindItemsInputNode;
  /** (integer) */
  n?: number;
};

/** What to look for. */
type FindItemsInput = {
  /** Free text. (at least 1 characters) */
  query: string;
  "sort-by"?: "date" | "name";
  tree?: FindItemsInputNode;
  /** (at least 2 items; at most 2 items) */
  pair?: [number, string];
  labels?: Record<string, string>;
  anything?: unknown;
  either?: string | null;
};

type FindItemsOutput = Array<string | number>;

/**
 * Finds items.
"#;
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with(
        "declare function find_items(input: FindItemsInput): Promise<FindItemsOutput>;\n"
    ));
    assert_eq!(
        text.matches("*/").count(),
        5,
        "the description cannot end its comment: {text}"
    );
}

#[test]
fn real_tools_have_one_bounded_declaration() {
    for (_, path) in &data::SETS[..2] {
        let Some(tools) = data::tools(path) else {
            return;
        };
        for tool in tools
            .iter()
            .step_by(if tools.len() > 1_000 { 10 } else { 1 })
        {
            let make = || {
                typescript(
                    &tool.name,
                    &tool.description,
                    &tool.input_schema,
                    None,
                    None,
                    8_000,
                )
            };
            let text = make();
            assert!(text.len() <= 8_000, "{} takes {}", tool.name, text.len());
            assert_eq!(text, make());
            let (open, shut) = (text.matches('{').count(), text.matches('}').count());
            assert!(text.contains("declare function "));
            // Comments may hold braces; types alone must balance.
            if !text.contains("/*") {
                assert_eq!(open, shut, "{text}");
            }
        }
    }
}

#[test]
fn a_tool_called_like_a_word_of_the_language_was_no_declaration() {
    let schema = json!({"type": "object"});
    for (name, function) in [("delete", "_delete"), ("7zip", "_7zip"), ("a-b.c", "a_b_c")] {
        let text = typescript(name, "", &schema, None, None, 1_000);
        assert!(text.contains(&format!("function {function}(")), "{text}");
    }
}

#[test]
fn what_a_function_gives_may_stand_in_a_type_of_the_readers() {
    let schema = json!({"type": "object"});
    let ends = |output, max_bytes, end: &str| {
        let text = typescript("get", "", &schema, output, Some("ToolResult"), max_bytes);
        assert!(text.ends_with(end), "{text}");
    };
    ends(Some(&schema), 1_000, "Promise<ToolResult<GetOutput>>;\n");
    ends(None, 1_000, "Promise<ToolResult<unknown>>;\n");
    ends(Some(&schema), 1, "Promise<ToolResult<unknown>>;\n");
}
