//! The panel, the timeline, the marks and the messages, laid out by egui for each frame; it also returns the room
//! left for the picture. It must not depend on windows or Vulkan.

mod ask;
mod chooser;
mod files;
mod help;
mod hint;
mod loading;
mod looks;
mod marks;
mod materials;
mod morphs;
mod numbers;
mod paint;
mod palette;
mod pointed;
mod pose;
mod search;
mod side;
mod status;
mod text;
mod timeline;
mod transport;
mod tree;
mod vertex;
mod weights;
mod writing;

use std::ffi::OsString;
use std::time::Duration;

use egui::style::NumberFormatter;
use egui::{Context, FullOutput, PlatformOutput, RawInput, TopBottomPanel, emath};

pub use ask::{Answer, Leave, Question};
pub use chooser::Chooser;
pub use marks::{Dot, Held, VertexMarks};
pub use numbers::Numbers;
pub use pointed::PaneMarks;
pub use status::{HEIGHT as STATUS_HEIGHT, LOWEST};
pub use weights::SMOOTHS;

use super::files::{Files, Thumbnails};
use super::gizmo::{Gizmo, Handle};
use super::habits::Habits;
use super::keys::Action;
use super::pace::Moving;
use super::stage::Stage;
use glam::DVec2;
use sinew_model::VertexIndex;
use sinew_render::Painting;
use sinew_skinning::pose::Pose;
use sinew_skinning::probe::Probe;
use sinew_skinning::reweight::Edit;
use sinew_text::words::without_negative_zero;
use sinew_text::writing::system_fonts;

/// Inputs of the panel besides the stage.
#[derive(Default)]
pub struct Facts<'a> {
    /// The current pose.
    pub pose: Option<&'a Pose>,
    /// The measurements.
    pub numbers: Option<&'a Numbers>,
    /// The vertex under the cursor, or the pinned one, and the marks on it.
    pub probe: Option<(VertexIndex, &'a Probe, marks::VertexMarks)>,
    /// The handles of the chosen joint.
    pub gizmo: Option<&'a Gizmo>,
    /// The top left pixel of each pane.
    pub origins: Vec<[u32; 2]>,
    /// Width and height of a pane.
    pub pane: [u32; 2],
    /// The handle that is grabbed or under the cursor.
    pub handle: Option<Handle>,
    /// Position of a drag, and its effect in words.
    pub drag: Option<(DVec2, String)>,
    /// Pixels of the pinned joints.
    pub pins: Vec<DVec2>,
    /// The name of the joint under the cursor, and its marks in the picture.
    pub pointed: Option<(String, Vec<PaneMarks>)>,
    /// Marks of the chosen joint, if no rings mark it.
    pub chosen: Vec<PaneMarks>,
    /// Pixels of the selected vertices, in all panes.
    pub selected: Vec<DVec2>,
    /// Two corners of the rectangle that the mouse drags.
    pub rectangle: Option<[DVec2; 2]>,
    /// True if the cursor is over the line of a wipe.
    pub is_on_line: bool,
    /// The message, and a flag that is true for an error.
    pub message: Option<(&'a str, bool)>,
    /// The file being loaded, and the share of it that is read.
    pub loading: Option<(&'a str, f64)>,
    /// Recently shown files, the newest first.
    pub recent: &'a [OsString],
    /// The list of files, and their thumbnails.
    pub files: Option<&'a Files>,
    pub thumbnails: Option<&'a Thumbnails>,
    /// Number of files dragged over the window.
    pub hovering: usize,
}

/// A request that the stage cannot handle.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Perform a key's action.
    Act(Action),
    /// Edit the weights of the selected vertices.
    Weigh(Edit),
    /// Show a file.
    Open(OsString),
    /// Light surfaces with an environment picture.
    Surround(OsString),
    /// Answer the question.
    Say(Answer),
    /// Open the chooser's selection.
    Choose(OsString),
    /// Set the quality while something is moved.
    Moving(Moving),
}

/// The layout of a frame.
pub struct LaidOut {
    /// Painting of the frame.
    pub painting: Painting,
    /// Top left pixel and size of the room left for the picture.
    pub room: [[u32; 2]; 2],
    /// The user's requests.
    pub wishes: Vec<Wish>,
    /// Requests of egui to the window system.
    pub platform: PlatformOutput,
    /// Time until the next layout, if something changes by itself.
    pub again: Option<Duration>,
}

/// The colour of explanatory text.
const PLAIN: egui::Color32 = egui::Color32::from_gray(200);

/// Time beyond which a wait counts as never.
const LONG: Duration = Duration::from_secs(60);

/// The panel's state.
pub struct Ui {
    context: Context,
    textures: paint::Textures,
    /// True if panel and timeline are open.
    pub is_open: bool,
    /// True if the list of keys is open.
    pub is_helping: bool,
    /// True if the list of files is open, beside the picture.
    pub is_listing: bool,
    /// True to show the line below the picture.
    pub has_status: bool,
    /// Text beside the picture, paragraph by paragraph, the first as its title.
    pub text: Vec<String>,
    /// True to show the hint for the first minute.
    pub is_hinting: bool,
    /// True if the panel lies over the picture, in a window too narrow for it beside the picture.
    pub is_over: bool,
    /// Saved layout of the panel.
    pub habits: Habits,
    /// The quality while something is moved.
    pub moving: Moving,
    help: help::Help,
    palette: Option<palette::Palette>,
    /// The height of the vertex section at the panel's lower end, in points.
    vertex_height: f32,
    /// Pending question.
    pub question: Option<Question>,
    /// Chooses a file, if the desktop has no dialog for it.
    pub chooser: Option<Chooser>,
    tiles: files::Tiles,
    tree: tree::Tree,
    ticks: timeline::Ticks,
    turning: pose::Turning,
    /// The path of an environment picture, as typed so far.
    surroundings: String,
    /// Number of the system's fonts in use.
    system_fonts: usize,
}

impl Default for Ui {
    fn default() -> Self {
        let context = Context::default();
        context.set_theme(egui::Theme::Dark);
        context.set_fonts(writing::fonts());
        // No animations: controls show their current state.
        context.all_styles_mut(|style| {
            style.animation_time = 0.0;
            style.spacing.slider_width = 130.0;
            // The bar shows that there is more, even while the mouse is elsewhere.
            style.spacing.scroll.dormant_handle_opacity = 0.6;
            style.number_formatter = NumberFormatter::new(|number, decimals| {
                without_negative_zero(emath::format_with_decimals_in_range(number, decimals))
            });
        });
        Self {
            context,
            textures: paint::Textures::default(),
            is_open: false,
            is_helping: false,
            is_listing: false,
            has_status: true,
            text: Vec::new(),
            is_hinting: false,
            is_over: false,
            habits: Habits::default(),
            moving: Moving::default(),
            help: help::Help::default(),
            palette: None,
            vertex_height: 0.0,
            question: None,
            chooser: None,
            tiles: files::Tiles::default(),
            tree: tree::Tree::default(),
            ticks: timeline::Ticks::default(),
            turning: pose::Turning::default(),
            surroundings: String::new(),
            system_fonts: 0,
        }
    }
}

impl Ui {
    /// Returns the egui context, for the code that translates events.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Sets the quality while something is moved, in later windows too.
    pub fn set_moving(&mut self, moving: Moving) {
        (self.moving, self.habits.moving) = (moving, moving);
    }

    /// Drops focus and ends any drag.
    pub fn let_go(&self) {
        self.context.stop_dragging();
        self.context.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }

    /// Returns the files whose thumbnails are on the screen.
    pub fn seen(&self) -> &[OsString] {
        self.tiles.seen()
    }

    /// Returns true if there are controls for keys and the mouse.
    pub fn takes_events(&self) -> bool {
        let asks = self.question.is_some() || self.chooser.is_some() || self.palette.is_some();
        self.is_open || self.is_helping || self.is_listing || !self.text.is_empty() || asks
    }

    /// Closes the chooser, the palette, the list of keys, or the panel over the picture. Returns true if one was
    /// open.
    pub fn close_one(&mut self) -> bool {
        self.chooser.take().is_some()
            || self.palette.take().is_some()
            || std::mem::take(&mut self.is_helping)
            || std::mem::take(&mut self.is_over)
    }

    /// Returns true if the list of keys, the chooser or the palette lies over everything.
    pub fn lies_over(&self) -> bool {
        self.is_helping || self.takes_keys()
    }

    /// Returns true if something takes all keys but Escape.
    pub fn takes_keys(&self) -> bool {
        self.palette.is_some() || self.chooser.is_some()
    }

    /// Opens or closes the palette.
    pub fn toggle_palette(&mut self, stage: &Stage) {
        self.palette = match self.palette.take() {
            Some(_) => None,
            None => Some(palette::Palette::new(stage)),
        };
    }

    /// Lays everything out; the user's edits go directly to the stage.
    pub fn lay_out(&mut self, input: RawInput, stage: &mut Stage, facts: &Facts) -> LaidOut {
        let mut wishes = Vec::new();
        let again = RawInput { events: Vec::new(), ..input.clone() };
        let (mut output, mut room) = self.run(input, stage, facts, &mut wishes);
        if self.system_fonts != system_fonts() {
            // The texts have characters that the fonts lacked.
            self.system_fonts = system_fonts();
            self.context.set_fonts(writing::fonts());
            self.textures.change(std::mem::take(&mut output.textures_delta));
            let (mut second, second_room) = self.run(again, stage, facts, &mut wishes);
            second.platform_output.commands.splice(0..0, output.platform_output.commands);
            (output, room) = (second, second_room);
        }
        self.finish(output, room, wishes)
    }

    /// Lays out once; also returns the room for the picture.
    fn run(
        &mut self,
        input: RawInput,
        stage: &mut Stage,
        facts: &Facts,
        wishes: &mut Vec<Wish>,
    ) -> (FullOutput, egui::Rect) {
        let mut room = egui::Rect::NOTHING;
        let context = self.context.clone();
        self.tiles.begin();
        let output = context.run(input, |context| {
            if self.has_status && status::fits(context.content_rect().height()) {
                status::show(context, stage);
            }
            if !self.text.is_empty() {
                text::column(context, &self.text);
            }
            if self.is_listing {
                files::column(context, &mut self.tiles, facts, wishes);
            }
            if self.is_open {
                TopBottomPanel::bottom("timeline").show(context, |ui| {
                    timeline::show(ui, &mut self.ticks, stage, wishes);
                });
                self.side(context, stage, facts, wishes);
            }
            room = context.available_rect();
            pointed::show_chosen(context, room, &facts.chosen);
            weights::marks(context, room, facts);
            if self.is_open {
                marks::show(context, room, facts);
            }
            if let Some((name, panes)) = &facts.pointed {
                pointed::show_pointed(context, room, panes, name);
                context.set_cursor_icon(egui::CursorIcon::PointingHand);
            } else if facts.is_on_line {
                context.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
            }
            if self.is_hinting {
                hint::show(context, room);
            }
            self.over_all(context, stage, wishes);
            if let Some((file, share)) = facts.loading {
                loading::show(context, room, file, share);
            }
            if let Some(chooser) = &mut self.chooser {
                wishes.extend(chooser::show(context, chooser, facts.recent).map(Wish::Choose));
            }
            if let Some(question) = &self.question {
                wishes.extend(ask::show(context, question).map(Wish::Say));
            }
            if facts.hovering > 0 {
                files::hover(context, room, facts.hovering);
            }
            if let Some((text, is_error)) = facts.message {
                marks::say(context, room, text, is_error);
            }
            writing::write(context);
        });
        (output, room)
    }

    /// Shows the list of keys and the palette, which lie over everything but questions.
    fn over_all(&mut self, context: &Context, stage: &mut Stage, wishes: &mut Vec<Wish>) {
        let was_open = self.is_helping || self.palette.is_some();
        match self.is_helping {
            true => self.is_helping = help::show(context, &mut self.help),
            false => self.help = help::Help::default(),
        }
        if let Some(mut palette) = self.palette.take()
            && palette::show(context, &mut palette, stage, wishes)
        {
            self.palette = Some(palette);
        }
        if was_open && !self.is_helping && self.palette.is_none() {
            // The closed one is still in this frame.
            self.let_go();
            context.request_repaint();
        }
    }

    fn finish(&mut self, output: FullOutput, room: egui::Rect, wishes: Vec<Wish>) -> LaidOut {
        let FullOutput { platform_output, textures_delta, shapes, pixels_per_point, viewport_output } =
            output;
        self.textures.change(textures_delta);
        let laid_out = self.context.tessellate(shapes, pixels_per_point);
        let pixel = |points: f32| (points * pixels_per_point).round().max(0.0) as u32;
        let corner = [pixel(room.min.x), pixel(room.min.y)];
        let end = [pixel(room.max.x), pixel(room.max.y)];
        let size = [end[0].saturating_sub(corner[0]), end[1].saturating_sub(corner[1])];
        let again = viewport_output.values().map(|output| output.repaint_delay).min();
        LaidOut {
            painting: self.textures.painting(&laid_out, pixels_per_point),
            room: [corner, size],
            wishes,
            platform: platform_output,
            again: again.filter(|again| *again < LONG),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_every_letter_that_the_panel_writes() {
        let sources = [
            include_str!("ask.rs"),
            include_str!("chooser.rs"),
            include_str!("files.rs"),
            include_str!("help.rs"),
            include_str!("hint.rs"),
            include_str!("looks.rs"),
            include_str!("materials.rs"),
            include_str!("mod.rs"),
            include_str!("morphs.rs"),
            include_str!("numbers.rs"),
            include_str!("palette.rs"),
            include_str!("pose.rs"),
            include_str!("status.rs"),
            include_str!("timeline.rs"),
            include_str!("../stage/status.rs"),
            include_str!("tree.rs"),
            include_str!("vertex.rs"),
            include_str!("weights.rs"),
        ];
        let letters: String = sources.concat().chars().filter(|letter| !letter.is_ascii()).collect();
        assert!(letters.contains('×'));
        let ui = Ui::default();
        let has = |letters: &str| {
            let mut has = false;
            let _ = ui.context.run(RawInput::default(), |context| {
                has = context.fonts_mut(|fonts| fonts.has_glyphs(&egui::FontId::default(), letters));
            });
            has
        };
        assert!(has(&letters), "{letters}");
        assert!(!has("\u{1f9b4}"), "a letter that neither font has");
    }
}
