//! The vertex streams: each one's location and format, and the default for meshes without it.

use sinew_vulkan::{VertexStream, vk};

/// A vertex attribute; a mesh's buffer has a span for each of its streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stream {
    /// Three floats.
    Position,
    /// Three floats; zeros request flat shading from the fragment shader.
    Normal,
    /// Two floats.
    Texcoord,
    /// `ivec4 skinIndices`, four signed 16-bit numbers.
    Joints,
    /// `vec4 skinWeights`, four floats.
    Weights,
    /// Four floats.
    Tangent,
    /// Four normalised 16-bit numbers.
    Color,
    /// Joints of influences 5 to 8.
    Joints1,
    /// Weights of influences 5 to 8.
    Weights1,
    /// Joints of influences 9 to 12.
    Joints2,
    /// Weights of influences 9 to 12.
    Weights2,
    /// Joints of influences 13 to 16.
    Joints3,
    /// Weights of influences 13 to 16.
    Weights3,
    /// Two floats, the second set of texture coordinates.
    Texcoord1,
    /// Single float: the share of dual quaternion skinning in *blend*.
    Share,
    /// Three floats, the centre of rotation for *cor*.
    Center,
}

/// Bytes from default to default: the size of the largest element.
const DEFAULT_STRIDE: u32 = 16;

/// The largest number of instances in a draw. Each reads a separate default.
pub const MAX_INSTANCES: usize = 2048;

impl Stream {
    /// Every stream.
    pub const ALL: [Self; 16] = [
        Self::Position,
        Self::Normal,
        Self::Texcoord,
        Self::Joints,
        Self::Weights,
        Self::Tangent,
        Self::Color,
        Self::Joints1,
        Self::Weights1,
        Self::Joints2,
        Self::Weights2,
        Self::Joints3,
        Self::Weights3,
        Self::Texcoord1,
        Self::Share,
        Self::Center,
    ];

    /// The texture coordinate sets that are drawn.
    pub const TEXCOORDS: [Self; 2] = [Self::Texcoord, Self::Texcoord1];

    /// The streams that only some modes read, from separate buffers.
    pub const OF_MODES: [Self; 2] = [Self::Share, Self::Center];

    /// The streams that skinning moves.
    pub const SKINNED: [Self; 3] = [Self::Position, Self::Normal, Self::Tangent];

    /// The streams of the four skinning spans.
    pub const SKINNING: [[Self; 2]; 4] = [
        [Self::Joints, Self::Weights],
        [Self::Joints1, Self::Weights1],
        [Self::Joints2, Self::Weights2],
        [Self::Joints3, Self::Weights3],
    ];

    /// Returns the streams that feed these locations of a shader, in binding order.
    pub fn feeding(locations: &[u32]) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|stream| locations.contains(&stream.location()))
    }

    /// Returns the location in the vertex shader.
    pub const fn location(self) -> u32 {
        match self {
            Self::Position => 0,
            Self::Normal => 1,
            Self::Texcoord => 2,
            Self::Joints => 3,
            Self::Weights => 4,
            Self::Tangent => 5,
            Self::Color => 6,
            Self::Texcoord1 => 7,
            Self::Joints1 => 8,
            Self::Weights1 => 9,
            Self::Joints2 => 10,
            Self::Weights2 => 11,
            Self::Joints3 => 12,
            Self::Weights3 => 13,
            Self::Share => 14,
            Self::Center => 15,
        }
    }

    /// Returns the format of an element.
    pub const fn format(self) -> vk::Format {
        match self {
            Self::Share => vk::Format::R32_SFLOAT,
            Self::Position | Self::Normal | Self::Center => vk::Format::R32G32B32_SFLOAT,
            Self::Texcoord | Self::Texcoord1 => vk::Format::R32G32_SFLOAT,
            Self::Joints | Self::Joints1 | Self::Joints2 | Self::Joints3 => vk::Format::R16G16B16A16_SINT,
            Self::Weights | Self::Weights1 | Self::Weights2 | Self::Weights3 | Self::Tangent => {
                vk::Format::R32G32B32A32_SFLOAT
            }
            Self::Color => vk::Format::R16G16B16A16_UNORM,
        }
    }

    /// Returns the size of an element in bytes.
    pub const fn size(self) -> u32 {
        match self {
            Self::Share => 4,
            Self::Position | Self::Normal | Self::Center => 12,
            Self::Texcoord
            | Self::Texcoord1
            | Self::Joints
            | Self::Joints1
            | Self::Joints2
            | Self::Joints3
            | Self::Color => 8,
            Self::Weights | Self::Weights1 | Self::Weights2 | Self::Weights3 | Self::Tangent => 16,
        }
    }

    /// Describes the pipeline's access to the stream: per vertex, or one default per instance.
    pub const fn binding(self, present: bool) -> VertexStream {
        let stride = if present { self.size() } else { DEFAULT_STRIDE };
        VertexStream { location: self.location(), format: self.format(), stride, per_vertex: present }
    }

    /// Returns the default for meshes without this stream: white, unskinned (joint 0, weight 1), a share of 1, the
    /// rest zeros.
    fn default_bytes(self) -> [u8; DEFAULT_STRIDE as usize] {
        let mut bytes = [0; DEFAULT_STRIDE as usize];
        match self {
            Self::Joints => bytes[..8].copy_from_slice(bytemuck::bytes_of(&[0i16, -1, -1, -1])),
            Self::Joints1 | Self::Joints2 | Self::Joints3 => {
                bytes[..8].copy_from_slice(bytemuck::bytes_of(&[-1i16; 4]));
            }
            Self::Weights => bytes.copy_from_slice(bytemuck::bytes_of(&[1.0f32, 0.0, 0.0, 0.0])),
            Self::Color => bytes[..8].copy_from_slice(bytemuck::bytes_of(&[u16::MAX; 4])),
            Self::Share => bytes[..4].copy_from_slice(bytemuck::bytes_of(&1.0f32)),
            Self::Position
            | Self::Normal
            | Self::Texcoord
            | Self::Texcoord1
            | Self::Tangent
            | Self::Weights1
            | Self::Weights2
            | Self::Weights3
            | Self::Center => {}
        }
        bytes
    }

    /// Returns the defaults of all streams, one for each instance of a draw, 16 bytes apart in the order of
    /// [`Stream::ALL`].
    pub fn defaults() -> Vec<u8> {
        let all = Self::ALL.iter();
        all.flat_map(|stream| stream.default_bytes().repeat(MAX_INSTANCES)).collect()
    }

    /// Returns the offset of the stream's first default in [`Stream::defaults`].
    pub const fn default_offset(self) -> u64 {
        self as u64 * DEFAULT_STRIDE as u64 * MAX_INSTANCES as u64
    }
}
