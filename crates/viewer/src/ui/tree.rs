//! The node tree with a search.

use egui::{ComboBox, RichText, ScrollArea, TextEdit, Ui};

use crate::stage::Stage;
use sinew_text::words::many;

/// The deepest indentation; a file may nest nodes to any depth.
const MAX_INDENTED: usize = 12;

/// Height of the list, in points, in a panel that is high enough.
const HEIGHT: f32 = 170.0;

/// The smallest height of the list.
const LOWEST: f32 = 88.0;

/// Height of the panel above and below the list while a joint is chosen, in points.
const OTHERS: f32 = 604.0;

/// The search, and its results for a model.
#[derive(Default)]
pub struct Tree {
    words: String,
    /// Skin whose joints alone are listed, if any.
    skin: Option<usize>,
    found_in: Option<Asked>,
    rows: Vec<Row>,
    /// The node that was chosen in the last frame.
    chosen: Option<usize>,
}

/// A model's number, one of its skins and a search.
type Asked = (usize, Option<usize>, String);

struct Row {
    node: usize,
    depth: usize,
}

impl Tree {
    fn find(&mut self, stage: &Stage) {
        let wanted = (stage.model_number(), self.skin, self.words.to_lowercase());
        if self.found_in.as_ref() == Some(&wanted) {
            return;
        }
        let words = &wanted.2;
        let names = (0..stage.node_count()).map(|node| stage.node_name(node));
        let is_found = |name: &str| words.is_empty() || name.to_lowercase().contains(words);
        let found = names.enumerate().filter(|(_, name)| is_found(name)).map(|(node, _)| node);
        let of_skin = self.skin.map(|skin| stage.joints_of(skin));
        let found = found.filter(|node| of_skin.as_ref().is_none_or(|joints| joints.contains(node)));
        let is_flat = !words.is_empty();
        let depths = stage.node_depths();
        let depth = |node: usize| if is_flat { 0 } else { depths.get(node).copied().unwrap_or(0) };
        self.rows = found.map(|node| Row { node, depth: depth(node) }).collect();
        if !is_flat {
            let order = stage.depth_first();
            self.rows.sort_by_key(|row| order.get(row.node).copied().unwrap_or(usize::MAX));
        }
        self.found_in = Some(wanted);
    }
}

/// Shows the nodes; choosing one changes the stage. In a low panel the list is shorter, so that the controls of the
/// chosen joint are visible below it.
pub fn show(ui: &mut Ui, tree: &mut Tree, stage: &mut Stage, panel_height: f32) {
    let skins = stage.skin_names();
    tree.skin = tree.skin.filter(|skin| *skin < skins.len());
    let all = "all nodes".to_owned();
    let (nodes, joints) = (many(stage.node_count(), "node"), many(stage.joint_count(), "joint"));
    let hint = format!("search {nodes}, {joints}");
    ui.horizontal(|ui| {
        if !skins.is_empty() {
            ui.label("list");
            let shown = tree.skin.and_then(|skin| skins.get(skin)).unwrap_or(&all);
            let list = ComboBox::from_id_salt("skin").width(84.0).truncate().selected_text(shown);
            list.show_ui(ui, |ui| {
                ui.selectable_value(&mut tree.skin, None, &all);
                for (number, name) in skins.iter().enumerate() {
                    ui.selectable_value(&mut tree.skin, Some(number), name);
                }
            });
        }
        ui.add(TextEdit::singleline(&mut tree.words).hint_text(hint).desired_width(f32::INFINITY));
    });
    tree.find(stage);
    let height = ui.spacing().interact_size.y;
    let tall = (panel_height - OTHERS).clamp(LOWEST, HEIGHT);
    let mut area = ScrollArea::vertical().id_salt("nodes").max_height(tall).auto_shrink([false, true]);
    if tree.chosen != stage.chosen {
        let row = tree.rows.iter().position(|row| Some(row.node) == stage.chosen);
        if let Some(row) = row {
            let top = row as f32 * (height + ui.spacing().item_spacing.y);
            area = area.vertical_scroll_offset((top - tall * 0.5).max(0.0));
        }
    }
    if tree.rows.is_empty() {
        ui.weak("No node's name matches.");
    }
    area.show_rows(ui, height, tree.rows.len(), |ui, shown| {
        for row in tree.rows.get(shown).unwrap_or_default() {
            ui.horizontal(|ui| show_row(ui, row, stage));
        }
    });
    // A node that was chosen here is visible, so the list does not scroll under the cursor.
    tree.chosen = stage.chosen;
}

fn show_row(ui: &mut Ui, row: &Row, stage: &mut Stage) {
    ui.add_space(row.depth.min(MAX_INDENTED) as f32 * 10.0);
    let name = stage.node_name(row.node);
    let is_edited = stage.is_edited(row.node);
    let name = if is_edited { format!("{name} *") } else { name };
    let text = match stage.is_joint(row.node) {
        true => RichText::new(name),
        false => RichText::new(name).weak(),
    };
    let is_chosen = stage.chosen == Some(row.node);
    if ui.selectable_label(is_chosen, text).clicked() {
        stage.chosen = (!is_chosen).then_some(row.node);
    }
}
