//! Cameras of a file: a projection on a node, which looks along the node's −z with +y up.
//! It must not know how pictures are made with them.

use std::sync::Arc;

use super::Model;

/// A camera on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name; empty where the file gives none.
    pub name: Arc<str>,
    /// Its number in the file.
    pub file_index: usize,
    /// Index into [`Rig`](super::Rig) of the node it hangs on.
    pub node: usize,
    /// How it maps what is before it to the picture.
    pub projection: Projection,
}

/// A projection whose numbers make sense: finite, above zero but for an orthographic near plane, and far
/// beyond near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Things far away are smaller.
    Perspective {
        /// Vertical opening in radians, below π.
        yfov_radians: f64,
        /// Width by height that the file has in mind; `None` takes the picture's.
        aspect: Option<f64>,
        /// Distance of the near plane in metres.
        near: f64,
        /// Distance of the far plane; `None` is infinitely far.
        far: Option<f64>,
    },
    /// Everything keeps its size.
    Orthographic {
        /// Half of the width that is seen, in metres.
        half_width: f64,
        /// Half of the height that is seen.
        half_height: f64,
        /// Distance of the near plane.
        near: f64,
        /// Distance of the far plane.
        far: f64,
    },
}

impl Model {
    /// The camera somebody asks for: by its name, else by the name of its node, else by its number in
    /// the file. The result is an index into [`Model::cameras`].
    pub fn find_camera(&self, asked: &str) -> Option<usize> {
        let with = |is_it: &dyn Fn(&Camera) -> bool| self.cameras.iter().position(is_it);
        let node_name = |camera: &Camera| self.rig.names.get(camera.node).map(String::as_str);
        with(&|camera| !asked.is_empty() && *camera.name == *asked)
            .or_else(|| with(&|camera| !asked.is_empty() && node_name(camera) == Some(asked)))
            .or_else(|| {
                let number: usize = asked.parse().ok()?;
                with(&|camera| camera.file_index == number)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LocalTransform, Rig};

    #[test]
    fn names_go_before_numbers_and_cameras_before_nodes() {
        let projection = Projection::Perspective { yfov_radians: 1.0, aspect: None, near: 0.1, far: None };
        let camera =
            |name: &str, file_index, node| Camera { name: name.into(), file_index, node, projection };
        let model = Model {
            rig: Rig {
                names: vec!["a".into(), "b".into(), "1".into()],
                parents: vec![None; 3],
                rest: vec![LocalTransform::IDENTITY; 3],
                file_index: vec![0, 1, 2],
                ..Rig::default()
            },
            cameras: vec![camera("b", 0, 0), camera("", 1, 1), camera("c", 3, 2), camera("c", 3, 0)],
            ..Model::default()
        };
        let found = |asked| model.find_camera(asked);
        assert_eq!((found("b"), found("a"), found("c")), (Some(0), Some(0), Some(2)));
        assert_eq!((found("0"), found("1"), found("3")), (Some(0), Some(2), Some(2)), "node 1 is called 1");
        assert_eq!((found(""), found("2"), found("d"), found("-1")), (None, None, None, None));
    }
}
