//! Everything one picture depends on, as plain data that prints itself as the command line that
//! makes the same picture. It must not know how a picture is drawn.

use std::fmt;

use crate::camera::Orbit;
use crate::pose::{Blend, PoseChoice};
use crate::skinning::SkinningMode;

/// One picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The model as the user gave it: a path or `builtin:NAME`.
    pub model: String,
    /// How the vertices are skinned.
    pub mode: SkinningMode,
    /// Who skins them.
    pub skin: Processor,
    /// How the joints stand.
    pub pose: PoseChoice,
    /// Where it is seen from.
    pub camera: Orbit,
    /// Width and height in pixels.
    pub size: [u32; 2],
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

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sinew {} --mode {}", quoted(&self.model), self.mode)?;
        match self.skin {
            Processor::Gpu => {}
            Processor::Cpu => write!(f, " --skin cpu")?,
        }
        match &self.pose {
            PoseChoice::Bind => write!(f, " --pose bind")?,
            PoseChoice::Rest => write!(f, " --pose rest")?,
            PoseChoice::Clips(mix) => {
                for clip in &mix.clips {
                    write!(f, " --clip {clip}")?;
                }
                for Blend { clip, weight } in &mix.blends {
                    write!(f, " --blend-clip {clip}@{weight}")?;
                }
                write!(f, " --time {}", mix.time_secs)?;
            }
        }
        let [width, height] = self.size;
        write!(f, " --camera={} --size {width}x{height}", self.camera)
    }
}

/// As a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:+=@%,".contains(c);
    match !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        true => word.to_owned(),
        false if word.starts_with('-') => format!("'./{}'", word.replace('\'', r"'\''")),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::ClipMix;

    #[test]
    fn a_scene_prints_its_command_line() {
        let mut scene = Scene {
            model: "my fox's.glb".to_owned(),
            mode: SkinningMode::DualQuat,
            skin: Processor::Cpu,
            pose: PoseChoice::clip(2, 0.25),
            camera: "-20,5,3".parse().unwrap(),
            size: [640, 480],
        };
        let line = r"sinew 'my fox'\''s.glb' --mode dqs --skin cpu --clip 2 --time 0.25 --camera=-20,5,3 --size 640x480";
        assert_eq!(scene.to_string(), line);

        let blends = vec![Blend { clip: 3, weight: 0.3 }, Blend { clip: 0, weight: 1.0 }];
        scene.pose = PoseChoice::Clips(ClipMix { clips: vec![2, 1], blends, time_secs: 0.5 });
        let flags = "--clip 2 --clip 1 --blend-clip 3@0.3 --blend-clip 0@1 --time 0.5";
        assert_eq!(scene.to_string(), line.replace("--clip 2 --time 0.25", flags));
    }
}
