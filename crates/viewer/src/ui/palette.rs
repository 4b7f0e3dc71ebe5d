//! The palette: finds the actions of all keys, and views, faults, clips, joints and the quality while moving, by
//! name. It is built from the key table, so it has every action.

use egui::{Align2, Context, FontId, Key, Modifiers, Order, Rect, ScrollArea, Sense, TextEdit, Ui, Vec2};

use super::{Wish, search};
use crate::keys::{Action, BINDINGS};
use crate::pace::Moving;
use crate::stage::Stage;
use sinew_scene::view::View;
use sinew_skinning::Fault;

/// The largest number of listed entries; more words find the others.
const MAX: usize = 200;

/// The largest width, in points.
const WIDTH: f32 = 520.0;

/// Effect of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Action of a key.
    Act(Action),
    /// Shows a view.
    View(View),
    /// Skins with a fault, or with none.
    Fault(Option<Fault>),
    /// Plays a clip.
    Clip(usize),
    /// Chooses a joint.
    Joint(usize),
    /// Sets the quality while the user moves something.
    Moving(Moving),
}

/// A line of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name of the effect.
    pub name: String,
    /// The key for it, if there is one.
    pub key: String,
    /// The flag for it, if there is one.
    pub flag: String,
    /// Further words that a search matches.
    pub about: &'static str,
    /// Effect of the entry.
    pub choice: Choice,
}

/// The open palette.
pub struct Palette {
    search: String,
    entries: Vec<Entry>,
    /// The index of the entry that Enter chooses, among the found ones.
    at: usize,
    has_begun: bool,
}

impl Palette {
    /// Opens the palette of a stage.
    pub fn new(stage: &Stage) -> Self {
        Self { search: String::new(), entries: entries(stage), at: 0, has_begun: false }
    }
}

/// Returns every choice: actions, then views, faults, clips, joints and qualities.
fn entries(stage: &Stage) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for binding in BINDINGS.iter() {
        let choice = Choice::Act(binding.action);
        match entries.iter_mut().find(|entry| entry.choice == choice) {
            Some(entry) => entry.key = format!("{}, {}", entry.key, binding.chord),
            None => entries.push(Entry {
                name: binding.words.clone().into_owned(),
                key: binding.chord.to_string(),
                flag: binding.flag.clone().into_owned(),
                about: "",
                choice,
            }),
        }
    }
    let entry =
        |name: String, flag: String, choice| Entry { name, key: String::new(), flag, about: "", choice };
    let view = |view: View| entry(format!("view: {view}"), format!("--view {view}"), Choice::View(view));
    entries.extend(stage.views().into_iter().map(view));
    let none = stage
        .scene
        .inject
        .is_some()
        .then(|| entry("fault: none".to_owned(), String::new(), Choice::Fault(None)));
    entries.extend(none);
    entries.extend(Fault::ALL.map(|fault| Entry {
        about: fault.symptom().cause,
        ..entry(format!("fault: {fault}"), format!("--inject {fault}"), Choice::Fault(Some(fault)))
    }));
    let clip =
        |(number, name)| entry(format!("clip: {name}"), format!("--clip '{name}'"), Choice::Clip(number));
    entries.extend(stage.clip_names().enumerate().map(clip));
    let joints = (0..stage.node_count()).filter(|node| stage.is_joint(*node));
    let joint = |node| {
        let name = stage.node_name(node);
        entry(format!("joint: {name}"), format!("--choose '{name}'"), Choice::Joint(node))
    };
    entries.extend(joints.map(joint));
    entries.extend(Moving::ALL.map(|moving| {
        let name = moving.name();
        let about = "moving quality while orbiting";
        let flag = format!("--moving-quality {name}");
        Entry { about, ..entry(format!("quality while moving: {name}"), flag, Choice::Moving(moving)) }
    }));
    entries
}

/// Returns the entries that match all words of a search, the best first.
fn find<'a>(entries: &'a [Entry], search: &str) -> Vec<&'a Entry> {
    let words = search::words(search);
    let is_found = |entry: &&Entry| {
        let Entry { name, key, flag, about, .. } = entry;
        search::has_all(&format!("{name} {flag} {key} {about}"), &words)
    };
    let mut found: Vec<&Entry> = entries.iter().filter(is_found).collect();
    found.sort_by_key(|entry| search::rank(&entry.name, &words));
    found
}

/// Shows the palette; returns true if it stays open.
pub fn show(context: &Context, palette: &mut Palette, stage: &mut Stage, wishes: &mut Vec<Wish>) -> bool {
    let room = context.content_rect().shrink(10.0);
    let mut chosen = None;
    egui::Window::new("palette")
        .title_bar(false)
        .order(Order::Foreground)
        .resizable(false)
        .movable(false)
        .anchor(Align2::CENTER_TOP, [0.0, 24.0_f32.min(room.height() * 0.1)])
        .fixed_size([WIDTH.min(room.width() - 14.0), (room.height() * 0.7).max(80.0)])
        .show(context, |ui| {
            let (mut moved, mut is_sure) = (0_i64, false);
            ui.input_mut(|input| {
                let mut typed = |key| input.consume_key(Modifiers::NONE, key);
                moved = i64::from(typed(Key::ArrowDown) || typed(Key::Tab)) - i64::from(typed(Key::ArrowUp));
                is_sure = typed(Key::Enter);
            });
            // The search field has the focus before its first character arrives.
            let id = ui.id().with("search");
            ui.memory_mut(|memory| memory.request_focus(id));
            let edit = TextEdit::singleline(&mut palette.search)
                .id(id)
                .hint_text("find an action, view, fault, clip, joint or quality")
                .lock_focus(true)
                .desired_width(f32::INFINITY);
            let edit = ui.add(edit);
            if edit.changed() {
                palette.at = 0;
            }
            let found = find(&palette.entries, &palette.search);
            let count = i64::try_from(found.len().min(MAX)).unwrap_or(0).max(1);
            let at = i64::try_from(palette.at).unwrap_or(0).min(count - 1);
            palette.at = usize::try_from((at + moved).rem_euclid(count)).unwrap_or(0);
            if is_sure {
                chosen = found.get(palette.at).map(|entry| entry.choice.clone());
            }
            let is_new = !std::mem::replace(&mut palette.has_begun, true);
            let scrolls = moved != 0 || edit.changed() || is_new;
            let clicked = list(ui, &found, palette.at, scrolls);
            chosen = clicked.or(chosen.take());
        });
    if let Some(choice) = chosen {
        choose(choice, stage, wishes);
        return false;
    }
    true
}

/// Lists the found entries; returns the clicked one.
fn list(ui: &mut Ui, found: &[&Entry], at: usize, scrolls: bool) -> Option<Choice> {
    let mut clicked = None;
    ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
        for (number, entry) in found.iter().take(MAX).enumerate() {
            let row = row(ui, entry, number == at);
            if number == at && scrolls {
                row.scroll_to_me(None);
            }
            if row.clicked() {
                clicked = Some(entry.choice.clone());
            }
        }
        match found.len() {
            0 => drop(ui.weak("Nothing matches all of these words.")),
            count if count > MAX => drop(ui.weak(format!("and {} more", count - MAX))),
            _ => {}
        }
    });
    clicked
}

/// Draws an entry: its name on the left, flag and key on the right.
fn row(ui: &mut Ui, entry: &Entry, is_marked: bool) -> egui::Response {
    let size = Vec2::new(ui.available_width(), ui.spacing().interact_size.y + 2.0);
    let (place, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &entry.name));
    let visuals = ui.visuals();
    let fill = match (is_marked, response.hovered()) {
        (true, _) => visuals.selection.bg_fill,
        (false, true) => visuals.widgets.hovered.weak_bg_fill,
        (false, false) => egui::Color32::TRANSPARENT,
    };
    let (strong, weak) = match is_marked {
        true => (visuals.strong_text_color(), visuals.strong_text_color().gamma_multiply(0.8)),
        false => (super::PLAIN, visuals.text_color()),
    };
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 3.0, fill);
    let inside = place.shrink2(egui::vec2(6.0, 0.0));
    let font = FontId::proportional(13.0);
    let write = |rect: Rect, align: Align2, text: &str, color| {
        painter.text(align.pos_in_rect(&rect), align, text, font.clone(), color)
    };
    let key = write(inside, Align2::RIGHT_CENTER, &entry.key, strong);
    let rest = Rect::from_min_max(inside.min, egui::pos2(key.min.x - 14.0, inside.max.y));
    let name = write(rest, Align2::LEFT_CENTER, &entry.name, strong);
    let flag = painter.layout_no_wrap(entry.flag.clone(), font.clone(), weak);
    // A flag without room is omitted; the key is more useful here.
    if name.max.x + 14.0 + flag.size().x <= rest.max.x {
        painter.galley(Align2::RIGHT_CENTER.anchor_size(rest.right_center(), flag.size()).min, flag, weak);
    }
    response
}

fn choose(choice: Choice, stage: &mut Stage, wishes: &mut Vec<Wish>) {
    match choice {
        Choice::Act(action) => wishes.push(Wish::Act(action)),
        Choice::View(view) => stage.look_at(view),
        Choice::Fault(fault) => stage.scene.inject = fault,
        Choice::Clip(clip) => stage.change_clip(clip),
        Choice::Joint(node) => stage.chosen = Some(node),
        Choice::Moving(moving) => wishes.push(Wish::Moving(moving)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use sinew_model::{builtin, gltf};
    use sinew_scene::scene::Scene;
    use sinew_skinning::SkinningMode;

    fn stage() -> Stage {
        let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        Stage::new(Scene::new("builtin:bend"), Arc::new(model))
    }

    #[test]
    fn every_action_of_the_key_table_is_found_by_its_words() {
        let entries = entries(&stage());
        for binding in BINDINGS.iter() {
            let found = find(&entries, &binding.words);
            let entry = found.iter().find(|entry| entry.choice == Choice::Act(binding.action)).unwrap();
            assert!(entry.key.contains(&binding.chord.to_string()), "{}", binding.words);
            assert_eq!(entry.flag, binding.flag);
        }
    }

    #[test]
    fn words_find_in_any_order_and_the_nearest_name_is_first() {
        let entries = entries(&stage());
        let first = |search| find(&entries, search).first().map(|entry| entry.choice.clone());
        assert_eq!(first("clip all reset"), None);
        assert_eq!(first("edits ALL"), Some(Choice::Act(Action::ResetAll)));
        assert_eq!(first("--overlay bounds"), Some(Choice::Act(Action::Bounds)));
        assert_eq!(first("view normals"), Some(Choice::View(View::Normals)));
        assert_eq!(first("transposed"), Some(Choice::Fault(Some(Fault::Transposed))));
        assert_eq!(first("row by row"), Some(Choice::Fault(Some(Fault::Transposed))));
        assert!(matches!(first("joint upper"), Some(Choice::Joint(_))));
        assert_eq!(first("clip"), Some(Choice::Clip(0)));
        assert_eq!(first("moving quality draft"), Some(Choice::Moving(Moving::Draft)));
        assert_eq!(first("while moving plain"), Some(Choice::Moving(Moving::Plain)));
    }

    /// The first difference is the one to the mode that the window compares with.
    #[test]
    fn differences_are_found_and_the_useful_one_is_first() {
        for mode in SkinningMode::ALL {
            let mut stage = stage();
            stage.act(Action::Mode(mode));
            let entries = entries(&stage);
            let found = find(&entries, "difference");
            assert_eq!(found.len(), SkinningMode::ALL.len(), "no second file");
            let view: View = format!("difference:{}", stage.other_mode()).parse().unwrap();
            assert_ne!(stage.other_mode(), mode);
            assert_eq!(found[0].choice, Choice::View(view));
        }
    }

    #[test]
    fn a_fault_is_chosen_and_left_again() {
        let (mut stage, mut wishes) = (stage(), Vec::new());
        assert!(find(&entries(&stage), "fault: none").is_empty());
        choose(Choice::Fault(Some(Fault::Transposed)), &mut stage, &mut wishes);
        assert_eq!(stage.scene.inject, Some(Fault::Transposed));
        let entries = entries(&stage);
        let none = find(&entries, "fault none")[0].choice.clone();
        choose(none, &mut stage, &mut wishes);
        assert_eq!((stage.scene.inject, wishes), (None, Vec::new()));
    }

    /// Keys in egui's form: typing filters, arrows move, Enter chooses.
    #[test]
    fn the_keyboard_alone_is_enough() {
        let (mut stage, context) = (stage(), Context::default());
        let mut palette = Palette::new(&stage);
        let mut type_ = |palette: &mut Palette, events: Vec<egui::Event>| {
            let (mut wishes, mut stays) = (Vec::new(), true);
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let _ = context.run(input, |context| {
                stays = show(context, palette, &mut stage, &mut wishes);
            });
            (stays, wishes)
        };
        let key = |key| egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        for _ in 0..2 {
            assert_eq!(type_(&mut palette, Vec::new()), (true, Vec::new()));
        }
        assert!(type_(&mut palette, vec![egui::Event::Text("play twice".to_owned())]).0);
        assert_eq!(palette.search, "play twice");
        let found: Vec<String> =
            find(&palette.entries, "play").iter().map(|entry| entry.name.clone()).collect();
        assert_eq!(type_(&mut palette, vec![key(Key::Enter)]), (false, vec![Wish::Act(Action::Speed(2.0))]));
        let mut palette = Palette::new(&self::stage());
        type_(&mut palette, Vec::new());
        type_(&mut palette, vec![egui::Event::Text("play".to_owned())]);
        type_(&mut palette, vec![key(Key::ArrowDown)]);
        type_(&mut palette, vec![key(Key::ArrowDown)]);
        type_(&mut palette, vec![key(Key::ArrowUp)]);
        let (stays, wishes) = type_(&mut palette, vec![key(Key::Enter)]);
        let second = BINDINGS.iter().find(|binding| binding.words == found[1]).unwrap();
        assert_eq!((stays, wishes), (false, vec![Wish::Act(second.action)]));
    }
}
