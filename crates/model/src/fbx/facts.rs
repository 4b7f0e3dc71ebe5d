//! A file's metadata, and the conversion of its axes and units.

use super::matrices::positive;
use crate::gltf::{Conversion, FileFacts};
use crate::reading::message::one_line;

/// Returns the facts that `inspect` reports about a file.
pub fn of(scene: &ufbx::Scene) -> FileFacts {
    let ufbx::Metadata { version, ascii, creator, file_format, original_application: by, .. } =
        &scene.metadata;
    let (format, version) = match file_format {
        ufbx::FileFormat::Obj | ufbx::FileFormat::Mtl => ("OBJ", String::new()),
        ufbx::FileFormat::Fbx | ufbx::FileFormat::Unknown => {
            ("FBX", format!("{version} {}", if *ascii { "ASCII" } else { "binary" }))
        }
    };
    let generator = match (by.name.is_empty(), creator.is_empty()) {
        (false, _) => Some(one_line(&format!("{} {}", by.name, by.version)).trim().to_owned()),
        (true, false) => Some(one_line(creator)),
        (true, true) => None,
    };
    let settings = &scene.settings;
    let conversion = Conversion {
        metres_per_unit: settings.unit_meters,
        up: axis(settings.axes.up),
        front: axis(settings.axes.front),
        frames_per_second: settings.frames_per_second,
    };
    FileFacts {
        format,
        version,
        generator,
        scenes: vec![(String::new(), 1)],
        conversion: Some(conversion),
        ..FileFacts::default()
    }
}

/// The file's frame rate; OBJ has none.
pub fn frame_rate(scene: &ufbx::Scene) -> Option<f64> {
    let is_fbx = scene.metadata.file_format == ufbx::FileFormat::Fbx;
    positive(scene.settings.frames_per_second).filter(|_| is_fbx)
}

fn axis(axis: ufbx::CoordinateAxis) -> &'static str {
    match axis {
        ufbx::CoordinateAxis::PositiveX => "+x",
        ufbx::CoordinateAxis::NegativeX => "-x",
        ufbx::CoordinateAxis::PositiveY => "+y",
        ufbx::CoordinateAxis::NegativeY => "-y",
        ufbx::CoordinateAxis::PositiveZ => "+z",
        ufbx::CoordinateAxis::NegativeZ => "-z",
        ufbx::CoordinateAxis::Unknown => "unknown",
    }
}
