//! Constants that the modes share with their GLSL twins. A crate that compiles the shaders gets them from this crate's build
//! script, as `DEP_SINEW_SKINNING_GLSL`.

/// Makes a constant of each line, and a line of GLSL.
macro_rules! shared {
    ($($(#[$doc:meta])* $name:ident: $type:ident = $value:expr;)+) => {
        $($(#[$doc])* pub const $name: $type = $value;)+

        /// Returns the same constants in GLSL, one per line. Only build scripts call it.
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
    /// The number of slots in a palette for the GPU.
    SLOTS: usize = 512;
    /// The smallest normal number; some processors flush anything below to zero.
    SMALLEST: f32 = f32::MIN_POSITIVE;
    /// A component of a unit vector this small is rounding noise (2⁻⁴⁰). Replacing it by zero keeps products of two or three
    /// above the range that some processors flush to zero.
    NOISE: f32 = 1.0 / (1_u64 << 40) as f32;
    /// A determinant smaller than this share of the product of the columns' lengths is rounding noise (2⁻¹⁸).
    FLAT: f32 = 1.0 / (1 << 18) as f32;
    /// The remainder of a unit vector, without another's direction, that is still noise (2⁻²⁰).
    PARALLEL: f32 = 1.0 / (1 << 20) as f32;
    /// Quaternions whose dot product is this close to zero are half a turn apart within rounding (2⁻²⁰). Such a tie keeps
    /// its sign, because noise must not choose the direction of the turn.
    HALF_TURN: f32 = 1.0 / (1 << 20) as f32;
    /// A blended quaternion shorter than this is rounding noise (2⁻²⁰), and slot 0's replaces it.
    CANCELLED: f32 = 1.0 / (1 << 20) as f32;
    /// The number of squares by which [`nearest_turn`](crate::nearest_turn) finds the largest eigenvalue.
    TURN_STEPS: usize = 21;
    /// The square before which the two largest eigenvalues are compared.
    TURN_COMPARED: usize = 16;
    /// The least sum of squares of eigenvalues, whose sum is one, if the largest is alone.
    TURN_APART: f32 = 0.79;
}
