//! Escapes text from files for HTML and XML. The module must not depend on the content of pages.

/// Escapes text for HTML, SVG and other XML, also inside quotes. Characters that change the text direction, and invalid
/// ones, become a replacement character.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push('\n'),
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            other if other.is_control() || is_no_character(other) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns true if Unicode guarantees that the code point is never a character.
fn is_no_character(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Escapes a relative path for a link. Only letters, digits and a few signs stay, so that a file name cannot become
/// another scheme, a query or a fragment.
pub fn link(path: &str) -> String {
    let mut link = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                link.push(byte.into())
            }
            other => link.push_str(&format!("%{other:02X}")),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_place() {
        assert_eq!(escaped("<a href='x'>\"&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;");
        assert_eq!(escaped("a\u{0}\u{202e}b\u{ffff}\u{1b}"), "a\u{fffd}\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(link("a b/ü#?.png"), "a%20b/%C3%BC%23%3F.png");
        assert_eq!(link("javascript:x"), "javascript%3Ax");
    }
}
