//! The panel at the right side: its sections, its width, and its position in a narrow window.

use egui::{Area, Button, CollapsingHeader, Context, Frame, Id, ScrollArea, SidePanel};

use super::{Facts, Ui, Wish};
use super::{files, looks, materials, morphs, numbers, pose, tree, vertex, weights};
use crate::files::Files;
use crate::habits::{Habits, WIDTHS};
use crate::stage::Stage;

/// Window width in points below which the panel does not fit beside the picture.
const NARROW: f32 = 700.0;

/// Width of the strip that replaces the panel.
const STRIP: f32 = 24.0;

impl Ui {
    /// Shows the panel beside the picture; in a narrow window a strip, with a button that lays it over the picture.
    pub(super) fn side(
        &mut self,
        context: &Context,
        stage: &mut Stage,
        facts: &Facts,
        wishes: &mut Vec<Wish>,
    ) {
        if context.content_rect().width() >= NARROW {
            self.is_over = false;
            let panel = SidePanel::right("panel").default_width(self.habits.panel_width).width_range(WIDTHS);
            let shown = panel.show(context, |ui| self.panel(ui, stage, facts, wishes));
            self.habits.panel_width = shown.response.rect.width();
            return;
        }
        SidePanel::right("strip")
            .exact_width(STRIP)
            .resizable(false)
            .show_separator_line(true)
            .frame(Frame::side_top_panel(&context.style()).inner_margin(2))
            .show(context, |ui| {
                let (sign, words) = match self.is_over {
                    true => (">", "hide the panel"),
                    false => ("<", "show the panel over the picture"),
                };
                let button = Button::new(sign).min_size(egui::vec2(STRIP - 6.0, 60.0));
                self.is_over ^= ui.add(button).on_hover_text(words).clicked();
            });
        if !self.is_over {
            return;
        }
        let room = context.available_rect();
        let width = self.habits.panel_width.min(room.width() - 16.0).max(100.0);
        let corner = egui::pos2(room.max.x - width, room.min.y);
        Area::new(Id::new("panel over")).fixed_pos(corner).constrain(false).show(context, |ui| {
            let frame = Frame::side_top_panel(ui.style());
            let inside = egui::vec2(width, room.height()) - frame.total_margin().sum();
            frame.show(ui, |ui| {
                ui.set_min_size(inside);
                ui.set_max_size(inside);
                self.panel(ui, stage, facts, wishes);
            });
        });
    }

    /// Shows the sections, which scroll, and below them the vertex, which is always visible.
    fn panel(&mut self, ui: &mut egui::Ui, stage: &mut Stage, facts: &Facts, wishes: &mut Vec<Wish>) {
        let Self { habits, moving, is_listing, surroundings, tiles, tree, turning, vertex_height, .. } = self;
        let all = ui.available_height();
        let below = vertex_height.min(all * 0.5);
        ScrollArea::vertical().auto_shrink([false, false]).max_height(all - below).show(ui, |ui| {
            looks::show(ui, stage, facts.recent, surroundings, wishes);
            // The column shows them.
            if !*is_listing && facts.files.is_some_and(Files::has_others) {
                section(habits, ui, "Files", true, |ui| files::section(ui, tiles, facts, wishes));
            }
            // The task at hand comes first.
            if stage.is_selecting {
                section(habits, ui, "Weights", true, |ui| weights::show(ui, stage, wishes));
            }
            // Choosing a joint in the tree adds controls. They are below the tree, so that it does not move under the
            // cursor.
            section(habits, ui, "Scene", true, |ui| tree::show(ui, tree, stage, all));
            section(habits, ui, "Pose", true, |ui| pose::show(ui, stage, facts, turning, wishes));
            if stage.has_morphs() {
                section(habits, ui, "Morph targets", true, |ui| morphs::show(ui, stage, facts));
            }
            if stage.has_materials() {
                section(habits, ui, "Materials", false, |ui| materials::show(ui, stage));
            }
            if facts.numbers.is_some() {
                section(habits, ui, "Performance", false, |ui| {
                    numbers::show(ui, facts.numbers, *moving, wishes);
                });
            }
        });
        let vertex = ScrollArea::vertical().id_salt("vertex").auto_shrink([false, true]);
        let vertex = vertex.show(ui, |ui| match facts.probe {
            Some(_) => section(habits, ui, "Vertex", true, |ui| vertex::show(ui, stage, facts)),
            None => {
                ui.separator();
                ui.weak("Vertex: point at one; click to pin it.");
            }
        });
        let needed = vertex.content_size.y + 2.0 * ui.spacing().item_spacing.y;
        if (needed - *vertex_height).abs() > 0.5 {
            *vertex_height = needed;
            ui.ctx().request_repaint();
        }
    }
}

/// Shows a section of the panel with a heading that folds it.
fn section(
    habits: &mut Habits,
    ui: &mut egui::Ui,
    title: &str,
    is_open: bool,
    show: impl FnOnce(&mut egui::Ui),
) {
    ui.separator();
    let is_open = habits.sections.get(title).copied().unwrap_or(is_open);
    let shown = CollapsingHeader::new(title).default_open(is_open).show_unindented(ui, show);
    if shown.fully_open() != is_open {
        habits.sections.insert(title.to_owned(), shown.fully_open());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::{Event, Key, Modifiers, Order, PointerButton, Pos2, RawInput, Rect, Vec2};

    use glam::DVec3;

    use super::*;
    use crate::gizmo::Change;
    use crate::ui::{Numbers, Question};
    use sinew_model::{Model, VertexIndex, builtin, gltf};
    use sinew_scene::scene::{Arrangement, Scene, Wipe};
    use sinew_skinning::SkinningMode;
    use sinew_skinning::pose::Pose;
    use sinew_skinning::probe::Probe;

    struct Window {
        ui: Ui,
        stage: Stage,
        model: Arc<Model>,
        pose: Pose,
        size: Vec2,
    }

    impl Window {
        fn new(width: f32, height: f32) -> Self {
            let model = Arc::new(gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap());
            let scene = Scene::new("builtin:bend");
            let mut pose = Pose::default();
            pose.set(&model, &scene.pose);
            let ui = Ui { is_open: true, ..Ui::default() };
            let stage = Stage::new(scene, Arc::clone(&model));
            Self { ui, stage, model, pose, size: Vec2::new(width, height) }
        }

        /// Lays out a frame, and returns its texts with their positions. Without `vertex`, none is under the cursor.
        fn texts(&mut self, has_vertex: bool) -> Vec<(String, Pos2)> {
            self.pose.set(&self.model, &self.stage.scene.pose);
            let vertex = VertexIndex { instance: 0, primitive: 0, vertex: 4730 };
            let probe = Probe::new(&self.model, &self.pose, vertex).unwrap();
            let (numbers, mut texts) = (Numbers::default(), Vec::new());
            for _ in 0..3 {
                let probe = has_vertex.then(|| (vertex, &probe, Default::default()));
                let facts =
                    Facts { pose: Some(&self.pose), numbers: Some(&numbers), probe, ..Facts::default() };
                let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
                let input = RawInput { screen_rect, ..RawInput::default() };
                let (output, _) = self.ui.run(input, &mut self.stage, &facts, &mut Vec::new());
                texts = output
                    .shapes
                    .iter()
                    .filter_map(|shape| match &shape.shape {
                        egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.pos)),
                        _ => None,
                    })
                    .collect();
            }
            texts
        }

        /// Lays out a frame with these events; returns the size left for the picture.
        fn frame(&mut self, events: Vec<Event>) -> [u32; 2] {
            let vertex = VertexIndex { instance: 0, primitive: 0, vertex: 4730 };
            let probe = Probe::new(&self.model, &self.pose, vertex).unwrap();
            let facts = Facts {
                pose: Some(&self.pose),
                probe: Some((vertex, &probe, Default::default())),
                ..Facts::default()
            };
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
            let input = RawInput { screen_rect, events, ..RawInput::default() };
            self.ui.lay_out(input, &mut self.stage, &facts).room[1]
        }
    }

    /// Tab goes along the timeline from left to right, then down the panel, each row from left to right.
    #[test]
    fn tab_goes_in_reading_order() {
        let mut window = Window::new(1280.0, 1600.0);
        window.stage.chosen = Some(1);
        for _ in 0..3 {
            window.frame(Vec::new());
        }
        let tab = Event::Key {
            key: Key::Tab,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut places: Vec<Rect> = Vec::new();
        for _ in 0..200 {
            window.frame(vec![tab.clone()]);
            window.frame(Vec::new());
            let context = window.ui.context();
            let Some(focused) = context.memory(|memory| memory.focused()) else { continue };
            let place = context.read_response(focused).unwrap().rect;
            if places.first() == Some(&place) {
                break;
            }
            places.push(place);
        }
        // The panel's edge comes last.
        assert!(places.pop().unwrap().width() < 12.0);
        assert!(places.len() > 40, "{}", places.len());
        let in_panel = |place: &Rect| place.min.x > 1280.0 - 310.0 && place.max.y < 1500.0;
        let first = places.iter().position(in_panel).unwrap();
        let (timeline, panel) = places.split_at(first);
        assert!(timeline.len() > 6 && panel.iter().all(in_panel), "{places:?}");
        for part in [timeline, panel] {
            for pair in part.windows(2) {
                let [a, b] = [pair[0].center(), pair[1].center()];
                let is_below = b.y > a.y + 4.0;
                let is_right = (b.y - a.y).abs() <= 4.0 && b.x > a.x;
                assert!(is_below || is_right, "{} then {}", pair[0], pair[1]);
            }
        }
    }

    fn has(texts: &[(String, Pos2)], text: &str) -> bool {
        texts.iter().any(|(found, _)| found == text)
    }

    #[test]
    fn lists_have_labels() {
        let mut window = Window::new(1280.0, 800.0);
        window.ui.habits.sections.insert("Materials".to_owned(), true);
        window.stage.scene.arrangement = Arrangement::Split(vec![SkinningMode::Rigid]);
        let texts = window.texts(false);
        for label in ["skinned by", "beside", "view", "fault", "list", "clip", "at its end"] {
            assert!(has(&texts, label), "{label}: {texts:?}");
        }
        let wipe = Wipe { mode: SkinningMode::Rigid, at: 0.5 };
        window.stage.scene.arrangement = Arrangement::Wipe(wipe);
        window.size.y = 1600.0;
        let texts = window.texts(false);
        assert!(has(&texts, "with") && has(&texts, "material"), "{texts:?}");
    }

    /// Sections without content are closed, or one line.
    #[test]
    fn no_section_is_open_and_empty() {
        let mut window = Window::new(1280.0, 800.0);
        let texts = window.texts(false);
        assert!(!has(&texts, "Vertex") && has(&texts, "Vertex: point at one; click to pin it."), "{texts:?}");
        assert!(window.ui.vertex_height < 40.0, "{}", window.ui.vertex_height);
        assert!(has(&texts, "Performance") && !has(&texts, "vertices"), "{texts:?}");
        assert!(has(&window.texts(true), "Vertex"));
    }

    /// Controls are added only below the control that adds them, so that a clicked control does not move. The
    /// controls of a joint are visible in a window 800 points high.
    #[test]
    fn choosing_a_joint_moves_nothing_above_its_controls() {
        let mut window = Window::new(1280.0, 800.0);
        let place =
            |texts: &[(String, Pos2)], text: &str| texts.iter().find(|(found, _)| found == text).unwrap().1;
        let before = window.texts(false);
        let name = window.stage.node_name(1).to_owned();
        window.stage.chosen = Some(1);
        let after = window.texts(false);
        for text in ["Scene", "list", &name, "Pose", "bind", "save pose"] {
            assert_eq!(place(&before, text), place(&after, text), "{text}");
        }
        assert!(place(&after, "reset joint").y < 800.0 - 110.0, "{after:?}");
    }

    #[test]
    fn edits_are_named_until_they_are_saved_and_zero_has_no_sign() {
        let mut window = Window::new(1280.0, 800.0);
        window.stage.chosen = Some(1);
        window.stage.change(1, Change::Translation(DVec3::new(-1e-9, 0.3, -0.0)));
        let texts = window.texts(true);
        assert!(has(&texts, "edited (1)") && has(&texts, "edited"), "{texts:?}");
        assert!(window.stage.title().contains(", edited"));
        let is_negative_zero = |text: &str| {
            text.split_whitespace()
                .any(|word| word.starts_with("-0") && !word.contains(|c| ('1'..='9').contains(&c)))
        };
        assert!(!texts.iter().any(|(text, _)| is_negative_zero(text)), "{texts:?}");
        window.stage.note_pose_saved();
        let texts = window.texts(true);
        assert!(has(&texts, "1 edit") && !texts.iter().any(|(text, _)| text.contains("edited")), "{texts:?}");
        assert!(!window.stage.title().contains("edited"));
        window.stage.turn_chosen(0, 5.0);
        assert!(has(&window.texts(true), "edited (1)"));
    }

    /// The whole vertex section is visible in a window 800 points high, without scrolling.
    #[test]
    fn a_vertex_is_in_sight() {
        let mut window = Window::new(1280.0, 800.0);
        window.stage.chosen = Some(1);
        for _ in 0..3 {
            window.frame(Vec::new());
        }
        let [_, height] = window.frame(Vec::new());
        let needed = window.ui.vertex_height;
        assert!(needed > 100.0 && needed <= height as f32 * 0.5, "{needed} of {height}");
    }

    #[test]
    fn a_panel_is_as_wide_as_it_was_and_makes_way_in_a_narrow_window() {
        let mut window = Window::new(1280.0, 800.0);
        window.ui.habits.panel_width = 400.0;
        for _ in 0..3 {
            window.frame(Vec::new());
        }
        assert_eq!(window.frame(Vec::new())[0], 1280 - 400);
        assert_eq!(window.ui.habits.panel_width, 400.0);
        window.size.x = NARROW - 1.0;
        window.frame(Vec::new());
        let beside = window.frame(Vec::new())[0];
        assert_eq!(beside, (NARROW - 1.0 - STRIP) as u32);
        window.ui.is_over = true;
        window.frame(Vec::new());
        assert_eq!(window.frame(Vec::new())[0], beside, "it lies over the picture");
        window.size.x = NARROW;
        window.frame(Vec::new());
        assert_eq!(window.frame(Vec::new())[0], (NARROW - 400.0) as u32);
        assert_eq!(window.ui.habits.panel_width, 400.0);
    }

    /// A click on a panel that lies over the picture does not raise it above a question.
    #[test]
    fn a_question_lies_over_everything() {
        let mut window = Window::new(640.0, 480.0);
        (window.ui.is_over, window.ui.question) = (true, Some(Question::Lost));
        for _ in 0..3 {
            window.frame(Vec::new());
        }
        let order = |window: &Window, x: f32, y: f32| {
            window.ui.context().layer_id_at(Pos2::new(x, y)).map(|layer| layer.order)
        };
        let (panel, question) = (Pos2::new(550.0, 60.0), Pos2::new(360.0, 240.0));
        assert_eq!(order(&window, panel.x, panel.y), Some(Order::Middle));
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            let click = Event::PointerButton { pos: panel, button, pressed, modifiers };
            window.frame(vec![Event::PointerMoved(panel), click]);
        }
        window.frame(Vec::new());
        assert_eq!(order(&window, question.x, question.y), Some(Order::Foreground));
    }

    /// A section that the user closed stays closed in the next window.
    #[test]
    fn sections_stay_as_they_were_left() {
        let mut open = Window::new(1280.0, 800.0);
        let mut closed = Window::new(1280.0, 800.0);
        closed.ui.habits.sections.insert("Vertex".to_owned(), false);
        for _ in 0..3 {
            open.frame(Vec::new());
            closed.frame(Vec::new());
        }
        assert!(closed.ui.vertex_height < 40.0 && open.ui.vertex_height > 100.0);
        assert!(open.ui.habits.sections.is_empty(), "{:?}", open.ui.habits);
    }
}
