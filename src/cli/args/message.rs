//! Shortens clap's messages to one line.

/// Clap's message without `error: ` and without the usage block.
pub fn one_line(message: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    // Clap reads a subcommand that comes too late as a second model.
    if text.contains("cannot be used with '[MODEL]'") {
        let quoted = text.split('\'').nth(1).unwrap_or_default();
        return format!(
            "unexpected '{quoted}': give one model, and put a command before its arguments; see 'sinew --help'"
        );
    }
    let tip = message.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let tip = tip.map_or_else(String::new, |tip| format!("; {tip}"));
    let usage = message.lines().find_map(|line| line.strip_prefix("Usage: sinew ")?.split(' ').next());
    let is_command = |word: &&str| word.starts_with(|first: char| first.is_ascii_lowercase());
    let command = usage.filter(is_command).map_or_else(String::new, |command| format!(" {command}"));
    format!("{}{tip}; see 'sinew{command} --help'", text.strip_prefix("error: ").unwrap_or(&text))
}
