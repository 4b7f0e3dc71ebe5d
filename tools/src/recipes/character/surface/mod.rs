//! Triangle surfaces: finds them in a solid, evens them out, cuts and mirrors them. They must not depend on what
//! they are the surface of.

use glam::DVec3;

pub mod cut;
pub mod march;
pub mod remesh;

/// Points and the triangles between them, counter-clockwise from outside.
#[derive(Clone, Default)]
pub struct Surface {
    /// Vertices.
    pub places: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Drops vertices that no triangle uses; the others keep their order.
    pub fn compact(&mut self) {
        let mut number = vec![u32::MAX; self.places.len()];
        for &v in self.triangles.iter().flatten() {
            number[v as usize] = 0;
        }
        let mut kept = Vec::new();
        for (place, n) in self.places.iter().zip(&mut number) {
            if *n == 0 {
                *n = kept.len() as u32;
                kept.push(*place);
            }
        }
        self.places = kept;
        for v in self.triangles.iter_mut().flatten() {
            *v = number[*v as usize];
        }
    }
}
