use crate::{Limits, json};

/// What the model reads of a result; the whole of it stays with the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The text, at most `preview_bytes` long, the remark about what was cut included.
    pub text: String,
    /// Bytes of the whole result.
    pub total_bytes: usize,
    /// Whether something was cut.
    pub truncated: bool,
}

impl Preview {
    /// The beginning of `text`, cut between characters, and where it was cut a remark that says so.
    ///
    /// ```
    /// use toolcrib_core::{Limits, call::Preview};
    ///
    /// let whole = Preview::of("order 1042: shipped", &Limits::default());
    /// assert_eq!((whole.text.as_str(), whole.truncated), ("order 1042: shipped", false));
    /// ```
    #[must_use]
    pub fn of(text: &str, limits: &Limits) -> Self {
        let total_bytes = text.len();
        if total_bytes <= limits.preview_bytes {
            return Self {
                text: text.to_owned(),
                total_bytes,
                truncated: false,
            };
        }
        let lines = text.lines().count();
        // No remark is longer than one with every number at its largest.
        let room = limits
            .preview_bytes
            .saturating_sub(remark(total_bytes, total_bytes, lines).len());
        let shown = json::cut(text, room);
        let hidden_lines = text[shown.len()..].lines().count();
        let mut cut = shown.to_owned() + &remark(shown.len(), total_bytes, hidden_lines);
        cut.truncate(cut.floor_char_boundary(limits.preview_bytes));
        Self {
            text: cut,
            total_bytes,
            truncated: true,
        }
    }
}

fn remark(shown: usize, total: usize, hidden_lines: usize) -> String {
    format!("\n[cut: the first {shown} of {total} bytes; {hidden_lines} more lines are not shown]")
}
