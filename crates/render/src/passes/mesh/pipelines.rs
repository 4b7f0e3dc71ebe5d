//! The graphics pipelines of meshes, created when first needed; the most recently used ones are kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::interface::features::Features;
use crate::interface::formats::{DEPTH_FORMAT, LIGHT_FORMAT, PICTURE_FORMAT};
use crate::interface::packed::Packed;
use crate::interface::shaders::{self, Shader};
use crate::interface::streams::Stream;
use sinew_model::Topology;
use sinew_skinning::SkinningMode;
use sinew_vulkan::{
    Device, GraphicsPipeline, GraphicsPipelineDesc, PipelineCache, PipelineLayout, ShaderModule, VulkanError,
    vk,
};

/// The inputs of a draw's pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PipelineKey {
    /// Processing in the vertex shader.
    pub vertices: VertexWork,
    /// Bit n is set if the mesh's buffer has the n-th of [`Stream::ALL`]; other streams read a default.
    pub present: u32,
    /// Triangles, lines or points.
    pub topology: Topology,
    /// Processing of fragments.
    pub outcome: Outcome,
}

/// A pipeline's processing of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexWork {
    /// Skinning.
    Skin {
        /// The mode.
        mode: SkinningMode,
        /// Number of skinning spans.
        spans: usize,
        /// Number of slots per figure of a crowd; 0 for one figure alone.
        slots_per_member: u32,
        /// True to read the slots from the storage buffer.
        stored: bool,
    },
    /// None: the vertices are already skinned.
    Place,
}

/// Processing of light that few pictures need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LightWork {
    /// The exposure changes the light.
    pub is_exposed: bool,
    /// True for coloured light from an environment.
    pub is_colored: bool,
}

/// A pipeline's processing of fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Full shading.
    Shaded {
        /// Features of the shader.
        features: Features,
        /// True to blend with the surfaces behind, by alpha.
        blend: bool,
        /// Samples per pixel.
        samples: vk::SampleCountFlags,
        /// True to recede behind the edges that are drawn on the surface.
        recedes: bool,
        /// Further processing of light.
        light: LightWork,
    },
    /// Shading as matt paint.
    Plain {
        /// Features of the shader.
        features: Features,
        /// True to blend with the surfaces behind, by alpha.
        blend: bool,
        /// Samples per pixel.
        samples: vk::SampleCountFlags,
        /// True to draw bytes directly, instead of light that is encoded later.
        encodes: bool,
        /// True to recede behind the edges that are drawn on the surface.
        recedes: bool,
        /// Further processing of light.
        light: LightWork,
    },
    /// Data of the surface.
    Viewed {
        /// Samples per pixel.
        samples: vk::SampleCountFlags,
        /// True to recede behind the lines that are drawn on the surface.
        recedes: bool,
    },
    /// Rim around a shape.
    Rim {
        /// Features of the shader.
        features: Features,
        /// Samples per pixel.
        samples: vk::SampleCountFlags,
        /// True to draw bytes directly, instead of light that is encoded later.
        encodes: bool,
    },
    /// Shadow casting.
    Shadow {
        /// True if the material has holes.
        holes: bool,
    },
}

impl PipelineKey {
    /// Returns true if the mesh's buffer has the stream.
    pub fn has(&self, stream: Stream) -> bool {
        self.present >> stream as u32 & 1 == 1
    }

    /// Returns the vertex shader, with the name of its file.
    fn vertex_shader(&self) -> (&'static str, Shader) {
        let casts = matches!(self.outcome, Outcome::Shadow { .. });
        let (file, shader) = match (self.vertices, casts) {
            (VertexWork::Skin { mode, spans, .. }, false) => ("mesh.vert", shaders::mesh_vert(mode, spans)),
            (VertexWork::Skin { mode, spans, .. }, true) => {
                ("caster.vert", shaders::caster_vert(mode, spans))
            }
            (VertexWork::Place, false) => ("placed.vert", Some(shaders::PLACED_VERT)),
            (VertexWork::Place, true) => ("placed_caster.vert", Some(shaders::PLACED_CASTER_VERT)),
        };
        (file, shader.expect("a batch has 1 to 4 spans, and each number is compiled"))
    }

    /// Returns the constants of the pipeline's shaders, by their numbers.
    fn constants(&self) -> Vec<u32> {
        let (slots_per_member, stored) = match self.vertices {
            VertexWork::Skin { slots_per_member, stored, .. } => (slots_per_member, stored),
            VertexWork::Place => (0, false),
        };
        let features = self.outcome.features().constants().into_iter().map(u32::from);
        let streams = [Stream::Normal, Stream::Color].map(|stream| self.has(stream).into());
        let work = [slots_per_member, self.encodes().into()];
        let is_rim = matches!(self.outcome, Outcome::Rim { .. });
        let is_stamped = is_rim || self.topology != Topology::Triangles;
        let all = features.chain(work).chain(streams).chain(
            [stored, is_stamped, self.outcome.light().is_exposed, self.outcome.light().is_colored, is_rim]
                .map(u32::from),
        );
        all.collect()
    }

    /// Returns true if it draws bytes.
    fn encodes(&self) -> bool {
        matches!(self.outcome, Outcome::Plain { encodes: true, .. } | Outcome::Rim { encodes: true, .. })
    }
}

impl Outcome {
    /// Returns the fragment shader, with the name of its file; a shadow without holes needs none.
    fn fragment_shader(&self) -> Option<(&'static str, Packed)> {
        match self {
            Self::Shaded { .. } => Some(("mesh.frag", shaders::MESH_FRAG)),
            Self::Plain { .. } => Some(("plain.frag", shaders::PLAIN_FRAG)),
            Self::Viewed { .. } => Some(("view.frag", shaders::VIEW_FRAG)),
            Self::Rim { .. } => Some(("rim.frag", shaders::RIM_FRAG)),
            Self::Shadow { holes: true } => Some(("shadow.frag", shaders::SHADOW_FRAG)),
            Self::Shadow { holes: false } => None,
        }
    }

    fn features(&self) -> Features {
        match *self {
            Self::Shaded { features, .. } | Self::Plain { features, .. } | Self::Rim { features, .. } => {
                features
            }
            Self::Viewed { .. } => Features::without_light(),
            Self::Shadow { holes } => Features { alpha: holes, ..Features::without_light() },
        }
    }

    /// Returns the rim around a shaded surface; `None` for surface data.
    pub fn rim(self) -> Option<Self> {
        let of = |features: Features, samples, encodes| {
            Some(Self::Rim { features: features.plain(), samples, encodes })
        };
        match self {
            Self::Shaded { features, samples, .. } => of(features, samples, false),
            Self::Plain { features, samples, encodes, .. } => of(features, samples, encodes),
            Self::Viewed { .. } | Self::Rim { .. } | Self::Shadow { .. } => None,
        }
    }

    /// Returns this outcome, receding behind edges that are drawn on the surface.
    pub fn receding(self) -> Self {
        match self {
            Self::Shaded { features, blend, samples, light, recedes: _ } => {
                Self::Shaded { features, blend, samples, light, recedes: true }
            }
            Self::Plain { features, blend, samples, encodes, light, recedes: _ } => {
                Self::Plain { features, blend, samples, encodes, light, recedes: true }
            }
            Self::Viewed { samples, recedes: _ } => Self::Viewed { samples, recedes: true },
            Self::Rim { .. } | Self::Shadow { .. } => self,
        }
    }

    fn light(&self) -> LightWork {
        match *self {
            Self::Shaded { light, .. } | Self::Plain { light, .. } => light,
            Self::Viewed { .. } | Self::Rim { .. } | Self::Shadow { .. } => LightWork::default(),
        }
    }

    fn recedes(&self) -> bool {
        match *self {
            Self::Shaded { recedes, .. } | Self::Plain { recedes, .. } | Self::Viewed { recedes, .. } => {
                recedes
            }
            Self::Rim { .. } | Self::Shadow { .. } => false,
        }
    }

    /// Returns the samples per pixel.
    pub fn samples(&self) -> vk::SampleCountFlags {
        match *self {
            Self::Shaded { samples, .. }
            | Self::Plain { samples, .. }
            | Self::Viewed { samples, .. }
            | Self::Rim { samples, .. } => samples,
            Self::Shadow { .. } => vk::SampleCountFlags::TYPE_1,
        }
    }
}

/// A pipeline and the streams it reads, in binding order.
pub struct MeshPipeline {
    /// Handle for binding.
    pub pipeline: GraphicsPipeline,
    /// The stream of each vertex buffer.
    pub streams: Vec<Stream>,
    /// The number of the last picture that used it.
    used: u64,
    /// The round of its last use.
    round: u64,
}

/// Number of pipelines above which the least recently used are dropped. Software drivers keep up to 3 MB for each.
const MAX: usize = 24;

/// Result of dropping pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// Number of dropped pipelines.
    pub gone: usize,
    /// Number of remaining pipelines that the last picture did not use, and that may be dropped later.
    pub left: usize,
}

/// The existing pipelines.
#[derive(Default)]
pub struct Pipelines {
    made: HashMap<PipelineKey, MeshPipeline>,
    /// The number of the current picture.
    picture: u64,
    /// Incremented whenever pipelines are dropped.
    round: u64,
}

impl Pipelines {
    /// Begins a picture. All pipelines of the last one stay, because consecutive pictures are usually similar.
    pub fn begin(&mut self, device: &Device) -> Result<(), VulkanError> {
        let last = self.picture;
        self.picture += 1;
        let spent = spent(self.made.iter().map(|(key, pipeline)| (pipeline.used, *key)), last);
        self.drop_all(device, &spent)
    }

    /// Drops the pipelines that no picture has used since the previous call, but none of the last picture.
    pub fn forget(&mut self, device: &Device) -> Result<Forgotten, VulkanError> {
        let others = || self.made.iter().filter(|(_, pipeline)| pipeline.used < self.picture);
        let old: Vec<PipelineKey> =
            others().filter(|(_, pipeline)| pipeline.round < self.round).map(|(key, _)| *key).collect();
        let forgotten = Forgotten { gone: old.len(), left: others().count() - old.len() };
        self.round += 1;
        self.drop_all(device, &old)?;
        Ok(forgotten)
    }

    fn drop_all(&mut self, device: &Device, keys: &[PipelineKey]) -> Result<(), VulkanError> {
        if keys.is_empty() {
            return Ok(());
        }
        // The GPU may still draw with them.
        device.wait_idle()?;
        keys.iter().for_each(|key| drop(self.made.remove(key)));
        Ok(())
    }

    /// Creates the pipeline if it is missing.
    pub fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        layout: &PipelineLayout,
        key: PipelineKey,
    ) -> Result<(), VulkanError> {
        let pipeline = match self.made.entry(key) {
            Entry::Occupied(place) => place.into_mut(),
            Entry::Vacant(place) => place.insert(MeshPipeline::new(device, cache, layout, key)?),
        };
        pipeline.used = self.picture;
        pipeline.round = self.round;
        Ok(())
    }

    /// Returns a prepared pipeline.
    pub fn get(&self, key: &PipelineKey) -> &MeshPipeline {
        &self.made[key]
    }
}

/// Selects the pipelines to drop, from their keys and the pictures of their last use: the oldest, but none of the
/// picture `last`.
fn spent<K>(made: impl ExactSizeIterator<Item = (u64, K)>, last: u64) -> Vec<K> {
    let surplus = made.len().saturating_sub(MAX);
    if surplus == 0 {
        return Vec::new();
    }
    let mut spent: Vec<(u64, K)> = made.filter(|(used, _)| *used < last).collect();
    spent.sort_by_key(|(used, _)| *used);
    spent.into_iter().take(surplus).map(|(_, key)| key).collect()
}

impl MeshPipeline {
    fn new(
        device: &Arc<Device>,
        cache: &PipelineCache,
        layout: &PipelineLayout,
        key: PipelineKey,
    ) -> Result<Self, VulkanError> {
        let name = match key.vertices {
            VertexWork::Skin { mode, spans, .. } => format!("mesh {mode} x{spans} {:?}", key.topology),
            VertexWork::Place => format!("mesh placed {:?}", key.topology),
        };
        let (file, shader) = key.vertex_shader();
        let vertex = ShaderModule::new(device, &format!("{name} {file}"), &shader.spirv.unpack())?;
        let fragment = key
            .outcome
            .fragment_shader()
            .map(|(file, spirv)| ShaderModule::new(device, &format!("{name} {file}"), &spirv.unpack()))
            .transpose()?;
        let streams: Vec<Stream> = Stream::feeding(shader.inputs).collect();
        let bindings: Vec<_> = streams.iter().map(|&stream| stream.binding(key.has(stream))).collect();
        let blend =
            matches!(key.outcome, Outcome::Shaded { blend: true, .. } | Outcome::Plain { blend: true, .. });
        let is_shadow = matches!(key.outcome, Outcome::Shadow { .. });
        let desc = GraphicsPipelineDesc {
            name: &name,
            layout,
            vertex: &vertex,
            fragment: fragment.as_ref(),
            constants: &key.constants(),
            streams: &bindings,
            topology: match key.topology {
                Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
                Topology::Lines => vk::PrimitiveTopology::LINE_LIST,
                Topology::Points => vk::PrimitiveTopology::POINT_LIST,
            },
            samples: key.outcome.samples(),
            color_format: (!is_shadow).then_some(if key.encodes() { PICTURE_FORMAT } else { LIGHT_FORMAT }),
            depth_format: Some(DEPTH_FORMAT),
            blend,
            depth_write: !blend,
            recedes: key.outcome.recedes(),
        };
        let pipeline = GraphicsPipeline::new(device, cache, &desc)?;
        Ok(Self { pipeline, streams, used: 0, round: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_pipelines_go_but_none_of_the_last_picture() {
        let all = |count: u64| (0..count).map(|number| (number, number)).collect::<Vec<_>>();
        let most = MAX as u64;
        assert_eq!(spent(all(most).into_iter(), most), [0; 0]);
        let gone = spent(all(most + 1).into_iter().rev(), most);
        assert_eq!(gone, [0]);
        // One picture may need more than the maximum.
        let of_last = |used| (0..most * 2).map(|number| (used, number)).collect::<Vec<_>>();
        assert_eq!(spent(of_last(5).into_iter(), 5), [0; 0]);
        assert_eq!(spent(of_last(4).into_iter(), 5).len(), MAX);
    }

    /// Each constant that is no feature has the shaders' number.
    #[test]
    fn constants_are_numbered_as_in_the_shaders() {
        let sources = [
            include_str!("../../../../../shaders/include/features.glsl"),
            include_str!("../../../../../shaders/include/member.glsl"),
        ];
        let number_of = |name: &str| {
            let mut lines = sources.iter().flat_map(|source| source.lines());
            let line = lines.find(|line| line.contains(&format!(" {name} ="))).unwrap();
            line.split(['=', ')']).nth(1).unwrap().trim().parse::<usize>().unwrap()
        };
        let plain = |encodes| Outcome::Plain {
            features: Features::default(),
            blend: false,
            samples: vk::SampleCountFlags::TYPE_1,
            encodes,
            recedes: false,
            light: LightWork::default(),
        };
        let skins = |slots_per_member, stored| VertexWork::Skin {
            mode: SkinningMode::Rigid,
            spans: 1,
            slots_per_member,
            stored,
        };
        let key = PipelineKey {
            vertices: skins(0, false),
            present: 0,
            topology: Topology::Triangles,
            outcome: plain(false),
        };
        let with = |stream: Stream| PipelineKey { present: 1 << stream as u32, ..key };
        let lit = |light| PipelineKey {
            outcome: Outcome::Plain {
                features: Features::default(),
                blend: false,
                samples: vk::SampleCountFlags::TYPE_1,
                encodes: false,
                recedes: false,
                light,
            },
            ..key
        };
        let none = key.constants();
        let changed = |from: &[u32], to: &[u32]| {
            assert_eq!(from.len(), to.len());
            (0..to.len()).filter(|&at| from[at] != to[at]).collect::<Vec<_>>()
        };
        for (name, key) in [
            ("SLOTS_PER_MEMBER", PipelineKey { vertices: skins(7, false), ..key }),
            ("IN_STORAGE", PipelineKey { vertices: skins(0, true), ..key }),
            ("ENCODES", PipelineKey { outcome: plain(true), ..key }),
            ("HAS_NORMALS", with(Stream::Normal)),
            ("HAS_COLORS", with(Stream::Color)),
            ("IS_STAMPED", PipelineKey { topology: Topology::Lines, ..key }),
            ("IS_EXPOSED", lit(LightWork { is_exposed: true, ..LightWork::default() })),
            ("IS_COLORED", lit(LightWork { is_colored: true, ..LightWork::default() })),
        ] {
            assert_eq!(changed(&none, &key.constants()), [number_of(name)], "{name}");
        }
        // Lines are drawn repeatedly as well.
        let lines = PipelineKey { topology: Topology::Lines, ..key };
        let rim = PipelineKey { outcome: lines.outcome.rim().unwrap(), ..lines };
        assert_eq!(changed(&lines.constants(), &rim.constants()), [number_of("IS_RIM")]);
    }
}
