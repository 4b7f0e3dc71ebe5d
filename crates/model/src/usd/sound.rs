//! Checks of a layer's bytes before the library reads them. Its parser recurses, and it takes the memory that a file asks
//! for.

/// The deepest nesting of brackets in a text layer.
const MAX_DEPTH: usize = 128;

/// Maximum number of expressions in a layer, in texts that begin with a backtick. One may need the next.
pub const MAX_EXPRESSIONS: usize = 64;

/// Checks a layer of text.
///
/// # Errors
/// If the library would not survive it.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"#usda") {
        return Err("it is neither a text nor a binary layer".into());
    }
    let Nesting { most, expressions, .. } = Nesting::of(bytes);
    if expressions > MAX_EXPRESSIONS {
        return Err(format!("it has more than {MAX_EXPRESSIONS} expressions"));
    }
    match most {
        depth if depth > MAX_DEPTH => Err(format!("its brackets are more than {MAX_DEPTH} deep")),
        _ => Ok(()),
    }
}

/// Checks a word of a binary layer: an expression in it may not be nested deeply.
///
/// Returns true for expressions; `None` for those that are too deep.
pub fn is_expression(word: &[u8]) -> Option<bool> {
    if word.first() != Some(&b'`') {
        return Some(false);
    }
    let mut nesting = Nesting::default();
    word.iter().for_each(|byte| nesting.bracket(*byte));
    (nesting.most <= MAX_DEPTH).then_some(true)
}

/// Brackets that are open, and the most that ever were.
#[derive(Default)]
struct Nesting {
    depth: usize,
    most: usize,
    expressions: usize,
}

impl Nesting {
    /// The nesting of brackets in a text, outside strings and inside expressions.
    fn of(text: &[u8]) -> Self {
        let mut nesting = Self::default();
        let (mut quote, mut in_comment, mut escaped, mut in_expression) = (None, false, false, false);
        let mut last = 0;
        for byte in text {
            if let Some(open) = quote {
                if *byte == b'`' && last == open {
                    in_expression = true;
                    nesting.expressions = nesting.expressions.saturating_add(1);
                }
                if in_expression {
                    nesting.bracket(*byte);
                }
                // Names of files have no escapes.
                let ends = *byte == open && !escaped || *byte == b'\n';
                escaped = *byte == b'\\' && !escaped && open != b'@';
                if ends {
                    (quote, in_expression) = (None, false);
                }
            } else {
                match byte {
                    b'\n' => in_comment = false,
                    _ if in_comment => {}
                    b'#' => in_comment = true,
                    b'"' | b'\'' | b'@' => quote = Some(*byte),
                    _ => nesting.bracket(*byte),
                }
            }
            last = *byte;
        }
        nesting
    }

    fn bracket(&mut self, byte: u8) {
        match byte {
            b'{' | b'(' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.most = self.most.max(self.depth);
            }
            b'}' | b')' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
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
        // A quote in the name of a file opens no string.
        let named = format!("#usda 1.0\nasset a = @\"@ {}", "(".repeat(200));
        assert!(check(named.as_bytes()).is_err());
        let expression = |depth: usize| format!("#usda 1.0\nstring a = \"`{}\"", "not(".repeat(depth));
        assert!(check(expression(100).as_bytes()).is_ok() && check(expression(200).as_bytes()).is_err());
        assert!(check(format!("#usda 1.0\n{}", "\"`a`\"\n".repeat(100)).as_bytes()).is_err());
    }
}
