//! Formats numbers and names for a line.

use sinew_model::gltf::one_line;

/// Lists the first items of a list.
pub fn list(items: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = items.len().saturating_sub(most);
    let first: Vec<String> = items.take(most).collect();
    let dots = if more > 0 { format!(", … and {more} more") } else { String::new() };
    format!("{}{dots}", first.join(", "))
}

/// Formats a size in memory.
pub fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

/// Formats a part of the whole.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Formats a factor or an error in few digits.
pub fn small(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}"),
        size if size < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

/// Formats an object's index, and its name if it has one.
pub fn titled(number: usize, name: &str) -> String {
    if name.is_empty() { number.to_string() } else { format!("{number} {}", quoted(name)) }
}

/// Formats a name in quotes, shortened.
pub fn quoted(name: &str) -> String {
    const MAX_NAME: usize = 40;
    let name = shown(name);
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("'{}…'", name.get(..end).unwrap_or_default()),
        None => format!("'{name}'"),
    }
}

/// Replaces characters that could move a terminal's cursor.
pub fn shown(text: &str) -> String {
    one_line(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 1023, 1536, 3 << 20].map(bytes), ["0 B", "1023 B", "1.5 KiB", "3.0 MiB"]);
        assert_eq!([0.0, 0.5, 0.0123, 1e-7, 123.456].map(small), ["0", "0.50", "0.0123", "1.0e-7", "123.46"]);
        assert_eq!(list((0..9).map(|n| n.to_string()), 3), "0, 1, 2, … and 6 more");
    }

    #[test]
    fn names_cannot_move_the_cursor() {
        assert_eq!(quoted("a\u{1b}[2J\n"), "'a\\u{1b}[2J\\n'");
        assert_eq!(quoted(&"é".repeat(50)).chars().count(), 43);
    }
}
