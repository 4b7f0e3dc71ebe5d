//! The hint for the first minute: mouse gestures, and the keys that lead to everything else, over the picture.

use egui::{Align2, Color32, Context, FontId, Id, LayerId, Order, Rect, vec2};

/// Text of the hint: gestures and keys on the left, their effects on the right.
const LINES: [[&str; 2]; 7] = [
    ["drag", "orbit"],
    ["Shift and drag", "pan"],
    ["wheel", "zoom"],
    ["?", "all keys, and the mouse"],
    ["I", "panel and timeline"],
    ["Ctrl+K", "find anything by name"],
    ["J", "skeleton; a click chooses a joint"],
];

/// Shows the hint in the lower half of the picture, which fills `room`.
pub fn show(context: &Context, room: Rect) {
    let painter =
        context.layer_painter(LayerId::new(Order::Foreground, Id::new("hint"))).with_clip_rect(room);
    let (strong, plain) = (Color32::from_gray(240), Color32::from_gray(200));
    let lay_out =
        |text: &str, color| painter.layout_no_wrap(text.to_owned(), FontId::proportional(14.0), color);
    let lines = LINES.map(|[hand, words]| (lay_out(hand, strong), lay_out(words, plain)));
    let left = lines.iter().map(|(hand, _)| hand.size().x).fold(0.0, f32::max) + 16.0;
    let right = lines.iter().map(|(_, words)| words.size().x).fold(0.0, f32::max);
    let tall = lines.first().map_or(0.0, |(hand, _)| hand.size().y + 4.0);
    let size = vec2(left + right, tall * lines.len() as f32);
    let place = egui::pos2(room.center().x, room.max.y - 24.0_f32.min(room.height() * 0.05));
    let place = Align2::CENTER_BOTTOM.anchor_size(place, size);
    painter.rect_filled(place.expand2(vec2(16.0, 10.0)), 6.0, Color32::from_black_alpha(200));
    for (number, (hand, words)) in lines.into_iter().enumerate() {
        let at = place.min + vec2(0.0, tall * number as f32);
        painter.galley(at, hand, strong);
        painter.galley(at + vec2(left, 0.0), words, plain);
    }
}
