//! Asks before something made by hand would be lost.

use std::ffi::OsString;

use egui::{Align2, Context, Order};

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The pose or materials have edits that are in no file, and the window would close or show another file.
    Unsaved(Leave),
    /// A window that showed this file ended before its edits were saved.
    Lost,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Leave {
    /// To close the window.
    Close,
    /// To show a file.
    Open(OsString),
}

/// What is said to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save and go on; or take lost edits back.
    Yes,
    /// Go on without; or throw lost edits away.
    No,
    /// As if nothing had been asked.
    Cancel,
}

impl Question {
    /// The question, and the words of the answers.
    fn words(&self) -> (&'static str, [&'static str; 3]) {
        match self {
            Self::Unsaved(Leave::Close) => {
                ("There are edits that are not saved.", ["Save and close", "Do not save", "Go back"])
            }
            Self::Unsaved(Leave::Open(_)) => {
                ("There are edits that are not saved.", ["Save and open", "Do not save", "Go back"])
            }
            Self::Lost => (
                "A window with this file ended before its edits were saved.",
                ["Take them back", "Throw them away", "Ask again next time"],
            ),
        }
    }

    /// The answer of a key.
    pub fn answer_of(key: &str) -> Option<Answer> {
        match key {
            "Enter" | "Y" | "y" => Some(Answer::Yes),
            "N" | "n" => Some(Answer::No),
            "Escape" => Some(Answer::Cancel),
            _ => None,
        }
    }
}

/// Shows a question in the middle of the window; returns the answer that was clicked.
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
