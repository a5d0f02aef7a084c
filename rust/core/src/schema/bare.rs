//! The least that is left of a schema.

use crate::schema::keyword::Keyword;
use crate::schema::node::{Definitions, Node, Part};
use crate::schema::note::Effect;
use crate::schema::read::Document;

/// The parameters that the root itself lists, with their types and descriptions: for a schema whose
/// root alone takes more work to resolve than a conversion may take.
pub(super) fn bare(document: &Document) -> Document {
    let mut notes = document.notes.clone();
    notes.jump("");
    notes.add(
        "size",
        "more work than a conversion may take, only the root's own parameters are left",
        Effect::Loosened,
    );
    let source = &document.root;
    if source.types.is_any() {
        // Alternatives, or what a reference names, could have said otherwise.
        notes.add("type", "the root is taken for an object", Effect::Narrowed);
    }
    let mut root = Node::of_type(source.types);
    for keyword in [Keyword::Title, Keyword::Description, Keyword::Required] {
        if let Some(part) = source.get(keyword) {
            root.put(keyword, part.clone());
        }
    }
    let closed = source
        .one(Keyword::AdditionalProperties)
        .filter(|rest| rest.never);
    if let Some(closed) = closed {
        let part = Part::One(Box::new(closed.clone()));
        root.put(Keyword::AdditionalProperties, part);
    }
    if source.has(Keyword::Properties) {
        let properties = source.map(Keyword::Properties).iter();
        let properties = properties.map(|(key, node)| (key.clone(), outline(node)));
        root.put(Keyword::Properties, Part::Map(properties.collect()));
    }
    Document {
        root,
        definitions: Definitions::new(),
        notes,
    }
}

fn outline(source: &Node) -> Node {
    let mut node = Node::of_type(source.types);
    node.never = source.never;
    if let Some(part) = source.get(Keyword::Description) {
        node.put(Keyword::Description, part.clone());
    }
    node
}
