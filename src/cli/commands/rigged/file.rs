//! Forms of a written model, and the model that is read back from them.

use std::path::Path;

use crate::export::Format;
use crate::export::rigged::Landings;
use crate::model::Model;
use crate::model::gltf::{self, write_glb};
use crate::output::{self, Closed, Output};

use crate::cli::args::AskedMode;
use crate::cli::commands::materials::write_all;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;

#[cfg(feature = "usd")]
use crate::{
    export::rigged::Held,
    model::usd::{self, Form, Part},
    model::{Options, SkinningMethod},
    skinning::SkinningMode,
};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// glTF, binary.
    Glb,
    /// USD.
    #[cfg(feature = "usd")]
    Usd(Form),
}

/// A file as it is to be written.
pub struct File {
    bytes: Vec<u8>,
    /// Files in the same folder.
    beside: Vec<(String, Vec<u8>)>,
    format: &'static str,
    /// Parts of the model that the format cannot hold.
    losses: Vec<String>,
    /// The model read back from the file.
    pub read: Model,
    /// The places of its primitives.
    pub landings: Landings,
}

/// Endings of USD files.
const SCENES: [&str; 4] = ["usd", "usda", "usdc", "usdz"];

impl Kind {
    /// The kind of a file by its name.
    ///
    /// # Errors
    /// If the name is that of another file.
    pub fn of(path: &Path, command: &str) -> Result<Self, Failure> {
        if Format::of(path) == Some(Format::Glb) {
            return Ok(Self::Glb);
        }
        #[cfg(feature = "usd")]
        if let Some(form) = Form::of(path) {
            return Ok(Self::Usd(form));
        }
        let out = path.display();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_scene = SCENES.iter().any(|known| ending.eq_ignore_ascii_case(known));
        Err(Failure::Usage(match (cfg!(feature = "usd"), is_scene) {
            (false, true) => format!(
                "{out}: this build writes no USD; wheels and archives of sinew do, and so does a build with \
                 'cargo build --release --features usd'"
            ),
            (false, false) => format!("{out}: {command} writes a file that ends in .glb"),
            (true, _) => format!("{out}: {command} writes a file that ends in .glb, .usda, .usdc or .usdz"),
        }))
    }

    /// The name of the format.
    fn format(self) -> &'static str {
        match self {
            Self::Glb => "glTF",
            #[cfg(feature = "usd")]
            Self::Usd(_) => "USD",
        }
    }

    /// Makes the file of a model, and reads it back.
    ///
    /// # Errors
    /// If the format cannot hold the model, in one line.
    pub fn file(self, model: &Model, out: &Output, mode: AskedMode) -> Result<File, String> {
        #[cfg(not(feature = "usd"))]
        let _ = (out, mode);
        let back = |error: crate::model::LoadError| format!("the written model cannot be read back: {error}");
        match self {
            Self::Glb => {
                let bytes = write_glb(model).map_err(|error| error.to_string())?;
                let read = gltf::load_bytes(&bytes, None).map_err(back)?;
                let landings = Landings::by_node(&read);
                // The extensions of VRM do.
                let of_avatar = "an avatar's bones, expressions and springs by itself".to_owned();
                let losses = model.avatar.as_ref().map(|_| of_avatar).into_iter().collect();
                Ok(File { bytes, beside: Vec::new(), format: self.format(), losses, read, landings })
            }
            #[cfg(feature = "usd")]
            Self::Usd(form) => {
                let stem = out.path().file_stem().unwrap_or_default().to_string_lossy();
                let (method, lost) = method(mode);
                let written =
                    usd::write_usd(model, form, &stem, method).map_err(|error| error.to_string())?;
                let usd::Written { bytes, pictures, mut losses, meshes } = written;
                losses.extend(lost);
                let read = usd::load_bytes(&bytes, None, &Options::default()).map_err(back)?;
                let landings = Landings::by_points(&read, meshes.iter().enumerate().flat_map(held));
                Ok(File { bytes, beside: pictures, format: self.format(), losses, read, landings })
            }
        }
    }
}

/// The primitives of a written mesh.
#[cfg(feature = "usd")]
fn held((mesh, parts): (usize, &Vec<Part>)) -> impl Iterator<Item = Held<'_>> {
    parts.iter().enumerate().map(move |(number, part)| {
        let Part { node, primitive, points } = part;
        Held { mesh, number, node: *node, primitive: *primitive, points }
    })
}

/// The skinning method that a file names for a mode; `None` for the methods of its skins. A mode that has none is lost.
#[cfg(feature = "usd")]
fn method(mode: AskedMode) -> (Option<SkinningMethod>, Option<String>) {
    let AskedMode::Mode(mode) = mode else { return (None, None) };
    let method = match mode {
        SkinningMode::Linear => SkinningMethod::Linear,
        SkinningMode::DualQuat => SkinningMethod::DualQuaternion,
        SkinningMode::Blended => SkinningMethod::Blended,
        SkinningMode::DualQuatBlender | SkinningMode::DualQuatRigid => {
            let lost = format!("the dialect {mode}; its meshes are dualQuaternion there");
            return (Some(SkinningMethod::DualQuaternion), Some(lost));
        }
        other => {
            let lost = format!("the mode {other}; its meshes are classicLinear there");
            return (Some(SkinningMethod::Linear), Some(lost));
        }
    };
    (Some(method), None)
}

/// Checks that outputs are different files.
///
/// # Errors
/// If two are one file.
pub fn are_apart(outputs: &[Option<&Output>]) -> Result<(), Failure> {
    let paths: Vec<&Path> = outputs.iter().flatten().map(|output| output.path()).collect();
    for (number, path) in paths.iter().enumerate() {
        paths.iter().take(number).try_for_each(|other| output::are_apart(other, path))?;
    }
    Ok(())
}

impl File {
    /// Writes the file and those beside it: all, or none. Prints a warning for each loss.
    ///
    /// # Errors
    /// If one cannot be written, or is an input.
    pub fn write(&self, out: &Output, inputs: &Closed) -> Result<(), Failure> {
        write_all(out, &self.bytes, &self.beside, inputs)?;
        for loss in &self.losses {
            say(&format!("warning: {}: {} cannot hold {loss}", out.path().display(), self.format));
        }
        Ok(())
    }
}
