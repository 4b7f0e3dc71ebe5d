//! The types of elements an accessor may hold: numbers, vectors and matrices.

use super::component::Component;

/// The type of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// A number.
    Scalar,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
    /// Two columns of two.
    Mat2,
    /// Three columns of three.
    Mat3,
    /// Four columns of four.
    Mat4,
}

impl ElementType {
    const ALL: [Self; 7] =
        [Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4, Self::Mat2, Self::Mat3, Self::Mat4];

    /// Every `type`.
    pub const NAMES: [&str; 7] = [
        Self::Scalar.name(),
        Self::Vec2.name(),
        Self::Vec3.name(),
        Self::Vec4.name(),
        Self::Mat2.name(),
        Self::Mat3.name(),
        Self::Mat4.name(),
    ];

    /// Returns the type of a `type` name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }

    /// The vector, or scalar, with this number of components.
    pub fn vector(width: usize) -> Option<Self> {
        [Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4]
            .into_iter()
            .find(|element| element.width() == width)
    }

    /// Returns the type's `type` name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    /// Numbers an element.
    pub fn width(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }

    /// Returns true if the type is a matrix.
    pub fn is_matrix(self) -> bool {
        matches!(self, Self::Mat2 | Self::Mat3 | Self::Mat4)
    }

    /// Bytes an element; columns of matrices start on multiples of four.
    pub fn bytes(self, component: Component) -> usize {
        let (columns, rows) = match self {
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            other => return component.size().saturating_mul(other.width()),
        };
        component.size().saturating_mul(rows).next_multiple_of(4).saturating_mul(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (name, element) in ElementType::NAMES.iter().zip(ElementType::ALL) {
            assert_eq!(ElementType::from_name(name), Some(element));
        }
        assert_eq!(ElementType::from_name("VEC5"), None);
        assert_eq!(ElementType::vector(3), Some(ElementType::Vec3));
        assert_eq!((ElementType::vector(9), ElementType::vector(16)), (None, None));
    }

    #[test]
    fn columns_of_small_matrices_are_padded() {
        for (element, component, bytes) in [
            (ElementType::Mat2, Component::U8, 8),
            (ElementType::Mat3, Component::I8, 12),
            (ElementType::Mat3, Component::U16, 24),
            (ElementType::Mat2, Component::U16, 8),
            (ElementType::Mat4, Component::U8, 16),
            (ElementType::Mat3, Component::F32, 36),
            (ElementType::Vec3, Component::U8, 3),
        ] {
            assert_eq!(element.bytes(component), bytes, "{element:?} of {component:?}");
        }
    }
}
