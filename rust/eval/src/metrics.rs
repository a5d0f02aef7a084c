//! How good a ranking is: binary gains, all of gold wanted, ten results looked at.

use serde::Serialize;

/// Results looked at.
pub const DEPTH: usize = 10;

/// Means over the questions of one set, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, serde::Deserialize)]
pub struct Figures {
    #[serde(rename = "hit@1")]
    pub hit1: f64,
    #[serde(rename = "recall@5")]
    pub recall5: f64,
    #[serde(rename = "recall@10")]
    pub recall10: f64,
    #[serde(rename = "ndcg@10")]
    pub ndcg10: f64,
}

impl Figures {
    /// Figures of one answer: `found` from best to worst, `gold` what was wanted, both as indices.
    pub fn of(found: &[usize], gold: &[usize]) -> Self {
        let wanted = gold.len().max(1) as f64;
        let hits = |depth: usize| {
            found
                .iter()
                .take(depth)
                .filter(|t| gold.contains(t))
                .count() as f64
        };
        let gain = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
        let gained: f64 = found
            .iter()
            .take(DEPTH)
            .enumerate()
            .filter(|(_, tool)| gold.contains(tool))
            .map(|(rank, _)| gain(rank))
            .sum();
        let ideal: f64 = (0..gold.len().min(DEPTH)).map(gain).sum();
        Self {
            hit1: hits(1),
            recall5: hits(5) / wanted,
            recall10: hits(DEPTH) / wanted,
            ndcg10: if ideal > 0.0 { gained / ideal } else { 0.0 },
        }
    }

    /// The mean of `all`; zeros if there are none.
    pub fn mean(all: &[Self]) -> Self {
        let n = all.len().max(1) as f64;
        let mean = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>() / n;
        Self {
            hit1: mean(|f| f.hit1),
            recall5: mean(|f| f.recall5),
            recall10: mean(|f| f.recall10),
            ndcg10: mean(|f| f.ndcg10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two_at_the_second_place() {
        let figures = Figures::of(&[7, 3, 9], &[3, 4]);
        assert_eq!((figures.hit1, figures.recall5), (0.0, 0.5));
        let expected = (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2());
        assert!((figures.ndcg10 - expected).abs() < 1e-12);
    }
}
