//! Saved window layout: the panel's width, its open sections, and the hint's state. It is written as lines of text.
//! The reader accepts any text and ignores unknown lines.

use std::collections::BTreeMap;
use std::fmt;

use super::pace::Moving;

/// The panel's default width, in points.
const WIDTH: f32 = 300.0;

/// The range of the panel's width.
pub const WIDTHS: std::ops::RangeInclusive<f32> = 220.0..=520.0;

/// The largest number of saved sections, and the longest name of one.
const MAX: (usize, usize) = (32, 40);

/// Window layout and settings saved between sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// The panel's width, in points.
    pub panel_width: f32,
    /// Sections of the panel that the user opened or closed.
    pub sections: BTreeMap<String, bool>,
    /// True if the hint for the first minute was seen.
    pub has_seen_hint: bool,
    /// The quality while something is moved.
    pub moving: Moving,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            panel_width: WIDTH,
            sections: BTreeMap::new(),
            has_seen_hint: false,
            moving: Moving::default(),
        }
    }
}

impl Habits {
    /// Reads the text that [`fmt::Display`] writes.
    pub fn read(text: &str) -> Self {
        let mut habits = Self::default();
        for line in text.lines() {
            let (what, value) = line.split_once(' ').unwrap_or((line, ""));
            match what {
                "panel-width" => {
                    let width = value.trim().parse().ok().filter(|width: &f32| width.is_finite());
                    habits.panel_width =
                        width.map_or(WIDTH, |width| width.clamp(*WIDTHS.start(), *WIDTHS.end()));
                }
                "open" | "closed" if habits.sections.len() < MAX.0 && value.len() <= MAX.1 => {
                    habits.sections.insert(value.to_owned(), what == "open");
                }
                "moving-quality" => {
                    let named = Moving::ALL.into_iter().find(|moving| moving.name() == value.trim());
                    habits.moving = named.unwrap_or_default();
                }
                "hint-seen" => habits.has_seen_hint = true,
                _ => {}
            }
        }
        habits
    }
}

impl fmt::Display for Habits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "panel-width {}", self.panel_width)?;
        for (name, is_open) in &self.sections {
            writeln!(f, "{} {name}", if *is_open { "open" } else { "closed" })?;
        }
        if self.moving != Moving::default() {
            writeln!(f, "moving-quality {}", self.moving.name())?;
        }
        if self.has_seen_hint { writeln!(f, "hint-seen") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_are_read_as_written() {
        let mut habits =
            Habits { panel_width: 351.5, has_seen_hint: true, moving: Moving::Same, ..Habits::default() };
        habits.sections.insert("Morph targets".to_owned(), false);
        habits.sections.insert("Materials".to_owned(), true);
        assert_eq!(Habits::read(&habits.to_string()), habits);
        assert_eq!(Habits::read(&Habits::default().to_string()), Habits::default());
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "",
            "\0\n\r",
            "panel-width",
            "panel-width NaN\n",
            "panel-width inf",
            "nonsense 7\nopen",
            "moving-quality\nmoving-quality 7",
        ] {
            let habits = Habits::read(text);
            assert!(habits.panel_width == WIDTH && !habits.has_seen_hint, "{text:?}");
        }
        assert_eq!(Habits::read("panel-width 1e9").panel_width, 520.0);
        assert_eq!(Habits::read("panel-width -3").panel_width, 220.0);
        let many: String = (0..1000).map(|number| format!("open {number}\n")).collect();
        assert_eq!(Habits::read(&many).sections.len(), MAX.0);
    }
}
