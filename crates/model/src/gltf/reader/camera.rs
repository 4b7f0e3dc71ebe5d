//! Reads cameras and checks their projections.

use std::f64::consts::PI;
use std::sync::Arc;

use super::node::Nodes;
use crate::gltf::json::{self, Document};
use crate::reading::message::quoted;
use crate::reading::warnings::Warnings;
use crate::{Camera, Projection};

/// A broken rule: its code, the property, and the fault.
type Fault = (&'static str, &'static str, String);

/// Reads all cameras on nodes. `shown` are the nodes of the scene, depth first. A camera whose numbers give no picture
/// is left out.
pub fn read(document: &Document, nodes: &Nodes, shown: &[usize], warnings: &mut Warnings) -> Vec<Camera> {
    let mut projections = Vec::with_capacity(document.cameras.len());
    for (index, camera) in document.cameras.iter().enumerate() {
        let path = format!("cameras[{index}]");
        projections.push(match projection(camera, &path, warnings) {
            // Shared: one camera may hang on many nodes.
            Ok(projection) => Some((Arc::from(camera.name.as_str()), projection)),
            Err((code, property, message)) => {
                let path = if property.is_empty() { path } else { format!("{path}.{property}") };
                warnings.add(code, &path, format!("{message}; the camera was left out"));
                None
            }
        });
    }
    let mut is_shown = vec![false; document.nodes.len()];
    for node in shown {
        if let Some(slot) = is_shown.get_mut(*node) {
            *slot = true;
        }
    }
    let others = (0..document.nodes.len()).filter(|node| is_shown.get(*node) == Some(&false));
    let mut cameras = Vec::new();
    for file_node in shown.iter().copied().chain(others) {
        let Some(camera) = document.nodes.get(file_node).and_then(|node| node.camera) else { continue };
        let path = || format!("nodes[{file_node}].camera");
        let Some(projection) = projections.get(camera) else {
            let message = format!("there is no camera {camera} (the file has {})", projections.len());
            warnings.add("UNRESOLVED_REFERENCE", &path(), message);
            continue;
        };
        if let (Some((name, projection)), Ok(node)) = (projection, nodes.rig_index(file_node, path)) {
            let (name, projection) = (Arc::clone(name), *projection);
            cameras.push(Camera { name, file_index: camera, node, projection });
        }
    }
    cameras.sort_by_key(|camera| camera.file_index);
    cameras
}

fn projection(camera: &json::Camera, path: &str, warnings: &mut Warnings) -> Result<Projection, Fault> {
    match (camera.kind.as_str(), &camera.perspective, &camera.orthographic) {
        ("perspective", Some(perspective), _) => self::perspective(perspective, path, warnings),
        ("orthographic", _, Some(orthographic)) => self::orthographic(orthographic, path, warnings),
        ("perspective" | "orthographic", ..) => {
            Err(("UNDEFINED_PROPERTY", "", format!("has no object {}", quoted(&camera.kind))))
        }
        (kind, ..) => Err(("VALUE_NOT_IN_LIST", "type", format!("{} is not a kind of camera", quoted(kind)))),
    }
}

fn perspective(camera: &json::Perspective, path: &str, warnings: &mut Warnings) -> Result<Projection, Fault> {
    let yfov_radians = positive(camera.yfov, "perspective.yfov")?;
    if yfov_radians >= PI {
        let message = format!("{yfov_radians} is not below half a turn");
        return Err(("CAMERA_YFOV_GEQUAL_PI", "perspective.yfov", message));
    }
    let near = positive(camera.znear, "perspective.znear")?;
    let far = match camera.zfar {
        Some(_) => Some(positive(camera.zfar, "perspective.zfar")?),
        None => None,
    };
    if let Some(far) = far {
        check_planes(near, far, "perspective.zfar")?;
    }
    let aspect = camera.aspect_ratio.filter(|aspect| is_positive(*aspect));
    if let (Some(aspect), None) = (camera.aspect_ratio, aspect) {
        let path = format!("{path}.perspective.aspectRatio");
        warnings.add("VALUE_NOT_IN_RANGE", &path, format!("{aspect} is not above 0 and was ignored"));
    }
    Ok(Projection::Perspective { yfov_radians, aspect, near, far })
}

fn orthographic(
    camera: &json::Orthographic,
    path: &str,
    warnings: &mut Warnings,
) -> Result<Projection, Fault> {
    let mut half = |value: Option<f64>, property: &'static str| {
        if value == Some(0.0) {
            return Err(("CAMERA_XMAG_YMAG_ZERO", property, "is 0".to_owned()));
        }
        if value.is_some_and(|value| value < 0.0) {
            let message = "is negative; the sign was ignored";
            warnings.add("CAMERA_XMAG_YMAG_NEGATIVE", &format!("{path}.{property}"), message);
        }
        positive(value.map(f64::abs), property)
    };
    let half_width = half(camera.xmag, "orthographic.xmag")?;
    let half_height = half(camera.ymag, "orthographic.ymag")?;
    let near = match camera.znear {
        Some(0.0) => 0.0,
        near => positive(near, "orthographic.znear")?,
    };
    let far = positive(camera.zfar, "orthographic.zfar")?;
    check_planes(near, far, "orthographic.zfar")?;
    Ok(Projection::Orthographic { half_width, half_height, near, far })
}

/// A number that must be there and above zero.
fn positive(value: Option<f64>, property: &'static str) -> Result<f64, Fault> {
    match value {
        Some(value) if is_positive(value) => Ok(value),
        Some(value) => Err(("VALUE_NOT_IN_RANGE", property, format!("{value:e} is not above 0"))),
        None => Err(("UNDEFINED_PROPERTY", property, "is missing".to_owned())),
    }
}

/// In single precision, as in shaders.
fn is_positive(value: f64) -> bool {
    value > 0.0 && (value as f32).is_normal()
}

fn check_planes(near: f64, far: f64, property: &'static str) -> Result<(), Fault> {
    if far > near {
        return Ok(());
    }
    Err(("CAMERA_ZFAR_LEQUAL_ZNEAR", property, format!("{far} is not beyond znear, which is {near}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::json;
    use crate::gltf::reader::node;

    /// Reads the cameras of a file whose nodes hold camera 0, camera 1 and, hidden, camera 0. Returns them with the
    /// warnings.
    fn cameras(cameras: &str) -> (Vec<Camera>, Vec<String>) {
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "cameras": [{cameras}],
                "nodes": [{{"camera": 1}}, {{"camera": 0}}, {{}}, {{"camera": 0}}]}}"#
        );
        let document = json::parse(text.as_bytes()).unwrap();
        let mut warnings = Warnings::default();
        let nodes = node::read(&document, &mut warnings).unwrap();
        let cameras = read(&document, &nodes, &[2, 3, 0], &mut warnings);
        let warnings = warnings.into_vec();
        (cameras, warnings.into_iter().map(|w| format!("{} {}: {}", w.code, w.path, w.message)).collect())
    }

    const EYE: &str = r#"{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.5}}"#;
    const FLAT: &str = r#"{"name": "flat", "type": "orthographic",
        "orthographic": {"xmag": 2, "ymag": -3, "znear": 0, "zfar": 10}}"#;

    #[test]
    fn cameras_are_in_the_files_order_and_shown_nodes_first() {
        let (cameras, warnings) = cameras(&format!("{EYE}, {FLAT}"));
        let at: Vec<_> = cameras.iter().map(|camera| (camera.file_index, camera.node)).collect();
        assert_eq!(at, [(0, 3), (0, 1), (1, 0)]);
        let eye = Projection::Perspective { yfov_radians: 1.0, aspect: None, near: 0.5, far: None };
        assert_eq!(cameras[0].projection, eye);
        let flat = Projection::Orthographic { half_width: 2.0, half_height: 3.0, near: 0.0, far: 10.0 };
        assert_eq!((cameras[2].projection, &*cameras[2].name), (flat, "flat"));
        assert_eq!(
            warnings,
            ["CAMERA_XMAG_YMAG_NEGATIVE cameras[1].orthographic.ymag: is negative; the sign was ignored"]
        );
    }

    #[test]
    fn what_makes_no_picture_is_left_out_by_name() {
        let eye = |change: &str| format!(r#"{{"type": "perspective", "perspective": {{{change}}}}}"#);
        let flat = |change: &str| format!(r#"{{"type": "orthographic", "orthographic": {{{change}}}}}"#);
        for (camera, expected) in [
            (
                eye(r#""yfov": 0, "znear": 1"#),
                "VALUE_NOT_IN_RANGE cameras[0].perspective.yfov: 0e0 is not above 0",
            ),
            (eye(r#""yfov": -1, "znear": 1"#), "VALUE_NOT_IN_RANGE cameras[0].perspective.yfov: "),
            (eye(r#""yfov": 1e-300, "znear": 1"#), "VALUE_NOT_IN_RANGE cameras[0].perspective.yfov: "),
            (eye(r#""yfov": 3.15, "znear": 1"#), "CAMERA_YFOV_GEQUAL_PI cameras[0].perspective.yfov: "),
            (eye(r#""znear": 1"#), "UNDEFINED_PROPERTY cameras[0].perspective.yfov: is missing"),
            (eye(r#""yfov": 1, "znear": 0"#), "VALUE_NOT_IN_RANGE cameras[0].perspective.znear: "),
            (eye(r#""yfov": 1, "znear": 1e300"#), "VALUE_NOT_IN_RANGE cameras[0].perspective.znear: "),
            (
                eye(r#""yfov": 1, "znear": 2, "zfar": 2"#),
                "CAMERA_ZFAR_LEQUAL_ZNEAR cameras[0].perspective.zfar: 2 is not beyond znear, which is 2; \
                 the camera was left out",
            ),
            (
                flat(r#""xmag": 0, "ymag": 1, "znear": 0, "zfar": 1"#),
                "CAMERA_XMAG_YMAG_ZERO cameras[0].orthographic.xmag: is 0",
            ),
            (
                flat(r#""xmag": 1, "ymag": 1, "znear": 3, "zfar": 1"#),
                "CAMERA_ZFAR_LEQUAL_ZNEAR cameras[0].orthographic.zfar: ",
            ),
            (
                flat(r#""xmag": 1, "ymag": 1, "znear": -1, "zfar": 1"#),
                "VALUE_NOT_IN_RANGE cameras[0].orthographic.znear: ",
            ),
            (
                r#"{"type": "perspective"}"#.to_owned(),
                "UNDEFINED_PROPERTY cameras[0]: has no object 'perspective'",
            ),
            (
                r#"{"type": "fisheye"}"#.to_owned(),
                "VALUE_NOT_IN_LIST cameras[0].type: 'fisheye' is not a kind",
            ),
        ] {
            let (cameras, warnings) = cameras(&format!("{camera}, {EYE}"));
            assert_eq!(cameras.len(), 1, "{camera}");
            assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{camera}: {warnings:?}");
        }
        let (cameras, warnings) = cameras(EYE);
        assert_eq!(cameras.len(), 2);
        assert_eq!(warnings, ["UNRESOLVED_REFERENCE nodes[0].camera: there is no camera 1 (the file has 1)"]);
    }
}
