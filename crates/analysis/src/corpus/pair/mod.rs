//! The comparison of a pair, old and new: the same character before and after an export. Differences count if they show, so a
//! file that stores the same character differently has no finding.

mod clips;
mod keys;
mod meshes;
mod papers;
mod rig;
mod sides;

use sinew_model::Model;
use sinew_skinning::pairing::Pairing;
use sinew_skinning::pairing::joints::SharedJoints;
use sinew_skinning::pairing::{AtRest, Similarity, at_rest};
use sinew_skinning::{Drawn, diagonal};

use super::asset::{Asset, Kind};
use super::check::counts;
use super::level::Level;
pub use sides::only_moves;
use sides::{SHOWS, Sides};

/// Compares two models.
pub fn compare(old: &Model, new: &Model, level: Level) -> Asset {
    let mut asset = Asset::default();
    counts(old, &mut asset);
    let pairing = Pairing::new(old, new);
    let size_m = diagonal(old, &Drawn::new(old));
    let joints = SharedJoints::new([old, new]);
    let rest = at_rest(&pairing.pairs, old, new).filter(shows);
    let mut sides = Sides { models: [old, new], pairing, joints, size_m, new_from_old: Similarity::IDENTITY };
    let is_shaped = meshes::missing(&sides, &mut asset);
    if let Some(rest) = &rest {
        placed(rest, is_shaped, &mut sides, &mut asset);
    }
    rig::compare(&sides, &mut asset);
    let has_weights = meshes::weights(&sides, &mut asset);
    meshes::surfaces(&sides, &mut asset);
    clips::compare(&sides, level, has_weights || is_shaped, &mut asset);
    papers::measure(&sides, level, &mut asset);
    asset.sort();
    asset
}

/// Returns true if the rest poses differ.
fn shows(rest: &AtRest) -> bool {
    rest.max_m > SHOWS * rest.size_m.max(f64::MIN_POSITIVE)
}

/// Returns the similarity from the old rest pose to the new one by which the new model is compared, with its words; `None` if it
/// is the identity.
pub fn alignment(pairing: &Pairing, [old, new]: [&Model; 2]) -> Option<(Similarity, String)> {
    let rest = at_rest(&pairing.pairs, old, new).filter(shows)?;
    Some((rest.new_from_old, rest.words()?))
}

/// Names the new rest pose's place on the old one. Vertices elsewhere on the mesh explain another rest pose.
fn placed(rest: &AtRest, is_shaped: bool, sides: &mut Sides<'_>, asset: &mut Asset) {
    let Some(words) = rest.words() else {
        if is_shaped {
            return;
        }
        let share = rest.max_m / rest.size_m.max(f64::MIN_POSITIVE);
        let words = format!("vertices of the rest pose are up to {:.1} % of its size apart", 100.0 * share);
        asset.add(Kind::Rest, "another pose", words, share);
        return;
    };
    sides.new_from_old = rest.new_from_old;
    let Similarity { scale, rotation, .. } = rest.new_from_old;
    let (_, angle) = rotation.to_axis_angle();
    let angle = angle.min(std::f64::consts::TAU - angle);
    if (scale - 1.0).abs() > SHOWS {
        let like =
            if scale > 1.0 { format!("×{}", short(scale)) } else { format!("÷{}", short(1.0 / scale)) };
        asset.add(Kind::Scale, like, words.clone(), scale.ln().abs());
    }
    if angle > SHOWS {
        asset.add(Kind::Axes, format!("{}°", angle.to_degrees().round()), words.clone(), angle);
    }
    if (scale - 1.0).abs() <= SHOWS && angle <= SHOWS {
        asset.add(Kind::Rest, "moved", words, rest.max_m / rest.size_m.max(f64::MIN_POSITIVE));
    }
}

/// Formats a factor with two digits.
fn short(factor: f64) -> String {
    let digits = 10_f64.powf(1.0 - factor.abs().max(1e-300).log10().floor());
    format!("{}", (factor * digits).round() / digits)
}
