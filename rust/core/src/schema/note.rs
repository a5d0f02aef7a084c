use std::fmt;

/// What a change did to the set of arguments that a schema accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Another form of the same meaning.
    Rewritten,
    /// The declaration accepts less than the tool does.
    Narrowed,
    /// The declaration accepts more than the tool does; the call is still validated against the
    /// tool's own schema.
    Loosened,
}

/// One change that was made to a schema so that a provider accepts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// JSON Pointer to the changed place, read as if every `$ref` were replaced by what it names;
    /// empty for the schema itself.
    pub pointer: String,
    /// What was changed, usually a keyword.
    pub what: &'static str,
    /// Why, as a short clause.
    pub why: &'static str,
    /// What the change did to the meaning.
    pub effect: Effect,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}: {}: {}", self.pointer, self.what, self.why)
    }
}

/// Most notes kept for one declaration; a schema of a thousand odd places needs no thousand notes.
const MAX_NOTES: usize = 100;

/// Collects notes while a schema is walked, and knows where the walk is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    /// The strongest effect among notes that found no room.
    omitted: Option<Effect>,
    path: String,
    /// Inside `not`, `if` or `oneOf`, where accepting more below may mean accepting less above.
    inverted: usize,
}

impl Notes {
    pub(crate) fn add(&mut self, what: &'static str, why: &'static str, effect: Effect) {
        self.push(what, why, effect);
        match effect {
            Effect::Loosened if self.inverted > 0 => self.push(what, why, Effect::Narrowed),
            Effect::Narrowed if self.inverted > 0 => self.push(what, why, Effect::Loosened),
            _ => {}
        }
    }

    fn push(&mut self, what: &'static str, why: &'static str, effect: Effect) {
        if self.list.len() == MAX_NOTES {
            self.omitted = self.omitted.max(Some(effect));
            return;
        }
        self.list.push(Note {
            pointer: self.path.clone(),
            what,
            why,
            effect,
        });
    }

    /// Until the next [`Self::revert`], more and less may have changed places.
    pub(crate) fn invert(&mut self) {
        self.inverted += 1;
    }

    pub(crate) fn revert(&mut self) {
        self.inverted = self.inverted.saturating_sub(1);
    }

    /// Where the walk is, as a JSON Pointer.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Goes one step deeper; the answer brings [`Self::leave`] back.
    pub(crate) fn enter(&mut self, segment: &str) -> usize {
        let mark = self.path.len();
        self.path.push('/');
        push_escaped(&mut self.path, segment);
        mark
    }

    pub(crate) fn enter_index(&mut self, index: usize) -> usize {
        let mark = self.path.len();
        self.path.push_str(&format!("/{index}"));
        mark
    }

    pub(crate) fn leave(&mut self, mark: usize) {
        self.path.truncate(mark);
    }

    pub(crate) fn jump(&mut self, pointer: &str) {
        self.path.clear();
        self.path.push_str(pointer);
    }

    pub(crate) fn into_list(mut self) -> Vec<Note> {
        if let Some(effect) = self.omitted {
            self.list.push(Note {
                pointer: String::new(),
                what: "notes",
                why: "more changes of this kind than are listed",
                effect,
            });
        }
        self.list
    }
}

/// Appends one reference token of a JSON Pointer (RFC 6901).
pub(crate) fn push_escaped(pointer: &mut String, token: &str) {
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}
