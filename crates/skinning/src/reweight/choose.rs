//! The choice of vertices to edit, by joint or by place in the bind pose.

use std::fmt;
use std::str::FromStr;

use glam::DVec3;
use sinew_model::{Model, VertexName};

use super::{EditError, Part, Places, Weights};
use crate::pose::Names;

/// A condition on vertices. Places are those of the bind pose, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Where {
    /// Vertices whose heaviest joint is this one: `part:elbow`.
    Part(String),
    /// Vertices that this joint moves: `joint:elbow`.
    Joint(String),
    /// Places in a sphere: `sphere:X,Y,Z,RADIUS`.
    Sphere(DVec3, f64),
    /// Places in a box between two corners: `box:X,Y,Z,X,Y,Z`.
    Box(DVec3, DVec3),
    /// Vertices of the mesh of this name, or of what the node of this name draws: `mesh:Body`.
    Mesh(String),
    /// One vertex, and those at its place: `vertex:node5:0:1234`.
    Vertex(VertexName),
    /// Vertices at exactly these places: `at:X,Y,Z;X,Y,Z`.
    At(Places),
}

/// A text that is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected part:JOINT, joint:JOINT, sphere:X,Y,Z,RADIUS, box:X,Y,Z,X,Y,Z, mesh:NAME, vertex:NAME or at:X,Y,Z;X,Y,Z, with \
     numbers in bind space"
)]
pub struct NoCondition;

/// Numbers that have these places in a text.
fn numbers<const N: usize>(text: &str) -> Result<[f64; N], NoCondition> {
    let all: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let all: [f64; N] = all.map_err(|_| NoCondition)?.try_into().map_err(|_| NoCondition)?;
    all.iter().all(|number| number.is_finite()).then_some(all).ok_or(NoCondition)
}

impl FromStr for Where {
    type Err = NoCondition;

    fn from_str(text: &str) -> Result<Self, NoCondition> {
        let (kind, rest) = text.split_once(':').ok_or(NoCondition)?;
        let name = || Some(rest.to_owned()).filter(|name| !name.is_empty()).ok_or(NoCondition);
        match kind {
            "part" => Ok(Self::Part(name()?)),
            "joint" => Ok(Self::Joint(name()?)),
            "mesh" => Ok(Self::Mesh(name()?)),
            "vertex" => rest.parse().map(Self::Vertex).map_err(|_| NoCondition),
            "at" => rest.parse().map(Self::At).map_err(|_| NoCondition),
            "sphere" => {
                let [x, y, z, radius] = numbers(rest)?;
                Some(Self::Sphere(DVec3::new(x, y, z), radius)).filter(|_| radius >= 0.0).ok_or(NoCondition)
            }
            "box" => {
                let [a, b, c, x, y, z] = numbers(rest)?;
                let (one, other) = (DVec3::new(a, b, c), DVec3::new(x, y, z));
                Ok(Self::Box(one.min(other), one.max(other)))
            }
            _ => Err(NoCondition),
        }
    }
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(joint) => write!(f, "part:{joint}"),
            Self::Joint(joint) => write!(f, "joint:{joint}"),
            Self::Sphere(DVec3 { x, y, z }, radius) => write!(f, "sphere:{x},{y},{z},{radius}"),
            Self::Box(DVec3 { x, y, z }, to) => write!(f, "box:{x},{y},{z},{},{},{}", to.x, to.y, to.z),
            Self::Mesh(name) => write!(f, "mesh:{name}"),
            Self::Vertex(name) => write!(f, "vertex:{name}"),
            Self::At(places) => write!(f, "at:{places}"),
        }
    }
}

/// The chosen vertices of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    of_part: Vec<Vec<bool>>,
}

impl Chosen {
    /// Chooses the vertices for which all conditions hold; without conditions, all.
    pub(super) fn new(weights: &Weights, conditions: &[Where]) -> Result<Self, EditError> {
        let Weights { model, parts, .. } = weights;
        let all = parts.iter().map(|part| vec![true; part.rows.len()]).collect();
        let mut chosen = Self { of_part: all };
        let names = Names::new(model);
        for condition in conditions {
            let holds = Condition::new(model, &names, condition)?;
            for ((number, of_part), part) in chosen.of_part.iter_mut().enumerate().zip(parts) {
                let holds = holds.on(model, part, |node| weights.number_in(number, node));
                of_part.iter_mut().enumerate().for_each(|(vertex, chosen)| *chosen &= holds(vertex));
            }
        }
        Ok(chosen)
    }

    /// Returns true if a vertex is chosen.
    pub fn has(&self, part: usize, vertex: usize) -> bool {
        self.of_part.get(part).and_then(|of_part| of_part.get(vertex)) == Some(&true)
    }

    /// The number of chosen vertices.
    pub fn count(&self) -> usize {
        self.of_part.iter().flatten().filter(|chosen| **chosen).count()
    }
}

impl Where {
    /// Returns the condition for other exports of the character: a vertex by its place, because numbers change.
    pub fn lasting(&self, model: &Model) -> Self {
        let Self::Vertex(name) = self else { return self.clone() };
        let place = name.find(model).ok().and_then(|index| {
            let mesh = model.meshes.get(model.instances.get(index.instance)?.mesh)?;
            mesh.primitives.get(index.primitive)?.positions.get(index.vertex).copied()
        });
        place.map_or_else(|| self.clone(), |place| Self::At(std::iter::once(place).collect()))
    }
}

/// A condition whose names are found.
enum Condition<'a> {
    Heaviest(usize),
    Moved(usize),
    Within(&'a Where),
    Named(&'a str),
    /// The mesh of a vertex and its place.
    Same(usize, [f32; 3]),
    At(&'a Places),
}

impl<'a> Condition<'a> {
    fn new(model: &Model, names: &Names<'_>, condition: &'a Where) -> Result<Self, EditError> {
        Ok(match condition {
            Where::Part(joint) => Self::Heaviest(names.joint(joint)?),
            Where::Joint(joint) => Self::Moved(names.joint(joint)?),
            Where::Sphere(..) | Where::Box(..) => Self::Within(condition),
            Where::Mesh(name) => {
                let found = model
                    .instances
                    .iter()
                    .any(|instance| has_name(model, instance.mesh, instance.node, name));
                if !found {
                    return Err(EditError::NoMesh(name.clone()));
                }
                Self::Named(name)
            }
            Where::Vertex(name) => {
                let index = name.find(model)?;
                let mesh = model.instances.get(index.instance).map_or(usize::MAX, |instance| instance.mesh);
                let primitive = model.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(index.primitive));
                let place = primitive.and_then(|primitive| primitive.positions.get(index.vertex));
                Self::Same(mesh, place.copied().unwrap_or([f32::NAN; 3]))
            }
            Where::At(places) => Self::At(places),
        })
    }

    /// The condition on the vertices of a part.
    fn on<'b>(
        &'b self,
        model: &'b Model,
        part: &'b Part,
        number_of: impl Fn(usize) -> Option<i32>,
    ) -> impl Fn(usize) -> bool + 'b {
        let number = match self {
            Self::Heaviest(node) | Self::Moved(node) => number_of(*node),
            _ => None,
        };
        let is_named = matches!(self, Self::Named(name) if part.is_named(model, name));
        let places = part.primitive(model).map_or(&[][..], |primitive| &primitive.positions);
        move |vertex| {
            let row = part.rows.get(vertex);
            let place = places.get(vertex).map(|place| DVec3::from_array(place.map(f64::from)));
            match (self, row, place) {
                (Self::Heaviest(_), Some(row), _) => number.is_some() && row.heaviest() == number,
                (Self::Moved(_), Some(row), _) => number.is_some_and(|number| row.weight(number) > 0.0),
                (Self::Within(Where::Sphere(center, radius)), _, Some(place)) => {
                    center.distance(place) <= *radius
                }
                (Self::Within(Where::Box(least, most)), _, Some(place)) => {
                    place.cmpge(*least).all() && place.cmple(*most).all()
                }
                (Self::Named(_), ..) => is_named,
                (Self::Same(mesh, at), ..) => part.mesh == *mesh && places.get(vertex) == Some(at),
                (Self::At(at), ..) => places.get(vertex).is_some_and(|place| at.has(*place)),
                _ => false,
            }
        }
    }
}

/// Returns true if a mesh or the node that draws it has a name.
pub(super) fn has_name(model: &Model, mesh: usize, node: usize, name: &str) -> bool {
    let names = [
        model.meshes.get(mesh).map(|mesh| mesh.name.as_str()),
        model.rig.names.get(node).map(String::as_str),
    ];
    names.contains(&Some(name))
}
