//! The list of keys and mouse gestures, by topic, in as many columns as fit, with a search.

use std::ops::Range;
use std::sync::Arc;

use egui::{Context, FontId, Galley, Order, Pos2, Rect, ScrollArea, Sense, TextEdit, Ui, Vec2, pos2};

use super::search;
use crate::keys::{BINDINGS, Binding};
use crate::topics::{MOUSE, Topic, topic};

/// The smallest width of a column, in points.
const NARROW: f32 = 270.0;

/// The width above which a column shows flags, too.
const WIDE: f32 = 350.0;

/// Room between columns.
const GAP: f32 = 18.0;

/// Text size.
const LETTERS: f32 = 12.5;

/// The list's state.
#[derive(Default)]
pub struct Help {
    search: String,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
enum Row {
    /// The heading of a topic.
    Head(&'static str),
    /// A key or mouse gesture; its effect; and the flag, if there is one.
    Line([String; 3]),
}

/// A line, laid out: its pieces with their distances from the left.
struct Laid {
    pieces: Vec<(f32, Arc<Galley>, egui::Color32)>,
    height: f32,
    is_head: bool,
}

/// Shows the list; returns true if it stays open.
pub fn show(context: &Context, help: &mut Help) -> bool {
    let room = context.content_rect().shrink(10.0);
    let mut stays = true;
    egui::Window::new("Keys and mouse")
        .title_bar(false)
        .order(Order::Foreground)
        .resizable(false)
        .movable(false)
        .fixed_pos(room.min)
        .default_height(room.height() - 14.0)
        .show(context, |ui| {
            ui.set_width(room.width() - 14.0);
            ui.set_max_height(room.height() - 14.0);
            ui.horizontal(|ui| {
                ui.strong("Keys and mouse");
                let id = ui.id().with("search");
                // Typed text goes to the search unless another control has the focus.
                if ui.memory(|memory| memory.focused().is_none()) {
                    ui.memory_mut(|memory| memory.request_focus(id));
                }
                let edit = TextEdit::singleline(&mut help.search).id(id);
                let (wide, words) =
                    if room.width() < 420.0 { (80.0, "close") } else { (160.0, "close (Escape)") };
                ui.add(edit.hint_text("search").desired_width(wide));
                if ui.button(words).clicked() {
                    stays = false;
                }
            });
            // The key that opens the list also closes it.
            stays &= !help.search.contains('?');
            ui.add_space(4.0);
            let tall = room.bottom() - ui.cursor().top() - 10.0;
            let area = ScrollArea::vertical().auto_shrink([false, true]).max_height(tall);
            area.show(ui, |ui| columns(ui, &help.search, tall));
        });
    stays
}

/// Returns the rows that match a search.
fn rows(search: &str) -> Vec<Row> {
    let words = search::words(search);
    let mouse = MOUSE.iter().map(|[hand, words]| [hand, words, ""].map(str::to_owned)).collect();
    let line = |binding: &Binding| {
        [binding.chord.to_string(), binding.words.clone().into_owned(), binding.flag.clone().into_owned()]
    };
    let of = |of: Topic| BINDINGS.iter().filter(|one| topic(one.action) == of).map(line).collect();
    let topics = Topic::ALL.into_iter().map(|topic| (topic.title(), of(topic)));
    let all: Vec<(&str, Vec<[String; 3]>)> = [("Mouse", mouse)].into_iter().chain(topics).collect();
    let mut rows = Vec::new();
    for (title, lines) in all {
        let is_found = |line: &[String; 3]| search::has_all(&format!("{title} {}", line.join(" ")), &words);
        let found: Vec<_> = lines.into_iter().filter(is_found).collect();
        if !found.is_empty() {
            rows.push(Row::Head(title));
            rows.extend(found.into_iter().map(Row::Line));
        }
    }
    rows
}

/// Draws the rows in the fewest columns that fit the height, so that each is as wide as possible.
fn columns(ui: &mut Ui, search: &str, room: f32) {
    let rows = rows(search);
    if rows.is_empty() {
        ui.weak("Nothing matches all of these words.");
        return;
    }
    let width = ui.available_width();
    let most = (((width + GAP) / (NARROW + GAP)).floor() as usize).clamp(1, 4);
    let mut count = 1;
    let (laid, columns, each) = loop {
        let each = (width + GAP) / count as f32 - GAP;
        let laid: Vec<Laid> = rows.iter().map(|row| lay_out(ui, row, each)).collect();
        let heights: Vec<(f32, bool)> = laid.iter().map(|row| (row.height, row.is_head)).collect();
        let columns = split(&heights, count);
        if count >= most || columns.iter().all(|column| height_of(&laid, column) <= room) {
            break (laid, columns, each);
        }
        count += 1;
    };
    let tall = columns.iter().map(|column| height_of(&laid, column)).fold(0.0, f32::max);
    let (place, _) = ui.allocate_exact_size(Vec2::new(width, tall), Sense::hover());
    for (number, column) in columns.into_iter().enumerate() {
        let mut at = place.min + egui::vec2((each + GAP) * number as f32, 0.0);
        for row in laid.get(column).unwrap_or_default() {
            draw(ui, row, at);
            at.y += row.height;
        }
    }
}

fn height_of(rows: &[Laid], column: &Range<usize>) -> f32 {
    rows.get(column.clone()).unwrap_or_default().iter().map(|row| row.height).sum()
}

fn draw(ui: &Ui, row: &Laid, at: Pos2) {
    let painter = ui.painter();
    let top = if row.is_head { row.height - LETTERS - 7.0 } else { 1.0 };
    for (left, piece, color) in &row.pieces {
        painter.galley(pos2(at.x + left, at.y + top), Arc::clone(piece), *color);
    }
    if row.is_head {
        let line = Rect::from_min_size(pos2(at.x, at.y + row.height - 3.0), egui::vec2(120.0, 1.0));
        painter.rect_filled(line, 0.0, ui.visuals().weak_text_color().gamma_multiply(0.5));
    }
}

fn lay_out(ui: &Ui, row: &Row, width: f32) -> Laid {
    let visuals = ui.visuals();
    let (strong, plain, weak) = (visuals.strong_text_color(), super::PLAIN, visuals.text_color());
    let piece = |text: &str, color, width: f32| {
        ui.painter().layout(text.to_owned(), FontId::proportional(LETTERS), color, width.max(20.0))
    };
    match row {
        Row::Head(title) => {
            let head = piece(title, strong, width);
            let height = head.size().y + 14.0;
            Laid { pieces: vec![(0.0, head, strong)], height, is_head: true }
        }
        Row::Line([key, words, flag]) => {
            let (left, right) =
                if width >= WIDE { (width * 0.28, width * 0.27) } else { (width * 0.34, 0.0) };
            let mut pieces = vec![
                (0.0, piece(key, strong, left - 6.0), strong),
                (left, piece(words, plain, width - left - right - 6.0), plain),
            ];
            if right > 0.0 && !flag.is_empty() {
                pieces.push((width - right, piece(flag, weak, right), weak));
            }
            let height = pieces.iter().map(|(_, piece, _)| piece.size().y).fold(0.0, f32::max) + 2.0;
            Laid { pieces, height, is_head: false }
        }
    }
}

/// Splits rows into at most `count` columns of minimal height; no column ends with a heading.
fn split(heights: &[(f32, bool)], count: usize) -> Vec<Range<usize>> {
    let total: f32 = heights.iter().map(|(height, _)| height).sum();
    let mut most = (total / count.max(1) as f32).max(1.0);
    loop {
        let columns = fill(heights, most);
        if columns.len() <= count.max(1) || most > total {
            return columns;
        }
        most += 6.0;
    }
}

/// Fills columns up to a height.
fn fill(heights: &[(f32, bool)], most: f32) -> Vec<Range<usize>> {
    let mut columns = Vec::new();
    let (mut start, mut so_far) = (0, 0.0);
    for (number, (height, is_head)) in heights.iter().enumerate() {
        let next = if *is_head { heights.get(number + 1).map_or(0.0, |(height, _)| *height) } else { 0.0 };
        if so_far + height + next > most && number > start {
            columns.push(start..number);
            (start, so_far) = (number, 0.0);
        }
        so_far += height;
    }
    columns.push(start..heights.len());
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_the_mouse_are_listed_once() {
        let lines = |rows: &[Row]| rows.iter().filter(|row| matches!(row, Row::Line(_))).count();
        assert_eq!(lines(&rows("")), BINDINGS.len() + MOUSE.len());
        let found = rows("overlay GRID");
        assert_eq!(found.len(), 2);
        assert!(matches!(&found[1], Row::Line([key, _, flag]) if key == "G" && flag == "--overlay grid"));
        assert_eq!((lines(&rows("mouse")), rows("nothing at all")), (MOUSE.len(), Vec::new()));
    }

    #[test]
    fn columns_are_even_and_headings_stay_with_their_lines() {
        let heights: Vec<(f32, bool)> =
            (0..40).map(|number| if number % 10 == 0 { (26.0, true) } else { (16.0, false) }).collect();
        for count in 1..=4 {
            let columns = split(&heights, count);
            assert!(columns.len() <= count && columns.iter().map(Range::len).sum::<usize>() == 40);
            let tall = |column: &Range<usize>| heights[column.clone()].iter().map(|(height, _)| height).sum();
            let tallest = columns.iter().map(tall).fold(0.0, f32::max);
            assert!(tallest <= 680.0 / count as f32 + 60.0, "{count}: {tallest}");
            assert!(columns.iter().all(|column| !heights[column.end - 1].1), "{columns:?}");
        }
        assert_eq!(split(&[], 3), vec![0..0]);
    }

    /// Tests the smallest window and a large one, with the flags if there is room.
    #[test]
    fn it_fits_the_window() {
        for (width, height, fits) in [(1280.0, 778.0, true), (640.0, 458.0, false), (320.0, 240.0, false)] {
            // Uses the panel's fonts.
            let context = crate::ui::Ui::default().context().clone();
            let mut help = Help::default();
            let screen = Rect::from_min_size(Pos2::ZERO, Vec2::new(width, height));
            let mut room = Rect::NOTHING;
            for _ in 0..5 {
                let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
                let _ = context.run(input, |context| {
                    assert!(show(context, &mut help));
                    room = context.memory(|memory| {
                        memory.area_rect(egui::Id::new("Keys and mouse")).unwrap_or(Rect::NOTHING)
                    });
                });
            }
            assert!(screen.contains_rect(room) && (room.width() - width).abs() < 40.0, "{room} in {screen}");
            assert_eq!(room.height() < height - 30.0, fits, "{room}");
        }
    }
}
