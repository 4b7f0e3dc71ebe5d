//! State bound since a command buffer's recording began. Binding the same state again records nothing, because a
//! software driver keeps a hundred bytes for each such command.

use ash::vk;

/// Bindings of a recording.
#[derive(Debug, Default)]
pub struct Bound {
    graphics: Option<vk::Pipeline>,
    sides: Option<(vk::CullModeFlags, vk::FrontFace)>,
    /// The layout of all sets. Binding a set of another layout may disturb them.
    layout: Option<vk::PipelineLayout>,
    sets: Vec<Set>,
    pushed: Option<(vk::PipelineLayout, Vec<u8>)>,
    vertices: Vec<(vk::Buffer, u64)>,
    indices: Option<(vk::Buffer, u64)>,
}

/// A bound descriptor set and where it is bound.
#[derive(Debug, PartialEq, Eq)]
struct Set {
    point: vk::PipelineBindPoint,
    number: u32,
    set: vk::DescriptorSet,
    offsets: Vec<u32>,
}

impl Bound {
    /// Records a graphics pipeline and returns true if another one was bound before. The functions below return the
    /// same.
    pub fn graphics(&mut self, pipeline: vk::Pipeline) -> bool {
        self.graphics.replace(pipeline) != Some(pipeline)
    }

    /// Records culling and winding.
    pub fn sides(&mut self, cull: vk::CullModeFlags, front: vk::FrontFace) -> bool {
        self.sides.replace((cull, front)) != Some((cull, front))
    }

    /// Records a descriptor set.
    pub fn set(
        &mut self,
        (point, number): (vk::PipelineBindPoint, u32),
        layout: vk::PipelineLayout,
        set: vk::DescriptorSet,
        offsets: &[u32],
    ) -> bool {
        if self.layout.replace(layout) != Some(layout) {
            self.sets.clear();
        }
        match self.sets.iter_mut().find(|bound| (bound.point, bound.number) == (point, number)) {
            Some(bound) => {
                let is_new = bound.set != set || bound.offsets != offsets;
                bound.set = set;
                bound.offsets.clear();
                bound.offsets.extend(offsets);
                is_new
            }
            None => {
                self.sets.push(Set { point, number, set, offsets: offsets.to_vec() });
                true
            }
        }
    }

    /// Records push constants.
    pub fn pushed(&mut self, layout: vk::PipelineLayout, bytes: &[u8]) -> bool {
        match &mut self.pushed {
            Some((bound, pushed)) if *bound == layout && pushed == bytes => false,
            Some((bound, pushed)) => {
                *bound = layout;
                pushed.clear();
                pushed.extend(bytes);
                true
            }
            None => {
                self.pushed = Some((layout, bytes.to_vec()));
                true
            }
        }
    }

    /// Records vertex buffers from binding 0 on. Bindings beyond these stay as they are.
    pub fn vertices(&mut self, views: impl ExactSizeIterator<Item = (vk::Buffer, u64)>) -> bool {
        let mut is_new = views.len() > self.vertices.len();
        self.vertices.resize(self.vertices.len().max(views.len()), Default::default());
        for (bound, view) in self.vertices.iter_mut().zip(views) {
            is_new |= *bound != view;
            *bound = view;
        }
        is_new
    }

    /// Records an index buffer.
    pub fn indices(&mut self, buffer: vk::Buffer, offset: u64) -> bool {
        self.indices.replace((buffer, offset)) != Some((buffer, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ash::vk::Handle;

    #[test]
    fn what_is_bound_is_not_new() {
        let mut bound = Bound::default();
        let [a, b] = [1, 2].map(vk::DescriptorSet::from_raw);
        let [first, second] = [1, 2].map(vk::PipelineLayout::from_raw);
        let graphics = |number| (vk::PipelineBindPoint::GRAPHICS, number);
        assert!(bound.set(graphics(0), first, a, &[0]));
        assert!(!bound.set(graphics(0), first, a, &[0]));
        assert!(bound.set(graphics(0), first, a, &[64]));
        assert!(bound.set(graphics(0), first, b, &[64]));
        assert!(bound.set(graphics(1), first, b, &[]));
        assert!(bound.set((vk::PipelineBindPoint::COMPUTE, 1), first, b, &[]));
        assert!(!bound.set(graphics(1), first, b, &[]));
        // A set of another layout may disturb all others.
        assert!(bound.set(graphics(1), second, b, &[]));
        assert!(bound.set(graphics(0), first, b, &[64]));

        assert!(bound.pushed(first, &[1, 2]) && !bound.pushed(first, &[1, 2]));
        assert!(bound.pushed(first, &[1]) && bound.pushed(second, &[1]));

        let [x, y] = [1, 2].map(vk::Buffer::from_raw);
        assert!(bound.vertices([(x, 0), (y, 4)].into_iter()));
        assert!(!bound.vertices([(x, 0)].into_iter()));
        assert!(!bound.vertices([(x, 0), (y, 4)].into_iter()));
        assert!(bound.vertices([(x, 0), (y, 8)].into_iter()));
        assert!(bound.indices(x, 0) && !bound.indices(x, 0) && bound.indices(x, 4));
    }
}
