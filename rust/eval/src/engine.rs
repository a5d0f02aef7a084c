//! The engines that are compared, behind one question: which tools for this query?

use bm25::{Language, SearchEngine, SearchEngineBuilder};
use roaring::RoaringBitmap;
use toolcrib_core::search::{Document, Query, Scope, SearchIndex};

use crate::bag;
use crate::data::{SchemaText, Tool};
use crate::metrics::DEPTH;

/// Tools made searchable.
pub trait Engine {
    /// Positions of the tools found, best first, at most [`DEPTH`].
    fn search(&self, query: &str) -> Vec<usize>;
}

/// An engine by its column in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `toolcrib-core` as it ships.
    Toolcrib,
    /// BM25 over lower-cased words of name, description and parameter names.
    Plain,
    /// The bm25 crate with its own tokenizer, over all text of a tool.
    Bm25Crate,
    /// What tool search in agent runtimes does today, rebuilt from its description.
    OneBag,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Toolcrib, Self::Plain, Self::Bm25Crate, Self::OneBag];

    /// The key of this engine in the JSON report.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Toolcrib => "toolcrib",
            Self::Plain => "plain",
            Self::Bm25Crate => "bm25-crate",
            Self::OneBag => "one-bag",
        }
    }

    /// The heading of its column.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Toolcrib => "Toolcrib",
            Self::Plain => "plain BM25",
            Self::Bm25Crate => "`bm25` crate",
            Self::OneBag => "one bag",
        }
    }

    pub fn build(self, tools: &[&Tool]) -> Box<dyn Engine> {
        match self {
            Self::Toolcrib => Box::new(Toolcrib::new(tools)),
            Self::Plain => Box::new(bag::plain(tools)),
            Self::Bm25Crate => Box::new(Bm25Crate::new(tools)),
            Self::OneBag => Box::new(bag::one_bag(tools)),
        }
    }
}

struct Toolcrib {
    index: SearchIndex,
    scope: Scope,
}

impl Toolcrib {
    fn new(tools: &[&Tool]) -> Self {
        let mut editor = SearchIndex::new().edit();
        for (slot, tool) in (0..).zip(tools) {
            let document = Document {
                name: &tool.name,
                local_name: &tool.name,
                title: tool.title.as_deref(),
                description: &tool.description,
                domain: tool.category.as_deref(),
                tags: Vec::new(),
                keywords: Vec::new(),
                source: tool.server.as_deref().unwrap_or_default(),
                source_description: "",
                input_schema: &tool.schema,
            };
            editor.insert(slot, &document);
        }
        let index = editor.finish();
        let everything: RoaringBitmap = (0..tools.len() as u32).collect();
        let scope = index.scope(&everything);
        Self { index, scope }
    }
}

impl Engine for Toolcrib {
    fn search(&self, query: &str) -> Vec<usize> {
        let query = Query {
            text: query,
            limit: DEPTH,
            filter: None,
        };
        let hits = self.index.search(&self.scope, &query);
        hits.iter().map(|hit| hit.slot as usize).collect()
    }
}

struct Bm25Crate(SearchEngine<u32>);

impl Bm25Crate {
    fn new(tools: &[&Tool]) -> Self {
        let corpus = tools.iter().map(|tool| {
            let schema = SchemaText::of(&tool.schema);
            let parts = [&tool.name, &tool.description].into_iter();
            let parts = parts.chain(&schema.names).chain(&schema.texts);
            let parts = parts.chain(&tool.server).chain(&tool.category);
            parts.map(String::as_str).collect::<Vec<_>>().join(" ")
        });
        let corpus: Vec<String> = corpus.collect();
        Self(SearchEngineBuilder::<u32>::with_corpus(Language::English, corpus).build())
    }
}

impl Engine for Bm25Crate {
    fn search(&self, query: &str) -> Vec<usize> {
        let found = self.0.search(query, DEPTH);
        found
            .iter()
            .map(|result| result.document.id as usize)
            .collect()
    }
}
