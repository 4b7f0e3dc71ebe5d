//! Translates keys of the keyboard into the names of the key table.

use winit::event::KeyEvent;
use winit::keyboard::{Key, KeyCode, KeyLocation, ModifiersState, NamedKey, PhysicalKey};

/// Returns true if a key moves between controls, or operates the focused one.
pub fn moves(key: &Key) -> bool {
    use NamedKey::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space, Tab};
    match key {
        Key::Named(key) => {
            matches!(key, Tab | Enter | Space | ArrowLeft | ArrowRight | ArrowUp | ArrowDown)
        }
        _ => false,
    }
}

/// Returns the key of a shortcut that always belongs to the window, even in text fields: Ctrl+K opens the palette,
/// Ctrl+Q closes the window.
pub fn for_window(event: &KeyEvent, modifiers: ModifiersState) -> Option<egui::Key> {
    if !(modifiers.control_key() || modifiers.super_key()) {
        return None;
    }
    match &event.logical_key {
        Key::Character(text) if text.eq_ignore_ascii_case("k") => Some(egui::Key::K),
        Key::Character(text) if text.eq_ignore_ascii_case("q") => Some(egui::Key::Q),
        _ => None,
    }
}

/// Returns the key table's name for a key.
pub fn name(event: &KeyEvent) -> Option<String> {
    if event.location == KeyLocation::Numpad
        && let PhysicalKey::Code(code) = event.physical_key
    {
        let digit = match code {
            KeyCode::Numpad1 => Some("Numpad1"),
            KeyCode::Numpad2 => Some("Numpad2"),
            KeyCode::Numpad3 => Some("Numpad3"),
            KeyCode::Numpad4 => Some("Numpad4"),
            KeyCode::Numpad5 => Some("Numpad5"),
            KeyCode::Numpad6 => Some("Numpad6"),
            KeyCode::Numpad7 => Some("Numpad7"),
            KeyCode::Numpad8 => Some("Numpad8"),
            _ => None,
        };
        if let Some(digit) = digit {
            return Some(digit.to_owned());
        }
    }
    match &event.logical_key {
        Key::Character(text) => Some(unshifted(text).to_owned()),
        Key::Named(NamedKey::Space) => Some("Space".to_owned()),
        Key::Named(named) => Some(format!("{named:?}")),
        _ => None,
    }
}

/// Returns the text of a key without Shift, if the table tells two keys apart by Shift alone.
fn unshifted(text: &str) -> &str {
    match text {
        ">" | ":" => ".",
        "<" | ";" => ",",
        other => other,
    }
}
