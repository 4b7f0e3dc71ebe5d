//! Everything one picture depends on, as plain data that prints itself as the command line that
//! makes the same picture. It must not know how a picture is drawn.

mod arrangement;
mod retouch;

use std::fmt;

use crate::camera::{Lens, Orbit, Viewpoint};
use crate::look::{Background, Look, Quality, Samples};
use crate::overlay::{Onion, Overlays};
use crate::view::View;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Blend, JointEdit, MorphEdit, PoseChoice};
use sinew_skinning::posed::count_vertices;

pub use arrangement::{Arrangement, MOST_BESIDE, NoWipe, Pane, Wipe};
pub use retouch::{Factors, NoFactors, Retouch, retouched};

/// One picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The model as the user gave it: a path or `builtin:NAME`.
    pub model: String,
    /// Which of the file's scenes is shown, as the user gave it; `None` is the file's own choice.
    pub scene: Option<String>,
    /// Whether the file may name others outside its folder.
    pub allow_outside: bool,
    /// How the vertices are skinned.
    pub mode: SkinningMode,
    /// Who skins them.
    pub skin: Processor,
    /// How the joints stand.
    pub pose: PoseChoice,
    /// Where it is seen from.
    pub camera: Viewpoint,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How it is made to look.
    pub look: Look,
    /// What is shown of the surfaces. With [`View::SkinSpace`] goes [`PoseChoice::SkinSpace`].
    pub view: View,
    /// What is laid over it.
    pub overlays: Overlays,
    /// Materials that do not look as the file has them.
    pub materials: Vec<Retouch>,
    /// Outlines of the figure at other times, where it moves.
    pub onion: Option<Onion>,
    /// Which other modes are shown with it.
    pub arrangement: Arrangement,
    /// Whether views whose colours mean something say what.
    pub legend: bool,
}

/// Who skins the vertices of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processor {
    /// The vertex shader.
    #[default]
    Gpu,
    /// The modes' twins; the vertices are drawn as they come out.
    Cpu,
}

/// The view that shows something: of a model that draws no vertices, the skeleton, whatever was asked for.
pub fn visible_view(asked: View, model: &Model) -> View {
    if count_vertices(model) == 0 { View::Skeleton } else { asked }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sinew {}", quoted(&self.model))?;
        if let Some(scene) = &self.scene {
            write!(f, " --scene={}", value(scene))?;
        }
        if self.allow_outside {
            write!(f, " --allow-outside")?;
        }
        write!(f, " --mode {}", self.mode)?;
        match self.skin {
            Processor::Gpu => {}
            Processor::Cpu => write!(f, " --skin cpu")?,
        }
        match &self.pose {
            PoseChoice::Bind => write!(f, " --pose bind")?,
            PoseChoice::Rest => write!(f, " --pose rest")?,
            // The view says so.
            PoseChoice::SkinSpace => {}
            PoseChoice::Clips(mix) => {
                if mix.clips.is_empty() {
                    write!(f, " --pose rest")?;
                }
                for clip in &mix.clips {
                    write!(f, " --clip {clip}")?;
                }
                for Blend { clip, weight } in &mix.blends {
                    write!(f, " --blend-clip {clip}@{weight}")?;
                }
                // Nothing else has a time.
                if !mix.clips.is_empty() {
                    write!(f, " --time {}", mix.time_secs)?;
                }
                for (_, JointEdit { name, rotation }) in mix.edits.rotations() {
                    let [x, y, z, w] = rotation.to_array().map(number);
                    write!(f, " --joint={}", value(&format!("{name}={x},{y},{z},{w}")))?;
                }
                for (_, _, MorphEdit { node, target, weight }) in mix.edits.weights() {
                    write!(f, " --morph={}", value(&format!("{node}:{target}={}", number(*weight))))?;
                }
            }
        }
        let [width, height] = self.size;
        write!(f, " --camera={} --size {width}x{height}", value(&self.camera.to_string()))?;
        if let Viewpoint::Orbit(Orbit { target, lens, .. }) = &self.camera {
            if lens.fov_degrees != Lens::default().fov_degrees {
                write!(f, " --fov {}", lens.fov_degrees)?;
            }
            if lens.parallel {
                write!(f, " --ortho")?;
            }
            if let Some(target) = target {
                write!(f, " --target={},{},{}", target.x, target.y, target.z)?;
            }
        }
        if self.view != View::Shaded {
            write!(f, " --view={}", value(&self.view.to_string()))?;
        }
        if !self.overlays.is_empty() {
            write!(f, " --overlay {}", self.overlays)?;
        }
        for Retouch { material, factors } in &self.materials {
            write!(f, " --material={}", value(&format!("#{material}:{factors}")))?;
        }
        if let Some(onion) = &self.onion {
            write!(f, " --onion {onion}")?;
        }
        match &self.arrangement {
            Arrangement::Single => {}
            Arrangement::Split(others) => {
                let names: Vec<&str> = others.iter().map(|mode| mode.name()).collect();
                write!(f, " --split {}", names.join(","))?;
            }
            Arrangement::Wipe(wipe) => write!(f, " --wipe {wipe}")?,
        }
        if !self.legend {
            write!(f, " --no-legend")?;
        }
        match self.look.quality {
            Quality::Full => {}
            Quality::Draft => write!(f, " --quality draft")?,
        }
        match self.look.samples {
            None => {}
            Some(Samples::One) => write!(f, " --msaa 1")?,
            Some(Samples::Four) => write!(f, " --msaa 4")?,
        }
        match self.look.background {
            background if background == Background::default() => Ok(()),
            background => write!(f, " --background={}", value(&background.to_string())),
        }
    }
}

/// A number in the fewest digits that read back to the same bits, and without rows of zeros.
fn number(number: f64) -> String {
    match number.abs() {
        1e-5..1e16 | 0.0 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

/// A model's name as a shell reads it back, and such that it is no flag.
fn quoted(model: &str) -> String {
    match model.starts_with('-') {
        true => value(&format!("./{model}")),
        false => value(model),
    }
}

/// What follows a flag's `=`, as a shell reads it back.
fn value(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:+=@%,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{LocalTransform, Model, Rig};
    use sinew_skinning::pose::{ClipMix, Edits};

    #[test]
    fn a_scene_prints_its_command_line() {
        let mut scene = Scene {
            model: "my fox's.glb".to_owned(),
            scene: None,
            allow_outside: false,
            mode: SkinningMode::DualQuat,
            skin: Processor::Cpu,
            pose: PoseChoice::clip(2, 0.25),
            camera: "-20,5,3".parse::<Orbit>().unwrap().into(),
            size: [640, 480],
            look: Look::default(),
            view: View::Shaded,
            overlays: Overlays::default(),
            materials: Vec::new(),
            onion: None,
            arrangement: Arrangement::Single,
            legend: true,
        };
        let seen = Orbit {
            target: Some(glam::DVec3::new(0.0, 1.5, -2.0)),
            lens: Lens { fov_degrees: 40.0, parallel: true },
            ..Orbit::default()
        };
        let through = Scene { camera: seen.into(), ..scene.clone() }.to_string();
        assert!(
            through.ends_with(" --camera=auto --size 640x480 --fov 40 --ortho --target=0,1.5,-2"),
            "{through}"
        );

        let line = r"sinew 'my fox'\''s.glb' --mode dqs --skin cpu --clip 2 --time 0.25 --camera=-20,5,3 --size 640x480";
        assert_eq!(scene.to_string(), line);

        let blends = vec![Blend { clip: 3, weight: 0.3 }, Blend { clip: 0, weight: 1.0 }];
        scene.pose =
            PoseChoice::Clips(ClipMix { clips: vec![2, 1], blends, time_secs: 0.5, ..ClipMix::default() });
        let flags = "--clip 2 --clip 1 --blend-clip 3@0.3 --blend-clip 0@1 --time 0.5";
        assert_eq!(scene.to_string(), line.replace("--clip 2 --time 0.25", flags));

        let mut edits = Edits::default();
        let rig = Rig {
            names: vec!["-elbow's=".to_owned(), String::new()],
            parents: vec![None; 2],
            rest: vec![LocalTransform::IDENTITY; 2],
            file_index: vec![3, 4],
            rest_weights: vec![0.0],
            weight_ends: vec![1, 1],
            ..Rig::default()
        };
        let model = Model { rig, ..Model::default() };
        assert!(edits.set_rotation(&model, 0, glam::DQuat::from_xyzw(-0.6, 0.0, 1e-300, 0.8)));
        assert!(edits.set_rotation(&model, 1, glam::DQuat::from_xyzw(0.0, 0.0, -0.0, 1.0)));
        assert!(edits.set_weight(&model, 0, 0, 0.1 + 0.2));
        scene.pose = PoseChoice::Clips(ClipMix { edits: edits.clone(), ..ClipMix::default() });
        let flags = r"--pose rest --joint='-elbow'\''s==-0.6,0,1e-300,0.8' --joint='#4=0,0,-0,1' --morph='-elbow'\''s=:#0=0.30000000000000004'";
        assert_eq!(scene.to_string(), line.replace("--clip 2 --time 0.25", flags));
        scene.pose =
            PoseChoice::Clips(ClipMix { clips: vec![2], time_secs: 0.25, edits, ..ClipMix::default() });
        let flags = flags.replace("--pose rest", "--clip 2 --time 0.25");
        assert_eq!(scene.to_string(), line.replace("--clip 2 --time 0.25", &flags));
        let scene = Scene {
            model: "-fox.glb".to_owned(),
            scene: Some("-night view".to_owned()),
            allow_outside: true,
            skin: Processor::Gpu,
            pose: PoseChoice::Rest,
            camera: Viewpoint::InFile { camera: 0, given: "Camera 1".to_owned() },
            look: Look {
                quality: Quality::Draft,
                samples: Some(Samples::Four),
                background: Background::Color([1, 2, 255]),
            },
            view: View::Joint("upper arm".to_owned()),
            overlays: Overlays { grid: true, names: true, ..Overlays::default() },
            materials: vec![Retouch { material: 1, factors: "metallic=0.5,color=#ff0000".parse().unwrap() }],
            onion: Some(Onion { count: 3, step_secs: 0.25 }),
            arrangement: Arrangement::Split(vec![SkinningMode::Rigid, SkinningMode::Linear]),
            legend: false,
            ..scene
        };
        let line = "sinew ./-fox.glb --scene='-night view' --allow-outside --mode dqs --pose rest \
                    --camera='Camera 1' --size 640x480 --view='joint:upper arm' \
                    --overlay names,grid --material='#1:color=#ff0000,metallic=0.5' --onion 3@0.25 --split rigid,lbs --no-legend --quality draft --msaa 4 --background='#0102ff'";
        assert_eq!(scene.to_string(), line);
        let wipe = Wipe { mode: SkinningMode::Rigid, at: 0.25 };
        let wiped = Scene { arrangement: Arrangement::Wipe(wipe), ..scene }.to_string();
        assert_eq!(wiped, line.replace("--split rigid,lbs", "--wipe rigid@0.25"));
    }
}
