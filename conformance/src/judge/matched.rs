//! Finds the expected vertex of each given one: by its texture coordinates, or by order.

use sinew_analysis::vertices::Given;

/// Given vertices with their streams in one list. A stream that not all parts have is left out.
pub(super) struct Theirs {
    pub positions: Vec<[f64; 3]>,
    pub normals: Option<Vec<[f64; 3]>>,
    pub tangents: Option<Vec<[f64; 4]>>,
    pub texcoords: Option<Vec<[f64; 2]>>,
}

impl Theirs {
    pub fn of(given: &Given) -> Self {
        let positions: Vec<[f64; 3]> =
            given.parts.iter().flat_map(|part| part.positions.iter().copied()).collect();
        Self {
            normals: joined(given.parts.iter().map(|part| part.normals.as_deref())),
            tangents: joined(given.parts.iter().map(|part| part.tangents.as_deref())),
            texcoords: joined(given.parts.iter().map(|part| part.texcoords.as_deref())),
            positions,
        }
    }

    /// Returns pairs of an expected vertex and one of these.
    ///
    /// # Errors
    /// If an expected vertex has none: the reason.
    pub fn pairs(&self, ours: &[Option<[f64; 2]>]) -> Result<Vec<(usize, usize)>, String> {
        let count = self.positions.len();
        let by_texcoords = self.by_texcoords(ours).unwrap_or_default();
        let mut is_found = vec![false; ours.len()];
        for (number, _) in &by_texcoords {
            if let Some(is_found) = is_found.get_mut(*number) {
                *is_found = true;
            }
        }
        let missing = is_found.iter().filter(|is_found| !**is_found).count();
        match (missing, count == ours.len()) {
            (0, _) if !ours.is_empty() => Ok(by_texcoords),
            (_, true) => Ok((0..count).map(|number| (number, number)).collect()),
            (_, false) if by_texcoords.is_empty() => {
                Err(format!("{count} vertices in place of {}, without texture coordinates", ours.len()))
            }
            _ => Err(format!("{missing} of {} vertices are missing", ours.len())),
        }
    }

    /// Matches by u: each vertex of a rig has its own.
    fn by_texcoords(&self, ours: &[Option<[f64; 2]>]) -> Option<Vec<(usize, usize)>> {
        let theirs = self.texcoords.as_ref()?;
        let ours: Option<Vec<f64>> = ours.iter().map(|uv| uv.map(|[u, _]| u)).collect();
        let mut sorted: Vec<(f64, usize)> = ours?.into_iter().zip(0..).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let gaps = sorted.iter().zip(sorted.iter().skip(1)).map(|((a, _), (b, _))| b - a);
        let gap = gaps.fold(1.0, f64::min);
        if gap <= 0.0 {
            return None;
        }
        let nearest = |u: f64| {
            let after = sorted.partition_point(|(ours, _)| *ours < u);
            let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
            let around =
                around.filter_map(|at| sorted.get(at)).map(|(ours, number)| ((ours - u).abs(), *number));
            let nearest = around.min_by(|a, b| a.0.total_cmp(&b.0));
            nearest.filter(|(apart, _)| *apart < gap / 2.0).map(|(_, number)| number)
        };
        let pairs = theirs.iter().zip(0..).filter_map(|([u, _], number)| Some((nearest(*u)?, number)));
        Some(pairs.collect())
    }
}

fn joined<'a, const N: usize>(parts: impl Iterator<Item = Option<&'a [[f64; N]]>>) -> Option<Vec<[f64; N]>> {
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
}
