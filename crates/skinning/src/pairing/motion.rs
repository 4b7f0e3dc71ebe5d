//! The pose of one model in another: clips, joints and morph targets by their names.

use super::names;
use crate::pose::{Blend, ClipMix, PoseChoice};
use sinew_model::Model;
use sinew_model::unknown::Unknown;

/// The clips of two models that play together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClipPairs {
    /// For each clip of the first model, its partner in the second.
    pub of_first: Vec<Option<usize>>,
    /// The clips that only the second model has.
    pub only_in_second: Vec<usize>,
}

impl ClipPairs {
    /// Pairs clips: first the requested ones, then by equal names, then by names that are equal behind the last `|` or `:`,
    /// then without case. Clips of one name pair in their order; any other way needs one clip on each side. A clip without a
    /// name pairs by index. `asked` has clips of the first model, each with a name or number in the second.
    ///
    /// # Errors
    /// If the second model lacks a requested clip.
    pub fn new(first: &Model, second: &Model, asked: &[(usize, String)]) -> Result<Self, String> {
        let mut of_first = vec![None; first.clips.len()];
        let mut is_free = vec![true; second.clips.len()];
        let take = |place: &mut Option<usize>, clip: usize, is_free: &mut [bool]| {
            if let Some(free) = is_free.get_mut(clip) {
                (*place, *free) = (Some(clip), false);
            }
        };
        for (clip, name) in asked {
            let found = find_clip(second, name).ok_or_else(|| no_clip(second, name))?;
            if let Some(place) = of_first.get_mut(*clip) {
                take(place, found, &mut is_free);
            }
        }
        let [mine, theirs] = [first, second]
            .map(|model| model.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>());
        names::pair(&mine, &theirs, &mut of_first, &mut is_free);
        for (clip, place) in of_first.iter_mut().enumerate() {
            let is_nameless = [first, second]
                .iter()
                .any(|model| model.clips.get(clip).is_some_and(|clip| clip.name.is_empty()));
            if is_nameless && place.is_none() && is_free.get(clip).copied().unwrap_or(false) {
                take(place, clip, &mut is_free);
            }
        }
        let only = is_free.iter().enumerate().filter(|(_, is_free)| **is_free).map(|(clip, _)| clip);
        Ok(Self { of_first, only_in_second: only.collect() })
    }

    /// Returns the partner of a clip of the first model.
    pub fn partner(&self, clip: usize) -> Option<usize> {
        self.of_first.get(clip).copied().flatten()
    }

    /// Returns the clips of the first model without a partner.
    pub fn only_in_first(&self) -> impl Iterator<Item = usize> {
        self.of_first.iter().enumerate().filter(|(_, partner)| partner.is_none()).map(|(clip, _)| clip)
    }

    /// Returns the pose of the first model in the second; an error names the clip that the model lacks. Skips edits of
    /// joints and targets that it lacks.
    ///
    /// # Errors
    /// If the second model lacks a clip.
    pub fn carried(&self, choice: &PoseChoice, from: &Model, to: &Model) -> Result<PoseChoice, String> {
        let mix = match choice {
            PoseChoice::Bind | PoseChoice::Rest => return Ok(choice.clone()),
            PoseChoice::SkinSpace(only) => {
                return Ok(PoseChoice::SkinSpace(only.as_ref().and_then(|joint| joint.carried_to(to))));
            }
            PoseChoice::Clips(mix) => mix,
        };
        let find = |clip: usize| {
            self.partner(clip).ok_or_else(|| {
                let name = clip_name(from, clip);
                let unknown = no_clip(to, &name);
                match to.clips.is_empty() {
                    true => unknown,
                    false => format!("{unknown}; --clip '{name}=NAME' names the clip there"),
                }
            })
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
}

/// Finds a clip by name or number. Names come first, because a clip may be called "2", or "#2".
pub fn find_clip(model: &Model, asked: &str) -> Option<usize> {
    let by_name = model.clips.iter().position(|clip| clip.name == asked);
    let number = asked.strip_prefix('#').unwrap_or(asked);
    by_name.or_else(|| number.parse().ok().filter(|&index: &usize| index < model.clips.len()))
}

/// Reports that a model lacks a clip, and lists its clips.
pub fn no_clip(model: &Model, asked: &str) -> String {
    let known = model.clips.iter().map(|clip| clip.name.as_str()).enumerate();
    Unknown::numbered("clip", asked, known).to_string()
}

/// Returns a clip's name, or its number if it has none.
pub fn clip_name(model: &Model, clip: usize) -> String {
    match model.clips.get(clip).map(|clip| clip.name.as_str()).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => clip.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::Clip;

    fn model(names: &[&str]) -> Model {
        let clip = |name: &&str| Clip { name: (*name).to_owned(), ..Clip::default() };
        Model { clips: names.iter().map(clip).collect(), ..Model::default() }
    }

    fn pairs(first: &[&str], second: &[&str]) -> Vec<Option<usize>> {
        ClipPairs::new(&model(first), &model(second), &[]).unwrap().of_first
    }

    #[test]
    fn names_pair_exactly_then_behind_the_last_bar_then_without_case() {
        assert_eq!(pairs(&["YMCA"], &["Rig|Walk", "Rig|YMCA"]), [Some(1)]);
        assert_eq!(pairs(&["a:b:YMCA"], &["Rig|YMCA"]), [Some(0)]);
        assert_eq!(pairs(&["ymca", "walk"], &["Rig|Walk", "Rig|YMCA"]), [Some(1), Some(0)]);
        // A clip with the exact name pairs before others.
        assert_eq!(pairs(&["Idle", "Rig|Idle"], &["Rig|Idle"]), [None, Some(0)]);
        assert_eq!(pairs(&["idle", "Idle"], &["Idle", "IDLE"]), [Some(1), Some(0)]);
        assert_eq!(pairs(&["twist"], &["bend"]), [None]);
    }

    #[test]
    fn what_several_clips_may_mean_pairs_none() {
        assert_eq!(pairs(&["Walk"], &["A|Walk", "B|Walk"]), [None]);
        assert_eq!(pairs(&["A|Layer0", "B|Layer0"], &["a|layer0", "b|layer0"]), [Some(0), Some(1)]);
        // Equal names pair by order, missing names by index.
        assert_eq!(pairs(&["Take", "Take", "Take"], &["Take", "Take"]), [Some(0), Some(1), None]);
        assert_eq!(pairs(&["", ""], &["", "Walk"]), [Some(0), Some(1)]);
        assert_eq!(pairs(&["Run", "Walk"], &["", "Walk"]), [Some(0), Some(1)]);
        assert_eq!(pairs(&["Walk", "Run"], &["", "Walk"]), [Some(1), None]);
        assert_eq!(pairs(&["Rig|"], &["|"]), [None]);
    }

    #[test]
    fn a_missing_clip_can_be_named_only_where_there_are_others() {
        let carried = |names: &[&str]| {
            let (first, second) = (model(&["Run"]), model(names));
            let pairs = ClipPairs::new(&first, &second, &[]).unwrap();
            pairs.carried(&PoseChoice::clip(0, 0.0), &first, &second).unwrap_err()
        };
        assert!(carried(&["Walk"]).ends_with("; --clip 'Run=NAME' names the clip there"));
        assert!(!carried(&[]).contains("--clip"));
    }

    #[test]
    fn what_is_asked_for_comes_first() {
        let (first, second) = (model(&["Run", "Walk"]), model(&["Walk", "Run"]));
        let asked = |name: &str| ClipPairs::new(&first, &second, &[(0, name.to_owned())]);
        let found = asked("Walk").unwrap();
        assert_eq!((found.of_first, found.only_in_second), (vec![Some(0), None], vec![1]));
        assert_eq!(asked("#0").unwrap().partner(0), Some(0));
        let error = asked("Wal").unwrap_err();
        assert!(error.starts_with("it has no clip 'Wal' (did you mean 'Walk'?)"), "{error}");
    }
}
