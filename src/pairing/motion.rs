//! The pose of one model in another: clips, joints and morph targets by their names.

use sinew_model::Model;
use sinew_skinning::pose::{Blend, ClipMix, PoseChoice};

/// The pose in another model; an error says which clip that model lacks. Edits of joints and targets that it lacks are
/// left out.
///
/// # Errors
/// If the other model lacks a clip.
pub fn carried(choice: &PoseChoice, from: &Model, to: &Model) -> Result<PoseChoice, String> {
    let mix = match choice {
        PoseChoice::Bind | PoseChoice::Rest => return Ok(choice.clone()),
        PoseChoice::SkinSpace(only) => {
            return Ok(PoseChoice::SkinSpace(only.as_ref().and_then(|joint| joint.carried_to(to))));
        }
        PoseChoice::Clips(mix) => mix,
    };
    let find = |clip: usize| {
        let name = from.clips.get(clip).map_or("", |clip| clip.name.as_str());
        let by_name = to.clips.iter().position(|other| !name.is_empty() && other.name == name);
        let by_number = || (name.is_empty() && clip < to.clips.len()).then_some(clip);
        by_name.or_else(by_number).ok_or_else(|| format!("it has no clip '{}'", clip_name(from, clip)))
    };
    let blend = |blend: &Blend| Ok::<_, String>(Blend { clip: find(blend.clip)?, weight: blend.weight });
    Ok(PoseChoice::Clips(ClipMix {
        clips: mix.clips.iter().map(|clip| find(*clip)).collect::<Result<_, _>>()?,
        blends: mix.blends.iter().map(blend).collect::<Result<_, _>>()?,
        time_secs: mix.time_secs,
        edits: mix.edits.carried_to(to),
        only_joint: mix.only_joint.as_ref().and_then(|joint| joint.carried_to(to)),
    }))
}

/// A clip's name, or its number if it has none.
pub fn clip_name(model: &Model, clip: usize) -> String {
    match model.clips.get(clip).map(|clip| clip.name.as_str()).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => clip.to_string(),
    }
}
