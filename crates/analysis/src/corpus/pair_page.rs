//! The page of a pair: both models in three dimensions, and each finding with its place and pictures.

use std::fmt::Write;

use sinew_model::{Model, Period};
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::{ClipPairs, Pairing, Similarity, clip_name};
use sinew_text::html::escaped;
use sinew_text::words::many;

use super::asset::{Asset, Finding, Weight};
use super::findings::{self, Of, Scene, Shot, sentence};
use super::page::shown;
use super::pair::{alignment, only_moves};
use crate::report::head;
use crate::view_page::{Motion, Paired, Side, Source, Spot, View, scripts, section};

/// Shows both models in the old one's mode, in the rest pose and in the clips that both have. The new one is brought to the
/// old one's place and size; if that changes it, its words follow, such as `100 times larger`.
pub fn pair_view(models: [&Model; 2], asset: &Asset) -> (View, Option<String>) {
    let [old, new] = models;
    let mode = SkinningMode::authored(old).unwrap_or_default();
    let sides = [("old", old), ("new", new)].map(|(name, model)| Side { name: name.to_owned(), model, mode });
    let rest = Motion { name: "rest pose".to_owned(), clips: vec![None; 2], period: Period::default() };
    let mut motions = vec![rest];
    if let Ok(pairs) = ClipPairs::new(old, new, &[]) {
        let both = (0..old.clips.len()).filter_map(|clip| Some((clip, pairs.partner(clip)?)));
        motions.extend(both.map(|(clip, partner)| Motion {
            name: format!("clip {}", clip_name(old, clip)),
            clips: vec![Some(clip), Some(partner)],
            period: old.period_of_all(std::iter::once(clip)),
        }));
    }
    let spot = |finding: &Finding| {
        let Scene { clips, time, vertex } = Scene::of(finding, models);
        // Without a partner, a clip has no place here but the rest pose.
        let motion = motions.iter().position(|motion| motion.clips == clips);
        let (motion, time) = motion.map_or((0, 0.0), |motion| (motion, time));
        Spot { words: sentence(finding), side: 0, motion: Some(motion), time, vertex }
    };
    let spots: Vec<Spot> = asset.findings.iter().map(spot).collect();
    let pairing = Pairing::new(old, new);
    let (new_from_old, words) = alignment(&pairing, models).unzip();
    let new_from_old = new_from_old.unwrap_or(Similarity::IDENTITY);
    let is_only_moved = only_moves(&new_from_old);
    let paired = Paired { pairing: &pairing, new_from_old, is_only_moved };
    (View::new(&sides, &motions, &spots, Some(&paired)), words)
}

/// Formats the page. `view` is that of [`pair_view`]; `shots` are pictures of each finding, if there are any.
pub fn pair_page(
    names: [&str; 2],
    asset: &Asset,
    (view, placed): &(View, Option<String>),
    shots: &[Vec<Shot>],
) -> String {
    let title = format!("{} → {}", names[0], names[1]);
    let mut out = head(&escaped(&title));
    let errors = asset.findings.iter().filter(|finding| finding.kind.weight() == Weight::Error).count();
    let verdict = match (errors, asset.findings.len()) {
        (_, 0) => "No differences that show.".to_owned(),
        (0, all) => format!("No errors, {}.", many(all, "warning")),
        (errors, _) => format!("{}.", many(errors, "error")),
    };
    let placed = placed.as_ref().map_or_else(String::new, |words| {
        format!(
            "<p class=\"quiet\">The new model is {}. In three dimensions, it is drawn and measured at the old one's place and \
             size; pictures show both as they are.</p>\n",
            escaped(words)
        )
    });
    let _ = writeln!(
        out,
        "<header>\n<h1>{}</h1>\n<p class=\"verdict\">{verdict}</p>\n{placed}</header>\n<main>\n{}",
        escaped(&title),
        section()
    );
    out.push_str(&findings::section(&asset.findings, Of::Old, 0, shots));
    out.push_str("<section>\n<h2>Figures</h2>\n<dl>\n");
    for (figure, value) in &asset.figures {
        let _ = writeln!(
            out,
            "<dt>{}<code>{}</code></dt><dd>{}</dd>",
            shown(*value),
            figure.name(),
            escaped(figure.meaning())
        );
    }
    let _ = write!(
        out,
        "</dl>\n</section>\n</main>\n{}</body>\n</html>\n",
        scripts(&Source::Here(&view.script()))
    );
    out
}
