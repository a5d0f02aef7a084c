//! What holds for every catalogue, view and query. `PROPTEST_CASES=10000` for a long run.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use roaring::RoaringBitmap;
use serde_json::{Value, json};
use toolcrib_core::search::analyze::Analyzer;
use toolcrib_core::search::{Document, Query, RELATIVE_FLOOR, Scope, SearchIndex};

/// Slots reach over several blocks of the index.
const SLOTS: u32 = 20_000;

#[derive(Debug, Clone)]
struct Tool {
    name: String,
    title: Option<String>,
    description: String,
    domain: Option<String>,
    tags: Vec<String>,
    keywords: Vec<String>,
    source: String,
    source_description: String,
    input_schema: Value,
}

impl Tool {
    fn document(&self) -> Document<'_> {
        Document {
            name: &self.name,
            local_name: &self.name,
            title: self.title.as_deref(),
            description: &self.description,
            domain: self.domain.as_deref(),
            tags: self.tags.iter().map(String::as_str).collect(),
            keywords: self.keywords.iter().map(String::as_str).collect(),
            source: &self.source,
            source_description: &self.source_description,
            input_schema: &self.input_schema,
        }
    }
}

/// Few words, so that they meet in many tools and scores are often equal.
fn word() -> impl Strategy<Value = &'static str> {
    select(vec![
        "create",
        "creates",
        "issue",
        "Issues",
        "get_weather",
        "getWeather",
        "weather",
        "repo",
        "repository",
        "mail",
        "HTTPServer",
        "v2",
        "list",
        "the",
        "Straße",
        "天气",
        "查询天气",
        "订单",
        "メール",
        "送信する",
        "날씨",
        "ｆｕｌｌ",
        "a",
        "2026",
    ])
}

fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(word(), words).prop_map(|words| words.join(" "))
}

fn tool() -> impl Strategy<Value = Tool> {
    let schema = vec((word(), text(0..4)), 0..3).prop_map(|parameters| {
        let properties: serde_json::Map<String, Value> = parameters
            .into_iter()
            .map(|(name, text)| {
                (
                    name.to_owned(),
                    json!({"description": text, "enum": [text]}),
                )
            })
            .collect();
        json!({"type": "object", "properties": properties})
    });
    let tags = || vec(word().prop_map(str::to_owned), 0..2);
    (
        option::of(text(0..3)),
        text(0..12),
        option::of(text(1..2)),
        tags(),
        tags(),
        (text(0..2), text(0..4), schema),
    )
        .prop_map(|(title, description, domain, tags, keywords, rest)| Tool {
            name: String::new(),
            title,
            description,
            domain,
            tags,
            keywords,
            source: rest.0,
            source_description: rest.1,
            input_schema: rest.2,
        })
}

/// Tools with distinct names at distinct slots.
fn catalogue(tools: std::ops::Range<usize>) -> impl Strategy<Value = BTreeMap<u32, Tool>> {
    let named = ((word(), word(), 0..SLOTS), tool());
    vec(named, tools).prop_map(|drawn| {
        let mut names = BTreeSet::new();
        drawn
            .into_iter()
            .map(|((first, second, slot), mut tool)| {
                tool.name = format!("{first}_{second}");
                if !names.insert(tool.name.clone()) {
                    tool.name = format!("{first}_{second}_{slot}");
                    names.insert(tool.name.clone());
                }
                (slot, tool)
            })
            .collect()
    })
}

fn queries() -> impl Strategy<Value = String> {
    prop_oneof![8 => text(1..8), 1 => any::<String>(), 1 => text(100..400)]
}

fn index(tools: &BTreeMap<u32, Tool>) -> SearchIndex {
    let mut editor = SearchIndex::new().edit();
    for (&slot, tool) in tools {
        editor.insert(slot, &tool.document());
    }
    editor.finish()
}

fn view(tools: &BTreeMap<u32, Tool>) -> RoaringBitmap {
    tools.keys().copied().collect()
}

/// Hits by name, with the bits of their scores.
fn hits(
    index: &SearchIndex,
    scope: &Scope,
    tools: &BTreeMap<u32, Tool>,
    query: &Query<'_>,
) -> Vec<(String, u32)> {
    let hits = index.search(scope, query).into_iter();
    hits.map(|hit| (tools[&hit.slot].name.clone(), hit.score.to_bits()))
        .collect()
}

fn query(text: &str, limit: usize) -> Query<'_> {
    Query {
        text,
        limit,
        filter: None,
    }
}

fn names(slots: &[u32], tools: &BTreeMap<u32, Tool>) -> Vec<String> {
    slots.iter().map(|slot| tools[slot].name.clone()).collect()
}

proptest! {
    /// Neither what others may see nor where tools lie can be told from results.
    #[test]
    fn a_view_gives_what_an_index_of_its_tools_alone_gives(
        tools in catalogue(0..60),
        seen in vec(any::<bool>(), 60),
        shift in 0..SLOTS,
        text in queries(),
        limit in 0..12usize,
    ) {
        let own: BTreeMap<u32, Tool> = tools
            .iter()
            .zip(&seen)
            .filter(|(_, seen)| **seen)
            .map(|((&slot, tool), _)| (slot, tool.clone()))
            .collect();
        let moved: BTreeMap<u32, Tool> = own
            .iter()
            .map(|(slot, tool)| ((slot + shift) % SLOTS, tool.clone()))
            .collect();
        let (shared, alone) = (index(&tools), index(&moved));
        let in_shared = shared.scope(&view(&own));
        let in_alone = alone.scope(&view(&moved));
        let query = query(&text, limit);
        prop_assert_eq!(
            hits(&shared, &in_shared, &own, &query),
            hits(&alone, &in_alone, &moved, &query)
        );
        prop_assert_eq!(
            names(&shared.near_names(&in_shared, &text, limit), &own),
            names(&alone.near_names(&in_alone, &text, limit), &moved)
        );
    }

    #[test]
    fn only_the_tools_count_and_not_how_they_came(
        tools in catalogue(0..40),
        others in catalogue(0..40),
        order in vec(any::<Index>(), 40),
        text in queries(),
    ) {
        let mut slots: Vec<u32> = tools.keys().copied().collect();
        for (i, with) in order.iter().enumerate().take(slots.len()) {
            let with = with.index(slots.len());
            slots.swap(i, with);
        }
        // Other tools come first; some are replaced, the rest removed, in edits of a few tools.
        let mut churned = index(&others);
        for some in slots.chunks(3) {
            let mut editor = churned.edit();
            for slot in some {
                editor.insert(*slot, &tools[slot].document());
                editor.remove(*slot);
                editor.insert(*slot, &tools[slot].document());
            }
            churned = editor.finish();
        }
        let mut editor = churned.edit();
        others.keys().filter(|slot| !tools.contains_key(slot)).for_each(|&slot| editor.remove(slot));
        editor.remove(SLOTS + 1);
        let churned = editor.finish();

        let straight = index(&tools);
        let everything: RoaringBitmap = (0..SLOTS).collect();
        let query = query(&text, 20);
        prop_assert_eq!(
            hits(&churned, &churned.scope(&everything), &tools, &query),
            hits(&straight, &straight.scope(&everything), &tools, &query)
        );
    }

    /// Passing over tools and blocks saves time and changes nothing.
    #[test]
    fn a_search_finds_what_scoring_every_tool_finds(
        tools in catalogue(0..80),
        text in queries(),
        limit in 1..8usize,
        narrowed in option::of(vec(any::<bool>(), 80)),
    ) {
        let index = index(&tools);
        let scope = index.scope(&view(&tools));
        let filter: Option<RoaringBitmap> = narrowed.map(|narrowed| {
            let kept = tools.keys().zip(narrowed).filter(|(_, kept)| *kept);
            kept.map(|(&slot, _)| slot).collect()
        });
        let query = Query { text: &text, limit, filter: filter.as_ref() };
        let mut expected: Vec<(f32, &str)> = tools
            .iter()
            .filter(|(slot, _)| filter.as_ref().is_none_or(|f| f.contains(**slot)))
            .map(|(&slot, tool)| (index.explain(&scope, &query, slot).score, tool.name.as_str()))
            .filter(|&(score, _)| score > 0.0)
            .collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let best = expected.first().map_or(0.0, |first| first.0);
        expected.retain(|&(score, _)| score >= best * RELATIVE_FLOOR * 0.999_99);
        expected.truncate(limit);
        let expected: Vec<(String, u32)> = expected
            .into_iter()
            .map(|(score, name)| (name.to_owned(), score.to_bits()))
            .collect();
        prop_assert_eq!(hits(&index, &scope, &tools, &query), expected);
    }

    #[test]
    fn contributions_add_up_to_the_score(tools in catalogue(1..30), text in queries()) {
        let index = index(&tools);
        let scope = index.scope(&view(&tools));
        for &slot in tools.keys() {
            let explanation = index.explain(&scope, &query(&text, 1), slot);
            let sum: f64 = explanation.contributions.iter().map(|c| f64::from(c.score)).sum();
            let score = f64::from(explanation.score);
            prop_assert!((sum - score).abs() <= 1e-5 * score.max(1.0), "{sum} is not {score}");
        }
    }

    #[test]
    fn near_names_are_in_the_view_and_within_the_limit(
        tools in catalogue(0..40),
        text in any::<String>(),
        limit in 0..5usize,
    ) {
        let index = index(&tools);
        let seen: RoaringBitmap = tools.keys().copied().step_by(2).collect();
        let scope = index.scope(&seen);
        let near = index.near_names(&scope, &text, limit);
        prop_assert!(near.len() <= limit);
        prop_assert!(near.iter().all(|&slot| seen.contains(slot)));
    }
}

/// Words that mean nothing, so that nothing stands for them.
const NONSENSE: [&str; 7] = [
    "blorp", "quuxel", "zmirk", "frobnol", "wexil", "drungo", "plimf",
];

fn nonsense(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = select(&NONSENSE[..]);
    vec(word, words).prop_map(|words| words.join(" "))
}

proptest! {
    /// With one field and no filter the scores are those of plain BM25. Each word is asked for once:
    /// the analyzer gives repetition in a query less weight than the crate does.
    #[test]
    fn one_field_scores_as_the_bm25_crate_does(
        descriptions in vec(nonsense(1..30), 1..40),
        asked in subsequence(&NONSENSE[..], 2..=NONSENSE.len()),
    ) {
        let schema = json!({});
        let asked = asked.join(" ");
        let mut editor = SearchIndex::new().edit();
        let names: Vec<String> = (0..descriptions.len()).map(|i| format!("t{i:03}")).collect();
        for (slot, (name, description)) in (0..).zip(names.iter().zip(&descriptions)) {
            editor.insert(slot, &Document {
                name, local_name: "", title: None, description, domain: None, tags: Vec::new(),
                keywords: Vec::new(), source: "", source_description: "", input_schema: &schema,
            });
        }
        let index = editor.finish();
        let scope = index.scope(&(0..SLOTS).collect());

        let corpus: Vec<&str> = descriptions.iter().map(String::as_str).collect();
        let oracle = bm25::SearchEngineBuilder::<u32, u64, Analyzer>::with_tokenizer_and_corpus(
            Analyzer, corpus,
        )
        .build();
        let expected: BTreeMap<u32, f32> = oracle
            .search(&asked, None)
            .into_iter()
            .map(|result| (result.document.id, result.score))
            .collect();
        for slot in 0..descriptions.len() as u32 {
            let score = index.explain(&scope, &query(&asked, 1), slot).score;
            let expected = expected.get(&slot).copied().unwrap_or(0.0);
            prop_assert!((score - expected).abs() <= 1e-4 * expected.max(1.0), "{score} is not {expected}");
        }
    }
}
