//! Search by words: every word must occur, in any order and case.

/// Returns the words of a search, in lower case.
pub fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

/// Returns true if a text has all words.
pub fn has_all(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Returns the rank of a name that has all words: 0 if it begins with the first of them, 1 if one of the name's words
/// does, 2 otherwise.
pub fn rank(name: &str, words: &[String]) -> usize {
    let Some(first) = words.first() else { return 0 };
    let name = name.to_lowercase();
    let mut own = name.split(|letter: char| !letter.is_alphanumeric());
    match name.starts_with(first.as_str()) {
        true => 0,
        false if own.any(|own| own.starts_with(first.as_str())) => 1,
        false => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_must_match_in_any_order() {
        let has = |search| has_all("reset the chosen joint --joint", &words(search));
        assert!(has("") && has("joint RESET") && has(" --jo  cho "));
        assert!(!has("joint reset all") && !has("yoint"));
    }

    #[test]
    fn names_that_begin_with_the_word_come_first() {
        let rank = |name| rank(name, &words("pl other"));
        assert_eq!(["Play or pause", "quality: plain", "reapply"].map(rank), [0, 1, 2]);
    }
}
