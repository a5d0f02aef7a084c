//! The figures as JSON for machines and as tables for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::engine::Kind;
use crate::metrics::Figures;
use crate::scale::Row;

/// The languages of a set's tools and questions; each has a mean of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Languages {
    English,
    Chinese,
    /// Tools in one, questions in the other.
    Crossing,
}

impl Languages {
    const ALL: [Self; 3] = [Self::English, Self::Chinese, Self::Crossing];

    fn key(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::Chinese => "chinese",
            Self::Crossing => "crossing",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Chinese => "Chinese",
            Self::Crossing => "one language for the other",
        }
    }
}

/// What was measured of one set.
pub struct SetReport {
    pub name: String,
    pub tools: usize,
    pub questions: usize,
    pub languages: Languages,
    pub figures: Vec<(Kind, Figures)>,
}

impl SetReport {
    fn of(&self, kind: Kind) -> Figures {
        let found = self.figures.iter().find(|(k, _)| *k == kind);
        found.map(|(_, figures)| *figures).unwrap_or_default()
    }

    /// The figures of the engine that ships.
    pub fn toolcrib(&self) -> Figures {
        self.of(Kind::Toolcrib)
    }
}

/// The means over sets of the same languages.
fn macro_mean(sets: &[SetReport], languages: Languages, kind: Kind) -> Figures {
    let sets = sets.iter().filter(|set| set.languages == languages);
    Figures::mean(&sets.map(|set| set.of(kind)).collect::<Vec<_>>())
}

/// Set → figures of Toolcrib, number of questions and tools, figures of the other engines.
/// `macro` holds the means over the English sets, the Chinese ones and those between the two.
pub fn json(sets: &[SetReport]) -> Value {
    let mut report = Map::new();
    for set in sets {
        let mut entry = figures(set.toolcrib());
        entry.insert("queries".into(), set.questions.into());
        entry.insert("tools".into(), set.tools.into());
        entry.insert("others".into(), others(|kind| set.of(kind), &set.figures));
        report.insert(set.name.clone(), entry.into());
    }
    let mut means = Map::new();
    for languages in Languages::ALL {
        if let Some(set) = sets.iter().find(|set| set.languages == languages) {
            let mut entry = figures(macro_mean(sets, languages, Kind::Toolcrib));
            entry.insert(
                "others".into(),
                others(|kind| macro_mean(sets, languages, kind), &set.figures),
            );
            means.insert(languages.key().into(), entry.into());
        }
    }
    report.insert("macro".into(), means.into());
    report.into()
}

fn figures(figures: Figures) -> Map<String, Value> {
    match json!(figures) {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn others(of: impl Fn(Kind) -> Figures, measured: &[(Kind, Figures)]) -> Value {
    let others = measured.iter().filter(|(kind, _)| *kind != Kind::Toolcrib);
    others
        .map(|&(kind, _)| (kind.key().to_owned(), json!(of(kind))))
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .collect()
}

/// The table of all sets, in Markdown; a column for each engine that was measured.
pub fn table(sets: &[SetReport]) -> String {
    let measured = sets
        .first()
        .map(|set| set.figures.as_slice())
        .unwrap_or_default();
    let kinds: Vec<Kind> = measured.iter().map(|(kind, _)| *kind).collect();
    let mut out = String::from("| set | tools | questions |");
    kinds
        .iter()
        .for_each(|kind| _ = write!(out, " {} |", kind.title()));
    out.push_str("\n|---|--:|--:|");
    out.push_str(&"---|".repeat(kinds.len()));
    out.push('\n');
    let mut row = |head: String, of: &dyn Fn(Kind) -> Figures| {
        out.push_str(&head);
        kinds
            .iter()
            .for_each(|kind| _ = write!(out, " {} |", cell(of(*kind))));
        out.push('\n');
    };
    for set in sets {
        let head = format!("| {} | {} | {} |", set.name, set.tools, set.questions);
        row(head, &|kind| set.of(kind));
    }
    for languages in Languages::ALL {
        let count = sets.iter().filter(|set| set.languages == languages).count();
        if count > 0 {
            let head = format!("| **mean, {}** ({count}) | | |", languages.title());
            row(head, &|kind| macro_mean(sets, languages, kind));
        }
    }
    out
}

fn cell(f: Figures) -> String {
    let all =
        [f.hit1, f.recall5, f.recall10, f.ndcg10].map(|x| format!("{x:.3}").replacen("0.", ".", 1));
    format!("{} / {} / {} / **{}**", all[0], all[1], all[2], all[3])
}

/// The table of pools grown with unrelated tools, in Markdown.
pub fn scale_table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| set | unrelated tools added | hit@1 / recall@5 / recall@10 / **nDCG@10** |\n|---|--:|---|\n",
    );
    for row in rows {
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            row.set,
            row.added,
            cell(row.figures)
        );
    }
    out
}

/// Replaces what stands between the markers of `part` in a Markdown text.
pub fn replace_part(text: &str, part: &str, content: &str) -> Result<String, String> {
    let (begin, end) = (
        format!("<!-- {part}: begin -->\n"),
        format!("<!-- {part}: end -->"),
    );
    let missing = || format!("no markers of {part:?}");
    let start = text.find(&begin).ok_or_else(missing)? + begin.len();
    let stop = start + text[start..].find(&end).ok_or_else(missing)?;
    Ok([&text[..start], content, &text[stop..]].concat())
}
