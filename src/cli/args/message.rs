//! What clap says of a command line, as one line.

/// Clap's message without its `error: ` and without the usage block below it.
pub fn one_line(message: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    // Clap takes a second model for a subcommand that came too late.
    if text.contains("cannot be used with '[MODEL]'") {
        let quoted = text.split('\'').nth(1).unwrap_or_default();
        return format!(
            "unexpected '{quoted}': give one model, and put a command before its arguments; see 'sinew --help'"
        );
    }
    let tip = message.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let tip = tip.map_or_else(String::new, |tip| format!("; {tip}"));
    format!("{}{tip}; see 'sinew --help'", text.strip_prefix("error: ").unwrap_or(&text))
}
