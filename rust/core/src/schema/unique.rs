use std::collections::{HashMap, HashSet};

/// Names of which none is given twice: the first to ask for a name gets it, those behind get it
/// with a number.
#[derive(Debug, Default)]
pub(super) struct Unique {
    taken: HashSet<String>,
    /// The last number given behind each name; without it, names that are all alike would be
    /// counted from the start each time.
    last: HashMap<String, usize>,
}

impl Unique {
    pub(super) fn of(taken: HashSet<String>) -> Self {
        Self {
            taken,
            last: HashMap::new(),
        }
    }

    /// `base`, or `base`, `separator` and the first number from 2 on that makes a new name.
    pub(super) fn name(&mut self, base: String, separator: &str) -> String {
        if self.taken.insert(base.clone()) {
            return base;
        }
        let mut count = self.last.get(&base).copied().unwrap_or(1);
        let name = loop {
            count += 1;
            let name = format!("{base}{separator}{count}");
            if self.taken.insert(name.clone()) {
                break name;
            }
        };
        self.last.insert(base, count);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_taken_already_is_passed_over() {
        let mut names = Unique::of(HashSet::from(["a_3".to_owned()]));
        let given: Vec<String> = (0..4).map(|_| names.name("a".to_owned(), "_")).collect();
        assert_eq!(given, ["a", "a_2", "a_4", "a_5"]);
        assert_eq!(names.name("a_2".to_owned(), "_"), "a_2_2");
    }
}
