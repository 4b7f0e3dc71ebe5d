//! Sliders for the factors of a material.

use egui::{ComboBox, Slider, SliderClamping, Ui};

use crate::stage::Stage;
use sinew_model::Material;
use sinew_model::srgb;
use sinew_scene::scene::Factors;

/// Shows the material that was last chosen here.
pub fn show(ui: &mut Ui, stage: &mut Stage) {
    let id = ui.id().with("material");
    let chosen: usize = ui.data(|data| data.get_temp(id)).unwrap_or(0);
    let name = |number: usize, material: &Material| match material.name.as_str() {
        "" => format!("material {number}"),
        name => name.to_owned(),
    };
    let names: Vec<String> = stage.materials().iter().enumerate().map(|(n, one)| name(n, one)).collect();
    let chosen = chosen.min(names.len().saturating_sub(1));
    ui.horizontal(|ui| {
        ui.label("material");
        let list = ComboBox::from_id_salt(id).width(ui.available_width()).truncate();
        list.selected_text(names.get(chosen).map_or("", String::as_str)).show_ui(ui, |ui| {
            for (number, name) in names.iter().enumerate() {
                if ui.selectable_label(number == chosen, name).clicked() {
                    ui.data_mut(|data| data.insert_temp(id, number));
                }
            }
        });
    });
    let Some(material) = stage.materials().get(chosen).cloned() else { return };
    let before = stage.factors(chosen);
    let mut factors = before.clone();
    sliders(ui, &material, &mut factors);
    let is_changed = factors != Factors::default();
    if ui.add_enabled(is_changed, egui::Button::new("reset material")).clicked() {
        factors = Factors::default();
    }
    if factors != before {
        stage.retouch(chosen, factors);
    }
}

fn sliders(ui: &mut Ui, material: &Material, factors: &mut Factors) {
    let shown = factors.apply(material);
    ui.horizontal(|ui| {
        let [r, g, b, _] = shown.base_color;
        let byte = |light: f32| (srgb::from_linear(f64::from(light)) * 255.0).round().clamp(0.0, 255.0) as u8;
        let mut color = factors.color.unwrap_or([r, g, b].map(byte));
        if ui.color_edit_button_srgb(&mut color).changed() {
            factors.color = Some(color);
        }
        ui.label("base colour");
    });
    let mut slider = |name: &str, now: f32, most: f32, factor: &mut Option<f32>| {
        let mut value = now;
        let slider = Slider::new(&mut value, 0.0..=most).clamping(SliderClamping::Edits);
        if ui.add(slider.text(name)).changed() {
            *factor = Some(value);
        }
    };
    slider("metallic", shown.metallic, 1.0, &mut factors.metallic);
    slider("roughness", shown.roughness, 1.0, &mut factors.roughness);
    if let Some(map) = &shown.normal {
        slider("normal map", map.scale, 10.0, &mut factors.normal);
    }
    if shown.emissive != [0.0; 3] {
        slider("emission", shown.emissive_strength, 100.0, &mut factors.emission);
    }
}
