//! Flags for the viewpoint.

use crate::camera::{Lens, NoViewpoint, Orbit};
use clap::Args;
use glam::DVec3;

/// The viewpoint of a picture.
#[derive(Debug, Args)]
#[command(next_help_heading = "Viewpoint")]
pub struct CameraArgs {
    /// Viewpoint: a side, "YAW,PITCH[,DISTANCE]", a camera
    ///
    /// The sides are front, back, left, right, top and bottom. YAW is in degrees around the vertical (0 front, 90 from
    /// the right), PITCH in degrees above the horizontal. DISTANCE is in metres from --target, or else from the model's
    /// centre. Without it, the whole clip just fits the picture. For a negative yaw, write --camera=-30,10. Any other
    /// word names a camera of the file, or the node that carries one. A number alone is a camera's index in the file.
    #[arg(long, value_name = "VIEW", default_value = "auto", allow_hyphen_values = true, value_parser = camera)]
    pub camera: CameraChoice,

    /// Vertical field of view in degrees, 1 to 150 [default: 28, about a 50 mm lens]
    #[arg(long, value_name = "DEGREES", value_parser = fov, hide_short_help = true)]
    pub fov: Option<f64>,

    /// Use an orthographic projection, with the height that --fov covers at the camera's distance
    #[arg(long, hide_short_help = true)]
    pub ortho: bool,

    /// Point at the centre of the picture: "X,Y,Z" in metres, or the name of a node or joint
    ///
    /// A name stands for the node's position at --time. Without a distance in --camera, everything still fits.
    #[arg(long, value_name = "X,Y,Z|NODE", allow_hyphen_values = true, value_parser = target, hide_short_help = true)]
    pub target: Option<LookAt>,
}

impl CameraArgs {
    /// The projection of the orbit.
    pub fn lens(&self) -> Lens {
        let usual = Lens::default();
        Lens { fov_degrees: self.fov.unwrap_or(usual.fov_degrees), parallel: self.ortho }
    }

    /// The first given flag that does not affect a camera of the file.
    pub fn unheeded_by_cameras(&self) -> Option<&'static str> {
        let given =
            [("--fov", self.fov.is_some()), ("--ortho", self.ortho), ("--target", self.target.is_some())];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}

/// The `--camera` value, not yet looked up in a model.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraChoice {
    /// An orbit around the model.
    Orbit(Orbit),
    /// A camera of the file, by name or index.
    Named(String),
}

/// The `--target` value, not yet looked up in a model.
#[derive(Clone, Debug, PartialEq)]
pub enum LookAt {
    /// A point in world space.
    Place(DVec3),
    /// A node, by name.
    Node(String),
}

/// Viewpoints take precedence over names of cameras; a list of numbers is never a name.
fn camera(text: &str) -> Result<CameraChoice, NoViewpoint> {
    let is_numbers = text.contains(',') && text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
    match text.parse() {
        Ok(orbit) => Ok(CameraChoice::Orbit(orbit)),
        Err(error) if text.is_empty() || is_numbers => Err(error),
        Err(_) => Ok(CameraChoice::Named(text.to_owned())),
    }
}

fn fov(text: &str) -> Result<f64, String> {
    let degrees = text.parse().ok().filter(|degrees| (1.0..=150.0).contains(degrees));
    degrees.ok_or_else(|| "expected an angle from 1 to 150 degrees".to_owned())
}

/// Three numbers are a point; a list of numbers is never a name.
fn target(text: &str) -> Result<LookAt, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|number| number.is_finite()) => {
            Ok(LookAt::Place(DVec3::new(x, y, z)))
        }
        Some([_, _, ..]) => Err("expected X,Y,Z in metres, or the name of a node".to_owned()),
        _ if text.is_empty() => Err("expected X,Y,Z in metres, or the name of a node".to_owned()),
        _ => Ok(LookAt::Node(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_viewpoints_go_before_cameras() {
        let orbit = |text: &str| CameraChoice::Orbit(text.parse().unwrap());
        for text in ["auto", "front", "12,5", "-30,10,4"] {
            assert_eq!(camera(text), Ok(orbit(text)));
        }
        for text in ["1", "-1", "Camera.001", "Front", "a,b", "top left", "1, 2, b"] {
            assert_eq!(camera(text), Ok(CameraChoice::Named(text.to_owned())));
        }
        for text in ["", "0,91", "nan,0", "1,2,3,4", "0,0,-1"] {
            assert_eq!(camera(text), Err(NoViewpoint), "{text}");
        }
    }

    #[test]
    fn targets_are_places_or_nodes() {
        assert_eq!(target("-1, 2.5,3e1"), Ok(LookAt::Place(DVec3::new(-1.0, 2.5, 30.0))));
        for text in ["head", "7", "a,b,c", "spine, upper"] {
            assert_eq!(target(text), Ok(LookAt::Node(text.to_owned())));
        }
        for text in ["", "1,2", "1,2,3,4", "1,2,inf", "nan,0,0"] {
            assert!(target(text).is_err(), "{text}");
        }
        assert_eq!((fov("1"), fov("150")), (Ok(1.0), Ok(150.0)));
        for text in ["0", "-5", "151", "nan", "x", ""] {
            assert!(fov(text).is_err(), "{text}");
        }
    }
}
