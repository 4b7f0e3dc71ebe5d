//! The steps: their texts, and the answers that they accept.

/// A step of the lesson.
pub struct Step {
    /// Its page, in Markdown.
    pub text: &'static str,
    answer: Answer,
}

/// The answer to an exercise.
enum Answer {
    /// Numbers, in their order.
    Numbers(&'static [f64]),
    /// Any of some words, without any of some others.
    Words {
        /// Words of a right answer.
        right: &'static [&'static str],
        /// Words of a wrong one.
        wrong: &'static [&'static str],
    },
}

/// Numbers that an answer may spell out.
const SPELLED: [&str; 11] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A number of an answer may be this far from the right one.
const TOLERANCE: f64 = 0.006;

/// Units of bytes in small letters, with their sizes.
const UNITS: [(&str, f64); 6] =
    [("", 1.0), ("b", 1.0), ("byte", 1.0), ("bytes", 1.0), ("kb", 1024.0), ("kib", 1024.0)];

/// Reads one number with marks between its thousands or a unit of bytes: `32,768`, `32 KiB`.
fn amount(answer: &str) -> Option<f64> {
    let is_mark = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '_' | '\'' | '\u{2019}');
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || is_mark(letter);
    let end = answer.find(|letter: char| !is_part(letter)).unwrap_or(answer.len());
    let (number, unit) = answer.split_at_checked(end)?;
    let unit = unit.trim().trim_end_matches('.');
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let number = number.trim();
    let mut groups = number.split(is_mark);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped =
        rest.iter().all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    let is_first = rest.is_empty() || (matches!(first.len(), 1..=3) && !first.starts_with('0'));
    let digits = format!("{first}{}", rest.concat());
    digits.parse().ok().filter(|_| is_grouped && is_first).map(|number: f64| number * size)
}

/// Makes a step from the name of its page.
macro_rules! step {
    ($page:literal, $answer:expr) => {
        Step { text: include_str!(concat!("../../../../docs/lesson/", $page, ".md")), answer: $answer }
    };
}

/// All steps, the first one first.
pub const ALL: [Step; 12] = [
    step!("01-hierarchy", Answer::Numbers(&[100.0])),
    step!("02-points", Answer::Numbers(&[1.0])),
    step!(
        "03-matrix",
        Answer::Words {
            right: &["second", "2", "2nd"],
            wrong: &["first", "third", "1", "3", "1st", "3rd", "not"]
        }
    ),
    step!("04-poses", Answer::Numbers(&[-0.26, -1.38, 0.0])),
    step!("05-gradient", Answer::Words { right: &["identity", "identities", "unit"], wrong: &["not", "no"] }),
    step!("06-one-joint", Answer::Numbers(&[6.0])),
    step!("07-strip", Answer::Numbers(&[-1.0, 2.0, 0.0])),
    step!("08-two-joints", Answer::Numbers(&[1.0])),
    step!("09-normals", Answer::Numbers(&[0.83])),
    step!("10-gpu", Answer::Numbers(&[32_768.0])),
    step!("11-collapse", Answer::Numbers(&[0.0])),
    step!(
        "12-wrong",
        Answer::Words {
            right: &["swapped-order", "order", "side"],
            wrong: &["not", "unsorted-parents", "skip-inverse-bind", "transposed"]
        }
    ),
];

impl Step {
    /// Returns true if an answer is right: the numbers in their order, or one of the words and no other candidate.
    pub fn accepts(&self, answer: &str) -> bool {
        let answer = answer.replace('\u{2212}', "-").to_lowercase();
        let is_apart = |letter: char| letter.is_whitespace() || "()[],;=\u{b0}".contains(letter);
        let words =
            || answer.split(is_apart).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty());
        match self.answer {
            Answer::Words { right, wrong } => {
                words().any(|word| right.contains(&word)) && !words().any(|word| wrong.contains(&word))
            }
            Answer::Numbers(right) => {
                let number = |word: &str| {
                    let spelled = SPELLED.iter().position(|number| *number == word);
                    spelled.map(|number| number as f64).or_else(|| word.parse().ok())
                };
                let mut numbers: Vec<f64> = words().filter_map(number).collect();
                // A place may have its fourth number.
                if right.len() == 3 && numbers.get(3) == Some(&1.0) {
                    numbers.truncate(3);
                }
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE;
                if let ([right], Some(amount)) = (right, amount(&answer)) {
                    return near((&amount, right));
                }
                numbers.len() == right.len() && numbers.iter().zip(right).all(near)
            }
        }
    }

    /// Describes the answers that may be right.
    pub fn expected(&self) -> &'static str {
        match self.answer {
            Answer::Numbers([_]) => "a number",
            Answer::Numbers(_) => "three numbers",
            Answer::Words { .. } => "a word",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_or_words() {
        let accepts = |step: usize, answer| ALL[step - 1].accepts(answer);
        for (step, answer) in [
            (1, "100"),
            (1, "100 degrees"),
            (3, "the second"),
            (4, "(-0.26, -1.38, 0)"),
            (5, "The identity"),
            (5, "the unit matrix"),
            (6, "six"),
            (11, "Zero."),
            (9, "0.832"),
            (10, "32768"),
            (10, "32,768"),
            (10, "32 768 bytes"),
            (10, "32'768"),
            (10, "32_768 B."),
            (10, "32 KiB"),
            (10, "32.0kb"),
            (10, "it has 32768 bytes"),
            (1, "100\u{b0}"),
            (3, "The second."),
            (4, "[-0.26, -1.38, 0, 1]"),
            (5, "identity."),
            (7, "(\u{2212}1, 2, 0)"),
            (8, "x=1"),
            (12, "swapped-order"),
            (12, "the inverse bind matrix is on the wrong side"),
        ] {
            assert!(accepts(step, answer), "{step} {answer}");
        }
        for (step, answer) in [
            (1, "10"),
            (1, ""),
            (1, "100 50"),
            (3, "first, second or third"),
            (3, "1 2 3"),
            (4, "-0.26 -1.38"),
            (4, "-0.26 -1.38 0 2"),
            (5, "not the identity"),
            (9, "0.35"),
            (10, "32"),
            (10, "32,76"),
            (10, "0,032,768"),
            (10, "32.768"),
            (10, "32 MiB"),
            (10, "32768 KiB"),
            (1, "1,00"),
            (9, "nan"),
            (12, "transposed"),
        ] {
            assert!(!accepts(step, answer), "{step} {answer}");
        }
    }
}
