//! Checks of a layer's bytes before the library reads them. Its parser recurses, and it takes the memory that a file asks
//! for.

use super::binary;

/// The deepest nesting of brackets in a text layer.
const MAX_DEPTH: usize = 128;

/// Checks a layer.
///
/// # Errors
/// If the library would not survive it.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    if bytes.starts_with(b"PXR-USDC") {
        return binary::check(bytes);
    }
    if !bytes.starts_with(b"#usda") {
        return Err("it is neither a text nor a binary layer".into());
    }
    match depth(bytes) {
        depth if depth > MAX_DEPTH => Err(format!("its brackets are more than {MAX_DEPTH} deep")),
        _ => Ok(()),
    }
}

/// The deepest nesting of brackets outside strings.
fn depth(text: &[u8]) -> usize {
    let (mut depth, mut most) = (0usize, 0usize);
    let (mut quote, mut in_comment, mut escaped) = (None, false, false);
    for byte in text {
        if let Some(open) = quote {
            let ends = *byte == open && !escaped || *byte == b'\n';
            escaped = *byte == b'\\' && !escaped;
            quote = if ends { None } else { quote };
            continue;
        }
        match byte {
            b'\n' => in_comment = false,
            _ if in_comment => {}
            b'#' => in_comment = true,
            b'"' | b'\'' => quote = Some(*byte),
            b'{' | b'(' | b'[' => {
                depth = depth.saturating_add(1);
                most = most.max(depth);
            }
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn deep_text_is_refused() {
        let nested = |depth: usize| format!("#usda 1.0\n# (((\ndef \"((((\" {}", "(".repeat(depth));
        assert_eq!(check(nested(128).as_bytes()), Ok(()));
        assert!(check(nested(129).as_bytes()).is_err());
        assert!(check(b"glTF").is_err());
    }
}
