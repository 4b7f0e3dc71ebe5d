//! A page of the lesson, read from its Markdown.

/// A page.
pub struct Page {
    text: &'static str,
}

impl Page {
    /// Takes the text of a page.
    pub fn new(text: &'static str) -> Self {
        Self { text }
    }

    /// Returns the title, without the number.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.split_once(". ").map_or(first, |(_, title)| title)
    }

    /// Returns the question of the step.
    pub fn question(&self) -> &'static str {
        self.text.lines().find_map(|line| line.strip_prefix("**")?.strip_suffix("**")).unwrap_or_default()
    }

    /// Returns the words of the command that draws the picture.
    pub fn command(&self) -> Vec<String> {
        let block = between(self.text, "```sh\n", "\n```").replace("\\\n", " ");
        shlex::split(&block).unwrap_or_default()
    }

    /// Returns the answer to the exercise, as one line.
    pub fn answer(&self) -> String {
        let folded = between(self.text, "</summary>", "</details>");
        plain(&folded.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the paragraphs without the picture, its command and the answer. Tables and formulas keep their lines.
    pub fn paragraphs(&self) -> Vec<String> {
        let before_answer = self.text.split("<details>").next().unwrap_or_default();
        let is_shown =
            |block: &&str| !block.is_empty() && !block.starts_with("![") && !block.starts_with("```");
        let paragraph = |block: &str| {
            if block.starts_with('|') {
                return table(block);
            }
            let keeps_lines = ["    ", "- ", "1. "].iter().any(|start| block.starts_with(start));
            let is_list = block.starts_with("- ") || block.starts_with("1. ");
            let mut out = String::new();
            for line in block.lines() {
                // An item of a list goes on in lines that begin with spaces.
                let goes_on = !keeps_lines || (is_list && line.starts_with("  "));
                let line = if goes_on { line.trim() } else { line };
                if !out.is_empty() {
                    out.push(if goes_on { ' ' } else { '\n' });
                }
                out.push_str(line);
            }
            plain(&out)
        };
        before_answer.split("\n\n").filter(is_shown).map(paragraph).collect()
    }
}

/// Aligns the columns of a table, without the line under its head.
fn table(block: &str) -> String {
    let lines = block.lines().filter(|line| !line.starts_with("|-"));
    let rows: Vec<Vec<String>> = lines
        .map(|line| line.trim_matches('|').split('|').map(|cell| plain(cell.trim())).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| format!("{cell:<0$}", width(column)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Removes the marks of emphasis and code, and the targets of links.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line.trim_start_matches("# ");
    while let Some((before, link)) = rest.split_once("](") {
        out.push_str(&before.replacen('[', "", 1));
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let is_word = |at: Option<&u8>| at.is_some_and(|byte| !byte.is_ascii_whitespace());
    let bytes = out.replace("**", "").replace('`', "");
    // A star between spaces multiplies.
    let is_mark = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.as_bytes().get(at));
        is_word(before) || is_word(bytes.as_bytes().get(at + 1))
    };
    let kept = bytes.char_indices().filter(|(at, letter)| *letter != '*' || !is_mark(*at));
    kept.map(|(_, letter)| letter).collect()
}

/// Returns the text between two marks; an empty text without them.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# 3. A title\n\n**A question?**\n\n![picture](a.png)\n\n```sh\nsinew a --split 'b c' \\\n  -s a.png\n```\n\n\
        See *a*, [page](b.md) and `code`: 2 * 3.\n\n| n | `m` |\n|---|---|\n| 10 | 2 |\n\n1. b\n   *c*.\n2. d\n\n<details><summary>Answer</summary>\n\nIt is\n`7`.\n\n</details>\n";

    #[test]
    fn pages_have_their_parts() {
        let page = Page::new(PAGE);
        assert_eq!((page.title(), page.question()), ("A title", "A question?"));
        assert_eq!(page.command(), ["sinew", "a", "--split", "b c", "-s", "a.png"]);
        assert_eq!(page.answer(), "It is 7.");
        assert_eq!(
            page.paragraphs(),
            ["3. A title", "A question?", "See a, page and code: 2 * 3.", "n   m\n10  2", "1. b c.\n2. d"]
        );
    }
}
