//! Reads Rust source as words and signs, far enough to tell what a file mentions.
//! It must not know which mention is forbidden.

/// The modules a file is: `src/model/gltf/mod.rs` is `model`, `gltf`.
pub fn modules(file: &str) -> Vec<&str> {
    let path = file.strip_prefix("src/").and_then(|path| path.strip_suffix(".rs")).unwrap_or(file);
    path.strip_suffix("/mod").unwrap_or(path).split('/').collect()
}

/// Something a file uses.
pub struct Mention {
    /// Where, counted from 1.
    pub line: usize,
    /// As [`mentions`] says.
    pub path: String,
}

/// Every path, macro and method in the program's part of a file. Paths are whole: groups of `use`
/// are taken apart, `super` and `self` become what they stand for.
pub fn mentions(file: &str, source: &str) -> Vec<Mention> {
    let tokens = without_tests(tokens(source));
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].is_word() {
            true => at = read_path(&tokens, at, "", &mut mentions),
            false => at += 1,
        }
    }
    for mention in &mut mentions {
        mention.path = resolve(file, &mention.path);
    }
    mentions
}

/// Reads the path that begins at a word, with all branches of its groups; returns where it ends.
fn read_path(tokens: &[Token], start: usize, prefix: &str, out: &mut Vec<Mention>) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut path = prefix.to_owned();
    let mut at = start;
    loop {
        if tokens.get(at).is_some_and(Token::is_word) {
            path += if path.is_empty() { "" } else { "::" };
            path += text(at);
            at += 1;
        } else if text(at) == "{" {
            at += 1;
            while at < tokens.len() && text(at) != "}" {
                at = match tokens[at].is_word() {
                    true => read_path(tokens, at, &path, out),
                    false => at + 1,
                };
            }
            return at + 1;
        }
        // A path may begin with `::`, which then belongs to it and not to the word before.
        let keyword = ["use", "as", "impl", "for", "dyn", "in", "return"].contains(&path.as_str());
        if text(at) != "::" || keyword {
            break;
        }
        at += 1;
    }
    if text(at) == "!" && text(at + 1) != "=" {
        path += "!";
    }
    if start > 0 && text(start - 1) == "." {
        path.insert(0, '.');
    }
    out.push(Mention { line: tokens[start].line, path });
    at
}

/// The path from the crate's root on; the program calls its library `sinew`.
fn resolve(file: &str, path: &str) -> String {
    let mut module = modules(file);
    let mut rest: Vec<&str> = path.split("::").collect();
    match rest[0] {
        "super" | "self" => {
            while let Some(step @ ("super" | "self")) = rest.first().copied() {
                if step == "super" {
                    module.pop();
                }
                rest.remove(0);
            }
            ["crate"].iter().chain(&module).chain(&rest).copied().collect::<Vec<_>>().join("::")
        }
        "sinew" => format!("crate::{}", rest[1..].join("::")),
        _ => path.to_owned(),
    }
}

/// A word or a sign of a source text.
struct Token {
    line: usize,
    text: String,
}

impl Token {
    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The words and signs of a source text, without comments, strings and lifetimes.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (length, is_token) = match c {
            _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            _ if rest.starts_with("/*") => (block_comment(rest), false),
            '"' => (quoted(rest), false),
            'r' | 'b' | 'c' if raw_string(rest).is_some() => (raw_string(rest).unwrap_or(1), false),
            '\'' => (quote(rest), false),
            _ if word > 0 => (word, true),
            _ if rest.starts_with("::") => (2, true),
            _ => (c.len_utf8(), !c.is_whitespace()),
        };
        let (text, after) = rest.split_at(length);
        if is_token {
            tokens.push(Token { line, text: text.to_owned() });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    tokens
}

/// The length of the comment that `text` begins with; comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text[at..];
        if rest.is_empty() {
            return at;
        } else if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// The length of the string or character literal that `text` begins with, up to the same quote.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let quote = text.chars().next();
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if Some(c) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of `r"…"`, `r#"…"#`, `br"…"` or `cr"…"` at the start of `text`.
fn raw_string(text: &str) -> Option<usize> {
    let hashes_on = text.trim_start_matches(['b', 'c']).strip_prefix('r')?;
    let string = hashes_on.trim_start_matches('#');
    let end = format!("\"{}", "#".repeat(hashes_on.len() - string.len()));
    let body = string.strip_prefix('"')?;
    Some(text.len() - body.len() + body.find(&end)? + end.len())
}

/// The length of a character literal or a lifetime at the start of `text`.
fn quote(text: &str) -> usize {
    let mut letters = text.chars().skip(1);
    match (letters.next(), letters.next()) {
        (Some('\\'), _) | (_, Some('\'')) => quoted(text),
        _ => 1 + text[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0),
    }
}

/// Takes out each item that `#[cfg(test)]` stands before.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        kept.push(token);
        let tail = kept.len().saturating_sub(MARK.len());
        if !kept[tail..].iter().map(|token| token.text.as_str()).eq(MARK) {
            continue;
        }
        kept.truncate(tail);
        let mut depth = 0;
        for token in rest.by_ref() {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && ["}", ";"].contains(&token.text.as_str()) {
                break;
            }
        }
    }
    kept
}
