//! The kinds of edits, and their text.

use std::fmt;

/// An edit of the chosen vertices' weights. Joints are by name, or by number such as `#12`. The text of two joints is divided
/// at the first mark here, and at the right one when the joints are known.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// The second joint takes all weight of the first: `--replace A=B`.
    Replace(String, String),
    /// Two joints change places: `--swap A,B`.
    Swap(String, String),
    /// A joint's weight grows or shrinks: `--add JOINT=+0.1`.
    Add(String, f64),
    /// A joint's weight becomes this one: `--set JOINT=0.5`.
    Set(String, f64),
    /// A joint's weights are smoothed over the surface so many times: `--smooth JOINT@4`.
    Smooth(String, u32),
    /// Weights below this one go: `--prune 0.01`.
    Prune(f64),
    /// Each vertex keeps this number of joints: `--max-influences 4`.
    Shorten(usize),
}

/// The maximum number of times to smooth.
const MAX_TIMES: u32 = 1000;

/// A text that is no edit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct NoEdit(&'static str);

impl Edit {
    /// The kinds with their forms.
    pub const KINDS: [(&'static str, &'static str); 7] = [
        ("replace", "OLD=NEW, two joints"),
        ("swap", "A,B, two joints"),
        ("add", "JOINT=W, such as elbow=+0.1 or elbow=-0.1"),
        ("set", "JOINT=W, such as elbow=0.5"),
        ("smooth", "JOINT@N, such as elbow@4, up to 1000"),
        ("prune", "a weight from 0 to 1, such as 0.01"),
        ("max-influences", "a number from 1 to 16"),
    ];

    /// Reads an edit of a kind; `None` for an unknown kind.
    pub fn read(kind: &str, text: &str) -> Option<Result<Self, NoEdit>> {
        let (_, form) = *Self::KINDS.iter().find(|(known, _)| *known == kind)?;
        Some(Self::of(kind, text).ok_or(NoEdit(form)))
    }

    fn of(kind: &str, text: &str) -> Option<Self> {
        let joints = |mark: char| {
            let (a, b) = text.split_once(mark)?;
            (!a.is_empty() && !b.is_empty() && a != b).then(|| (a.to_owned(), b.to_owned()))
        };
        // A name may contain the mark; a number does not.
        let numbered = |mark: char| {
            let (joint, number) = text.rsplit_once(mark)?;
            (!joint.is_empty()).then(|| (joint.to_owned(), number.trim()))
        };
        let within = |text: &str, least: f64| {
            let number: f64 = text.parse().ok()?;
            (number >= least && number <= 1.0).then_some(number)
        };
        Some(match kind {
            "replace" => joints('=').map(|(a, b)| Self::Replace(a, b))?,
            "swap" => joints(',').map(|(a, b)| Self::Swap(a, b))?,
            "add" => numbered('=').and_then(|(joint, by)| Some(Self::Add(joint, within(by, -1.0)?)))?,
            "set" => numbered('=').and_then(|(joint, to)| Some(Self::Set(joint, within(to, 0.0)?)))?,
            "smooth" => {
                let (joint, times) = numbered('@')?;
                let times = times.parse().ok().filter(|times| (1..=MAX_TIMES).contains(times))?;
                Self::Smooth(joint, times)
            }
            "prune" => Self::Prune(within(text, 0.0)?),
            "max-influences" => Self::Shorten(
                text.parse().ok().filter(|most| (1..=sinew_model::MAX_INFLUENCES).contains(most))?,
            ),
            _ => return None,
        })
    }

    /// The name of the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Replace(..) => "replace",
            Self::Swap(..) => "swap",
            Self::Add(..) => "add",
            Self::Set(..) => "set",
            Self::Smooth(..) => "smooth",
            Self::Prune(_) => "prune",
            Self::Shorten(_) => "max-influences",
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace(a, b) => write!(f, "{a}={b}"),
            Self::Swap(a, b) => write!(f, "{a},{b}"),
            Self::Add(joint, by) => write!(f, "{joint}={by:+}"),
            Self::Set(joint, to) => write!(f, "{joint}={to}"),
            Self::Smooth(joint, times) => write!(f, "{joint}@{times}"),
            Self::Prune(least) => write!(f, "{least}"),
            Self::Shorten(most) => write!(f, "{most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_edit_prints_reads_as_itself() {
        let edits = [
            Edit::Replace("a".to_owned(), "b".to_owned()),
            Edit::Swap("hand.L".to_owned(), "hand.R".to_owned()),
            Edit::Add("a=b".to_owned(), 0.1),
            Edit::Add("#3".to_owned(), -0.25),
            Edit::Set("x@y".to_owned(), 1.0),
            Edit::Smooth("x@y".to_owned(), 12),
            Edit::Prune(0.01),
            Edit::Shorten(4),
        ];
        let kinds: Vec<&str> = edits.iter().map(Edit::kind).collect();
        assert!(Edit::KINDS.iter().all(|(kind, _)| kinds.contains(kind)), "each kind is here");
        for edit in edits {
            assert_eq!(Edit::read(edit.kind(), &edit.to_string()), Some(Ok(edit.clone())), "{edit}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_form() {
        for (kind, text) in [
            ("replace", "a"),
            ("replace", "a=a"),
            ("replace", "=b"),
            ("swap", "a=b"),
            ("add", "a=1.5"),
            ("add", "a=NaN"),
            ("add", "=0.1"),
            ("set", "a=-0.1"),
            ("smooth", "a"),
            ("smooth", "a@0"),
            ("smooth", "a@1001"),
            ("prune", "inf"),
            ("max-influences", "0"),
            ("max-influences", "17"),
        ] {
            assert!(matches!(Edit::read(kind, text), Some(Err(_))), "{kind} {text}");
        }
        assert_eq!(Edit::read("paint", "a=1"), None);
        assert_eq!(Edit::read("swap", "a").unwrap().unwrap_err().to_string(), "expected A,B, two joints");
    }
}
