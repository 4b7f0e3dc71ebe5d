//! Rewrites numbers and the first line of text layers where OpenUSD reads them and the library does not.

/// Kind of the text at a place.
#[derive(Clone, Copy, PartialEq)]
enum Part<'a> {
    /// Words, numbers and punctuation.
    Plain,
    /// Text up to these letters: a string, a comment, an asset or a path.
    Until(&'a [u8]),
}

/// Openings of parts, longest first, with their ends.
const PARTS: [(&[u8], &[u8]); 9] = [
    (b"\"\"\"", b"\"\"\""),
    (b"'''", b"'''"),
    (b"@@@", b"@@@"),
    (b"\"", b"\""),
    (b"'", b"'"),
    (b"@", b"@"),
    (b"<", b">"),
    (b"#", b"\n"),
    (b"/*", b"*/"),
];

/// Returns the text with a zero on both sides of each point in a number, and with nothing after the version in its first
/// line; `None` if that is the text as it is.
pub fn rewritten(text: &[u8]) -> Option<Vec<u8>> {
    let first = text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len());
    let (head, body) = text.split_at_checked(first)?;
    let mut words = head.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut out = [words.next()?, b" ", words.next()?].concat();
    let (mut part, mut at, mut copied) = (Part::Plain, 0usize, 0usize);
    let mut is_changed = out != head;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let step = match part {
            Part::Until(end) if rest.starts_with(end) => {
                part = Part::Plain;
                end.len()
            }
            Part::Until(b"\"" | b"'") if rest.starts_with(b"\\") => 2,
            Part::Until(_) => 1,
            Part::Plain => match PARTS.iter().find(|(open, _)| rest.starts_with(open)) {
                Some((open, end)) => {
                    part = Part::Until(end);
                    open.len()
                }
                None => {
                    let [before, after] = zeros(body, at);
                    if before || after {
                        out.extend(body.get(copied..at).unwrap_or_default());
                        out.extend(before.then_some(b'0'));
                        out.push(b'.');
                        out.extend(after.then_some(b'0'));
                        copied = at.saturating_add(1);
                        is_changed = true;
                    }
                    1
                }
            },
        };
        at = at.saturating_add(step);
    }
    out.extend(body.get(copied..).unwrap_or_default());
    is_changed.then_some(out)
}

/// Returns true for each side of a point in a number that has no digit.
fn zeros(text: &[u8], at: usize) -> [bool; 2] {
    if text.get(at) != Some(&b'.') {
        return [false; 2];
    }
    let letter = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    let [before, after] = [letter(at.checked_sub(1)), letter(at.checked_add(1))];
    let is_end = |letter: u8| letter.is_ascii_whitespace() || b"()[]{},;:=+-".contains(&letter);
    // Digits that end a name are no number.
    let start = text.get(..at).unwrap_or_default();
    let digits = start.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits > 0 && is_end(letter(at.checked_sub(digits).and_then(|at| at.checked_sub(1))));
    [is_end(before) && after.is_ascii_digit(), is_number && (is_end(after) || matches!(after, b'e' | b'E'))]
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[test]
    fn points_have_digits_on_both_sides() {
        let body = |text: &str| {
            let all = rewritten(format!("#usda 1.0\n{text}").as_bytes());
            all.map(|all| String::from_utf8(all).unwrap().split_off(10))
        };
        assert_eq!(body("(.5, 1., -.25,2.e3) [ -3. ] 4.").unwrap(), "(0.5, 1.0, -0.25,2.0e3) [ -3.0 ] 4.0");
        assert_eq!(
            body("a = .5 'it is .5, \\'.5' .5 # .5\n.5").unwrap(),
            "a = 0.5 'it is .5, \\'.5' 0.5 # .5\n0.5"
        );
        assert_eq!(body("\"\"\".5 \".5\"\"\" .5").unwrap(), "\"\"\".5 \".5\"\"\" 0.5");
        for same in
            ["1.5 -0.25e3", "@./.5@ @@@ @.5@ @@@ </a/b.c1. >", "float a1.timeSamples = {0: 1}", "a1. b"]
        {
            assert_eq!(body(same), None, "{same}");
        }
    }

    #[test]
    fn the_first_line_ends_with_the_version() {
        let whole = |text: &str| rewritten(text.as_bytes()).map(|all| String::from_utf8(all).unwrap());
        assert_eq!(whole("#usda 1.0 # a\r\n(\n)").as_deref(), Some("#usda 1.0\r\n(\n)"));
        assert_eq!(whole("#usda  1.0").as_deref(), Some("#usda 1.0"));
        assert_eq!(whole("#usda 1.0"), None);
        assert_eq!(whole("#usda 1.0\n"), None);
        assert_eq!(whole("#usda"), None);
    }
}
