//! The results of a program as one HTML file, with its pictures inside.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::judgement::{Judged, program, summary};
use super::pictures::{Pictures, SIZE};
use crate::conformance::judge::Outcome;
use crate::html::escaped;

/// The page up to its title.
const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<style>
body { margin: 0 auto; max-width: 1100px; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid #8884; overflow-wrap: anywhere; }
th { white-space: nowrap; }
td img { max-width: 100%; border-radius: 4px; background: #8882; }
.fails td:nth-child(4) { color: #c02b3c; font-weight: 600; }
figure { display: inline-block; margin: .25rem .75rem .25rem 0; }
figcaption { font-size: .8rem; opacity: .7; }
</style>
";

/// Returns the page.
pub fn page(judged: &Judged, drawn: &[Pictures], note: Option<&str>) -> String {
    let about = judged.about.as_ref().map(program).filter(|about| !about.is_empty());
    let title = escaped(&format!("Conformance of {}", about.as_deref().unwrap_or(&judged.given)));
    let mut text = HEAD.to_owned();
    let _ = write!(text, "<title>{title}</title>\n</head>\n<body>\n<h1>{title}</h1>\n");
    let _ = writeln!(text, "<p>{}.</p>", escaped(&summary(&judged.rows)));
    if let Some(note) = note {
        let _ = writeln!(text, "<p>{}.</p>", escaped(note));
    }
    text.push_str("<table>\n<tr><th>case</th><th>mode</th><th>class</th><th>result</th></tr>\n");
    let (bad, good): (Vec<_>, Vec<_>) = judged.rows.iter().enumerate().partition(|(_, row)| row.fails());
    for (number, row) in bad.into_iter().chain(good) {
        if row.outcome == Outcome::NotGiven {
            continue;
        }
        let class = if row.fails() { " class=\"fails\"" } else { "" };
        let cells = [&row.case, &row.mode, row.class.name(), &row.text()].map(escaped);
        let _ = write!(text, "<tr{class}><td>{}", cells.join("</td><td>"));
        if let Some(pictures) = drawn.iter().find(|pictures| pictures.row == number) {
            text.push_str("<br>");
            figure(&mut text, "theirs", &pictures.theirs);
            figure(&mut text, "expected", &pictures.expected);
        }
        text.push_str("</td></tr>\n");
    }
    text + "</table>\n</body>\n</html>\n"
}

fn figure(text: &mut String, caption: &str, png: &[u8]) {
    let [width, height] = SIZE;
    let data = STANDARD.encode(png);
    let _ = write!(
        text,
        "<figure><img width=\"{width}\" height=\"{height}\" alt=\"{caption}\" \
         src=\"data:image/png;base64,{data}\"><figcaption>{caption}</figcaption></figure>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::judge::About;

    #[test]
    fn text_means_itself() {
        let about = About { program: "<b>&".into(), version: "1".into(), path: String::new() };
        let judged = Judged { given: "\"x\"".into(), about: Some(about), rows: Vec::new() };
        let page = page(&judged, &[], Some("<i>"));
        assert!(
            page.contains("Conformance of &lt;b&gt;&amp; 1") && page.contains("<p>&lt;i&gt;.</p>"),
            "{page}"
        );
    }
}
