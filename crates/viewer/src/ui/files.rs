//! The list of files with their thumbnails: a column beside the picture, and a section of the panel.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, ColorImage, Context, FontId, Id, LayerId, Order, Pos2, Rect, Response, ScrollArea,
    Sense, SidePanel, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2,
};

use super::{Facts, Wish};
use crate::files::{Files, Thumbnail};
use sinew_image::Image;

/// The width of the column, in points.
const COLUMN: f32 = 118.0;

/// The side of a thumbnail in the column, and in the panel.
const LARGE: f32 = 92.0;
const SMALL: f32 = 36.0;

/// The height of a name of two lines below its thumbnail.
const NAME: f32 = 32.0;

/// The height of the panel's section.
const SECTION: f32 = 190.0;

/// The largest number of textures that are kept while off the screen.
const MAX_TEXTURES: usize = 64;

/// The background of a tile without a thumbnail.
const EMPTY: Color32 = Color32::from_gray(44);

/// State of the list, kept from frame to frame.
#[derive(Default)]
pub struct Tiles {
    textures: HashMap<OsString, (Arc<Image>, TextureHandle)>,
    /// The files whose tiles were laid out last.
    seen: Vec<OsString>,
    /// The last scroll positions of column and section.
    column: Option<usize>,
    section: Option<usize>,
}

impl Tiles {
    /// Begins a frame.
    pub fn begin(&mut self) {
        if self.textures.len() > MAX_TEXTURES {
            self.textures.retain(|file, _| self.seen.contains(file));
        }
        self.seen.clear();
    }

    /// Returns the files whose thumbnails are on the screen.
    pub fn seen(&self) -> &[OsString] {
        &self.seen
    }

    fn texture(&mut self, context: &Context, file: &OsStr, image: &Arc<Image>) -> TextureHandle {
        if let Some((of, texture)) = self.textures.get(file)
            && Arc::ptr_eq(of, image)
        {
            return texture.clone();
        }
        let size = [image.width as usize, image.height as usize];
        let pixels = image.rgba.as_chunks::<4>().0.iter();
        let pixels = pixels.map(|&[r, g, b, a]| Color32::from_rgba_unmultiplied(r, g, b, a)).collect();
        let colors = ColorImage { size, source_size: Vec2::new(size[0] as f32, size[1] as f32), pixels };
        let texture = context.load_texture(file.to_string_lossy(), colors, TextureOptions::LINEAR);
        self.textures.insert(file.to_owned(), (Arc::clone(image), texture.clone()));
        texture
    }
}

/// Shape of a file's entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Tile in the column: its name is below its thumbnail.
    Tile,
    /// Line in the panel: its name is beside its thumbnail.
    Line,
}

impl Shape {
    fn height(self) -> f32 {
        match self {
            Self::Tile => LARGE + NAME,
            Self::Line => SMALL,
        }
    }

    /// Returns the rectangle of the thumbnail.
    fn square(self, rect: Rect) -> Rect {
        let (middle, side) = match self {
            Self::Tile => (egui::pos2(rect.center().x, rect.min.y + LARGE * 0.5), LARGE),
            Self::Line => (egui::pos2(rect.min.x + SMALL * 0.5, rect.center().y), SMALL),
        };
        Rect::from_center_size(middle, Vec2::splat(side - 4.0))
    }

    /// Returns the anchor of the name, its largest width, and its largest number of lines.
    fn name(self, rect: Rect) -> (Align2, Pos2, f32, usize) {
        match self {
            Self::Tile => {
                let place = egui::pos2(rect.center().x, rect.min.y + LARGE);
                (Align2::CENTER_TOP, place, rect.width() - 6.0, 2)
            }
            Self::Line => {
                let place = egui::pos2(rect.min.x + SMALL + 6.0, rect.center().y);
                (Align2::LEFT_CENTER, place, rect.width() - SMALL - 10.0, 1)
            }
        }
    }
}

/// Shows the column.
pub fn column(context: &Context, tiles: &mut Tiles, facts: &Facts, wishes: &mut Vec<Wish>) {
    let Some(files) = facts.files else { return };
    SidePanel::left("files").resizable(false).exact_width(COLUMN).show(context, |ui| {
        ui.weak(count(files)).on_hover_text("F3 hides the list; Ctrl+PageDown opens the next file");
        rows(ui, Shape::Tile, tiles, facts, wishes);
    });
}

/// Shows the section of the panel.
pub fn section(ui: &mut Ui, tiles: &mut Tiles, facts: &Facts, wishes: &mut Vec<Wish>) {
    let Some(files) = facts.files else { return };
    ui.weak(count(files));
    let size = Vec2::new(ui.available_width(), SECTION);
    ui.allocate_ui(size, |ui| rows(ui, Shape::Line, tiles, facts, wishes));
}

/// Describes the position in the list.
fn count(files: &Files) -> String {
    let count = files.names().len();
    match files.at() {
        Some(at) => format!("{} of {count}", at.saturating_add(1)),
        None => format!("{count} files"),
    }
}

fn rows(ui: &mut Ui, shape: Shape, tiles: &mut Tiles, facts: &Facts, wishes: &mut Vec<Wish>) {
    let Some(files) = facts.files else { return };
    let scrolled = match shape {
        Shape::Tile => &mut tiles.column,
        Shape::Line => &mut tiles.section,
    };
    let mut area = ScrollArea::vertical().id_salt("files").auto_shrink([false, shape == Shape::Line]);
    if *scrolled != files.at() {
        // The shown file is in the middle, if the list is long enough.
        let row = shape.height() + ui.spacing().item_spacing.y;
        let above = (ui.available_height() - row) * 0.5;
        area = area.vertical_scroll_offset((files.at().unwrap_or(0) as f32 * row - above).max(0.0));
        *scrolled = files.at();
    }
    area.show_rows(ui, shape.height(), files.names().len(), |ui, rows| {
        for (number, file) in files.names().iter().enumerate().skip(rows.start).take(rows.len()) {
            let thumbnail = facts.thumbnails.and_then(|thumbnails| thumbnails.get(file));
            let is_shown = files.at() == Some(number);
            if show(ui, tiles, shape, file, is_shown, thumbnail).clicked() {
                wishes.push(Wish::Open(file.clone()));
            }
        }
    });
}

/// Shows a file.
fn show(
    ui: &mut Ui,
    tiles: &mut Tiles,
    shape: Shape,
    file: &OsStr,
    is_shown: bool,
    thumbnail: Option<&Thumbnail>,
) -> Response {
    let size = Vec2::new(ui.available_width(), shape.height());
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    tiles.seen.push(file.to_owned());
    let visuals = ui.visuals();
    let (back, color) = match (is_shown, response.hovered()) {
        (true, _) => (visuals.selection.bg_fill, visuals.strong_text_color()),
        (false, true) => (visuals.widgets.hovered.weak_bg_fill, visuals.text_color()),
        (false, false) => (Color32::TRANSPARENT, visuals.text_color()),
    };
    ui.painter().rect_filled(rect, 3.0, back);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, color), StrokeKind::Inside);
    }
    let square = shape.square(rect);
    match thumbnail {
        Some(Ok(image)) => {
            let texture = tiles.texture(ui.ctx(), file, image);
            let whole = Rect::from_min_max(Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture.id(), square, whole, Color32::WHITE);
        }
        other => {
            let weak = ui.visuals().weak_text_color();
            ui.painter().rect_filled(square, 3.0, EMPTY);
            if shape == Shape::Tile {
                let font = FontId::proportional(12.0);
                ui.painter().text(square.center(), Align2::CENTER_CENTER, words(other), font, weak);
            }
        }
    }
    let name = Path::new(file).file_name().unwrap_or(file).to_string_lossy().into_owned();
    let (anchor, place, max_width, max_rows) = shape.name(rect);
    let mut job = LayoutJob::simple_singleline(name, FontId::proportional(12.5), color);
    // Names of a folder often differ only in their ends.
    job.wrap = TextWrapping { max_width, max_rows, break_anywhere: true, overflow_character: Some('…') };
    let galley = ui.painter().layout_job(job);
    ui.painter().galley(anchor.anchor_size(place, galley.size()).min, galley, color);
    let why = thumbnail.and_then(|thumbnail| thumbnail.as_ref().err()).map(|none| format!("\n{}", none.why));
    response.on_hover_text(format!("{}{}", file.to_string_lossy(), why.unwrap_or_default()))
}

/// Returns the text in place of a thumbnail.
fn words(thumbnail: Option<&Thumbnail>) -> &'static str {
    match thumbnail {
        Some(Err(none)) if none.is_broken => "cannot be\nopened",
        Some(Err(_)) => "no picture",
        _ => "…",
    }
}

/// Marks that files are dragged over the window, and describes the effect of dropping them.
pub fn hover(context: &Context, room: Rect, count: usize) {
    let layer = LayerId::new(Order::Foreground, Id::new("drop"));
    let painter = context.layer_painter(layer);
    let color = Color32::from_rgb(110, 180, 255);
    painter.rect_filled(room, 0.0, Color32::from_black_alpha(120));
    painter.rect_stroke(room.shrink(4.0), 6.0, Stroke::new(3.0, color), StrokeKind::Inside);
    let text = match count {
        1 => "drop to open".to_owned(),
        count => format!("drop to open {count} files"),
    };
    painter.text(room.center(), Align2::CENTER_CENTER, text, FontId::proportional(20.0), Color32::WHITE);
}
