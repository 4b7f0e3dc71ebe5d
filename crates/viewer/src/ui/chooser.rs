//! Chooses a file in the window, if the desktop has no dialog for it: a recent one, or a path that the user types.

use std::ffi::OsString;

use egui::{
    Align, Align2, Button, Color32, Context, Key, Layout, Modifiers, Order, ScrollArea, TextEdit, Vec2,
};

/// Largest width, in points.
const WIDTH: f32 = 460.0;

/// The colour of errors.
const FAULT: Color32 = Color32::from_rgb(255, 150, 130);

/// The open chooser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chooser {
    text: String,
    /// The chosen row; none after typing.
    row: Option<usize>,
    /// The reason why the choice cannot be opened.
    pub fault: Option<String>,
}

impl Chooser {
    /// Opens with the first row chosen.
    pub fn new() -> Self {
        Self { row: Some(0), ..Self::default() }
    }

    /// Returns the files whose names contain the typed text.
    fn rows<'a>(&self, recent: &'a [OsString]) -> Vec<&'a OsString> {
        let wanted = self.text.to_lowercase();
        recent.iter().filter(|file| file.to_string_lossy().to_lowercase().contains(&wanted)).collect()
    }

    /// Moves the choice; the text is above the first row.
    fn step(&mut self, is_down: bool, count: usize) {
        let last = count.checked_sub(1);
        self.row = match (self.row, is_down) {
            (None, true) => last.map(|_| 0),
            (None, false) => last,
            (Some(row), true) => last.map(|last| row.saturating_add(1).min(last)),
            (Some(row), false) => row.checked_sub(1),
        };
    }

    /// Returns the name that Enter opens.
    fn chosen(&self, rows: &[&OsString]) -> Option<OsString> {
        let typed = || (!self.text.trim().is_empty()).then(|| OsString::from(self.text.trim()));
        self.row.and_then(|row| rows.get(row)).map(|file| (*file).clone()).or_else(typed)
    }
}

/// Shows the chooser at the centre of the window; returns the chosen name.
pub fn show(context: &Context, chooser: &mut Chooser, recent: &[OsString]) -> Option<OsString> {
    // Consumed before the text field sees them, and handled after the typed text: a frame may bring both.
    let [down, up, enter] = [Key::ArrowDown, Key::ArrowUp, Key::Enter]
        .map(|key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key)));
    let screen = context.content_rect().size();
    let width = WIDTH.min(screen.x - 40.0).max(120.0);
    let mut choice = None;
    egui::Window::new("Open")
        .title_bar(false)
        .order(Order::Foreground)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(context, |ui| {
            ui.set_width(width);
            ui.strong("Open a file, a folder or a pattern");
            ui.add_space(4.0);
            let field = TextEdit::singleline(&mut chooser.text).hint_text("path").desired_width(width);
            let field = ui.add(field);
            field.request_focus();
            if field.changed() {
                (chooser.row, chooser.fault) = (None, None);
            }
            let rows = chooser.rows(recent);
            if down || up {
                chooser.step(down, rows.len());
            }
            if enter {
                choice = chooser.chosen(&rows);
            }
            if let Some(fault) = &chooser.fault {
                ui.colored_label(FAULT, fault);
            }
            ui.add_space(4.0);
            let height = (screen.y - 180.0).clamp(60.0, 260.0);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
                    for (number, file) in rows.iter().enumerate() {
                        let is_chosen = chooser.row == Some(number);
                        let name = shortened(&file.to_string_lossy());
                        let row = ui.add(Button::selectable(is_chosen, name).truncate());
                        if is_chosen && (down || up) {
                            row.scroll_to_me(None);
                        }
                        if row.on_hover_text(file.to_string_lossy()).clicked() {
                            choice = Some((*file).clone());
                        }
                    }
                });
            });
            ui.add_space(4.0);
            ui.weak("Enter opens, the arrow keys choose, Escape closes");
        });
    choice
}

/// Returns the end of a long path, which tells files apart.
fn shortened(path: &str) -> String {
    const MAX: usize = 64;
    let count = path.chars().count();
    match count.checked_sub(MAX) {
        None | Some(0) => path.to_owned(),
        Some(more) => format!("…{}", path.chars().skip(more).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recent() -> Vec<OsString> {
        ["/m/Fox.glb", "/m/cat.fbx", "builtin:bend"].map(OsString::from).to_vec()
    }

    #[test]
    fn enter_opens_the_newest_file_or_what_is_typed() {
        let recent = recent();
        let mut chooser = Chooser::new();
        let chosen = |chooser: &Chooser| chooser.chosen(&chooser.rows(&recent));
        assert_eq!(chosen(&chooser), Some("/m/Fox.glb".into()));
        chooser.step(true, 3);
        chooser.step(true, 3);
        chooser.step(true, 3);
        assert_eq!(chosen(&chooser), Some("builtin:bend".into()));
        (chooser.text, chooser.row) = (" /m ".to_owned(), None);
        assert_eq!(chosen(&chooser), Some("/m".into()));
        // The files that contain the typed text remain.
        chooser.text = "fox".to_owned();
        assert_eq!(chooser.rows(&recent), [&recent[0]]);
        chooser.step(true, 1);
        assert_eq!(chosen(&chooser), Some("/m/Fox.glb".into()));
        chooser.step(false, 1);
        assert_eq!(chosen(&chooser), Some("fox".into()));
        assert_eq!(Chooser::new().chosen(&[]), None);
        let mut none = Chooser::new();
        none.step(true, 0);
        none.step(false, 0);
        assert_eq!(none.row, None);
    }

    /// A fast user types a path and presses Enter within one frame.
    #[test]
    fn what_is_typed_in_the_same_frame_counts() {
        let context = Context::default();
        let mut chooser = Chooser::new();
        let mut frame = |events: Vec<egui::Event>| {
            let mut choice = None;
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let _ = context.run(input, |context| {
                choice = choice.take().or(show(context, &mut chooser, &recent()));
            });
            choice
        };
        // The text field has the focus from its second frame on.
        assert_eq!((frame(Vec::new()), frame(Vec::new())), (None, None));
        let enter = egui::Event::Key {
            key: Key::Enter,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let typed = frame(vec![egui::Event::Text("/m/other.glb".to_owned()), enter]);
        assert_eq!(typed, Some("/m/other.glb".into()));
    }

    #[test]
    fn long_paths_keep_their_end() {
        assert_eq!(shortened("/m/a.glb"), "/m/a.glb");
        let long = format!("/{}/a.glb", "ö".repeat(100));
        assert!(shortened(&long).starts_with('…') && shortened(&long).ends_with("ö/a.glb"));
        assert_eq!(shortened(&long).chars().count(), 65);
    }
}
