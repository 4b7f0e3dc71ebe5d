//! Names of primitives and vertices, as messages write them and `--vertex` parses them. The module must not depend on
//! the messages that use them.
//!
//! | name            | meaning                                                                     |
//! |-----------------|-----------------------------------------------------------------------------|
//! | `node5:1`       | primitive 1 of the mesh that node 5 draws                                    |
//! | `node5:1:280`   | vertex 280 of it                                                             |
//! | `node5.2:1:280` | the same vertex of node 5's copy 2 (`EXT_mesh_gpu_instancing`)               |
//! | `mesh0:1:280`   | vertex 280 of `meshes[0].primitives[1]`, for every node that draws it        |
//! | `3:1:280`       | only parsed: the fourth of [`Model::instances`], its second primitive as drawn |
//!
//! All numbers are the file's own, except in the last line. In FBX files, a vertex has the number of its control point
//! and means the first corner there.

use std::fmt;
use std::str::FromStr;

use super::Model;

/// A vertex as an instance draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexIndex {
    /// Index into [`Model::instances`].
    pub instance: usize,
    /// Index of the primitive in the instance's mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub vertex: usize,
}

/// The owner of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node that draws the mesh, or a copy of that node.
    Node {
        /// The node's index in the file.
        node: u32,
        /// The number of the copy, if it is one.
        copy: Option<u32>,
    },
    /// A mesh of the file.
    Mesh(usize),
    /// One of [`Model::instances`].
    Instance(usize),
}

/// The name of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrimitiveName {
    /// The owner of the primitive.
    pub owner: Owner,
    /// Index of the primitive in the file; for [`Owner::Instance`], among those that are drawn.
    pub primitive: usize,
}

/// The name of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexName {
    /// The primitive.
    pub primitive: PrimitiveName,
    /// Index of the vertex, in the file's order.
    pub vertex: usize,
}

impl PrimitiveName {
    /// The name of a primitive that an instance draws.
    pub fn of(model: &Model, instance: usize, primitive: usize) -> Self {
        let by_number = Self { owner: Owner::Instance(instance), primitive };
        let Some(drawn) = model.instances.get(instance) else { return by_number };
        let meshes = model.meshes.get(drawn.mesh);
        let found = meshes.and_then(|mesh| mesh.primitives.get(primitive));
        let (Some(found), Some(&node)) = (found, model.rig.file_index.get(drawn.node)) else {
            return by_number;
        };
        let copy = model.rig.copy_number(drawn.node);
        Self { owner: Owner::Node { node, copy }, primitive: found.file_index }
    }

    /// The name of a primitive of a mesh: as the first instance draws it, or the mesh's own if none does.
    pub fn in_mesh(model: &Model, mesh: usize, primitive: usize) -> Self {
        let of_mesh = Self { owner: Owner::Mesh(mesh), primitive };
        match of_mesh.find(model) {
            Ok((instance, primitive)) => Self::of(model, instance, primitive),
            Err(_) => of_mesh,
        }
    }

    /// The name of the primitive at or above a JSON path.
    pub fn at(path: &str) -> Option<Self> {
        let (mesh, path) = path.strip_prefix("meshes[")?.split_once("].primitives[")?;
        let (primitive, _) = path.split_once(']')?;
        Some(Self { owner: Owner::Mesh(mesh.parse().ok()?), primitive: primitive.parse().ok()? })
    }

    /// The name of one of its vertices.
    pub fn vertex(self, vertex: usize) -> VertexName {
        VertexName { primitive: self, vertex }
    }

    /// Finds the instance that draws it, and the index of the primitive in the instance's mesh.
    ///
    /// # Errors
    /// If nothing draws it.
    pub fn find(&self, model: &Model) -> Result<(usize, usize), NotDrawn> {
        let rig = &model.rig;
        let instance = model.instances.iter().enumerate().position(|(number, instance)| match self.owner {
            Owner::Node { node, copy } => {
                rig.file_index.get(instance.node) == Some(&node) && rig.copy_number(instance.node) == copy
            }
            Owner::Mesh(mesh) => instance.mesh == mesh,
            Owner::Instance(asked) => number == asked,
        });
        let instance = instance.ok_or(NotDrawn::Owner(self.owner))?;
        let mesh = model.instances.get(instance).and_then(|instance| model.meshes.get(instance.mesh));
        let mut primitives = mesh.into_iter().flat_map(|mesh| &mesh.primitives).enumerate();
        let primitive = primitives.position(|(number, primitive)| match self.owner {
            Owner::Instance(_) => number == self.primitive,
            Owner::Node { .. } | Owner::Mesh(_) => primitive.file_index == self.primitive,
        });
        Ok((instance, primitive.ok_or(NotDrawn::Primitive(*self))?))
    }
}

impl VertexName {
    /// The name of a vertex that an instance draws.
    pub fn of(model: &Model, index: VertexIndex) -> Self {
        let VertexIndex { instance, primitive, vertex } = index;
        let mesh = model.instances.get(instance).and_then(|instance| model.meshes.get(instance.mesh));
        let points = mesh.and_then(|mesh| mesh.primitives.get(primitive)?.control_points.as_ref());
        let number = points.and_then(|points| points.get(vertex)).map_or(vertex, |point| *point as usize);
        PrimitiveName::of(model, instance, primitive).vertex(number)
    }

    /// Finds where the vertex is drawn.
    ///
    /// # Errors
    /// If nothing draws it.
    pub fn find(&self, model: &Model) -> Result<VertexIndex, NotDrawn> {
        let (instance, primitive) = self.primitive.find(model)?;
        let mesh = model.instances.get(instance).and_then(|instance| model.meshes.get(instance.mesh));
        let found = mesh.and_then(|mesh| mesh.primitives.get(primitive));
        if let Some(points) = found.and_then(|found| found.control_points.as_ref()) {
            let vertex = points.iter().position(|point| *point as usize == self.vertex);
            let vertex = vertex.ok_or(NotDrawn::ControlPoint(*self))?;
            return Ok(VertexIndex { instance, primitive, vertex });
        }
        let count = found.map_or(0, |found| found.positions.len());
        if self.vertex < count {
            Ok(VertexIndex { instance, primitive, vertex: self.vertex })
        } else {
            Err(NotDrawn::Vertex { name: *self, count })
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node { node, copy: None } => write!(f, "node{node}"),
            Self::Node { node, copy: Some(copy) } => write!(f, "node{node}.{copy}"),
            Self::Mesh(mesh) => write!(f, "mesh{mesh}"),
            Self::Instance(instance) => write!(f, "{instance}"),
        }
    }
}

impl fmt::Display for PrimitiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.owner, self.primitive)
    }
}

impl fmt::Display for VertexName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.primitive, self.vertex)
    }
}

/// Text that names no vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected NODE:PRIMITIVE:VERTEX, such as node0:0:1234")]
pub struct NoVertexName;

impl FromStr for VertexName {
    type Err = NoVertexName;

    fn from_str(text: &str) -> Result<Self, NoVertexName> {
        let mut words = text.split(':');
        let (Some(owner), Some(primitive), Some(vertex), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(NoVertexName);
        };
        let owner = if let Some(node) = owner.strip_prefix("node") {
            let (node, copy) = match node.split_once('.') {
                Some((node, copy)) => (node, Some(number(copy)?)),
                None => (node, None),
            };
            Owner::Node { node: number(node)?, copy }
        } else if let Some(mesh) = owner.strip_prefix("mesh") {
            Owner::Mesh(number(mesh)?)
        } else {
            Owner::Instance(number(owner)?)
        };
        Ok(PrimitiveName { owner, primitive: number(primitive)? }.vertex(number(vertex)?))
    }
}

/// Accepts only digits; `parse` alone would accept a sign.
fn number<T: FromStr>(digits: &str) -> Result<T, NoVertexName> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number).ok_or(NoVertexName)
}

/// The name refers to something that the shown scene does not draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDrawn {
    /// No instance matches or draws it.
    #[error("{}", no_owner(*.0))]
    Owner(Owner),
    /// The mesh has no such primitive.
    #[error("{} draws no primitive {}", .0.owner, .0.primitive)]
    Primitive(PrimitiveName),
    /// The primitive has no corner at this control point of the file.
    #[error("{} has no corner at control point {}", .0.primitive, .0.vertex)]
    ControlPoint(VertexName),
    /// The primitive has no such vertex.
    #[error("{} has no vertex {}; it has {count} vertices", name.primitive, name.vertex)]
    Vertex {
        /// The vertex.
        name: VertexName,
        /// Number of vertices.
        count: usize,
    },
}

fn no_owner(owner: Owner) -> String {
    match owner {
        Owner::Node { .. } => format!("{owner} draws no mesh"),
        Owner::Mesh(_) => format!("no node draws {owner}"),
        Owner::Instance(_) => format!("no drawn node has the index {owner}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, LocalTransform, Mesh, Primitive, Rig};

    /// Node 7 and its copy draw mesh 1, and so does node 4; the mesh's first primitive draws nothing, so one is left.
    /// Nothing draws mesh 0.
    fn model() -> Model {
        let primitive =
            |file_index| Primitive { file_index, positions: vec![[0.0; 3]; 3], ..Primitive::default() };
        let mesh = |primitives| Mesh { primitives, ..Mesh::default() };
        let mut rig = Rig {
            names: vec![String::new(); 2],
            parents: vec![None; 2],
            rest: vec![LocalTransform::IDENTITY; 2],
            file_index: vec![7, 4],
            ..Rig::default()
        };
        let copy = rig.add_copy(0, 2, LocalTransform::IDENTITY);
        let instance = |node| Instance { node, mesh: 1, skin: None };
        Model {
            rig,
            meshes: vec![mesh(vec![primitive(0)]), mesh(vec![primitive(1)])],
            instances: vec![instance(copy), instance(0), instance(1)],
            ..Model::default()
        }
    }

    #[test]
    fn what_is_drawn_has_a_name_that_finds_it() {
        let model = model();
        for (instance, said) in ["node7.2:1:2", "node7:1:2", "node4:1:2"].into_iter().enumerate() {
            let index = VertexIndex { instance, primitive: 0, vertex: 2 };
            let name = VertexName::of(&model, index);
            assert_eq!(name.to_string(), said);
            assert_eq!(said.parse(), Ok(name));
            assert_eq!(name.find(&model), Ok(index));
            // The short form: the index of the instance, and of the primitive as drawn.
            let old: VertexName = format!("{instance}:0:2").parse().unwrap();
            assert_eq!(old.find(&model), Ok(index));
        }
        let by_mesh: VertexName = "mesh1:1:2".parse().unwrap();
        assert_eq!(by_mesh.find(&model), Ok(VertexIndex { instance: 0, primitive: 0, vertex: 2 }));
        assert_eq!(PrimitiveName::in_mesh(&model, 1, 1).to_string(), "node7.2:1");
        assert_eq!(PrimitiveName::in_mesh(&model, 0, 0).to_string(), "mesh0:0");
    }

    #[test]
    fn what_is_not_drawn_is_said_to_be_missing() {
        let find = |text: &str| text.parse::<VertexName>().unwrap().find(&model()).unwrap_err().to_string();
        assert_eq!(find("node0:1:2"), "node0 draws no mesh");
        assert_eq!(find("node7.1:1:2"), "node7.1 draws no mesh");
        assert_eq!(find("mesh0:0:0"), "no node draws mesh0");
        assert_eq!(find("3:0:0"), "no drawn node has the index 3");
        assert_eq!(find("node7:0:0"), "node7 draws no primitive 0");
        assert_eq!(find("node7:1:3"), "node7:1 has no vertex 3; it has 3 vertices");
        assert_eq!(
            find(&format!("node7:1:{}", usize::MAX)),
            format!("node7:1 has no vertex {}; it has 3 vertices", usize::MAX)
        );
    }

    #[test]
    fn every_name_reads_back() {
        for node in [0, 9, u32::MAX] {
            for copy in [None, Some(0), Some(u32::MAX)] {
                for owner in
                    [Owner::Node { node, copy }, Owner::Mesh(node as usize), Owner::Instance(usize::MAX)]
                {
                    for (primitive, vertex) in [(0, 0), (12, usize::MAX)] {
                        let name = PrimitiveName { owner, primitive }.vertex(vertex);
                        assert_eq!(name.to_string().parse(), Ok(name));
                    }
                }
            }
        }
        for wrong in [
            "",
            "node",
            "node5",
            "node5:1",
            "node5:1:",
            "node:1:2",
            "node5:1:2:3",
            "node5.:1:2",
            "node5.1.1:1:2",
            "mesh0.1:1:2",
            "+1:1:2",
            "node+5:1:2",
            "-1:0:0",
            "node5:1:2 ",
            "nodes[5]:1:2",
            "node4294967296:0:0",
        ] {
            assert_eq!(wrong.parse::<VertexName>(), Err(NoVertexName), "{wrong}");
        }
    }

    #[test]
    fn paths_lead_to_primitives() {
        let at = |path| PrimitiveName::at(path).map(|name| name.to_string());
        assert_eq!(at("meshes[3].primitives[12].attributes.POSITION"), Some("mesh3:12".to_owned()));
        assert_eq!(at("meshes[3].primitives[12]"), Some("mesh3:12".to_owned()));
        for other in [
            "",
            "meshes[3]",
            "accessors[3].primitives[1]",
            "meshes[3].primitives[",
            "meshes[x].primitives[1]",
        ] {
            assert_eq!(at(other), None, "{other}");
        }
    }
}
