//! Asks before the user's edits would be lost.

use std::ffi::OsString;

use egui::{Align2, Context, Order};

/// A pending question.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The pose, materials or weights have edits that are in no file, and the window would close or show another file.
    Unsaved(Leave),
    /// An earlier window with this file ended with unsaved edits.
    Lost,
}

/// The action that was requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Leave {
    /// Close the window.
    Close,
    /// Show a file.
    Open(OsString),
}

/// Answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save and continue; or restore lost edits.
    Yes,
    /// Continue without saving; or discard lost edits.
    No,
    /// Dismiss the question and do nothing.
    Cancel,
}

impl Question {
    /// Returns the question, and the labels of the answers.
    fn words(&self) -> (&'static str, [&'static str; 3]) {
        match self {
            Self::Unsaved(Leave::Close) => {
                ("There are unsaved edits.", ["Save and close", "Do not save", "Cancel"])
            }
            Self::Unsaved(Leave::Open(_)) => {
                ("There are unsaved edits.", ["Save and open", "Do not save", "Cancel"])
            }
            Self::Lost => (
                "An earlier window with this file ended with unsaved edits.",
                ["Restore them", "Discard them", "Ask again next time"],
            ),
        }
    }

    /// Returns the answer that a key gives.
    pub fn answer_of(key: &str) -> Option<Answer> {
        match key {
            "Enter" | "Y" | "y" => Some(Answer::Yes),
            "N" | "n" => Some(Answer::No),
            "Escape" => Some(Answer::Cancel),
            _ => None,
        }
    }
}

/// Shows a question at the centre of the window; returns the answer that was clicked.
pub fn show(context: &Context, question: &Question) -> Option<Answer> {
    let (text, answers) = question.words();
    let mut answer = None;
    egui::Window::new("sinew")
        .title_bar(false)
        .order(Order::Foreground)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(context, |ui| {
            ui.strong(text);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let all = [(Answer::Yes, "Enter"), (Answer::No, "N"), (Answer::Cancel, "Escape")];
                for ((said, key), words) in all.into_iter().zip(answers) {
                    if ui.button(format!("{words} ({key})")).clicked() {
                        answer = Some(said);
                    }
                }
            });
        });
    answer
}
