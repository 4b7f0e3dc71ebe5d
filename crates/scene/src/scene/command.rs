//! Prints a scene as the command line that draws it again. It destructures every struct in full, so a new field does
//! not compile until it is printed here.

use std::fmt;

use super::{Arrangement, Crowd, Files, Framing, GhostPose, PaletteIn, Processor, Retouch, Scene};
use crate::camera::{Lens, Orbit, Viewpoint};
use crate::look::{Background, Look, Quality, Samples};
use crate::overlay::{Onion, Overlays};
use crate::view::{OTHER, View};
use sinew_model::Reader;
use sinew_skinning::Normals;
use sinew_skinning::delta_mush::Settings;
use sinew_skinning::pose::{Blend, ClipMix, JointEdit, JointShare, MorphEdit, OnlyJoint, PoseChoice};

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.command(f, None)
    }
}

/// A scene whose time is printed as a frame, for files that count frames.
pub struct AtFrame<'a> {
    /// The scene, at the time of the frame.
    pub scene: &'a Scene,
    /// The frame to print.
    pub frame: f64,
}

impl fmt::Display for AtFrame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scene.command(f, Some(self.frame))
    }
}

impl Scene {
    fn command(&self, f: &mut fmt::Formatter<'_>, frame: Option<f64>) -> fmt::Result {
        let Self {
            files,
            clip_pairs,
            mode: _,
            mush,
            normals,
            skin,
            palette,
            crowd,
            pose,
            inject,
            camera,
            framing,
            size,
            look,
            view,
            overlays,
            materials,
            onion,
            ghost,
            explained,
            marked,
            arrangement,
            legend,
            environment,
        } = self;
        write!(f, "sinew {}{}", quoted(&files.model), files.flags())?;
        // A window may have left the arrangement that needs the other file.
        if let Some(other) = files.other.as_ref().filter(|_| self.needs_other()) {
            write!(f, " --other={}", value(other))?;
        }
        write!(f, " --mode {}", self.drawn().name())?;
        if mush.settings != Settings::default() && self.needs_mush_settings() {
            write!(f, " --mush-settings {}", mush.settings)?;
        }
        if *normals != Normals::default() {
            write!(f, " --normals {normals}")?;
        }
        // Recomputed normals leave no choice.
        let is_free = *normals == Normals::Moved || *skin == Processor::Cpu;
        skinning(f, if is_free { *skin } else { Processor::Auto }, *palette)?;
        let pairs: &[_] = if self.needs_other() { clip_pairs } else { &[] };
        posing(f, pose, (pairs, frame))?;
        if let Some(Crowd { count, seed }) = crowd {
            write!(f, " --crowd {count}")?;
            if *seed != 0 {
                write!(f, " --seed {seed}")?;
            }
        }
        if let Some(fault) = inject {
            write!(f, " --inject {fault}")?;
        }
        viewpoint(f, camera, *size)?;
        // Only clips have other times.
        if *framing != Framing::default() && matches!(pose, PoseChoice::Clips(_)) {
            write!(f, " --framing {}", framing.name())?;
        }
        shown(f, view, overlays, materials)?;
        if let Some(vertex) = explained {
            write!(f, " --explain {vertex}")?;
        }
        if let Some(vertex) = marked {
            write!(f, " --vertex {vertex}")?;
        }
        if let Some(GhostPose { given, .. }) = ghost {
            write!(f, " --ghost={}", value(given))?;
        }
        around(f, onion.as_ref(), arrangement, *legend)?;
        looks(f, look)?;
        match environment {
            Some(environment) => write!(f, " --environment={}", value(&environment.name)),
            None => Ok(()),
        }
    }
}

impl Files {
    /// Returns the flags that affect loading of the model, each after a space.
    pub fn flags(&self) -> String {
        let Self {
            model: _,
            scene,
            variants,
            allow_outside,
            fbx_rate,
            clip_from,
            joint_map,
            no_guess,
            reader,
            ddm,
            ddm_within,
            other: _,
        } = self;
        let named = |flag: &str, word: &String| format!(" --{flag}={}", value(word));
        let scene = scene.iter().map(|scene| named("scene", scene));
        let variants = variants.iter().map(|(set, name)| named("variant", &format!("{set}={name}")));
        let outside = allow_outside.then(|| " --allow-outside".to_owned());
        let clips = clip_from.iter().map(|file| named("clip-from", file));
        let map = joint_map.iter().map(|map| named("joint-map", map));
        let by_name = no_guess.then(|| " --no-guess".to_owned());
        let rate = fbx_rate.iter().map(|rate| format!(" --fbx-rate {}", number(*rate)));
        let reader = match reader {
            Reader::Own => None,
            Reader::Gltf => Some(" --reader=gltf".to_owned()),
        };
        let ddm = ddm.iter().map(|settings| format!(" --ddm-settings {settings}"));
        let within = ddm_within.iter().map(|length| format!(" --ddm-within {length}"));
        scene
            .chain(variants)
            .chain(outside)
            .chain(rate)
            .chain(clips)
            .chain(map)
            .chain(by_name)
            .chain(reader)
            .chain(ddm)
            .chain(within)
            .collect()
    }
}

fn skinning(f: &mut fmt::Formatter<'_>, skin: Processor, palette: Option<PaletteIn>) -> fmt::Result {
    match skin {
        Processor::Auto => {}
        Processor::Gpu | Processor::Compute | Processor::Cpu => write!(f, " --skin {}", skin.name())?,
    }
    palette.map_or(Ok(()), |palette| write!(f, " --palette {}", palette.name()))
}

/// Pairs of clips, and the frame to print instead of the time.
type Timing<'a> = (&'a [(usize, String)], Option<f64>);

fn posing(f: &mut fmt::Formatter<'_>, pose: &PoseChoice, timing: Timing) -> fmt::Result {
    match pose {
        PoseChoice::Bind => write!(f, " --pose bind"),
        PoseChoice::Rest => write!(f, " --pose rest"),
        // `--view skin-space` implies it.
        PoseChoice::SkinSpace(_) => Ok(()),
        PoseChoice::Clips(mix) => clips(f, mix, timing),
    }
}

fn clips(f: &mut fmt::Formatter<'_>, mix: &ClipMix, (pairs, frame): Timing) -> fmt::Result {
    let ClipMix { clips, blends, time_secs, edits, only_joint } = mix;
    if clips.is_empty() {
        write!(f, " --pose rest")?;
    }
    for clip in clips {
        match pairs.iter().find(|(paired, _)| paired == clip) {
            Some((_, other)) => write!(f, " --clip={}", value(&format!("{clip}={other}")))?,
            None => write!(f, " --clip {clip}")?,
        }
    }
    for Blend { clip, weight } in blends {
        write!(f, " --blend-clip {clip}@{weight}")?;
    }
    // The rest pose has no time.
    match frame {
        _ if clips.is_empty() => {}
        Some(frame) => write!(f, " --frame {frame}")?,
        None => write!(f, " --time {time_secs}")?,
    }
    for (_, edit) in edits.joints() {
        joint(f, edit)?;
    }
    for (_, _, MorphEdit { node, target, weight }) in edits.weights() {
        write!(f, " --morph={}", value(&format!("{node}:{target}={}", number(*weight))))?;
    }
    if let Some(share) = edits.shares.set_for_all() {
        write!(f, " --blend={}", number(share))?;
    }
    for (_, JointShare { name, share }) in edits.shares.joints() {
        write!(f, " --blend={}", value(&format!("joint:{name}={}", number(*share))))?;
    }
    match only_joint {
        Some(OnlyJoint { name, steps, .. }) => {
            let steps = steps.map_or_else(String::new, |steps| format!("@{steps}"));
            write!(f, " --only-joint={}", value(&format!("{name}{steps}")))
        }
        None => Ok(()),
    }
}

fn joint(f: &mut fmt::Formatter<'_>, edit: &JointEdit) -> fmt::Result {
    let JointEdit { name, rotation, translation, scale } = edit;
    let parts = [
        ("joint", rotation.map(|rotation| rotation.to_array().to_vec())),
        ("joint-move", translation.map(|translation| translation.to_array().to_vec())),
        ("joint-scale", scale.map(|scale| scale.to_array().to_vec())),
    ];
    for (flag, numbers) in parts {
        let Some(numbers) = numbers else { continue };
        let numbers: Vec<String> = numbers.into_iter().map(number).collect();
        write!(f, " --{flag}={}", value(&format!("{name}={}", numbers.join(","))))?;
    }
    Ok(())
}

fn viewpoint(f: &mut fmt::Formatter<'_>, camera: &Viewpoint, [width, height]: [u32; 2]) -> fmt::Result {
    write!(f, " --camera={} --size {width}x{height}", value(&camera.to_string()))?;
    match camera {
        // The flag's text contains everything.
        Viewpoint::InFile { camera: _, given: _ } => Ok(()),
        // The flag's text contains angles and distance.
        Viewpoint::Orbit(Orbit { yaw_degrees: _, pitch_degrees: _, distance: _, target, lens, auto: _ }) => {
            let Lens { fov_degrees, parallel } = *lens;
            if fov_degrees != Lens::default().fov_degrees {
                write!(f, " --fov {fov_degrees}")?;
            }
            if parallel {
                write!(f, " --ortho")?;
            }
            match target {
                Some(target) => write!(f, " --target={},{},{}", target.x, target.y, target.z),
                None => Ok(()),
            }
        }
    }
}

fn shown(f: &mut fmt::Formatter<'_>, view: &View, overlays: &Overlays, materials: &[Retouch]) -> fmt::Result {
    if *view != View::default() {
        write!(f, " --view={}", value(&view.to_string()))?;
    }
    if !overlays.is_empty() {
        write!(f, " --overlay {overlays}")?;
    }
    for Retouch { material, factors } in materials {
        write!(f, " --material={}", value(&format!("#{material}:{factors}")))?;
    }
    Ok(())
}

fn around(
    f: &mut fmt::Formatter<'_>,
    onion: Option<&Onion>,
    arrangement: &Arrangement,
    legend: bool,
) -> fmt::Result {
    if let Some(onion) = onion {
        write!(f, " --onion {onion}")?;
    }
    match arrangement {
        Arrangement::Single => {}
        Arrangement::Split(others) => {
            let names: Vec<&str> = others.iter().map(|mode| mode.name()).collect();
            write!(f, " --split {}", names.join(","))?;
        }
        Arrangement::Wipe(wipe) => write!(f, " --wipe {wipe}")?,
        Arrangement::WipeOther(at) => write!(f, " --wipe {OTHER}@{at}")?,
        Arrangement::Storyboard(changes) => {
            for change in changes {
                write!(f, " --split={}", value(&change.flags))?;
            }
        }
    }
    match legend {
        true => Ok(()),
        false => write!(f, " --no-legend"),
    }
}

fn looks(f: &mut fmt::Formatter<'_>, look: &Look) -> fmt::Result {
    let Look { quality, samples, background, flat, exposure } = look;
    match quality {
        Quality::Full => {}
        Quality::Draft | Quality::Plain => write!(f, " --quality {}", quality.name())?,
    }
    match samples {
        None => {}
        Some(Samples::One) => write!(f, " --msaa 1")?,
        Some(Samples::Four) => write!(f, " --msaa 4")?,
    }
    if *background != Background::default() {
        write!(f, " --background={}", value(&background.to_string()))?;
    }
    if *exposure != 0.0 {
        write!(f, " --exposure={exposure}")?;
    }
    match flat {
        true => write!(f, " --flat"),
        false => Ok(()),
    }
}

/// Formats a number in the fewest digits that read back to the same bits, without rows of zeros.
fn number(number: f64) -> String {
    match number.abs() {
        1e-5..1e16 | 0.0 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

/// Quotes a model's name for a shell, and prevents it from looking like a flag.
fn quoted(model: &str) -> String {
    // A single dash is standard input.
    match model.starts_with('-') && model != "-" {
        true => value(&format!("./{model}")),
        false => value(model),
    }
}

/// Quotes the value after a flag's `=` for a shell.
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
    use std::sync::Arc;

    use crate::environment::Environment;
    use crate::scene::Mush;
    use crate::scene::Wipe;
    use crate::view::{Against, Difference};
    use sinew_model::{DdmSettings, LocalTransform, Model, Rig};
    use sinew_skinning::Fault;
    use sinew_skinning::SkinningMode;
    use sinew_skinning::pose::{ClipMix, Edits};

    #[test]
    fn a_scene_prints_its_command_line() {
        let mut scene = Scene {
            files: Files::from("my fox's.glb"),
            clip_pairs: vec![(2, "my walk".to_owned())],
            mode: SkinningMode::DualQuat,
            mush: Mush::default(),
            normals: Normals::Moved,
            skin: Processor::Cpu,
            palette: None,
            crowd: Some(Crowd { count: 100, seed: 7 }),
            pose: PoseChoice::clip(2, 0.25),
            inject: None,
            camera: "-20,5,3".parse::<Orbit>().unwrap().into(),
            framing: Framing::Time,
            size: [640, 480],
            look: Look::default(),
            view: View::Shaded,
            overlays: Overlays::default(),
            materials: Vec::new(),
            onion: None,
            ghost: None,
            explained: None,
            marked: None,
            arrangement: Arrangement::Single,
            legend: true,
            environment: None,
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

        let line = r"sinew 'my fox'\''s.glb' --mode dqs --skin cpu --clip 2 --time 0.25 --crowd 100 --seed 7 --camera=-20,5,3 --size 640x480";
        assert_eq!(scene.to_string(), line);

        let blends = vec![Blend { clip: 3, weight: 0.3 }, Blend { clip: 0, weight: 1.0 }];
        scene.pose =
            PoseChoice::Clips(ClipMix { clips: vec![2, 1], blends, time_secs: 0.5, ..ClipMix::default() });
        // A file's name may look like a flag.
        let named = Scene { files: Files::from("odd --time 0.5 fox.fbx"), ..scene.clone() };
        let at_frame = AtFrame { scene: &named, frame: 6.5 }.to_string();
        assert!(at_frame.starts_with("sinew 'odd --time 0.5 fox.fbx' --mode"), "{at_frame}");
        assert_eq!(at_frame, named.to_string().replace("@1 --time 0.5", "@1 --frame 6.5"));
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
            files: Files {
                model: "-fox.glb".to_owned(),
                scene: Some("-night view".to_owned()),
                variants: vec![("color".to_owned(), "dark red".to_owned())],
                allow_outside: true,
                fbx_rate: Some(60.0),
                clip_from: vec!["walk.glb".to_owned(), "my runs.glb".to_owned()],
                joint_map: Some("map.toml".to_owned()),
                no_guess: true,
                reader: Reader::Gltf,
                ddm: Some(DdmSettings { alpha: 0.5, ..DdmSettings::default() }),
                ddm_within: Some("0.1mm".to_owned()),
                other: Some("old fox.glb".to_owned()),
            },
            skin: Processor::Gpu,
            palette: Some(PaletteIn::Storage),
            crowd: Some(Crowd { count: 9, seed: 0 }),
            pose: PoseChoice::Rest,
            inject: Some(Fault::Transposed),
            camera: Viewpoint::InFile { camera: 0, given: "Camera 1".to_owned() },
            look: Look {
                quality: Quality::Plain,
                samples: Some(Samples::Four),
                background: Background::Color([1, 2, 255]),
                flat: true,
                exposure: -1.5,
            },
            environment: Some(Arc::new(Environment {
                name: "my sky.hdr".to_owned(),
                digest: String::new(),
                irradiance: [[0.0; 9]; 3],
                mirror_images: Vec::new(),
            })),
            view: View::Joint("upper arm".to_owned()),
            overlays: Overlays { grid: true, names: true, ..Overlays::default() },
            materials: vec![Retouch { material: 1, factors: "metallic=0.5,color=#ff0000".parse().unwrap() }],
            onion: Some(Onion { count: 3, step_secs: 0.25 }),
            ghost: Some(GhostPose {
                given: "my pose.json".to_owned(),
                pose: crate::scene::Behind::Pose(PoseChoice::Rest),
            }),
            explained: Some("node5:0:12".parse().unwrap()),
            marked: Some("node5:0:13".parse().unwrap()),
            framing: Framing::Clip,
            arrangement: Arrangement::Split(vec![SkinningMode::Rigid, SkinningMode::Linear]),
            legend: false,
            ..scene
        };
        let line = "sinew ./-fox.glb --scene='-night view' --variant='color=dark red' --allow-outside --fbx-rate 60 --clip-from=walk.glb --clip-from='my runs.glb' --joint-map=map.toml --no-guess --reader=gltf --ddm-settings iterations=20,lambda=3,kappa=1,alpha=0.5,least=0.0001 --ddm-within 0.1mm --mode dqs --skin gpu --palette ssbo --pose rest --crowd 9 --inject transposed \
                    --camera='Camera 1' --size 640x480 --view='joint:upper arm' \
                    --overlay names,grid --material='#1:color=#ff0000,metallic=0.5' --explain node5:0:12 --vertex node5:0:13 --ghost='my pose.json' --onion 3@0.25 --split rigid,lbs --no-legend --quality plain --msaa 4 --background='#0102ff' --exposure=-1.5 --flat --environment='my sky.hdr'";
        assert_eq!(scene.to_string(), line);
        let wipe = Wipe { mode: SkinningMode::Rigid, at: 0.25 };
        let wiped = Scene { arrangement: Arrangement::Wipe(wipe), ..scene.clone() }.to_string();
        assert_eq!(wiped, line.replace("--split rigid,lbs", "--wipe rigid@0.25"));
        // The other file is named only if something needs it.
        let two = Scene { arrangement: Arrangement::WipeOther(0.5), ..scene.clone() }.to_string();
        let named = line.replace("--ddm-within 0.1mm", "--ddm-within 0.1mm --other='old fox.glb'");
        assert_eq!(two, named.replace("--split rigid,lbs", "--wipe other@0.5"));
        // The settings of delta mush are printed if something needs them.
        let settings = Settings { iterations: 3, ..Settings::default() };
        let unused = Scene { mush: Mush { is_drawn: false, settings }, ..scene.clone() };
        assert_eq!(unused.to_string(), line);
        let against = Difference { against: Against::Mush, top_m: None };
        let measured = Scene { view: View::Difference(against), ..unused.clone() }.to_string();
        let given = " --mush-settings iterations=3,factor=0.5,weights=uniform --skin";
        let needed = line.replace(" --skin", given);
        assert_eq!(measured, needed.replace("--view='joint:upper arm'", "--view=difference:mush"));
        let recomputed = Scene { normals: Normals::Recomputed, ..unused.clone() };
        assert_eq!(recomputed.to_string(), line.replace(" --skin gpu", " --normals recomputed"));
        let drawn = Scene { mode: SkinningMode::Linear, mush: Mush { is_drawn: true, settings }, ..unused };
        assert_eq!(drawn.to_string(), needed.replace("--mode dqs", "--mode mush"));
        let pose = PoseChoice::clip(2, 0.25);
        let paired = Scene { arrangement: Arrangement::WipeOther(0.5), pose, ..scene }.to_string();
        let line = two.replace("--pose rest", "--clip='2=my walk' --time 0.25");
        assert_eq!(paired, line.replace("--size 640x480", "--size 640x480 --framing clip"));
    }
}
