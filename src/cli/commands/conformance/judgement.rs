//! The results of a program, and their summary.

use serde::Serialize;

use crate::conformance::Class;
use crate::conformance::judge::{About, Outcome, Row};

/// All classes.
pub const CLASSES: [Class; 3] = [Class::Required, Class::Recommended, Class::Informative];

/// The results of a program.
pub struct Judged {
    /// The folder, as given.
    pub given: String,
    /// The program, if the folder says.
    pub about: Option<About>,
    pub rows: Vec<Row>,
}

/// The number of passed rows of a class.
#[derive(Serialize)]
pub struct Count {
    pub class: Class,
    pub passed: usize,
    pub given: usize,
    pub of: usize,
}

/// Counts the rows of each class.
pub fn counts(rows: &[Row]) -> Vec<Count> {
    let of = |class: Class| {
        let all = || rows.iter().filter(move |row| row.class == class);
        let is_given = |row: &&Row| !matches!(row.outcome, Outcome::Missing | Outcome::NotGiven);
        let passed = all().filter(|row| row.passes()).count();
        Count { class, passed, given: all().filter(is_given).count(), of: all().count() }
    };
    CLASSES.into_iter().map(of).collect()
}

/// Returns the passed rows of each class in one sentence.
pub fn summary(rows: &[Row]) -> String {
    let of = |count: &Count| match count.class {
        Class::Required => format!("{} of {} required pass", count.passed, count.of),
        class => format!("{} of {} given {}", count.passed, count.given, class.name()),
    };
    let mut parts: Vec<String> = counts(rows).iter().map(of).collect();
    match rows.iter().filter(|row| row.has_other_directions()).count() {
        0 => {}
        count => parts.push(format!("{count} of them with other normals or tangents")),
    }
    parts.join(", ")
}

/// Returns the name of a program with its version and path.
pub fn program(about: &About) -> String {
    let parts = [&about.program, &about.version, &about.path].map(String::as_str);
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
