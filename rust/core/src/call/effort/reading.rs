//! How long the patterns of a schema read in given arguments, text by text.

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::schema::pattern::Cost;

/// The patterns of one subschema, and where others apply, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub of_text: Vec<Cost>,
    pub of_names: Vec<Cost>,
    pub here: Vec<usize>,
    pub here_twice: bool,
    /// To the members of these names, to all others, and to any.
    pub named: FxHashMap<Box<str>, usize>,
    pub others: Option<usize>,
    pub members: Vec<usize>,
    /// To names, as if they were texts.
    pub names: Vec<usize>,
    /// To the first items, one to each, to those behind them, and to any.
    pub first_items: Vec<usize>,
    pub more_items: Vec<usize>,
    pub items: Vec<usize>,
}

/// Where in a schema texts are read.
#[derive(Debug)]
pub(super) struct Reading {
    /// By number; none where no pattern is ahead.
    texts: Box<[Option<Texts>]>,
}

#[derive(Clone, Copy)]
enum Read<'a> {
    Value(&'a Value),
    Name(&'a str),
}

/// Looking a value up under one subschema takes less than a step, but not nothing.
const LOOKUPS_PER_STEP: u64 = 4;

struct Count<'a> {
    texts: &'a [Option<Texts>],
    lookups: u64,
    steps: u64,
    limit: u64,
}

impl Reading {
    /// The first of `texts` is that of the schema itself.
    pub fn of(texts: Vec<Option<Texts>>) -> Self {
        Self {
            texts: texts.into(),
        }
    }

    /// Whether the patterns take no more than `limit` steps on `arguments`.
    pub fn is_within(&self, limit: u64, arguments: &Value) -> bool {
        let mut count = Count {
            texts: &self.texts,
            lookups: 0,
            steps: 0,
            limit,
        };
        count.add(0, Read::Value(arguments));
        !count.is_over()
    }
}

impl Count<'_> {
    fn is_over(&self) -> bool {
        self.steps.saturating_add(self.lookups / LOOKUPS_PER_STEP) > self.limit
    }

    fn add_each(&mut self, all: &[usize], read: Read<'_>) {
        all.iter().for_each(|&at| self.add(at, read));
    }

    fn add_text(&mut self, costs: &[Cost], text: &str) {
        for cost in costs {
            self.steps = self.steps.saturating_add(cost.steps(text.len()));
        }
    }

    /// Recursive: how deep evaluations nest was bounded when the schema was read.
    fn add(&mut self, at: usize, read: Read<'_>) {
        let Some(texts) = &self.texts[at] else {
            return;
        };
        self.lookups += 1;
        if self.is_over() {
            return;
        }
        for _ in 0..=u8::from(texts.here_twice) {
            self.add_each(&texts.here, read);
        }
        match read {
            Read::Name(text) => self.add_text(&texts.of_text, text),
            Read::Value(Value::String(text)) => self.add_text(&texts.of_text, text),
            Read::Value(Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let item = Read::Value(item);
                    match texts.first_items.get(index) {
                        Some(&first) => self.add(first, item),
                        None => self.add_each(&texts.more_items, item),
                    }
                    self.add_each(&texts.items, item);
                }
            }
            Read::Value(Value::Object(members)) => {
                for (name, member) in members {
                    self.add_text(&texts.of_names, name);
                    self.add_each(&texts.names, Read::Name(name));
                    let member = Read::Value(member);
                    if let Some(at) = texts.named.get(name.as_str()).copied().or(texts.others) {
                        self.add(at, member);
                    }
                    self.add_each(&texts.members, member);
                }
            }
            Read::Value(_) => {}
        }
    }
}
