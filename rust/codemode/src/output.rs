//! What a script writes, and what the model reads of it.

/// Appends `output`; where it is longer than `bytes`, only its head and its tail, with a note
/// between them that says what is missing.
pub(crate) fn head_and_tail(text: &mut String, output: &str, bytes: usize) {
    if output.len() <= bytes {
        text.push_str(output);
        return;
    }
    let head = &output[..output.floor_char_boundary(bytes / 2)];
    let tail = &output[output.ceil_char_boundary(output.len() - bytes / 2)..];
    let missing = output.len() - head.len() - tail.len();
    text.push_str(head);
    text.push_str(&format!(
        "\n[cut: {missing} of {} bytes are missing here; filter in the script, or return less]\n",
        output.len()
    ));
    text.push_str(tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(output: &str, bytes: usize) -> String {
        let mut text = String::new();
        head_and_tail(&mut text, output, bytes);
        text
    }

    #[test]
    fn what_fits_is_whole() {
        assert_eq!(shown("0123456789", 10), "0123456789");
    }

    #[test]
    fn head_and_tail_stay_and_characters_stay_whole() {
        let text = shown("äbcdefghijklmnö", 6);
        assert!(text.starts_with("äb\n[cut: 11 of 17 bytes"), "{text}");
        assert!(text.ends_with("]\nnö"), "{text}");
        assert!(shown("äöü", 1).starts_with("\n[cut: 6 of 6 bytes"));
    }
}
