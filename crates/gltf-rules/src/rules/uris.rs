//! Checks the syntax of URIs, and what a `data:` URI declares.

use percent_encoding::percent_decode;

use crate::format::data_uri::is_data_uri;

/// Finds a defect in a URI; missing bytes are reported elsewhere.
pub fn fault(uri: &str) -> Option<&'static str> {
    if !is_data_uri(uri) {
        return plain_fault(uri);
    }
    let (header, data) = uri.get(5..)?.split_once(',')?;
    let mut parts = header.split(';').peekable();
    let mime = parts.next().unwrap_or_default();
    if !mime.is_empty() && mime.matches('/').count() != 1 {
        return Some("the type of a data: URI must be two words with a slash between");
    }
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        match part {
            "base64" if is_last => return base64_fault(data),
            part if part.contains('=') => {}
            part if is_last && part.eq_ignore_ascii_case("base64") => {
                return Some("'base64' must be written in small letters");
            }
            _ => return Some("parts behind the type must be name=value, or base64 at the end"),
        }
    }
    None
}

/// Returns the declared type of a `data:` URI.
pub fn data_type(uri: &str) -> Option<&str> {
    let header = uri.get(5..).filter(|_| is_data_uri(uri))?.split(',').next()?;
    header.split(';').next()
}

/// Decoders take base64 that is not padded as it should be, and the bits behind its last byte.
fn base64_fault(data: &str) -> Option<&'static str> {
    // The data may be megabytes, and only its length and its end are asked for.
    let letters = data.len().saturating_sub(data.matches('%').count().saturating_mul(2));
    let end = data.as_bytes().get(data.len().saturating_sub(ENDING)..).unwrap_or_default();
    let end: Vec<u8> = percent_decode(end).collect();
    let padding = end.iter().rev().take_while(|letter| **letter == b'=').count();
    if padding > 0 && !letters.is_multiple_of(4) {
        return Some("base64 is padded to a length that is not a multiple of four");
    }
    let unused = match letters.saturating_sub(padding) % 4 {
        2 => 0b1111,
        3 => 0b11,
        _ => 0,
    };
    let last = end.iter().rev().find(|letter| **letter != b'=').copied().unwrap_or(b'A');
    (sextet(last) & unused != 0).then_some("base64 has bits behind its last byte")
}

/// Number of bytes that hold the last character of base64 and its padding.
const ENDING: usize = 9;

/// Returns the value of a base64 character.
fn sextet(letter: u8) -> u8 {
    let from = |first: u8, value: u8| letter.wrapping_sub(first).wrapping_add(value);
    match letter {
        b'A'..=b'Z' => from(b'A', 0),
        b'a'..=b'z' => from(b'a', 26),
        b'0'..=b'9' => from(b'0', 52),
        b'+' | b'-' => 62,
        _ => 63,
    }
}

/// Checks scheme and authority by RFC 3986.
fn plain_fault(uri: &str) -> Option<&'static str> {
    let first = uri.split(['/', '?', '#']).next().unwrap_or_default();
    let mut rest = uri;
    if let Some((scheme, _)) = first.split_once(':') {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(is_letter) {
            return Some("the text before the colon is not a scheme");
        }
        rest = uri.get(scheme.len().saturating_add(1)..)?;
    }
    let machine = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    let host = machine.rsplit_once('@').map_or(machine, |(_, host)| host);
    let behind = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((_, behind)) => behind,
            None => return Some("a bracket is not closed"),
        },
        None => host.find(':').and_then(|colon| host.get(colon..)).unwrap_or_default(),
    };
    let port = behind.strip_prefix(':').unwrap_or_default();
    (!port.bytes().all(|digit| digit.is_ascii_digit())).then_some("the text after the colon is not a port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_uris_have_no_fault() {
        for uri in [
            "data:application/octet-stream;base64,AAAA",
            "data:application/octet-stream;base64,AA==",
            "data:application/octet-stream;base64,AA",
            "data:application/octet-stream;base64,AA%3D%3D",
            "data:application/octet-stream;base64,",
            "data:text/plain;charset=utf-8;base64,-_8=",
            "DATA:,x",
            "data:;base64,AA==",
            "a b/é.bin",
            "../x%20y.png",
            "C:/x.bin",
            "file:///x",
            "http://user@example.org:80/x?y#z",
            "http://[::1]:80/",
            "x/y:z",
            "",
        ] {
            assert_eq!(fault(uri), None, "{uri}");
        }
    }

    #[test]
    fn odd_uris_have_one() {
        for (uri, words) in [
            ("data:image;base64,AA==", "two words"),
            ("data:image/png/x;base64,AA==", "two words"),
            ("data:application/octet-stream;;base64,AA==", "name=value"),
            ("data:application/octet-stream; base64,AA==", "name=value"),
            ("data:application/octet-stream;base64;x=y,AA==", "name=value"),
            ("data:;BASE64,AA==", "small letters"),
            ("data:;base64,AA=", "padded"),
            ("data:;base64,AA%3d", "padded"),
            ("data:;base64,AB==", "bits behind"),
            ("data:;base64,AAB", "bits behind"),
            (":", "scheme"),
            ("1a:b", "scheme"),
            ("a_b:c", "scheme"),
            ("ä:b", "scheme"),
            ("http://[::1", "bracket"),
            ("//[", "bracket"),
            ("http://a:b", "port"),
            ("//a:b/c", "port"),
        ] {
            assert!(fault(uri).is_some_and(|fault| fault.contains(words)), "{uri}: {:?}", fault(uri));
        }
    }

    #[test]
    fn types_of_data_uris() {
        assert_eq!(data_type("data:Image/PNG;base64,AA"), Some("Image/PNG"));
        assert_eq!(data_type("DATA:,x"), Some(""));
        assert_eq!(data_type("a.png"), None);
        assert_eq!(data_type("data"), None);
    }
}
