//! Counts what JSON takes once it is parsed.

/// Memory of a JSON object, with everything derived from it: a map of one member has capacity for eleven, and lists
/// have up to twice the capacity they need.
const PER_OBJECT: u64 = 768;

/// Memory of a character outside strings: two make a number in a list of values of any kind.
const PER_CHARACTER: u64 = 32;

/// Memory of a character in a string: its copies while escapes and base64 are decoded.
const PER_STRING_CHARACTER: u64 = 4;

/// The most that JSON text may become once it is parsed.
pub fn memory(text: &[u8]) -> u64 {
    let (mut objects, mut characters, mut in_strings) = (0_u64, 0_u64, 0_u64);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' if !in_string => objects = objects.saturating_add(1),
            _ => {}
        }
        let counted = if in_string { &mut in_strings } else { &mut characters };
        *counted = counted.saturating_add(1);
    }
    let of = |count: u64, size: u64| count.saturating_mul(size);
    of(objects, PER_OBJECT)
        .saturating_add(of(characters, PER_CHARACTER))
        .saturating_add(of(in_strings, PER_STRING_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hold_no_objects() {
        // The quote that ends a string counts as outside.
        assert_eq!(memory(b"{}"), 768 + 2 * 32);
        assert_eq!(memory(br#"{"a{":[]}"#), 768 + 6 * 32 + 3 * 4);
        assert_eq!(memory(br#"["\"{\\",{}]"#), 768 + 6 * 32 + 6 * 4);
    }
}
