//! Translates keys of the keyboard into the names that the key table uses.

use winit::event::KeyEvent;
use winit::keyboard::{Key, KeyCode, KeyLocation, ModifiersState, NamedKey, PhysicalKey};

/// Whether a key moves between controls, or operates the focused one.
pub fn moves(key: &Key) -> bool {
    use NamedKey::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space, Tab};
    match key {
        Key::Named(key) => {
            matches!(key, Tab | Enter | Space | ArrowLeft | ArrowRight | ArrowUp | ArrowDown)
        }
        _ => false,
    }
}

/// Whether it is the key of the palette, which works in text fields, too.
pub fn finds(event: &KeyEvent, modifiers: ModifiersState) -> bool {
    let is_k = matches!(&event.logical_key, Key::Character(text) if text.eq_ignore_ascii_case("k"));
    is_k && (modifiers.control_key() || modifiers.super_key())
}

/// The key table's name for a key.
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

/// What a key types without Shift, where the table tells two keys apart by Shift alone.
fn unshifted(text: &str) -> &str {
    match text {
        ">" | ":" => ".",
        "<" | ";" => ",",
        other => other,
    }
}
