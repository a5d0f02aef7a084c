//! MCP: the oldest revision that is spoken, and clients that are stricter than it.

use serde_json::Value;

use super::{Verdict, description, list, must, name, only, root_object, unique, valid_2020, walk};

pub fn check(tools: &Value) -> Verdict {
    const FIELDS: [&str; 7] = [
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "_meta",
    ];
    let mut names = Vec::new();
    for tool in list(tools)? {
        only(tool, &FIELDS)?;
        names.push(name(tool, 128, "_-.")?);
        description(tool)?;
        root_object(&tool["inputSchema"])?;
        valid_2020(&tool["inputSchema"])?;
        if let Some(schema) = tool.get("outputSchema") {
            root_object(schema)?;
            dialect(schema)?;
            valid_2020(schema)?;
            every_draft(schema)?;
        }
    }
    unique(&names)
}

/// Clients with a validator of draft 2020-12 alone refuse every other dialect.
fn dialect(schema: &Value) -> Verdict {
    let stated = schema.get("$schema").and_then(Value::as_str);
    must(stated.is_none_or(|s| s.contains("2020-12")), || {
        "no validator for this dialect".into()
    })
}

/// Clients with a validator of draft 7 read the same schema: to them `prefixItems` is nothing, and
/// `items: false` refuses every element.
fn every_draft(schema: &Value) -> Verdict {
    walk(schema, &mut |node, _| {
        let closed = node.contains_key("prefixItems") && node.get("items") == Some(&false.into());
        must(!closed, || "items: false behind prefixItems".into())
    })
}
