//! The lesson as one page of HTML, from the Markdown of its steps.

use crate::html::escaped;

/// The head of the page, with its style.
const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>From a matrix to a deformed character</title>
<style>
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem; font: 16px/1.55 system-ui, sans-serif; }
section { margin-bottom: 4rem; }
img { max-width: 100%; height: auto; border-radius: 6px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; border-radius: 6px; background: #8882; font-size: .85rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid #8886; text-align: left; }
details { padding: .5rem .75rem; border: 1px solid #8886; border-radius: 6px; }
@media print { section { break-after: page; } details[open] { border: 0; } }
</style>
</head>
<body>
<h1>From a matrix to a deformed character</h1>
"#;

/// Returns the page of all steps; each text begins with its title.
pub fn page(steps: &[&str]) -> String {
    let titles = steps.iter().zip(1_u8..).map(|(text, number)| {
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        format!(
            "<li><a href=\"#step-{number}\">{}</a></li>\n",
            escaped(title.trim_start_matches(|c: char| !c.is_alphabetic()))
        )
    });
    let contents = titles.collect::<String>();
    let section =
        |(text, number): (&&str, u8)| format!("<section id=\"step-{number}\">\n{}</section>\n", blocks(text));
    let sections = steps.iter().zip(1_u8..).map(section).collect::<String>();
    format!("{HEAD}<ol>\n{contents}</ol>\n{sections}</body>\n</html>\n")
}

/// Converts the blocks of a text, which empty lines separate.
fn blocks(text: &str) -> String {
    text.split("\n\n").map(str::trim_end).filter(|block| !block.is_empty()).map(block).collect()
}

fn block(block: &str) -> String {
    let within = |tag: &str, inner: String| format!("<{tag}>{inner}</{tag}>\n");
    let code = |lines: &str| within("pre", format!("<code>{}</code>", escaped(lines)));
    if let Some(title) = block.strip_prefix("# ") {
        return within("h2", inline(title));
    }
    if let Some(fenced) = block.strip_prefix("```sh\n") {
        return code(fenced.trim_end_matches("```").trim_end());
    }
    if block.starts_with("    ") {
        return code(&block.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"));
    }
    if let Some((alt, file)) =
        block.strip_prefix("![").and_then(|rest| rest.strip_suffix(')')?.split_once("]("))
    {
        return format!("<img src=\"{}\" alt=\"{}\">\n", escaped(file), escaped(alt));
    }
    match block.get(..1) {
        Some("|") => table(block),
        // The fold of an answer.
        Some("<") => format!("{block}\n"),
        Some("-") => within("ul", items(block)),
        _ if block.starts_with("1. ") => within("ol", items(block)),
        _ => within("p", inline(block)),
    }
}

/// Converts the items of a list; a line that begins with spaces goes on with the item before it.
fn items(block: &str) -> String {
    let mut items: Vec<String> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("   ").or(line.strip_prefix("  ")), items.last_mut()) {
            (Some(more), Some(last)) => last.extend([" ", more]),
            _ => items.push(line.split_once(' ').map_or(line, |(_, item)| item).to_owned()),
        }
    }
    items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect()
}

/// Converts a table, whose second line separates its head.
fn table(block: &str) -> String {
    let cells = |line: &str, tag: &str| {
        let cells =
            line.trim_matches('|').split('|').map(|cell| format!("<{tag}>{}</{tag}>", inline(cell.trim())));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows = block.lines().enumerate().filter(|(number, _)| *number != 1);
    let rows = rows.map(|(number, line)| cells(line, if number == 0 { "th" } else { "td" }));
    format!("<table>\n{}</table>\n", rows.collect::<String>())
}

/// Converts code, emphasis and links. A link to another step leads to its section, one to the project's files is text.
fn inline(text: &str) -> String {
    let mut out = String::new();
    let parts = text.split('`').enumerate();
    for (number, part) in parts {
        match number % 2 {
            0 => out.push_str(&emphasis(&links(&escaped(part)))),
            _ => out.push_str(&format!("<code>{}</code>", escaped(part))),
        }
    }
    out
}

fn links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((title, after)) = after.split_once("](") else { break };
        let Some((target, left)) = after.split_once(')') else { break };
        out.push_str(before);
        let step = target.split_once('-').and_then(|(step, _)| step.parse::<u8>().ok());
        match step {
            Some(step) => out.push_str(&format!("<a href=\"#step-{step}\">{title}</a>")),
            None => out.push_str(title),
        }
        rest = left;
    }
    out + rest
}

/// Converts `**strong**` and `*emphasised*` text; a star between spaces multiplies.
fn emphasis(text: &str) -> String {
    let mut out = String::new();
    let (mut rest, mut is_strong, mut is_emphasised) = (text, false, false);
    while let Some(at) = rest.find('*') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let is_loose = before.ends_with(' ') && after.starts_with("* ");
        rest = if let Some(after) = after.strip_prefix("**") {
            out.push_str(if is_strong { "</strong>" } else { "<strong>" });
            is_strong = !is_strong;
            after
        } else if is_loose {
            out.push('*');
            after.get(1..).unwrap_or_default()
        } else {
            out.push_str(if is_emphasised { "</em>" } else { "<em>" });
            is_emphasised = !is_emphasised;
            after.get(1..).unwrap_or_default()
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        for (markdown, html) in [
            ("# 1. A & b", "<h2>1. A &amp; b</h2>\n"),
            (
                "a *b* **c** `d * e` 2 * 3",
                "<p>a <em>b</em> <strong>c</strong> <code>d * e</code> 2 * 3</p>\n",
            ),
            ("See [step 1](01-a.md), [x.rs](../x.rs).", "<p>See <a href=\"#step-1\">step 1</a>, x.rs.</p>\n"),
            ("![a b](c.png)", "<img src=\"c.png\" alt=\"a b\">\n"),
            ("```sh\nsinew a\n```", "<pre><code>sinew a</code></pre>\n"),
            ("    a = b * c", "<pre><code>a = b * c</code></pre>\n"),
            ("- a\n  b\n- c", "<ul><li>a b</li>\n<li>c</li>\n</ul>\n"),
            ("1. a\n2. b", "<ol><li>a</li>\n<li>b</li>\n</ol>\n"),
            ("| a |\n|---|\n| b |", "<table>\n<tr><th>a</th></tr>\n<tr><td>b</td></tr>\n</table>\n"),
        ] {
            assert_eq!(blocks(markdown), html);
        }
    }
}
