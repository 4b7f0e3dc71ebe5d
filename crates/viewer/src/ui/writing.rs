//! Lays out texts again in the form of [`sinew_text::writing`]. egui sets each character separately, from left to
//! right, so its texts are replaced before they are painted. Controls do not depend on this.

use std::sync::Arc;

use egui::epaint::TextShape;
use egui::text::{LayoutJob, LayoutSection};
use egui::{Context, FontData, FontDefinitions, FontFamily, Galley, LayerId, Shape};

use sinew_text::writing::{self, Source, line};

/// Returns the panel's fonts: one for words, one for columns. Each falls back to the other, and then to those of the
/// system's fonts that are loaded. egui's default adds two emoji fonts, 0.7 MB.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let system = (0..writing::system_fonts()).map(Source::System);
    let mut names = Vec::new();
    for source in [Source::BuiltIn(1), Source::BuiltIn(0)].into_iter().chain(system) {
        if let Some(face) = writing::face(source) {
            let name = format!("{source:?}");
            fonts.font_data.insert(name.clone(), Arc::new(FontData::from_static(face.bytes)));
            names.push(name);
        }
    }
    fonts.families.insert(FontFamily::Proportional, names.clone());
    if names.len() > 1 {
        names.swap(0, 1);
    }
    fonts.families.insert(FontFamily::Monospace, names);
    fonts
}

/// Text of egui's button that copies a colour. The few fonts with this character are large: drawing it would load 4
/// MB.
const COPIES: &str = "📋";
const COPIES_HERE: &str = "▣";

/// Replaces the texts of the current frame.
pub fn write(context: &Context) {
    let order: Vec<LayerId> = context.memory(|memory| memory.layer_ids().collect());
    let mut shapes = context.graphics_mut(|graphics| graphics.drain(&order, &Default::default()));
    for clipped in &mut shapes {
        write_shape(context, &mut clipped.shape);
    }
    // They are in painting order, so one layer is enough.
    context.graphics_mut(|graphics| {
        let list = graphics.entry(LayerId::background());
        for clipped in shapes {
            list.add(clipped.clip_rect, clipped.shape);
        }
    });
}

fn write_shape(context: &Context, shape: &mut Shape) {
    match shape {
        Shape::Vec(shapes) => shapes.iter_mut().for_each(|shape| write_shape(context, shape)),
        Shape::Text(text) => {
            if let Some(galley) = written(context, text) {
                text.galley = galley;
            }
        }
        _ => {}
    }
}

/// Returns a new layout of a text, if it must be written differently than it is stored.
fn written(context: &Context, text: &TextShape) -> Option<Arc<Galley>> {
    let old = &text.galley.job;
    if old.text.is_ascii() {
        return None;
    }
    if old.text == COPIES {
        let format = old.sections.first().map(|section| section.format.clone()).unwrap_or_default();
        let job = LayoutJob::single_section(COPIES_HERE.to_owned(), format);
        return Some(context.fonts_mut(|fonts| fonts.layout_job(job)));
    }
    let mut job = LayoutJob { text: String::new(), sections: Vec::new(), ..LayoutJob::clone(old) };
    for section in &old.sections {
        let start = job.text.len();
        let stored = old.text.get(section.byte_range.clone())?;
        for (number, row) in stored.split('\n').enumerate() {
            if number > 0 {
                job.text.push('\n');
            }
            job.text.push_str(&line(row));
        }
        job.sections.push(LayoutSection { byte_range: start..job.text.len(), ..section.clone() });
    }
    (job.text != old.text).then(|| context.fonts_mut(|fonts| fonts.layout_job(job)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::RawInput;

    fn shown(stored: &str) -> Vec<String> {
        let context = Context::default();
        context.set_fonts(fonts());
        let output = context.run(RawInput::default(), |context| {
            egui::CentralPanel::default().show(context, |ui| ui.label(stored));
            write(context);
        });
        let texts = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        });
        texts.collect()
    }

    #[test]
    fn every_text_is_written_as_it_reads() {
        assert_eq!(shown("a\u{202e}b\nc"), ["a\\u{202e}b\nc"]);
        assert_eq!(shown("Hüfte 2 ×"), ["Hüfte 2 ×"]);
        assert_eq!(shown("骨"), ["\\u{9aa8}"]);
        assert_eq!(shown(COPIES), [COPIES_HERE]);
    }
}
