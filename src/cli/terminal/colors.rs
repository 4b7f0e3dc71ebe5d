//! Colours of errors and verdicts on a terminal. Pipes and files get none, and neither does a terminal whose user sets
//! `NO_COLOR` (no-color.org) or `TERM=dumb`.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, stderr, stdout};
use std::sync::LazyLock;

static OUT: LazyLock<bool> =
    LazyLock::new(|| stdout().is_terminal() && is_allowed(&|name| std::env::var_os(name)));
static ERR: LazyLock<bool> =
    LazyLock::new(|| stderr().is_terminal() && is_allowed(&|name| std::env::var_os(name)));

/// Checks whether standard output has colours.
pub fn on_stdout() -> bool {
    *OUT
}

/// Checks whether standard error has colours.
pub fn on_stderr() -> bool {
    *ERR
}

/// Checks whether the environment allows colours on a terminal.
fn is_allowed(variable: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let is_refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    // Older consoles of Windows print the codes; its Terminal sets this variable.
    let has_codes = !cfg!(windows) || variable("WT_SESSION").is_some();
    !is_refused && has_codes && variable("TERM").as_deref() != Some(OsStr::new("dumb"))
}

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A check that passes: green.
    Good,
    /// A warning: yellow.
    Warning,
    /// An error, or a check that fails: red.
    Bad,
}

impl Tone {
    /// Returns good or bad.
    pub fn of(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Bad }
    }

    fn code(self) -> u8 {
        match self {
            Self::Good => 32,
            Self::Warning => 33,
            Self::Bad => 31,
        }
    }
}

/// Colours a text for standard output, where that has colours.
pub fn verdict(text: &str, tone: Tone) -> Cow<'_, str> {
    paint(text, tone, on_stdout())
}

/// Colours a text.
fn paint(text: &str, tone: Tone, is_colored: bool) -> Cow<'_, str> {
    match is_colored && !text.is_empty() {
        true => format!("\x1b[{}m{text}\x1b[0m", tone.code()).into(),
        false => text.into(),
    }
}

/// Colours the word that a line of standard error begins with, if it is `error` or `warning`.
pub fn first_word(line: &str, is_colored: bool) -> Cow<'_, str> {
    let tones = [("error:", Tone::Bad), ("warning:", Tone::Warning)];
    let found = tones.into_iter().find_map(|(word, tone)| Some((word, tone, line.strip_prefix(word)?)));
    match found.filter(|_| is_colored) {
        Some((word, tone, rest)) => format!("{}{rest}", paint(word, tone, true)).into(),
        None => line.into(),
    }
}

/// Colours the heading of a text for standard output that counts broken rules.
pub fn broken_rules(text: &str) -> Cow<'_, str> {
    color_heading(text, "Broken rules (", on_stdout())
}

fn color_heading<'a>(text: &'a str, heading: &str, is_colored: bool) -> Cow<'a, str> {
    if !is_colored {
        return text.into();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        match (line.starts_with(heading), line.trim_end_matches('\n')) {
            (true, words) => format!("{}\n", paint(words, Tone::Warning, true)).into(),
            (false, _) => Cow::from(line),
        }
    });
    lines.collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_refuses_colors() {
        let allowed = |given: &[(&str, &str)]| {
            let given: Vec<(String, OsString)> =
                given.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
            is_allowed(&|name| {
                let found = given.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
                found.or_else(|| (name == "WT_SESSION").then(OsString::new))
            })
        };
        assert!(allowed(&[]) && allowed(&[("TERM", "xterm")]) && allowed(&[("NO_COLOR", "")]));
        assert!(!allowed(&[("NO_COLOR", "1")]) && !allowed(&[("TERM", "dumb")]));
    }

    #[test]
    fn words_are_colored_and_nothing_else() {
        assert_eq!(first_word("error: a: b", true), "\x1b[31merror:\x1b[0m a: b");
        assert_eq!(first_word("warning: a", true), "\x1b[33mwarning:\x1b[0m a");
        for (line, is_colored) in [("error: a", false), ("wrote a", true), ("an error: b", true), ("", true)]
        {
            assert_eq!(first_word(line, is_colored), line);
        }
        assert_eq!(paint("same", Tone::of(true), true), "\x1b[32msame\x1b[0m");
        assert_eq!(
            (paint("same", Tone::Good, false), paint("", Tone::Bad, true)),
            ("same".into(), "".into())
        );
        let text = "Notes (1)\n  Broken rules (x\n\nBroken rules (2)\n  a\n";
        let colored = "Notes (1)\n  Broken rules (x\n\n\x1b[33mBroken rules (2)\x1b[0m\n  a\n";
        assert_eq!(color_heading(text, "Broken rules (", true), colored);
        assert_eq!(color_heading(text, "Broken rules (", false), text);
    }
}
