//! Finds a camera by a name or a number.

use crate::{Camera, Model};

impl Model {
    /// Finds a camera by its name, else by the name of its node, else by its index in the file. Returns an index into
    /// [`Model::cameras`].
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
    use crate::{LocalTransform, Projection, Rig};

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
