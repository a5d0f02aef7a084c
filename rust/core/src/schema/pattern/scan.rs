//! Reads how large a regular expression is off its text, in one pass and without building anything
//! of it: what it is asked of may be too large to be parsed.

use std::{iter::Peekable, str::Chars};

/// A regular expression, or a part of one, as its engines see it. Numbers saturate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// States of its automaton, about.
    pub size: u64,
    /// States that may be active at one place of a text.
    pub width: u64,
    /// Characters that one match may take.
    pub length: u64,
    /// Whether it looks around or back, which no automaton can: it is tried by backtracking, and
    /// repeats what is easy in it as it is.
    pub is_hard: bool,
    /// How many parts of it may each end at any place, and something hard is asked from there.
    pub choices: u32,
    /// Such parts with nothing hard behind them so far.
    pub last_choices: u32,
    /// Of something hard, the most characters that what is easy in it reads in one go.
    pub reach: u64,
    /// Whether a part of what it matches is to be told, which may take tables of all its states.
    pub captures: bool,
}

/// Choices inside choices: as many ways as there are steps to take.
pub(super) const MANY_CHOICES: u32 = 64;

/// Of what is not in ECMAScript and may stand for anything, such as a call of another group.
const UNKNOWN: Extent = Extent {
    size: u64::MAX,
    width: u64::MAX,
    length: u64::MAX,
    is_hard: true,
    choices: MANY_CHOICES,
    last_choices: 0,
    reach: u64::MAX,
    captures: true,
};

/// What stands for one character: few ranges, any character but few, a property of Unicode.
const CHARACTER: u64 = 1;
const NOT_ASCII: u64 = 4;
const NEGATED: u64 = 20;
const UNICODE: u64 = 1_000;
/// Bytes of one character: all its places may be active.
const WIDTH_OF_UNICODE: u64 = 4;

/// Whether each count in braces counts, or one copy of all is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    Kept,
    Ignored,
}

/// The extent of `pattern`. What no engine takes has any.
pub(super) fn scan(pattern: &str, counts: Counts) -> Extent {
    // With blanks that say nothing, what is repeated is not what stands before the count.
    if sets_flag(pattern, 'x') {
        return UNKNOWN;
    }
    // Whatever is not read by the rules of ECMAScript keeps the classes of Unicode.
    let first = Scan::new(pattern, counts, false).run();
    match first.is_hard {
        true => Scan::new(pattern, counts, true).run(),
        false => first,
    }
}

/// Flags may be set anywhere: `(?i)`, `(?s-i:`, `(?mi)`.
fn sets_flag(pattern: &str, flag: char) -> bool {
    pattern.split("(?").skip(1).any(|rest| {
        let is_flag = |c: char| c.is_ascii_alphabetic() || c == '-';
        let flags = rest.split([')', ':']).next().unwrap_or_default();
        flags.contains(flag) && flags.chars().all(is_flag)
    })
}

/// A group that is still open: its branches so far, the branch that is being read, and the part
/// that a repetition behind it would repeat.
#[derive(Default)]
struct Open {
    branches: Option<Extent>,
    branch: Extent,
    last: Option<Extent>,
    is_repeated: bool,
    kind: GroupKind,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    #[default]
    Plain,
    LooksAround,
    Unknown,
}

struct Scan<'a> {
    left: Peekable<Chars<'a>>,
    counts: Counts,
    unicode: bool,
    any_case: u64,
}

impl<'a> Scan<'a> {
    fn new(pattern: &'a str, counts: Counts, unicode: bool) -> Self {
        Self {
            left: pattern.chars().peekable(),
            counts,
            unicode,
            any_case: if sets_flag(pattern, 'i') { 4 } else { 1 },
        }
    }

    fn run(mut self) -> Extent {
        let mut open = vec![Open::default()];
        while let Some(next) = self.left.next() {
            let is_inner = open.len() > 1;
            let Some(group) = open.last_mut() else { break };
            match next {
                '(' => {
                    let captures = self.left.peek() != Some(&'?');
                    let mut inner = Open {
                        kind: self.group_kind(),
                        ..Open::default()
                    };
                    inner.branch.captures = captures;
                    open.push(inner);
                }
                ')' if is_inner => {
                    let closed = open.pop().map(Open::close).unwrap_or_default();
                    if let Some(group) = open.last_mut() {
                        group.push(closed);
                    }
                }
                '|' => group.next_branch(),
                '*' | '+' => group.repeat(1, None),
                '?' => group.repeat(0, Some(1)),
                '{' => match self.count() {
                    Some((least, most)) if self.counts == Counts::Kept => {
                        group.repeat(least, most);
                    }
                    Some((least, most)) => group.repeat(least.min(1), most.map(|most| most.min(1))),
                    None => group.push(self.character('{')),
                },
                '^' | '$' => group.push(Extent {
                    size: 1,
                    ..Extent::default()
                }),
                '[' => {
                    let class = self.class();
                    group.push(class);
                }
                '.' => group.push(one(NEGATED)),
                '\\' => {
                    let escaped = self.escape();
                    group.push(escaped);
                }
                other => group.push(self.character(other)),
            }
        }
        let mut whole = Extent::default();
        // Groups that were never closed are no pattern; their size is kept all the same.
        while let Some(group) = open.pop() {
            whole = match open.last_mut() {
                Some(outer) => {
                    outer.push(group.close());
                    continue;
                }
                None => group.close(),
            };
        }
        whole
    }

    fn character(&self, character: char) -> Extent {
        let size = if character.is_ascii() {
            CHARACTER
        } else {
            NOT_ASCII
        };
        one(size * self.any_case)
    }

    /// Reads what stands behind the parenthesis of a group.
    fn group_kind(&mut self) -> GroupKind {
        if self.left.next_if_eq(&'?').is_none() {
            return GroupKind::Plain;
        }
        if self.left.next_if_eq(&'P').is_some() && !matches!(self.left.peek(), Some('<' | '=')) {
            return GroupKind::Unknown;
        }
        match self.left.peek() {
            Some(':') => {
                self.left.next();
                GroupKind::Plain
            }
            Some('=' | '!' | '>') => {
                self.left.next();
                GroupKind::LooksAround
            }
            Some('<') => {
                self.left.next();
                if self.left.next_if(|c| matches!(c, '=' | '!')).is_some() {
                    return GroupKind::LooksAround;
                }
                while self.left.next_if(|c| !matches!(c, '>' | ')')).is_some() {}
                self.left.next_if_eq(&'>');
                GroupKind::Plain
            }
            _ => self.flags(),
        }
    }

    /// Flags. Without a colon they end at once, as a group that holds nothing.
    fn flags(&mut self) -> GroupKind {
        let is_flag = |c: &char| matches!(c, 'i' | 'm' | 's' | 'u' | 'U' | '-');
        while self.left.next_if(is_flag).is_some() {}
        match self.left.peek() {
            Some(')') => GroupKind::Plain,
            Some(':') => {
                self.left.next();
                GroupKind::Plain
            }
            _ => GroupKind::Unknown,
        }
    }

    /// What a backslash leads in, outside of a class.
    fn escape(&mut self) -> Extent {
        let hard = Extent {
            size: 1,
            width: 1,
            is_hard: true,
            reach: u64::MAX,
            ..Extent::default()
        };
        match self.left.next() {
            Some('1'..='9' | 'k' | 'G' | 'K') => hard,
            Some('g') => UNKNOWN,
            Some('b' | 'B' | 'A' | 'z' | 'Z') => Extent {
                size: 2,
                ..Extent::default()
            },
            Some(name) => one(self.escaped(name)),
            None => Extent::default(),
        }
    }

    /// States of the escape `name`, whose argument is read.
    fn escaped(&mut self, name: char) -> u64 {
        match name {
            'p' | 'P' => {
                self.argument(1);
                UNICODE
            }
            'd' | 'w' if !self.unicode => CHARACTER * self.any_case,
            'W' | 'w' | 'd' | 'D' if self.unicode => UNICODE,
            's' | 'S' | 'W' | 'D' => NEGATED,
            'x' | 'u' | 'U' => {
                self.argument(match name {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                });
                NOT_ASCII * self.any_case
            }
            'c' => {
                self.argument(1);
                CHARACTER
            }
            'n' | 'r' | 't' | 'f' | 'v' | '0' | 'a' | 'e' => CHARACTER,
            other if other.is_ascii_alphabetic() => NEGATED,
            other => self.character(other).size,
        }
    }

    /// What belongs to an escape: `{…}`, or up to `most` letters and digits.
    fn argument(&mut self, most: usize) {
        if self.left.next_if_eq(&'{').is_some() {
            while self.left.next().is_some_and(|c| c != '}') {}
            return;
        }
        for _ in 0..most {
            self.left.next_if(char::is_ascii_alphanumeric);
        }
    }

    fn class(&mut self) -> Extent {
        let mut size = CHARACTER;
        if self.left.next_if_eq(&'^').is_some() {
            size = NEGATED;
        }
        // The bracket is one of the characters there, and other classes may stand in the class.
        let is_nested = self.left.next_if_eq(&']').is_some();
        let mut inner = 0;
        while let Some(next) = self.left.next() {
            match next {
                '[' if is_nested => inner += 1,
                ']' if inner > 0 => inner -= 1,
                ']' => break,
                '\\' => {
                    let escaped = self.left.next().map_or(0, |name| self.escaped(name));
                    if escaped > CHARACTER {
                        size = size.saturating_add(escaped);
                    }
                }
                other if !other.is_ascii() => {
                    size = size.saturating_add(NOT_ASCII * self.any_case);
                }
                _ => {}
            }
        }
        one(size.saturating_mul(self.any_case))
    }

    /// The rest of `{m}`, `{m,}` or `{m,n}`; what is no count is a brace like any character.
    fn count(&mut self) -> Option<(u64, Option<u64>)> {
        let mut ahead = self.left.clone();
        let least = number(&mut ahead);
        let most = match ahead.next_if_eq(&',') {
            Some(_) => number(&mut ahead),
            None => least,
        };
        let comma_only = least.is_none() && most.is_none();
        if comma_only || ahead.next() != Some('}') {
            return None;
        }
        self.left = ahead;
        Some((least.unwrap_or(0), most))
    }
}

/// Digits, with the blanks that some engines allow around them.
fn number(left: &mut Peekable<Chars<'_>>) -> Option<u64> {
    let mut number = None;
    while left.next_if(|c| c.is_ascii_whitespace()).is_some() {}
    while let Some(digit) = left.peek().and_then(|c| c.to_digit(10)) {
        left.next();
        let so_far: u64 = number.unwrap_or(0);
        number = Some(so_far.saturating_mul(10).saturating_add(digit.into()));
    }
    while left.next_if(|c| c.is_ascii_whitespace()).is_some() {}
    number
}

/// One character of a class whose automaton has `size` states.
fn one(size: u64) -> Extent {
    Extent {
        size,
        width: size.min(WIDTH_OF_UNICODE),
        length: 4,
        ..Extent::default()
    }
}

impl Open {
    fn push(&mut self, part: Extent) {
        self.settle();
        self.last = Some(part);
        self.is_repeated = false;
    }

    fn repeat(&mut self, least: u64, most: Option<u64>) {
        // Behind a repetition that sign makes it lazy.
        if self.is_repeated && (least, most) == (0, Some(1)) {
            return;
        }
        if let Some(part) = self.last.take() {
            self.last = Some(part.repeated(least, most));
            self.is_repeated = true;
        }
    }

    fn settle(&mut self) {
        if let Some(part) = self.last.take() {
            self.branch = self.branch.then(part);
        }
    }

    fn next_branch(&mut self) {
        self.settle();
        let branch = std::mem::take(&mut self.branch);
        self.branches = Some(match self.branches {
            Some(before) => before.or(branch),
            None => branch,
        });
    }

    fn close(mut self) -> Extent {
        self.settle();
        let mut whole = match self.branches {
            Some(before) => before.or(self.branch),
            None => self.branch,
        };
        if whole.captures {
            whole.size = whole.size.saturating_add(2);
        }
        if self.kind == GroupKind::Unknown {
            return UNKNOWN;
        }
        if self.kind == GroupKind::LooksAround {
            // Once it is decided what stands there, it is not asked in another way.
            whole.last_choices = 0;
            whole.reach = whole.reach.max(whole.length);
            whole.length = 0;
            whole.is_hard = true;
        }
        whole
    }
}

impl Extent {
    pub fn then(self, next: Self) -> Self {
        // What is easy on both sides may be read together.
        let length = self.easy_length().saturating_add(next.easy_length());
        let (choices, last_choices) = match next.is_hard {
            true => (self.last_choices, next.last_choices),
            false => (0, self.last_choices.saturating_add(next.last_choices)),
        };
        Self {
            size: self.size.saturating_add(next.size),
            width: self.width.saturating_add(next.width),
            length,
            is_hard: self.is_hard || next.is_hard,
            choices: choices
                .saturating_add(self.choices)
                .saturating_add(next.choices),
            last_choices,
            reach: self.reach.max(next.reach).max(length),
            captures: self.captures || next.captures,
        }
    }

    fn or(self, other: Self) -> Self {
        let last_choices = self.last_choices.saturating_add(other.last_choices);
        Self {
            size: self.size.saturating_add(other.size).saturating_add(1),
            length: self.length.max(other.length),
            choices: self.choices.saturating_add(other.choices),
            last_choices: last_choices.saturating_add(1),
            ..self.then(other)
        }
    }

    fn repeated(self, least: u64, most: Option<u64>) -> Self {
        let copies = most.unwrap_or(least).max(1);
        let width = self.width.saturating_mul(copies);
        let length = self.length.saturating_mul(most.unwrap_or(u64::MAX));
        let varies = u32::from(most != Some(least));
        // Each copy that may be missing has a way around it.
        let ways = if varies > 0 { copies } else { 0 };
        let size = self.size.saturating_mul(copies).saturating_add(ways);
        if !self.is_hard {
            return Self {
                size,
                width,
                length,
                last_choices: self.last_choices.saturating_add(varies),
                reach: length,
                ..self
            };
        }
        // What is hard in it comes again behind all that is chosen in it.
        let inside = self.choices.saturating_add(self.last_choices);
        Self {
            size,
            width,
            choices: if inside > 0 { MANY_CHOICES } else { varies },
            last_choices: 0,
            ..self
        }
    }

    fn easy_length(self) -> u64 {
        if self.is_hard { 0 } else { self.length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(pattern: &str) -> u64 {
        scan(pattern, Counts::Kept).size
    }

    #[test]
    fn sizes_follow_counts() {
        assert_eq!(size("a{9000}b"), 9_001);
        assert_eq!(size("(?:a{10}){20}"), 200);
        assert_eq!(size("(?:ab|c){3}"), 12);
        assert_eq!(size("a{x}"), 4);
        assert_eq!(size(r"[^a]{10}"), 10 * NEGATED);
        assert_eq!(size("a{99999999999999999999}"), u64::MAX);
        for property in [
            r"\pL",
            r"\p{L}",
            r"[\p{L}]",
            r"[]\pL]",
            r"[]a[b]\pL]",
            r"(?<a>\pL)",
        ] {
            let counted = format!("{property}{{100}}");
            assert!(size(&counted) >= 100 * UNICODE, "{counted}");
        }
    }

    #[test]
    fn what_may_stand_for_anything_is_too_large() {
        for pattern in [
            r"(?x)\pL {100}",
            r"(a)\g<1>",
            "(?R)",
            "(?&a)",
            "(?P>a)",
            "(?1)",
        ] {
            assert_eq!(size(pattern), u64::MAX, "{pattern}");
        }
        for pattern in ["(?i)a", "(?s-i:a)", "(?P<x>a)", "(?<x>a)", "(?=x:)"] {
            assert!(size(pattern) < 100, "{pattern}");
        }
    }

    #[test]
    fn choices_are_what_something_hard_follows() {
        let choices = |pattern| scan(pattern, Counts::Kept).choices;
        assert_eq!(choices(r"^(?!\s*$).+"), 0);
        assert_eq!(choices("^a*b*c*$"), 0);
        assert_eq!(choices("^a*(?=b)c*"), 1);
        assert_eq!(choices("^((?!forbidden).)*$"), 1);
        assert_eq!(choices("^(?:(?=a)a+)+$"), MANY_CHOICES);
        let reach = |pattern| scan(pattern, Counts::Kept).reach;
        assert_eq!(reach("^((?!forbidden).)*$"), 36);
        assert_eq!(reach("(?=[ab]*c)x"), u64::MAX);
    }
}
