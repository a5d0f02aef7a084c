//! Fails a change that makes search worse.

use std::collections::BTreeMap;
use std::path::Path;

use crate::metrics::Figures;

/// nDCG@10 of each set, as recorded.
type Recorded = BTreeMap<String, f64>;

/// How far a set may fall under its recorded figure: small sets are noisy.
fn tolerance(set: &str) -> f64 {
    match set {
        "livemcpbench" | "restbench-tmdb" | "restbench-spotify" => 0.03,
        "acebench-zh-en" | "docker-zh" | "livemcpbench-zh" => 0.03,
        _ => 0.01,
    }
}

/// The complaints about `measured`, one for each set that fell too far or is missing.
pub fn complaints(
    file: &Path,
    measured: &BTreeMap<String, Figures>,
) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let recorded: Recorded =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    let complaint = |(set, &before): (&String, &f64)| match measured.get(set) {
        None => Some(format!("{set}: not measured")),
        Some(now) if now.ndcg10 < before - tolerance(set) => Some(format!(
            "{set}: nDCG@10 {:.4}, recorded {before:.4}",
            now.ndcg10
        )),
        Some(_) => None,
    };
    Ok(recorded.iter().filter_map(complaint).collect())
}

/// Makes `measured` the figures to hold.
pub fn record(file: &Path, measured: &BTreeMap<String, Figures>) -> Result<(), String> {
    let round = |f: f64| (f * 10_000.0).round() / 10_000.0;
    let recorded: Recorded = measured
        .iter()
        .map(|(set, f)| (set.clone(), round(f.ndcg10)))
        .collect();
    let text = serde_json::to_string_pretty(&recorded).map_err(|e| e.to_string())?;
    std::fs::write(file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_beyond_the_tolerance_is_a_complaint() {
        let folder = std::env::temp_dir().join(format!("toolcrib-gate-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("recorded.json");
        let figures = |ndcg10| Figures {
            ndcg10,
            ..Figures::default()
        };
        let sets = |a, b| {
            BTreeMap::from([
                ("bfcl".to_owned(), figures(a)),
                ("restbench-tmdb".to_owned(), figures(b)),
            ])
        };
        record(&file, &sets(0.8, 0.5)).unwrap();
        assert!(complaints(&file, &sets(0.791, 0.475)).unwrap().is_empty());
        assert_eq!(complaints(&file, &sets(0.785, 0.475)).unwrap().len(), 1);
        assert_eq!(complaints(&file, &BTreeMap::new()).unwrap().len(), 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
