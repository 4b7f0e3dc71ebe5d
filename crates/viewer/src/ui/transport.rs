//! The timeline's buttons, with signs drawn as shapes because text fonts lack them.

use egui::{Pos2, Rect, Response, Sense, Shape, StrokeKind, Ui, Vec2, WidgetInfo, WidgetType, pos2};

/// Sign on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    First,
    Previous,
    Play,
    Pause,
    Next,
    Last,
}

/// Width of a bar, as a share of the sign.
const BAR: f32 = 0.24;

impl Sign {
    /// Returns the corners of its parts, from 0 at the left and top to 1 at the right and bottom.
    fn parts(self) -> Vec<Vec<[f32; 2]>> {
        let right = |from: f32, to: f32| vec![[from, 0.0], [to, 0.5], [from, 1.0]];
        let bar = |from: f32| vec![[from, 0.0], [from + BAR, 0.0], [from + BAR, 1.0], [from, 1.0]];
        let mirrored = |parts: Vec<Vec<[f32; 2]>>| -> Vec<Vec<[f32; 2]>> {
            parts.into_iter().map(|part| part.into_iter().map(|[x, y]| [1.0 - x, y]).collect()).collect()
        };
        match self {
            Self::Play => vec![right(0.1, 1.0)],
            Self::Pause => vec![bar(0.14), bar(0.62)],
            Self::Next => vec![right(0.0, 0.5), right(0.5, 1.0)],
            Self::Last => vec![right(0.0, 0.72), bar(1.0 - BAR)],
            Self::Previous => mirrored(Self::Next.parts()),
            Self::First => mirrored(Self::Last.parts()),
        }
    }
}

/// Shows a button with a sign; `words` describe its effect.
pub fn button(ui: &mut Ui, sign: Sign, words: &str) -> Response {
    let height = ui.spacing().interact_size.y;
    let (place, response) = ui.allocate_exact_size(Vec2::new(height * 1.3, height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, words));
    let visuals = ui.style().interact(&response);
    let painter = ui.painter();
    painter.rect(place, visuals.corner_radius, visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    let inside = Rect::from_center_size(place.center(), Vec2::splat(height * 0.44));
    for part in sign.parts() {
        let corners: Vec<Pos2> = part.into_iter().map(|[x, y]| at(inside, x, y)).collect();
        painter.add(Shape::convex_polygon(corners, visuals.fg_stroke.color, egui::Stroke::NONE));
    }
    response.on_hover_text(words)
}

fn at(inside: Rect, x: f32, y: f32) -> Pos2 {
    pos2(inside.left() + x * inside.width(), inside.top() + y * inside.height())
}
