use crate::Limits;

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
        // The remark is longest where the numbers are; what it takes is taken from the text.
        let room = limits
            .preview_bytes
            .saturating_sub(remark(total_bytes, text).len());
        let shown = crate::json::cut(text, room);
        let mut out = shown.to_owned();
        out.push_str(&remark(shown.len(), text));
        out.truncate(out.floor_char_boundary(limits.preview_bytes));
        Self {
            text: out,
            total_bytes,
            truncated: true,
        }
    }
}

fn remark(shown: usize, text: &str) -> String {
    let lines = text[shown.min(text.len())..].lines().count();
    format!(
        "\n[cut: the first {shown} of {total} bytes; {lines} more lines are not shown]",
        total = text.len()
    )
}
