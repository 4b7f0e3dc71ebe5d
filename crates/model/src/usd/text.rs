//! Rewrites numbers, types, files at times and the first line of text layers where OpenUSD reads them and the library does not.

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

/// Types that the library does not know, each with another for the same values.
const TYPES: [(&[u8], &[u8]); 34] = [
    (b"Vec2i", b"int2"),
    (b"Vec3i", b"int3"),
    (b"Vec4i", b"int4"),
    (b"Vec2h", b"half2"),
    (b"Vec3h", b"half3"),
    (b"Vec4h", b"half4"),
    (b"Vec2f", b"float2"),
    (b"Vec3f", b"float3"),
    (b"Vec4f", b"float4"),
    (b"Vec2d", b"double2"),
    (b"Vec3d", b"double3"),
    (b"Vec4d", b"double4"),
    (b"Point", b"point3d"),
    (b"PointFloat", b"point3f"),
    (b"Normal", b"normal3d"),
    (b"NormalFloat", b"normal3f"),
    (b"Vector", b"vector3d"),
    (b"VectorFloat", b"vector3f"),
    (b"Color", b"color3d"),
    (b"ColorFloat", b"color3f"),
    (b"Quath", b"quath"),
    (b"Quatf", b"quatf"),
    (b"Quatd", b"quatd"),
    (b"Matrix2d", b"matrix2d"),
    (b"Matrix3d", b"matrix3d"),
    (b"Matrix4d", b"matrix4d"),
    (b"Transform", b"matrix4d"),
    (b"Frame", b"frame4d"),
    (b"PointIndex", b"int"),
    (b"EdgeIndex", b"int"),
    (b"FaceIndex", b"int"),
    (b"uint", b"int64"),
    (b"uint64", b"int64"),
    (b"pathExpression", b"string"),
];

/// Returns the text with a zero on both sides of each point in a number, with types that the library knows, with files at times
/// in arrays and those in metadata as strings, and with nothing after the version in its first line; `None` if that is the text as it is.
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
            Part::Plain => match replaced(body, at) {
                Some((length, new)) => {
                    out.extend(body.get(copied..at).unwrap_or_default());
                    out.extend(new);
                    copied = at.saturating_add(length);
                    is_changed = true;
                    length
                }
                None => match PARTS.iter().find(|(open, _)| rest.starts_with(open)) {
                    Some((open, end)) => {
                        part = Part::Until(end);
                        open.len()
                    }
                    None => 1,
                },
            },
        };
        at = at.saturating_add(step);
    }
    out.extend(body.get(copied..).unwrap_or_default());
    is_changed.then_some(out)
}

/// The new form of what begins at a place, and the length of the old one; `None` if it may stay.
fn replaced(text: &[u8], at: usize) -> Option<(usize, Vec<u8>)> {
    match text.get(at)? {
        b'.' => {
            let [before, after] = zeros(text, at);
            let zero = |is: bool| if is { &b"0"[..] } else { &[] };
            (before || after).then(|| (1, [zero(before), b".", zero(after)].concat()))
        }
        b'@' => new_file(text, at),
        letter if letter.is_ascii_alphabetic() => {
            let is_start = !text.get(at.checked_sub(1)?).copied().is_some_and(is_in_name);
            if is_start { new_type(text.get(at..)?) } else { None }
        }
        _ => None,
    }
}

fn is_in_name(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || b"_:.".contains(&letter)
}

fn is_space(letter: &u8) -> bool {
    matches!(letter, b' ' | b'\t')
}

/// The new name of a type, which a name follows on the same line.
fn new_type(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let length = text.iter().take_while(|letter| is_in_name(**letter)).count();
    let (word, rest) = text.split_at_checked(length)?;
    let after = |rest: &[u8]| rest.iter().position(|letter| !is_space(letter));
    let mut name = rest.get(after(rest)?..)?;
    let is_array = name.first() == Some(&b'[');
    if let Some(rest) = name.strip_prefix(b"[") {
        let rest = rest.get(after(rest)?..)?.strip_prefix(b"]")?;
        name = rest.get(after(rest)?..)?;
    }
    if !name.first()?.is_ascii_alphabetic() && name.first() != Some(&b'_') {
        return None;
    }
    if word == b"asset" && !is_array {
        let name = name.split(|letter| !is_in_name(*letter)).next()?;
        return name.ends_with(b".timeSamples").then(|| (length, b"asset[]".to_vec()));
    }
    let (_, new) = TYPES.iter().find(|(old, _)| *old == word)?;
    // Only arrays of these types are not read.
    (is_array || !word.starts_with(b"uint")).then(|| (length, new.to_vec()))
}

/// The new form of a file's name: an array of it as the value at a time, and a string as metadata.
fn new_file(text: &[u8], at: usize) -> Option<(usize, Vec<u8>)> {
    let (before, text) = text.split_at_checked(at)?;
    let before = before.trim_ascii_end();
    let mark = text.get(..if text.starts_with(b"@@@") { 3 } else { 1 })?;
    let inside = text.get(mark.len()..)?;
    let is_metadata = match before.last()? {
        b':' => false,
        b'=' if has_metadata(before) => true,
        _ => return None,
    };
    let inside = inside.get(..inside.windows(mark.len()).position(|part| part == mark)?)?;
    let length = inside.len().checked_add(mark.len())?.checked_add(mark.len())?;
    if !is_metadata {
        return Some((length, [b"[", text.get(..length)?, b"]"].concat()));
    }
    let is_plain = !inside.iter().any(|letter| b"\"\\\n\r".contains(letter));
    is_plain.then(|| (length, [b"\"", inside, b"\""].concat()))
}

/// Returns true for text that ends with `name =`, where the name is alone on its line or in its brackets. An attribute's has a
/// type before it; words for arcs are no such names.
fn has_metadata(text: &[u8]) -> bool {
    let line =
        text.rsplit(|letter| matches!(letter, b'\n' | b'\r' | b'(' | b'{' | b';')).next().unwrap_or_default();
    let name = line.strip_suffix(b"=").unwrap_or_default().trim_ascii();
    let is_name = !name.is_empty() && name.iter().copied().all(is_in_name);
    is_name && ![&b"references"[..], b"payload", b"subLayers"].contains(&name)
}

/// Returns true for each side of a point in a number that has no digit.
fn zeros(text: &[u8], at: usize) -> [bool; 2] {
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
    fn types_have_the_names_of_today() {
        let body = |text: &str| {
            let all = rewritten(format!("#usda 1.0\n{text}").as_bytes());
            all.map(|all| String::from_utf8(all).unwrap().split_off(10))
        };
        for (old, new) in [
            ("Vec3f a", "float3 a"),
            ("custom PointFloat[] points = [(1, 2, 3)]", "custom point3f[] points = [(1, 2, 3)]"),
            ("uniform Transform [ ]\tbind", "uniform matrix4d [ ]\tbind"),
            ("{Vec2d a = (1, 2)}", "{double2 a = (1, 2)}"),
            ("uint[] a = [1]", "int64[] a = [1]"),
            ("asset a:b.timeSamples = {0: @a@, 1 :@@}", "asset[] a:b.timeSamples = {0: [@a@], 1 :[@@]}"),
            ("uint64 [] a", "int64 [] a"),
            ("(\n  file = @a.png@\n)", "(\n  file = \"a.png\"\n)"),
            ("float a (file=@@@a@b@@@)", "float a (file=\"a@b\")"),
            ("{0:\n@@@a@b@@@\n}", "{0:\n[@@@a@b@@@]\n}"),
        ] {
            assert_eq!(body(old).as_deref(), Some(new));
        }
        for same in [
            "int Point = 1",
            "float Vector\nfloat b",
            "def Transform \"A\"",
            "float3 a:Color b",
            "'Vec3f a'",
            "uint a = 1",
            "uint64 a = 1",
            "asset a = @a@",
            "(\nreferences = @a@\n)",
            "(\nprepend payload = @a@\n)",
            "(file = @\"@)",
            "asset[] a.timeSamples = {0: [@a@]}",
            "aVec3f a",
            "{0: @a",
        ] {
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
