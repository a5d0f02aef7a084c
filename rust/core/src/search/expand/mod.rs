//! Words that may stand for a word of a query: `teammate` for `colleague`, `repo` for `repository`.
//!
//! A table that comes with the library; nothing is learned from tools. It is used where it lies in
//! the binary, without being read in. `scripts/expansion` makes it, from freely licensed word
//! vectors and a short list of abbreviations and actions written by hand.
//!
//! Format, numbers little-endian:
//!
//! | part | what |
//! |---|---|
//! | `tcx1` | four bytes |
//! | u32 | number of terms, n |
//! | (n + 1) × u32 | where each term begins in the text; the last is its length |
//! | (n + 1) × u32 | where the relations of each term begin, counted in relations |
//! | relations × (u16, u8) | number of the related term, weight in 1/256 |
//! | text | the terms, in order of their bytes |

const MAGIC: &[u8] = b"tcx1";
const HEADER: usize = 8;
const RELATION: usize = 3;

/// Terms as the analyzer makes them, with related terms.
static RELATED: &[u8] = include_bytes!("related.bin");

/// Terms that may stand for `term`, each with a weight above 0 and below 1, the best first.
pub(super) fn related(term: &str) -> impl Iterator<Item = (&'static str, f32)> + use<> {
    let table = Table::open(RELATED);
    let found = table.and_then(|table| Some((table, table.position(term)?)));
    found
        .into_iter()
        .flat_map(|(table, at)| table.relations(at))
}

/// A table over its bytes. Whatever the bytes are, reading gives a value or `None`.
#[derive(Clone, Copy)]
struct Table {
    bytes: &'static [u8],
    terms: usize,
}

impl Table {
    fn open(bytes: &'static [u8]) -> Option<Self> {
        if !bytes.starts_with(MAGIC) {
            return None;
        }
        let terms = read_u32(bytes, MAGIC.len())?;
        Some(Self { bytes, terms })
    }

    fn position(self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.terms);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.text(middle)?.cmp(term.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn term(self, at: usize) -> Option<&'static str> {
        std::str::from_utf8(self.text(at)?).ok()
    }

    fn text(self, at: usize) -> Option<&'static [u8]> {
        let relations = self.start(self.terms)?;
        let text = HEADER + 2 * 4 * (self.terms + 1) + relations * RELATION;
        let begin = read_u32(self.bytes, HEADER + 4 * at)?;
        let end = read_u32(self.bytes, HEADER + 4 * (at + 1))?;
        self.bytes.get(text + begin..text + end)
    }

    /// Where the relations of the term `at` begin.
    fn start(self, at: usize) -> Option<usize> {
        read_u32(self.bytes, HEADER + 4 * (self.terms + 1 + at))
    }

    fn relations(self, at: usize) -> impl Iterator<Item = (&'static str, f32)> {
        let range = self.start(at).zip(self.start(at + 1));
        let (begin, end) = range.unwrap_or_default();
        (begin..end).filter_map(move |relation| {
            let relation = HEADER + 2 * 4 * (self.terms + 1) + relation * RELATION;
            let &[low, high, weight] = self.bytes.get(relation..)?.first_chunk()?;
            let term = self.term(usize::from(u16::from_le_bytes([low, high])))?;
            Some((term, f32::from(weight) / 256.0))
        })
    }
}

fn read_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*number)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound_from_end_to_end() {
        let table = Table::open(RELATED).unwrap();
        assert!(table.terms > 5_000);
        assert!(RELATED.len() < 1 << 20);
        let mut previous = "";
        for at in 0..table.terms {
            let term = table.term(at).unwrap();
            assert!(previous < term || at == 0);
            previous = term;
            let stated = table.start(at + 1).unwrap() - table.start(at).unwrap();
            let relations: Vec<_> = table.relations(at).collect();
            assert_eq!(relations.len(), stated);
            assert!(
                relations.is_sorted_by(|a, b| a.1 >= b.1),
                "{term}: the best comes first"
            );
            assert!(
                relations
                    .iter()
                    .all(|(other, weight)| *other != term && *weight > 0.0)
            );
        }
    }

    #[test]
    fn abbreviations_and_neighbours_are_related() {
        let related = |term| related(term).map(|(other, _)| other).collect::<Vec<_>>();
        assert!(related("repo").contains(&"repositori"));
        assert!(related("inbox").contains(&"email"));
        assert!(related("no such term").is_empty());
    }

    #[test]
    fn damaged_bytes_relate_nothing() {
        for bytes in [
            &b""[..],
            b"tcx",
            b"tcx1",
            b"tcx1\xff\xff\xff\x7f",
            b"tcx1\x01\0\0\0\0\0",
        ] {
            let table = Table::open(bytes);
            assert!(table.and_then(|table| table.position("a")).is_none());
        }
    }
}
