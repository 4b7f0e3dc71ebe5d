//! Meshes: points, triangles, what belongs to corners, subsets for materials, and how a skeleton moves all of it.

use glam::DMat4;
use openusd::sdf::{Path, Value};

use super::frames::{Frames, extent};
use super::prim::{Names, Prim, Property, token, tokens};
use super::shapes;
use super::sheet::Sheet;
use super::skeletons::Skeleton;
use super::values::{integers, matrix, pairs, vectors};
use crate::{Influences, SkinningMethod};

/// The skin of a mesh: its skeleton with its path, and its joints in the skeleton.
pub struct Worn<'a> {
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// The joints of the skin, as nodes.
    pub joints: &'a [usize],
    /// The matrix from the mesh's space to that of the bind pose.
    pub geometry: DMat4,
    /// The skinning method.
    pub method: SkinningMethod,
}

/// A mesh in the making.
pub struct Draft<'a> {
    /// Its primitives.
    pub sheet: Sheet<'a>,
    /// The path of its prim.
    pub path: Path,
    /// Its skin, if it has one.
    pub worn: Option<Worn<'a>>,
    /// The path of the skeleton that moves it or its blend shapes.
    pub skeleton: Option<Path>,
    /// Names of its blend shapes.
    pub shapes: Vec<String>,
    /// The material of each of its primitives.
    pub materials: Vec<Option<Path>>,
    /// Frames in which its points move, and the number of its mesh in them.
    pub frames: Option<(&'a Frames, usize)>,
}

impl Draft<'_> {
    /// The prim.
    pub fn prim(&self) -> Prim {
        let mut prim = Prim::new(self.path.name().unwrap_or_default(), "Mesh");
        let mut schemas = Vec::new();
        self.surface(&mut prim);
        self.corners(&mut prim);
        if self.skeleton.is_some() {
            schemas.push("SkelBindingAPI");
        }
        match self.materials.as_slice() {
            [one] => {
                if let Some(path) = one {
                    schemas.push("MaterialBindingAPI");
                    prim.properties.push(Property::to("material:binding", vec![path.clone()]));
                }
            }
            _ => self.subsets(&mut prim),
        }
        if !schemas.is_empty() {
            prim.apply(&schemas);
        }
        if let Some(skeleton) = &self.skeleton {
            prim.properties.push(Property::to("skel:skeleton", vec![skeleton.clone()]));
        }
        if let Some(worn) = &self.worn {
            self.skin(worn, &mut prim);
        }
        if !self.shapes.is_empty() {
            shapes::add(&self.sheet, &self.shapes, &mut prim, &self.path);
        }
        prim
    }

    fn samples(&self) -> [Vec<(f64, Value)>; 3] {
        self.frames.map(|(frames, mesh)| frames.samples(mesh, &self.sheet)).unwrap_or_default()
    }

    fn surface(&self, prim: &mut Prim) {
        let positions = self.sheet.at_points(|primitive, vertex| primitive.positions[vertex]);
        let corners: Vec<u32> = self.sheet.corners().collect();
        let counts = vec![3; corners.len() / 3];
        let [points, boxes, _] = self.samples();
        prim.properties.extend([
            Property::uniform("subdivisionScheme", "token", token("none")),
            Property::uniform("doubleSided", "bool", self.sheet.double_sided),
            Property::of("extent", "float3[]", vectors(&extent(&positions))).sampled(boxes),
            Property::of("points", "point3f[]", vectors(&positions)).sampled(points),
            Property::of("faceVertexCounts", "int[]", Value::IntVec(counts)),
            Property::of("faceVertexIndices", "int[]", integers(corners)),
        ]);
    }

    fn corners(&self, prim: &mut Prim) {
        let sheet = &self.sheet;
        let add = |prim: &mut Prim, property: Property| {
            prim.properties.push(property.with("interpolation", token(sheet.interpolation())));
        };
        let normals = sheet.values(|primitive| primitive.normals.as_deref());
        if !normals.is_empty() {
            let [_, _, moved] = self.samples();
            add(prim, Property::of("normals", "normal3f[]", vectors(&normals)).sampled(moved));
        }
        let sets = sheet.primitives.first().map_or(0, |(_, primitive)| primitive.texcoords.len());
        for set in 0..sets {
            let mut rows = sheet.values(|primitive| primitive.texcoords.get(set).map(Vec::as_slice));
            // t points up in a picture.
            rows.iter_mut().for_each(|row| row[1] = 1.0 - row[1]);
            add(prim, Property::of(&format!("primvars:{}", texcoords(set)), "texCoord2f[]", pairs(&rows)));
        }
        let colors = sheet.values(|primitive| primitive.colors.as_deref());
        if !colors.is_empty() {
            let rows: Vec<[f32; 3]> = colors.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
            add(prim, Property::of("primvars:displayColor", "color3f[]", vectors(&rows)));
            let alphas: Vec<f32> = colors.iter().map(|color| color[3]).collect();
            if alphas.iter().any(|alpha| *alpha != 1.0) {
                add(prim, Property::of("primvars:displayOpacity", "float[]", Value::FloatVec(alphas)));
            }
        }
    }

    /// Adds a subset of faces for each primitive.
    fn subsets(&self, prim: &mut Prim) {
        let mut names = Names::default();
        for shape in &self.shapes {
            names.unique(shape, "shape");
        }
        let mut first = 0;
        for ((_, primitive), material) in self.sheet.primitives.iter().zip(&self.materials) {
            let count = primitive.indices.len() as u32 / 3;
            let mut subset = Prim::new(&names.unique("part", "part"), "GeomSubset");
            subset.properties.extend([
                Property::uniform("elementType", "token", token("face")),
                Property::uniform("familyName", "token", token("materialBind")),
                Property::of("indices", "int[]", integers(first..first + count)),
            ]);
            if let Some(path) = material {
                subset.apply(&["MaterialBindingAPI"]);
                subset.properties.push(Property::to("material:binding", vec![path.clone()]));
            }
            prim.children.push(subset);
            first += count;
        }
        let family = Property::uniform("subsetFamily:materialBind:familyType", "token", token("partition"));
        prim.properties.push(family);
    }

    fn skin(&self, worn: &Worn<'_>, prim: &mut Prim) {
        let all = self.sheet.primitives.first().and_then(|(_, primitive)| primitive.influences.as_ref());
        let spans = all.map_or(0, |all: &Influences| all.spans.len());
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        // Without spans, all vertices follow the first joint.
        let width = if spans == 0 { 1 } else { spans * 4 };
        if spans == 0 {
            (joints, weights) = (vec![0], vec![1.0]);
        }
        for (number, vertex) in self.sheet.vertices.iter().filter(|_| spans > 0) {
            let influences = self.sheet.primitives[*number].1.influences.as_ref();
            for span in 0..spans {
                let row = influences.map_or(([-1; 4], [0.0; 4]), |all| all.of_vertex(span, *vertex));
                joints.extend(row.0.map(|joint| joint.max(0)));
                weights.extend(row.1);
            }
        }
        let word = token(if spans == 0 { "constant" } else { "vertex" });
        let method = match worn.method {
            SkinningMethod::DualQuaternion => "dualQuaternion",
            _ => "classicLinear",
        };
        let primvar = |property: Property| {
            let property = property.with("elementSize", Value::Int(width as i32));
            property.with("interpolation", word.clone())
        };
        prim.properties.extend([
            primvar(Property::of("primvars:skel:jointIndices", "int[]", Value::IntVec(joints))),
            primvar(Property::of("primvars:skel:jointWeights", "float[]", Value::FloatVec(weights))),
            Property::of("primvars:skel:geomBindTransform", "matrix4d", matrix(&worn.geometry)),
            Property::uniform("primvars:skel:skinningMethod", "token", token(method)),
        ]);
        if worn.joints != worn.skeleton.joints.as_slice() {
            let names = worn.joints.iter().filter_map(|joint| worn.skeleton.number(*joint));
            let names = tokens(names.map(|number| worn.skeleton.paths[number].as_str()));
            prim.properties.push(Property::uniform("skel:joints", "token[]", names));
        }
    }
}

/// The name of a set of texture coordinates.
pub fn texcoords(set: usize) -> String {
    if set == 0 { "st".to_owned() } else { format!("st{set}") }
}
