//! Numbers that the renderer shares with its shaders: `build.rs` includes this file and writes them into `shared.glsl`.

/// Makes a constant of each line, and a line of GLSL.
macro_rules! shared {
    ($($(#[$doc:meta])* $name:ident: $type:ident = $value:expr;)+) => {
        $($(#[$doc])* pub const $name: $type = $value;)+

        /// The same constants in GLSL, a line each. Only build scripts ask.
        #[allow(dead_code, reason = "build scripts include this file")]
        pub fn glsl() -> String {
            [$(format!("const {};\n", shared!(@glsl $name $type))),+].concat()
        }
    };
    (@glsl $name:ident f32) => { format!("float {} = {:e}", stringify!($name), f64::from($name)) };
    (@glsl $name:ident u32) => { format!("uint {} = {}u", stringify!($name), $name) };
    (@glsl $name:ident usize) => { format!("int {} = {}", stringify!($name), $name) };
}

shared! {
    /// How many of a file's lights are drawn.
    MAX_LIGHTS: usize = 16;
    /// A span that a mesh does not have, in place of its first word.
    ABSENT: u32 = u32::MAX;

    /// How a fragment knows its side: the rasterizer knows.
    SIDES_BY_RASTERIZER: u32 = 0;
    /// The rasterizer is right except where the vertex is mirrored.
    SIDES_BY_VERTEX: u32 = 1;
    /// Unknown; the normal is taken to point to the viewer.
    SIDES_UNKNOWN: u32 = 2;

    /// What `view.frag` shows: the vertices' colours.
    SHOWS_COLORS: u32 = 0;
    /// Normals.
    SHOWS_NORMALS: u32 = 1;
    /// Tangents.
    SHOWS_TANGENTS: u32 = 2;
    /// Texture coordinates.
    SHOWS_TEXCOORDS: u32 = 3;
    /// Plain paper, on which lines are drawn.
    SHOWS_PAPER: u32 = 4;
    /// Lines.
    SHOWS_LINES: u32 = 5;
    /// The vertices' colours in a soft light.
    SHOWS_LIT_COLORS: u32 = 6;
    /// The colours of joints; what has none is hatched.
    SHOWS_JOINTS: u32 = 7;
    /// The same in a soft light.
    SHOWS_LIT_JOINTS: u32 = 8;
    /// Edges over a surface, in whichever ink its material is lighter or darker than.
    SHOWS_EDGES: u32 = 9;
    /// The same over the vertices' colours.
    SHOWS_EDGES_OF_COLORS: u32 = 10;

    /// The grey of a hatched surface, as light.
    HATCH_GROUND: f32 = 0.40;
    /// The grey of its stripes.
    HATCH_STRIPE: f32 = 0.16;

    /// In place of a stroke's length: the mark is a letter.
    MARK_LETTER: f32 = -1.0;
    /// In place of a stroke's length: the mark is a plain area.
    MARK_AREA: f32 = -2.0;
    /// In place of a stroke's length: the mark is a ring.
    MARK_RING: f32 = -3.0;
}
