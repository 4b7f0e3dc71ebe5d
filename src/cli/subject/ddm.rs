//! Keeps the terms of direct delta mush in the user's cache, one entry per mesh and settings. A broken or foreign entry does
//! no harm.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use bytemuck::{AnyBitPattern, NoUninit};
use sha2::{Digest, Sha256};

use crate::analysis::ddm;
use crate::cli::machine::kept;
use crate::model::{DdmOddities, DdmRows, DdmSettings, Mesh, Model};
use crate::output::Closed;
use crate::skinning::centers::Watch;
use crate::skinning::ddm_terms::{self, Poses};

use super::entry::{MAX_BYTES, WORTH_KEEPING, add_primitive, hex, tidy};

/// The first bytes of an entry. The digit is to change with the method.
const MAGIC: &[u8; 8] = b"sinewdm5";

/// Finds what the model lacks of its terms, in the cache or by working them out.
pub fn find(folder: Option<&Path>, model: &Model, inputs: &Closed, watch: &Watch) {
    let settings = model.ddm.settings();
    let missing: Vec<usize> = ddm_terms::drawn(model).filter(|&mesh| model.ddm.get(mesh).is_none()).collect();
    let mut keys = Vec::new();
    for &number in &missing {
        let (Some(folder), Some(mesh)) = (folder, model.meshes.get(number)) else { continue };
        let key = key(mesh, &settings, &poses_of(model, number));
        let file = folder.join(format!("ddm-{}.bin", hex(&key)));
        match read(&file, &key, mesh) {
            Some(rows) => {
                model.ddm.keep(number, &settings, rows);
            }
            None => keys.push((number, file, key)),
        }
    }
    let start = Instant::now();
    ddm_terms::prepare(model, watch);
    missing.iter().for_each(|&mesh| note(model, mesh));
    if start.elapsed() < WORTH_KEEPING {
        return;
    }
    for (number, file, key) in keys {
        let Some(rows) = model.ddm.get(number) else { continue };
        match write(&file, &key, &rows, inputs) {
            Ok(()) => tidy(&file, "ddm-"),
            Err(error) => tracing::debug!("terms of ddm not kept in {}: {error}", file.display()),
        }
    }
}

/// Logs what a mesh has that smoothing cannot use as it is.
fn note(model: &Model, mesh: usize) {
    let Some(rows) = model.ddm.get(mesh) else { return };
    let phrases = ddm::phrases(&rows.oddities).join("; ");
    let name = model.meshes.get(mesh).map_or("", |mesh| &mesh.name);
    match (phrases.is_empty(), rows.oddities.too_many) {
        (true, _) => {}
        (false, 0) => tracing::info!("mesh {mesh} '{name}' in ddm: {phrases}"),
        (false, _) => tracing::warn!("mesh {mesh} '{name}' in ddm: {phrases}"),
    }
}

/// Returns the poses on which a mesh's terms depend.
fn poses_of(model: &Model, mesh: usize) -> Poses {
    match model.ddm.settings().within {
        Some(_) => Poses::of(model, mesh),
        None => Poses::default(),
    }
}

/// A digest of all that the terms depend on.
fn key(mesh: &Mesh, settings: &DdmSettings, poses: &Poses) -> [u8; 32] {
    let mut digest = Sha256::new_with_prefix(MAGIC);
    let DdmSettings { iterations, lambda, kappa, alpha, least, within } = settings;
    digest.update(iterations.to_le_bytes());
    for number in [*lambda, *kappa, *alpha, *least, within.unwrap_or(-1.0)] {
        digest.update(number.to_le_bytes());
    }
    poses.numbers().for_each(|numbers| digest.update(bytemuck::cast_slice::<_, u8>(numbers)));
    mesh.primitives.iter().for_each(|primitive| add_primitive(&mut digest, primitive));
    digest.finalize().into()
}

/// An entry: magic, key, digest of the rest, seven counts, and the arrays one after the other.
fn read(file: &Path, key: &[u8; 32], mesh: &Mesh) -> Option<DdmRows> {
    let bytes = kept::read(file, MAX_BYTES)?;
    let (sum, rest) = bytes.strip_prefix(MAGIC)?.strip_prefix(key)?.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != sum[..] {
        return None;
    }
    let mut rest = rest;
    let counts: Vec<u64> = take(&mut rest, 7)?;
    let counts = counts.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>().ok()?;
    let &[points, terms, found, degenerate, loose, non_manifold, too_many] = counts.as_array::<7>()?;
    let points_of = mesh.primitives.iter().map(|primitive| take(&mut rest, primitive.positions.len()));
    let rows = DdmRows {
        points: points_of.collect::<Option<_>>()?,
        centers: take(&mut rest, points)?,
        ends: take(&mut rest, points)?,
        terms: take(&mut rest, terms)?,
        found,
        oddities: DdmOddities { degenerate, loose, non_manifold, too_many },
    };
    (rest.is_empty() && is_sound(&rows)).then_some(rows)
}

/// Returns true if each vertex has a point, and each point's terms follow those of the one before.
fn is_sound(rows: &DdmRows) -> bool {
    let is_point = |point: &u32| (*point as usize) < rows.centers.len();
    let last = rows.ends.last().map_or(0, |end| *end as usize);
    rows.ends.is_sorted() && last == rows.terms.len() && rows.points.iter().flatten().all(is_point)
}

/// Takes an array from the beginning of some bytes.
fn take<T: AnyBitPattern>(bytes: &mut &[u8], count: usize) -> Option<Vec<T>> {
    let (now, later) = bytes.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    *bytes = later;
    Some(now.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

fn write(file: &Path, key: &[u8; 32], rows: &DdmRows, inputs: &Closed) -> io::Result<()> {
    fn put<T: NoUninit>(out: &mut Vec<u8>, array: &[T]) {
        out.extend_from_slice(bytemuck::cast_slice(array));
    }
    let DdmRows { points, centers, ends, terms, found, oddities } = rows;
    let DdmOddities { degenerate, loose, non_manifold, too_many } = *oddities;
    let mut bytes = Vec::new();
    let counts = [centers.len(), terms.len(), *found, degenerate, loose, non_manifold, too_many];
    put(&mut bytes, &counts.map(|count| count as u64));
    points.iter().for_each(|points| put(&mut bytes, points));
    put(&mut bytes, centers);
    put(&mut bytes, ends);
    put(&mut bytes, terms);
    if bytes.len() as u64 > MAX_BYTES / 2 {
        return Ok(());
    }
    kept::write(file, inputs, |out: &mut dyn Write| {
        out.write_all(MAGIC)?;
        out.write_all(key)?;
        out.write_all(&Sha256::digest(&bytes))?;
        out.write_all(&bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{builtin, gltf};
    use crate::output::Inputs;

    fn model() -> Model {
        gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap()
    }

    #[test]
    fn an_entry_reads_back_and_a_broken_or_foreign_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/ddm-1.bin");
        let model = model();
        let mesh = &model.meshes[0];
        let key = key(mesh, &DdmSettings::default(), &Poses::default());
        let rows = ddm_terms::find(mesh, &DdmSettings::default(), &|_| true).unwrap();
        write(&file, &key, &rows, &Inputs::none().close()).unwrap();
        assert_eq!(read(&file, &key, mesh), Some(rows));
        assert_eq!(read(&file, &[7; 32], mesh), None, "another mesh's");
        let whole = std::fs::read(&file).unwrap();
        for cut in [0, 7, 8, 40, 72, 119, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..cut]).unwrap();
            assert_eq!(read(&file, &key, mesh), None, "cut to {cut}");
        }
        for byte in (0..whole.len()).step_by(9973) {
            let mut broken = whole.clone();
            broken[byte] ^= 16;
            std::fs::write(&file, &broken).unwrap();
            assert_eq!(read(&file, &key, mesh), None, "byte {byte}");
        }
        std::fs::write(&file, [whole, vec![0; 12]].concat()).unwrap();
        assert_eq!(read(&file, &key, mesh), None, "too long");
    }

    #[test]
    fn whatever_the_terms_depend_on_is_in_the_key() {
        let mut mesh = model().meshes.remove(0);
        let settings = DdmSettings::default();
        let none = Poses::default();
        let mut keys = vec![key(&mesh, &settings, &none), key(&mesh, &settings, &Poses::of(&model(), 0))];
        for other in [
            DdmSettings { iterations: 19, ..settings },
            DdmSettings { lambda: 3.5, ..settings },
            DdmSettings { kappa: 1.5, ..settings },
            DdmSettings { alpha: 0.7, ..settings },
            DdmSettings { least: 0.0, ..settings },
            DdmSettings { within: Some(0.0), ..settings },
            DdmSettings { within: Some(0.1), ..settings },
        ] {
            keys.push(key(&mesh, &other, &none));
        }
        mesh.primitives[0].positions[3][1] += 0.001;
        keys.push(key(&mesh, &settings, &none));
        mesh.primitives[0].indices.swap(0, 4);
        keys.push(key(&mesh, &settings, &none));
        mesh.primitives[0].influences.as_mut().unwrap().spans[0].joints[5][0] += 1;
        keys.push(key(&mesh, &settings, &none));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn what_is_kept_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let model = model();
        let settings = DdmSettings::default();
        let key = key(&model.meshes[0], &settings, &Poses::default());
        // Terms that no computation would find show that they come from the cache.
        let mut odd = ddm_terms::find(&model.meshes[0], &settings, &|_| true).unwrap();
        odd.found = 12345;
        let file = folder.path().join(format!("ddm-{}.bin", hex(&key)));
        write(&file, &key, &odd, &Inputs::none().close()).unwrap();
        find(Some(folder.path()), &model, &Inputs::none().close(), &|_| true);
        assert_eq!(*model.ddm.get(0).unwrap(), odd);
        // Without a folder they are worked out.
        let model = model.clone();
        find(None, &model, &Inputs::none().close(), &|_| true);
        assert_ne!(*model.ddm.get(0).unwrap(), odd);
    }
}
