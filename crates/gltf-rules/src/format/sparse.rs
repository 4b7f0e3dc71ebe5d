//! Elements of an accessor that replace others.

use super::component::Component;
use super::run::Run;

/// The numbers of the elements that are replaced.
#[derive(Clone, Copy, Debug)]
pub struct Indices<'a> {
    /// One of the types that indices may have.
    pub component: Component,
    /// Their position.
    pub run: Run<'a>,
}

impl<'a> Indices<'a> {
    /// The numbers, in the file's order.
    #[inline]
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        // At most 32 bits, which is what components of indices have.
        self.run.elements().map(move |bytes| self.component.read(bytes).unwrap_or_default() as u32)
    }
}

/// Elements that replace others.
#[derive(Clone, Copy, Debug)]
pub struct Replacements<'a> {
    /// Indices of the replaced elements.
    pub indices: Indices<'a>,
    /// The new values.
    pub values: Run<'a>,
}

impl<'a> Replacements<'a> {
    /// Each replacement's number and bytes.
    #[inline]
    pub fn pairs(self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.indices.numbers().zip(self.values.elements())
    }
}
