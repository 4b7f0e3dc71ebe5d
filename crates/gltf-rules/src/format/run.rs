//! Elements that follow each other in a buffer view.

use super::buffer::View;

/// Declared position of elements in a view.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Bytes from the view's start.
    pub offset: usize,
    /// Number of elements.
    pub count: usize,
    /// Bytes an element.
    pub element_bytes: usize,
}

/// Elements at even distances, limited to those with bytes.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    bytes: &'a [u8],
    place: Place,
    stride: usize,
}

impl<'a> Run<'a> {
    /// The elements at a place in a view.
    pub fn new(view: &View<'a>, place: Place) -> Self {
        let bytes = view.bytes.get(place.offset..).unwrap_or_default();
        Self { bytes, place, stride: view.stride.unwrap_or(place.element_bytes) }
    }

    /// Bytes from element to element.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the declared number of elements.
    pub fn count(&self) -> usize {
        self.place.count
    }

    /// Returns true if all elements have bytes.
    pub fn is_whole(&self) -> bool {
        let Place { count, element_bytes, .. } = self.place;
        let Some(last) = count.checked_sub(1) else { return true };
        // The last element needs no gap behind it.
        let end = last.checked_mul(self.stride).and_then(|start| start.checked_add(element_bytes));
        end.is_some_and(|end| end <= self.bytes.len())
    }

    /// The bytes of all elements, where no gaps lie between them.
    #[inline]
    pub fn tight(&self) -> Option<&'a [u8]> {
        let Place { count, element_bytes, .. } = self.place;
        let bytes = self.bytes.get(..count.checked_mul(element_bytes)?)?;
        (self.stride == element_bytes).then_some(bytes)
    }

    /// The bytes of each element; none where elements overlap.
    #[inline]
    pub fn elements(self) -> impl Iterator<Item = &'a [u8]> {
        let Place { count, element_bytes, .. } = self.place;
        self.bytes.chunks(self.stride.max(1)).map_while(move |bytes| bytes.get(..element_bytes)).take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stride: Option<usize>, offset: usize, count: usize) -> Run<'static> {
        let view = View { bytes: &[0, 1, 2, 3, 4, 5, 6, 7], stride };
        Run::new(&view, Place { offset, count, element_bytes: 2 })
    }

    #[test]
    fn elements_lie_at_even_distances() {
        let elements = |run: Run<'static>| run.elements().collect::<Vec<_>>();
        assert_eq!(elements(run(None, 2, 2)), [[2, 3], [4, 5]]);
        assert_eq!(elements(run(Some(3), 0, 9)), [[0, 1], [3, 4], [6, 7]]);
        assert_eq!(elements(run(Some(1), 0, 2)), [[0_u8; 2]; 0], "they would overlap");
        assert_eq!(elements(run(None, 7, 1)), [[0_u8; 2]; 0]);
    }

    #[test]
    fn only_elements_without_gaps_are_tight() {
        assert_eq!(run(None, 2, 2).tight(), Some(&[2, 3, 4, 5][..]));
        assert_eq!(run(Some(2), 0, 1).tight(), Some(&[0, 1][..]));
        assert_eq!(run(Some(3), 0, 2).tight(), None);
        assert_eq!(run(None, 0, 5).tight(), None);
        assert_eq!(run(None, 0, usize::MAX).tight(), None);
    }

    #[test]
    fn the_last_element_needs_no_gap() {
        assert!(run(Some(3), 0, 3).is_whole() && !run(Some(3), 1, 3).is_whole());
        assert!(run(None, 0, 4).is_whole() && !run(None, 0, 5).is_whole());
        assert!(run(None, 99, 0).is_whole() && !run(None, 99, 1).is_whole());
        assert!(!run(Some(usize::MAX), 0, 3).is_whole());
    }
}
