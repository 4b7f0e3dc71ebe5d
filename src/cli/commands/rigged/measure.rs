//! Measures a written model against the original in every clip.

use crate::analysis::keys::Keys;
use crate::analysis::measure::{Files, Frames, MAX_FRAMES, Place, Summary, compare_files, place, times_of};
use crate::cli::terminal::progress::bar;
use crate::model::Model;
use crate::pairing::{Pairing, clip_name};
use crate::skinning::pose::{ClipMix, PoseChoice};
use crate::skinning::surfaces::Surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal};
use indicatif::ProgressBar;

/// A written model and the original.
pub struct Sides<'a> {
    pub mode: SkinningMode,
    pub original: &'a Model,
    /// The file, read back.
    pub read: &'a Model,
    pub pairing: Pairing,
}

/// The differences between the file and the original.
pub struct Found {
    pub diagonal_m: f64,
    pub vertices: usize,
    pub motions: Vec<Motion>,
}

impl Found {
    /// The motion with the largest distance.
    pub fn worst(&self) -> Option<&Motion> {
        self.motions.iter().max_by(|a, b| a.max_m.total_cmp(&b.max_m))
    }
}

/// The largest distance in a clip.
pub struct Motion {
    /// The number of the clip; `None` for the rest pose of a model without clips.
    pub clip: Option<usize>,
    pub name: String,
    pub frames: usize,
    pub max_m: f64,
    /// The time and the place, if anything differs.
    pub worst: Option<(f64, Place)>,
}

/// The maximum number of frames of all clips together, as in `sinew compare`.
const MAX_IN_ALL: usize = 10 * MAX_FRAMES;

impl Sides<'_> {
    /// Measures every clip by itself, at the times of `sinew compare`.
    pub fn measure(&self) -> Found {
        let keys = Keys::new(self.original);
        let count = self.original.clips.len();
        let most = (MAX_IN_ALL / count.max(1)).max(2);
        let mut clips: Vec<_> = (0..count)
            .map(|clip| {
                let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
                let seconds = times_of(&keys, &mix, Frames::Every, most).seconds;
                (Some(clip), PoseChoice::Clips(mix), seconds)
            })
            .collect();
        if clips.is_empty() {
            clips.push((None, PoseChoice::Rest, vec![0.0]));
        }
        let bar = bar(clips.iter().map(|(_, _, seconds)| seconds.len() as u64).sum(), "frames");
        let surfaces = [self.original, self.read].map(Surfaces::new);
        let paired = (&self.pairing, surfaces.each_ref());
        let motions =
            clips.iter().map(|(clip, choice, seconds)| self.motion(*clip, choice, seconds, paired, &bar));
        let motions = motions.collect();
        bar.finish_and_clear();
        let (diagonal_m, vertices) = {
            let drawn = Drawn::new(self.original);
            (diagonal(self.original, &drawn), drawn.count())
        };
        Found { diagonal_m, vertices, motions }
    }

    fn motion(
        &self,
        clip: Option<usize>,
        choice: &PoseChoice,
        seconds: &[f64],
        (pairing, surfaces): (&Pairing, [&Surfaces; 2]),
        bar: &ProgressBar,
    ) -> Motion {
        let mut summary = Summary::default();
        summary.start(&[self.mode]);
        let files = Files {
            models: [self.original, self.read],
            surfaces,
            motions: [choice; 2],
            pairing,
            new_mode: None,
        };
        let measured = compare_files(files, &[self.mode], seconds, |frame| {
            summary.add(self.original, &frame);
            bar.inc(1);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = measured;
        let figures = summary.motions.first().and_then(|figures| figures.first()).copied();
        let worst = figures.and_then(|figures| figures.worst);
        Motion {
            clip,
            name: clip
                .map_or("rest pose".to_owned(), |clip| format!("clip {}", clip_name(self.original, clip))),
            frames: seconds.len(),
            max_m: figures.map_or(0.0, |figures| figures.max_m),
            worst: worst.and_then(|(time, vertex)| Some((time, place(self.original, vertex)?))),
        }
    }
}
