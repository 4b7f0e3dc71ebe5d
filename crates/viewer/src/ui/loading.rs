//! Shows the progress of loading a file, at the lower edge of the picture.

use egui::{Align2, Color32, Context, FontId, Id, LayerId, Order, Rect, vec2};

/// Shows a file's name with a bar of the share that is read.
pub fn show(context: &Context, room: Rect, file: &str, share: f64) {
    let painter =
        context.layer_painter(LayerId::new(Order::Foreground, Id::new("loading"))).with_clip_rect(room);
    let color = Color32::from_rgb(220, 225, 230);
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let text = format!("reading {name}: {:.0} %    Escape: cancel", share * 100.0);
    let width = (room.width() - 32.0).clamp(60.0, 420.0);
    let text = painter.layout(text, FontId::proportional(14.0), color, width);
    let size = vec2(text.size().x.max(260.0_f32.min(width)), text.size().y + 12.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(egui::pos2(room.center().x, room.max.y - 14.0), size);
    painter.rect_filled(place.expand(8.0), 4.0, Color32::from_black_alpha(220));
    painter.galley(place.min, text, color);
    let bar = Rect::from_min_max(egui::pos2(place.min.x, place.max.y - 6.0), place.max);
    painter.rect_filled(bar, 3.0, Color32::from_gray(60));
    let done = vec2(bar.width() * share.clamp(0.0, 1.0) as f32, bar.height());
    painter.rect_filled(Rect::from_min_size(bar.min, done), 3.0, Color32::from_rgb(250, 180, 40));
}
