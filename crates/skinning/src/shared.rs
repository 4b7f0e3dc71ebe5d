//! Numbers that the modes share with their GLSL twins: whoever compiles the shaders gets them from this crate's build
//! script, as `DEP_SINEW_SKINNING_GLSL`.

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
    /// How many slots a palette has for the GPU.
    SLOTS: usize = 512;
    /// The smallest number that is not denormal: some processors take anything below for zero.
    SMALLEST: f32 = f32::MIN_POSITIVE;
    /// A component of a unit vector this small is rounding noise (2⁻⁴⁰). A zero in its place keeps products
    /// of two or three above what some processors take for zero.
    NOISE: f32 = 1.0 / (1_u64 << 40) as f32;
    /// A determinant this far below the product of the columns' lengths is rounding noise (2⁻¹⁸).
    FLAT: f32 = 1.0 / (1 << 18) as f32;
    /// What is left of a unit vector, without another's direction, that is still noise (2⁻²⁰).
    PARALLEL: f32 = 1.0 / (1 << 20) as f32;
    /// Quaternions whose dot product is this close to zero are half a turn apart as far as rounding
    /// can tell (2⁻²⁰): a tie, left alone, because noise must not choose the way round.
    HALF_TURN: f32 = 1.0 / (1 << 20) as f32;
    /// A blended quaternion shorter than this is rounding noise (2⁻²⁰): slot 0's is taken.
    CANCELLED: f32 = 1.0 / (1 << 20) as f32;
}
