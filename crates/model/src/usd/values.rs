//! Values of attributes as numbers of one precision.

use glam::{DMat4, DQuat, DVec3};
use openusd::gf;
use openusd::sdf::Value;

/// Generates a conversion of one kind of value; `None` for any other kind.
macro_rules! conversion {
    ($(#[$doc:meta])* $name:ident: $to:ty, $($kind:ident => $with:expr),+) => {
        $(#[$doc])*
        pub fn $name(value: &Value) -> Option<$to> {
            match value {
                $(Value::$kind(value) => Some($with(value)),)+
                _ => None,
            }
        }
    };
}

fn all<T, R>(values: &[T], one: impl Fn(&T) -> R) -> Vec<R> {
    values.iter().map(one).collect()
}

conversion! {
    /// A number.
    number: f64,
    Half => |v: &gf::f16| f64::from(*v), Float => |v: &f32| f64::from(*v), Double => |v: &f64| *v,
    Int => |v: &i32| f64::from(*v), Uint => |v: &u32| f64::from(*v),
    Int64 => |v: &i64| *v as f64, Uint64 => |v: &u64| *v as f64
}

conversion! {
    /// A list of numbers.
    numbers: Vec<f64>,
    HalfVec => |v: &Vec<gf::f16>| all(v, |x| f64::from(*x)),
    FloatVec => |v: &Vec<f32>| all(v, |x| f64::from(*x)),
    DoubleVec => |v: &Vec<f64>| v.clone()
}

conversion! {
    /// A list of whole numbers.
    integers: Vec<i64>,
    IntVec => |v: &Vec<i32>| all(v, |x| i64::from(*x)),
    UintVec => |v: &Vec<u32>| all(v, |x| i64::from(*x)),
    Int64Vec => |v: &Vec<i64>| v.clone()
}

conversion! {
    /// A word.
    text: String,
    Token => |v: &openusd::tf::Token| v.as_str().to_owned(), String => |v: &String| v.clone()
}

conversion! {
    /// A list of words.
    texts: Vec<String>,
    TokenVec => |v: &Vec<openusd::tf::Token>| all(v, |x| x.as_str().to_owned()),
    StringVec => |v: &Vec<String>| v.clone()
}

conversion! {
    /// A vector.
    vector: DVec3,
    Vec3h => half3, Vec3f => single3, Vec3d => double3
}

conversion! {
    /// Two numbers.
    pair: [f64; 2],
    Vec2h => |v: &gf::Vec2h| [f64::from(v.x), f64::from(v.y)],
    Vec2f => |v: &gf::Vec2f| [f64::from(v.x), f64::from(v.y)], Vec2d => |v: &gf::Vec2d| [v.x, v.y]
}

conversion! {
    /// Four numbers.
    four: [f64; 4],
    Vec4h => |v: &gf::Vec4h| [v.x, v.y, v.z, v.w].map(f64::from),
    Vec4f => |v: &gf::Vec4f| [v.x, v.y, v.z, v.w].map(f64::from), Vec4d => |v: &gf::Vec4d| [v.x, v.y, v.z, v.w]
}

conversion! {
    /// A list of vectors.
    vectors: Vec<DVec3>,
    Vec3hVec => |v: &Vec<gf::Vec3h>| all(v, half3),
    Vec3fVec => |v: &Vec<gf::Vec3f>| all(v, single3),
    Vec3dVec => |v: &Vec<gf::Vec3d>| all(v, double3)
}

conversion! {
    /// A list of pairs.
    pairs: Vec<[f32; 2]>,
    Vec2hVec => |v: &Vec<gf::Vec2h>| all(v, |x| [f32::from(x.x), f32::from(x.y)]),
    Vec2fVec => |v: &Vec<gf::Vec2f>| all(v, |x| [x.x, x.y]),
    Vec2dVec => |v: &Vec<gf::Vec2d>| all(v, |x| [x.x as f32, x.y as f32])
}

conversion! {
    /// A quaternion, of any length.
    quaternion: DQuat,
    Quath => half4, Quatf => single4, Quatd => double4
}

conversion! {
    /// A list of quaternions, of any lengths.
    quaternions: Vec<DQuat>,
    QuathVec => |v: &Vec<gf::Quath>| all(v, half4),
    QuatfVec => |v: &Vec<gf::Quatf>| all(v, single4),
    QuatdVec => |v: &Vec<gf::Quatd>| all(v, double4)
}

conversion! {
    /// A matrix. USD has row vectors, so its rows are the columns.
    matrix: DMat4,
    Matrix4d => |v: &gf::Matrix4d| DMat4::from_cols_array(&v.0)
}

conversion! {
    /// A list of matrices.
    matrices: Vec<DMat4>,
    Matrix4dVec => |v: &Vec<gf::Matrix4d>| all(v, |x| DMat4::from_cols_array(&x.0))
}

fn half3(v: &gf::Vec3h) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

fn single3(v: &gf::Vec3f) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

fn double3(v: &gf::Vec3d) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn half4(q: &gf::Quath) -> DQuat {
    DQuat::from_xyzw(f64::from(q.x), f64::from(q.y), f64::from(q.z), f64::from(q.w))
}

fn single4(q: &gf::Quatf) -> DQuat {
    DQuat::from_xyzw(f64::from(q.x), f64::from(q.y), f64::from(q.z), f64::from(q.w))
}

fn double4(q: &gf::Quatd) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

/// A quaternion of length one; `None` if it has no direction.
pub fn unit(quaternion: DQuat) -> Option<DQuat> {
    let length = quaternion.length();
    (length.is_finite() && length > 0.0).then(|| quaternion / length)
}

/// Returns true if a matrix has no number that would leave the finite ones when others multiply it.
pub fn is_bearable(matrix: &DMat4) -> bool {
    matrix.to_cols_array().iter().all(|number| number.abs() <= f64::from(f32::MAX))
}
