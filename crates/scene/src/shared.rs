//! Numbers that the renderer shares with its shaders: `build.rs` includes this file and writes them into
//! `shared.glsl`.

/// Defines a constant, and a line of GLSL, for each line.
macro_rules! shared {
    ($($(#[$doc:meta])* $name:ident: $type:ident = $value:expr;)+) => {
        $($(#[$doc])* pub const $name: $type = $value;)+

        /// Returns the constants in GLSL, one per line. Only build scripts call it.
        #[allow(dead_code, reason = "build scripts include this file")]
        pub fn glsl() -> String {
            let shows = Shows::ALL.map(|shows| format!("const uint {} = {}u;\n", shows.constant(), shows as u32));
            [$(format!("const {};\n", shared!(@glsl $name $type))),+].concat() + &shows.concat()
        }
    };
    (@glsl $name:ident f32) => { format!("float {} = {:e}", stringify!($name), f64::from($name)) };
    (@glsl $name:ident u32) => { format!("uint {} = {}u", stringify!($name), $name) };
    (@glsl $name:ident usize) => { format!("int {} = {}", stringify!($name), $name) };
}

/// Defines [`Shows`] from a line per value: its constant in GLSL, and its variant.
macro_rules! shows {
    ($($(#[$doc:meta])* $constant:ident: $variant:ident,)+) => {
        /// Content of the surfaces that `view.frag` draws: a case of its switch.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shows {
            $($(#[$doc])* $variant,)+
        }

        impl Shows {
            /// Every content.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// Returns the name of its constant in GLSL.
            pub const fn constant(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($constant),)+
                }
            }
        }
    };
}

shows! {
    /// The vertices' colours.
    SHOWS_COLORS: Colors,
    /// Normals.
    SHOWS_NORMALS: Normals,
    /// Tangents.
    SHOWS_TANGENTS: Tangents,
    /// Texture coordinates.
    SHOWS_TEXCOORDS: Texcoords,
    /// Plain paper, as a background for lines.
    SHOWS_PAPER: Paper,
    /// Lines.
    SHOWS_LINES: Lines,
    /// The vertices' colours in a soft light.
    SHOWS_LIT_COLORS: LitColors,
    /// The colours of joints; parts without joints are hatched.
    SHOWS_JOINTS: Joints,
    /// The colours of joints in a soft light.
    SHOWS_LIT_JOINTS: LitJoints,
    /// Edges over a surface, in an ink that is darker or lighter than its material.
    SHOWS_EDGES: Edges,
    /// Edges over the vertices' colours.
    SHOWS_EDGES_OF_COLORS: EdgesOfColors,
    /// The vertices' colours in a soft light, without triangles that have a corner without alpha.
    SHOWS_PART: Part,
    /// The colours of a part without light.
    SHOWS_FLAT_PART: FlatPart,
    /// Edges over those.
    SHOWS_EDGES_OF_PART: EdgesOfPart,
}

shared! {
    /// The largest number of a file's lights that are drawn.
    MAX_LIGHTS: usize = 16;
    /// Marks an absent span of a mesh, in place of its first word.
    ABSENT: u32 = u32::MAX;

    /// Value for how a fragment finds its side: from the rasterizer.
    SIDES_BY_RASTERIZER: u32 = 0;
    /// Value for sides from the rasterizer, except where the vertex is mirrored.
    SIDES_BY_VERTEX: u32 = 1;
    /// Value for unknown sides; the normal is assumed to point to the viewer.
    SIDES_UNKNOWN: u32 = 2;

    /// The grey of a hatched surface, as linear light.
    HATCH_GROUND: f32 = 0.40;
    /// The grey of its stripes.
    HATCH_STRIPE: f32 = 0.16;

    /// Marks a glyph, in place of a stroke's length.
    MARK_LETTER: f32 = -1.0;
    /// Marks a plain area, in place of a stroke's length.
    MARK_AREA: f32 = -2.0;
    /// Marks a ring, in place of a stroke's length.
    MARK_RING: f32 = -3.0;
}
