//! Bedrock Converse: the service's own model, and the families behind it.

use serde_json::Value;

use super::anthropic::{StrictSum, claude_schema};
use super::{Verdict, list, must, name, only, root_object, unique, valid_2020, walk};

pub fn check(config: &Value, claude: bool) -> Verdict {
    only(config, &["tools", "toolChoice"])?;
    let mut names = Vec::new();
    let mut strict = StrictSum::default();
    for tool in list(&config["tools"])? {
        if tool.get("cachePoint").is_some() {
            only(tool, &["cachePoint"])?;
            continue;
        }
        only(tool, &["toolSpec"])?;
        let spec = &tool["toolSpec"];
        only(spec, &["name", "description", "inputSchema", "strict"])?;
        only(&spec["inputSchema"], &["json"])?;
        names.push(name(spec, 64, "_-")?);
        let filled = spec
            .get("description")
            .is_none_or(|d| d.as_str().is_some_and(|t| !t.is_empty()));
        must(filled, || "description: length must be at least 1".into())?;
        let schema = &spec["inputSchema"]["json"];
        root_object(schema)?;
        if claude {
            claude_schema(schema)?;
        } else {
            any_family(schema)?;
        }
        if spec["strict"] == true {
            strict.add(schema)?;
        }
    }
    must(!names.is_empty(), || "no tool".into())?;
    unique(&names)?;
    strict.within()
}

/// What every family takes: Nova's guide allows three keywords at the root, and it, Llama and Qwen
/// resolve no reference.
fn any_family(schema: &Value) -> Verdict {
    only(schema, &["type", "properties", "required"])?;
    valid_2020(schema)?;
    walk(schema, &mut |node, _| {
        must(!node.contains_key("$ref"), || "$ref is not resolved".into())
    })
}
