//! Stub to compile against.
#![allow(missing_docs, unused)]
use roaring::RoaringBitmap;
use std::sync::Arc;
pub struct Document<'a> {
    pub name: &'a str,
    pub local_name: &'a str,
    pub title: Option<&'a str>,
    pub description: &'a str,
    pub domain: Option<&'a str>,
    pub tags: Vec<&'a str>,
    pub keywords: Vec<&'a str>,
    pub source: &'a str,
    pub source_description: &'a str,
    pub input_schema: &'a serde_json::Value,
}
#[derive(Debug, Clone)]
pub struct SearchIndex {
    docs: std::collections::BTreeMap<u32, (String, String)>,
}
#[derive(Debug)]
pub struct Scope(Arc<RoaringBitmap>);
pub struct Query<'a> {
    pub text: &'a str,
    pub limit: usize,
    pub filter: Option<&'a RoaringBitmap>,
}
pub struct Hit {
    pub slot: u32,
    pub score: f32,
}
pub struct IndexEditor(SearchIndex);
impl SearchIndex {
    pub fn new() -> Self {
        Self {
            docs: Default::default(),
        }
    }
    pub fn edit(&self) -> IndexEditor {
        IndexEditor(self.clone())
    }
    pub fn scope(&self, view: Arc<RoaringBitmap>) -> Scope {
        Scope(view)
    }
    pub fn search(&self, scope: &Scope, query: &Query<'_>) -> Vec<Hit> {
        let mut v: Vec<_> = self
            .docs
            .iter()
            .filter(|(s, _)| scope.0.contains(**s) && query.filter.is_none_or(|f| f.contains(**s)))
            .map(|(s, d)| {
                (
                    query
                        .text
                        .split_whitespace()
                        .filter(|w| d.1.contains(&w.to_lowercase()))
                        .count(),
                    &d.0,
                    *s,
                )
            })
            .filter(|x| x.0 > 0)
            .collect();
        v.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        v.into_iter()
            .take(query.limit)
            .map(|x| Hit {
                slot: x.2,
                score: x.0 as f32,
            })
            .collect()
    }
    pub fn near_names(&self, scope: &Scope, text: &str, limit: usize) -> Vec<u32> {
        self.docs
            .iter()
            .filter(|(s, d)| scope.0.contains(**s) && d.0.contains(text))
            .map(|(s, _)| *s)
            .take(limit)
            .collect()
    }
}
impl IndexEditor {
    pub fn insert(&mut self, slot: u32, doc: &Document<'_>) {
        self.0.docs.insert(
            slot,
            (
                doc.name.into(),
                format!("{} {}", doc.name, doc.description).to_lowercase(),
            ),
        );
    }
    pub fn remove(&mut self, slot: u32) {
        self.0.docs.remove(&slot);
    }
    pub fn finish(self) -> SearchIndex {
        self.0
    }
}
