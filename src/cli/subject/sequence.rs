//! A sequence of pictures: their number, and the scene of each.

use crate::camera::{Orbit, Viewpoint};
use crate::image::{AnimationFormat, MIN_PER_SECOND};
use crate::look::Background;
use crate::model::Model;
use crate::render::MAX_AT_ONCE;
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::SkinningMode;
use crate::skinning::pose::PoseChoice;

use crate::cli::args::output::{MAX_PICTURES, OutputArgs};
use crate::cli::terminal::failure::Failure;

/// Default pictures per second of a clip.
const CLIP_RATE: f64 = 25.0;
/// Default pictures per second of a turntable: 48 of them take 3.84 s.
const TURN_RATE: f64 = 12.5;
/// Default panes per second.
const STEP_RATE: f64 = 1.0;

/// A sequence of pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The number of pictures.
    pub count: u32,
    /// Pictures per second.
    pub per_second: f64,
    /// The flags that ask for the same sequence.
    pub flags: String,
    motion: Motion,
}

/// The change from picture to picture.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    /// The time of the clip.
    Clip,
    /// The viewpoint, going round.
    Turn,
    /// The pane of a split.
    Steps,
}

impl Sequence {
    /// The sequence that the flags ask for.
    pub fn new(args: &OutputArgs, scene: &Scene, model: &Model) -> Result<Self, Failure> {
        if let Some(count) = args.turntable {
            if let Viewpoint::InFile { given, .. } = &scene.camera {
                return Err(usage(format!("--turntable cannot be used with camera '{given}' of the file")));
            }
            let per_second = args.fps.unwrap_or(TURN_RATE);
            let flags = format!(" --turntable {count} --fps {per_second}");
            return Ok(Self { count, per_second, flags, motion: Motion::Turn });
        }
        if args.steps {
            let count = changes(scene).len() as u32;
            if count == 0 {
                return Err(usage("--steps shows the panes of --split, and there are none".to_owned()));
            }
            let per_second = args.fps.unwrap_or(STEP_RATE);
            let flags = format!(" --steps --fps {per_second}");
            return Ok(Self { count, per_second, flags, motion: Motion::Steps });
        }
        let length = length(scene, model);
        let (count, per_second) = match (args.frames, args.fps) {
            (Some(count), Some(per_second)) => (count, per_second),
            // A single picture needs no clip.
            (Some(1), None) if length.is_none() => (1, CLIP_RATE),
            (frames, fps) => {
                let length = length.ok_or_else(|| nothing_moves(scene))?;
                match frames {
                    Some(count) => (count, f64::from(count) / length),
                    None => (pictures(length, fps.unwrap_or(CLIP_RATE))?, fps.unwrap_or(CLIP_RATE)),
                }
            }
        };
        let flags = match args.frames {
            Some(_) if args.fps.is_none() => format!(" --frames {count}"),
            _ => format!(" --frames {count} --fps {per_second}"),
        };
        Ok(Self { count, per_second, flags, motion: Motion::Clip })
    }

    /// Returns true for a clip, whose pictures show different times.
    pub fn plays(&self) -> bool {
        self.motion == Motion::Clip
    }

    /// Refuses a sequence of a scene that the format of an animation cannot hold.
    pub fn check(&self, format: AnimationFormat, scene: &Scene) -> Result<(), Failure> {
        let size = scene.size;
        let (name, per_second, most) = (format.extension(), self.per_second, format.most_per_second());
        if !(MIN_PER_SECOND..=most).contains(&per_second) {
            return Err(usage(format!(
                "this makes {per_second} frames per second, but .{name} allows {MIN_PER_SECOND} to {most}; \
                 change --frames or --fps"
            )));
        }
        if !format.has_alpha() && has_transparent(scene) {
            return Err(usage(format!(
                "--background transparent: .{name} has no transparent pixels; use .webp or .apng"
            )));
        }
        if format.is_even() && size.iter().any(|side| side % 2 != 0) {
            return Err(usage(format!(
                "--size {}x{}: the sides of a picture in .{name} are even numbers; .webm takes any",
                size[0], size[1]
            )));
        }
        let most = format.longest_side().min(MAX_AT_ONCE);
        match size.iter().any(|side| *side > most) {
            true => Err(usage(format!(
                "--size {}x{}: .{name} is at most {most} pixels wide and high; write larger frames to single files, \
                 as in {{frame}}.png",
                size[0], size[1]
            ))),
            false => Ok(()),
        }
    }

    /// The viewpoint of the sequence, for a figure with the hull `points`.
    pub fn viewpoint(&self, camera: &Viewpoint, points: &[glam::DVec3], size: [u32; 2]) -> Viewpoint {
        match (self.motion, camera) {
            (Motion::Turn, Viewpoint::Orbit(orbit)) => orbit.for_all_sides(points, size).into(),
            // One viewpoint shows all steps.
            (Motion::Steps, Viewpoint::Orbit(orbit)) => orbit.settled(points, size).into(),
            _ => camera.clone(),
        }
    }

    /// The scene of one picture, counted from 0.
    pub fn scene(&self, number: u32, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        match self.motion {
            Motion::Clip => {
                if let PoseChoice::Clips(mix) = &mut scene.pose {
                    mix.time_secs += f64::from(number) / self.per_second;
                }
            }
            Motion::Steps => {
                let shown = changes(&scene).into_iter().nth(number as usize);
                scene.arrangement = Arrangement::Storyboard(shown.into_iter().collect());
            }
            Motion::Turn => {
                if let Viewpoint::Orbit(orbit) = &scene.camera {
                    let turned: Orbit = orbit.turned(f64::from(number) / f64::from(self.count.max(1)));
                    scene.camera = turned.into();
                }
            }
        }
        scene
    }
}

/// The panes of a split, each as a change to the scene.
fn changes(scene: &Scene) -> Vec<Change> {
    let in_mode = |mode: SkinningMode| Change {
        flags: format!("mode={mode}"),
        caption: mode.name().to_owned(),
        mode: Some(mode),
        ..Change::default()
    };
    match &scene.arrangement {
        Arrangement::Storyboard(changes) => changes.clone(),
        Arrangement::Split(others) => [scene.mode].iter().chain(others).map(|mode| in_mode(*mode)).collect(),
        Arrangement::Single | Arrangement::Wipe(_) | Arrangement::WipeOther(_) => Vec::new(),
    }
}

/// Returns true if the picture or one of its panes has a transparent background.
pub fn has_transparent(scene: &Scene) -> bool {
    let is_clear = |scene: &Scene| scene.look.background == Background::Transparent;
    is_clear(scene) || scene.panes().iter().any(|pane| is_clear(&pane.scene))
}

/// Seconds from the scene's time to the end of its longest clip; `None` if there are none.
fn length(scene: &Scene, model: &Model) -> Option<f64> {
    let PoseChoice::Clips(mix) = &scene.pose else { return None };
    let length = model.period_of_all(mix.all()).end - mix.time_secs;
    (length > 0.0 && length.is_finite()).then_some(length)
}

/// The number of pictures for a length of clip, at least one.
fn pictures(length: f64, per_second: f64) -> Result<u32, Failure> {
    let count = (length * per_second).round().max(1.0);
    match count <= f64::from(MAX_PICTURES) {
        true => Ok(count as u32),
        false => Err(usage(format!(
            "at --fps {per_second} the clip's {length} s make {count} frames; the limit is {MAX_PICTURES}, so lower --fps"
        ))),
    }
}

fn nothing_moves(scene: &Scene) -> Failure {
    let model = &scene.files.model;
    usage(match &scene.pose {
        PoseChoice::Clips(mix) if !mix.clips.is_empty() => format!(
            "{model}: the clip has ended at --time {}; use an earlier --time, or --turntable",
            mix.time_secs
        ),
        PoseChoice::SkinSpace(_) => {
            format!("{model}: --view skin-space shows no clip; use --turntable or --frames 1")
        }
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::Clips(_) => {
            format!("{model}: a pose without a clip makes no sequence; use --turntable or --frames 1")
        }
    })
}

fn usage(text: String) -> Failure {
    Failure::Usage(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::VideoFormat;
    use crate::look::Look;
    use crate::model::Clip;

    fn scene(pose: PoseChoice) -> Scene {
        Scene { pose, size: [8, 8], ..Scene::new("m.glb") }
    }

    fn args(frames: Option<u32>, fps: Option<f64>, turntable: Option<u32>) -> OutputArgs {
        OutputArgs { frames, fps, turntable, ..OutputArgs::default() }
    }

    fn model() -> Model {
        Model { clips: vec![Clip { duration_secs: 2.0, ..Clip::default() }], ..Model::default() }
    }

    fn times(sequence: &Sequence, scene: &Scene) -> Vec<f64> {
        let time = |number| match sequence.scene(number, scene).pose {
            PoseChoice::Clips(mix) => mix.time_secs,
            _ => panic!("no clip"),
        };
        (0..sequence.count).map(time).collect()
    }

    #[test]
    fn pictures_are_spread_over_what_is_left_of_the_clip() {
        let from_half = scene(PoseChoice::clip(0, 0.5));
        let sequence = Sequence::new(&args(Some(3), None, None), &from_half, &model()).unwrap();
        assert_eq!((times(&sequence, &from_half), sequence.per_second), (vec![0.5, 1.0, 1.5], 2.0));
        let sequence = Sequence::new(&args(None, Some(2.0), None), &from_half, &model()).unwrap();
        assert_eq!(times(&sequence, &from_half), [0.5, 1.0, 1.5]);
        let sequence = Sequence::new(&args(Some(2), Some(10.0), None), &from_half, &model()).unwrap();
        assert_eq!(times(&sequence, &from_half), [0.5, 0.6]);
        let sequence = Sequence::new(&args(None, None, None), &from_half, &model()).unwrap();
        assert_eq!((sequence.count, sequence.per_second), (38, 25.0));
    }

    #[test]
    fn what_makes_no_sequence_is_usage() {
        let ended = scene(PoseChoice::clip(0, 2.0));
        let rest = scene(PoseChoice::Rest);
        for (scene, args) in [
            (&ended, args(None, None, None)),
            (&ended, args(Some(2), None, None)),
            (&rest, args(None, Some(5.0), None)),
            (&scene(PoseChoice::clip(0, 0.0)), args(None, Some(10_000.0 * 6.0), None)),
        ] {
            let failure = Sequence::new(&args, scene, &model()).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{failure}");
        }
        assert_eq!(Sequence::new(&args(Some(1), None, None), &rest, &model()).unwrap().count, 1);
        let fast = Sequence::new(&args(Some(2), Some(51.0), None), &rest, &model()).unwrap();
        let holds = |format, scene: &Scene| fast.check(format, scene).is_ok();
        assert!(!holds(AnimationFormat::Gif, &rest));
        assert!(AnimationFormat::ALL[2..].iter().all(|format| holds(*format, &rest)));
        let large = Scene { size: [5000, 8], ..rest.clone() };
        assert!(!AnimationFormat::ALL.iter().any(|format| holds(*format, &large)));
        let odd = Scene { size: [8, 7], ..rest.clone() };
        assert!(
            !holds(AnimationFormat::Video(VideoFormat::Mp4), &odd)
                && holds(AnimationFormat::Video(VideoFormat::Webm), &odd)
        );
        let look = Look { background: Background::Transparent, ..rest.look };
        let clear = Scene { look, ..rest.clone() };
        assert!(holds(AnimationFormat::Webp, &clear) && !holds(AnimationFormat::Y4m, &clear));
    }

    #[test]
    fn steps_are_the_panes() {
        let rest = scene(PoseChoice::Rest);
        let steps = OutputArgs { steps: true, ..OutputArgs::default() };
        assert_eq!(Sequence::new(&steps, &rest, &model()).unwrap_err().exit_code(), 2);
        let split = Scene { arrangement: Arrangement::Split(vec![SkinningMode::DualQuat]), ..rest.clone() };
        let pane = |caption: &str| Change { caption: caption.to_owned(), ..Change::default() };
        let board = Arrangement::Storyboard(["lbs", "b", "c"].map(pane).to_vec());
        let board = Scene { arrangement: board, ..rest };
        for (scene, captions) in [(split, &["lbs", "dqs"][..]), (board, &["lbs", "b", "c"])] {
            let sequence = Sequence::new(&steps, &scene, &model()).unwrap();
            assert_eq!((sequence.count as usize, sequence.per_second), (captions.len(), 1.0));
            for (number, caption) in (0..).zip(captions) {
                let panes = sequence.scene(number, &scene).panes();
                assert_eq!(
                    (panes.len(), panes[0].caption.text.as_str(), panes[0].size),
                    (1, *caption, [8, 8])
                );
            }
        }
    }

    #[test]
    fn a_turn_is_a_whole_turn() {
        let rest = scene(PoseChoice::Rest);
        let turn = Sequence::new(&args(None, None, Some(4)), &rest, &model()).unwrap();
        let camera = turn.viewpoint(&rest.camera, &[], rest.size);
        let rest = Scene { camera, ..rest };
        let yaws: Vec<String> =
            (0..turn.count).map(|number| turn.scene(number, &rest).camera.to_string()).collect();
        let starts: Vec<&str> = yaws.iter().map(|camera| camera.split(',').next().unwrap()).collect();
        assert_eq!(starts, ["30", "120", "210", "300"]);
    }
}
