//! Placeholder.
/// Vertices that another program made, in the file's order.
#[derive(Clone, Debug)]
pub struct Given {
    /// Parts.
    pub parts: Vec<Part>,
    /// Precision.
    pub stored: Stored,
}
/// Part.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Name.
    pub name: Option<String>,
    /// Positions.
    pub positions: Vec<[f64; 3]>,
    /// Normals.
    pub normals: Option<Vec<[f64; 3]>>,
    /// Tangents.
    pub tangents: Option<Vec<[f64; 4]>>,
    /// Texture coordinates.
    pub texcoords: Option<Vec<[f64; 2]>>,
}
/// The precision of the stored numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stored {
    /// Half floats.
    F16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// Text with this distance of neighbouring numbers.
    Decimals(f64),
}

/// Layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// xyz
    #[default]
    Xyz,
    /// xyz,nxnynz
    XyzNormals,
}
impl std::str::FromStr for Layout {
    type Err = ReadError;
    fn from_str(given: &str) -> Result<Self, ReadError> {
        match given {
            "xyz" => Ok(Self::Xyz),
            "xyz,nxnynz" => Ok(Self::XyzNormals),
            _ => Err(ReadError::Bad("layout".into())),
        }
    }
}
/// Options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Layout
    pub layout: Layout,
    /// Frame
    pub frame: Option<usize>,
}
/// Error
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// Bad
    #[error("{0}")]
    Bad(String),
}
/// Reads
pub fn read(bytes: &[u8], _extension: &str, _options: &Options) -> Result<Given, ReadError> {
    let numbers: Vec<f64> =
        bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect();
    let positions = numbers.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    Ok(Given { parts: vec![Part { positions, ..Part::default() }], stored: Stored::F32 })
}
