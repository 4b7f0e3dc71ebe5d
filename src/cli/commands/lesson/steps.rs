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
    /// Any of some words.
    Words(&'static [&'static str]),
}

/// A number of an answer may be this far from the right one.
const TOLERANCE: f64 = 0.006;

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
    step!("03-matrix", Answer::Words(&["second", "2"])),
    step!("04-poses", Answer::Numbers(&[-0.26, -1.38, 0.0])),
    step!("05-gradient", Answer::Words(&["identity"])),
    step!("06-one-joint", Answer::Numbers(&[6.0])),
    step!("07-strip", Answer::Numbers(&[-1.0, 2.0, 0.0])),
    step!("08-two-joints", Answer::Numbers(&[1.0])),
    step!("09-normals", Answer::Numbers(&[0.83])),
    step!("10-gpu", Answer::Numbers(&[32_768.0])),
    step!("11-collapse", Answer::Numbers(&[0.0])),
    step!("12-wrong", Answer::Words(&["swapped-order"])),
];

impl Step {
    /// Returns true if an answer is right.
    pub fn accepts(&self, answer: &str) -> bool {
        let is_apart = |letter: char| letter.is_whitespace() || "(),;".contains(letter);
        let words = || answer.split(is_apart).filter(|word| !word.is_empty());
        match self.answer {
            Answer::Words(accepted) => words().any(|word| accepted.contains(&word.to_lowercase().as_str())),
            Answer::Numbers(right) => {
                let numbers: Vec<f64> = words().filter_map(|word| word.parse().ok()).collect();
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE;
                numbers.len() == right.len() && numbers.iter().zip(right).all(near)
            }
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
            (9, "0.832"),
            (12, "swapped-order"),
        ] {
            assert!(accepts(step, answer), "{step} {answer}");
        }
        for (step, answer) in [(1, "10"), (1, ""), (4, "-0.26 -1.38"), (9, "0.35"), (9, "nan"), (12, "order")]
        {
            assert!(!accepts(step, answer), "{step} {answer}");
        }
    }
}
