//! Finds what modes need of a model before a command does: from the user's cache, or by working them out,
//! with a progress bar where that takes a while. A broken or foreign entry of the cache does no harm.

#![allow(clippy::disallowed_methods, reason = "reads and removes only the program's own files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytemuck::pod_read_unaligned;
use sha2::{Digest, Sha256};

use crate::model::{MeshCenters, Model};
use crate::output::Closed;
#[cfg(feature = "window")]
use crate::output::Session;
use crate::skinning::centers::{self, Watch};
use crate::skinning::{Needs, SkinningMode};

use crate::cli::machine::kept;
use crate::cli::machine::vulkan::cache_folder;
use crate::cli::terminal::progress::share_bar;

use super::ddm;
use super::entry::{MAX_BYTES, WORTH_KEEPING, add_primitive, hex, tidy};

/// The first bytes of an entry. The digit is to change with the method.
const MAGIC: &[u8; 8] = b"sinewcr2";

/// The centres of a model, by skin and mesh.
type Centers = BTreeMap<(usize, usize), MeshCenters>;

/// Finds what some modes need, unless the model has it.
pub fn prepare(model: &Model, modes: impl IntoIterator<Item = SkinningMode>, inputs: &Closed) {
    prepare_needs(Needs::of(modes), model, inputs);
}

/// Finds what is needed, unless the model has it.
pub fn prepare_needs(needs: Needs, model: &Model, inputs: &Closed) {
    let missing = needs.missing(model);
    for (is_missing, what, part) in [
        (missing.centers, "the centres of rotation", Needs { ddm: false, ..missing }),
        (missing.ddm, "the surroundings of vertices", Needs { centers: false, ..missing }),
    ] {
        if !is_missing {
            continue;
        }
        let (bar, start) = (share_bar(what), Instant::now());
        let show = |share: f64| {
            if start.elapsed() > WORTH_KEEPING {
                bar.set_position((share * 1000.0) as u64);
            }
            true
        };
        Cache { folder: cache_folder() }.prepare(model, part, inputs, &show);
        bar.finish_and_clear();
    }
}

/// Returns the function that finds what modes need for a window.
#[cfg(feature = "window")]
pub fn finder(session: &Session) -> crate::viewer::Prepare {
    let (cache, session) = (Cache { folder: cache_folder() }, session.clone());
    std::sync::Arc::new(move |model, needs, watch| cache.prepare(model, needs, &session.closed(), watch))
}

/// The folder that keeps centres and terms; without one, nothing is kept.
struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// Finds what is needed.
    fn prepare(&self, model: &Model, needs: Needs, inputs: &Closed, watch: &Watch) {
        if needs.centers {
            self.find(model, inputs, watch);
        }
        if needs.ddm {
            ddm::find(self.folder.as_deref(), model, inputs, watch);
        }
    }

    fn find(&self, model: &Model, inputs: &Closed, watch: &Watch) {
        let key = key(model);
        let file = self.folder.as_ref().map(|folder| folder.join(format!("centers-{}.bin", hex(&key))));
        let kept = file.as_deref().and_then(|file| read(file, &key, model));
        if let Some(kept) = kept {
            model.centers.get_or_find(|| kept);
            return;
        }
        let start = Instant::now();
        centers::prepare(model, watch);
        let found = model.centers.get().filter(|_| start.elapsed() >= WORTH_KEEPING);
        if let (Some(file), Some(found)) = (file, found) {
            match write(&file, &key, found, inputs) {
                Ok(()) => tidy(&file, "centers-"),
                Err(error) => {
                    tracing::debug!("centres of rotation not kept in {}: {error}", file.display());
                }
            }
        }
    }
}

/// A digest of all that the centres depend on.
fn key(model: &Model) -> [u8; 32] {
    let mut digest = Sha256::new_with_prefix(MAGIC);
    let count = |digest: &mut Sha256, number: usize| digest.update((number as u64).to_le_bytes());
    for (skin, meshes) in centers::drawn(model) {
        count(&mut digest, model.skins.get(skin).map_or(0, |skin| skin.joints.len()));
        for mesh in meshes {
            count(&mut digest, skin);
            count(&mut digest, mesh);
            let primitives = model.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
            primitives.iter().for_each(|primitive| add_primitive(&mut digest, primitive));
        }
    }
    digest.finalize().into()
}

/// An entry: magic, key, digest of the rest, and the centres one after the other. Their numbers are the model's.
fn read(file: &Path, key: &[u8; 32], model: &Model) -> Option<Centers> {
    let bytes = kept::read(file, MAX_BYTES)?;
    let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(key)?;
    let (sum, rest) = rest.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != sum[..] {
        return None;
    }
    let mut rest = rest;
    let mut found = Centers::new();
    for (skin, meshes) in centers::drawn(model) {
        for mesh in meshes {
            let Some(drawn) = model.meshes.get(mesh) else { continue };
            let mut of_mesh = MeshCenters::new();
            for primitive in &drawn.primitives {
                let count = if primitive.influences.is_some() { primitive.positions.len() } else { 0 };
                let (now, later) = rest.split_at_checked(count.checked_mul(12)?)?;
                of_mesh.push(now.as_chunks::<12>().0.iter().map(|place| pod_read_unaligned(place)).collect());
                rest = later;
            }
            found.insert((skin, mesh), of_mesh);
        }
    }
    rest.is_empty().then_some(found)
}

fn write(file: &Path, key: &[u8; 32], centers: &Centers, inputs: &Closed) -> std::io::Result<()> {
    let rows = || centers.values().flatten().map(|row| bytemuck::cast_slice::<_, u8>(row));
    if rows().map(|row| row.len() as u64).sum::<u64>() > MAX_BYTES / 2 {
        return Ok(());
    }
    let mut sum = Sha256::new();
    rows().for_each(|row| sum.update(row));
    kept::write(file, inputs, |out| {
        out.write_all(MAGIC)?;
        out.write_all(key)?;
        out.write_all(&sum.finalize())?;
        rows().try_for_each(|row| out.write_all(row))
    })
}

#[cfg(test)]
mod tests {
    use super::super::entry::MAX_ENTRIES;
    use super::*;
    use crate::model::{builtin, gltf};
    use crate::output::Inputs;
    use std::time::{Duration, SystemTime};

    fn character() -> Model {
        gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap()
    }

    fn found(model: &Model) -> Centers {
        centers::find(model, &|_| true).unwrap()
    }

    #[test]
    fn an_entry_reads_back_and_a_broken_or_foreign_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/centers-1.bin");
        let model = character();
        let (key, centers) = (key(&model), found(&model));
        write(&file, &key, &centers, &Inputs::none().close()).unwrap();
        assert_eq!(read(&file, &key, &model), Some(centers));
        assert_eq!(read(&file, &[7; 32], &model), None, "another model's");
        let whole = std::fs::read(&file).unwrap();
        for cut in [0, 7, 8, 40, 72, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..cut]).unwrap();
            assert_eq!(read(&file, &key, &model), None, "cut to {cut}");
        }
        for byte in (0..whole.len()).step_by(997) {
            let mut broken = whole.clone();
            broken[byte] ^= 16;
            std::fs::write(&file, &broken).unwrap();
            assert_eq!(read(&file, &key, &model), None, "byte {byte}");
        }
        std::fs::write(&file, [whole.clone(), vec![0; 12]].concat()).unwrap();
        assert_eq!(read(&file, &key, &model), None, "too long");
        assert_eq!(read(Path::new("/nothing/here"), &key, &model), None);
    }

    #[test]
    fn whatever_the_centers_depend_on_is_in_the_key() {
        let model = character();
        let mut keys = vec![key(&model)];
        let mut with = |change: &dyn Fn(&mut Model)| {
            let mut changed = model.clone();
            change(&mut changed);
            keys.push(key(&changed));
        };
        with(&|model| model.meshes[0].primitives[0].positions[3][1] += 0.001);
        with(&|model| model.meshes[0].primitives[0].indices.swap(0, 4));
        with(&|model| {
            model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].weights[5][0] -= 0.001
        });
        with(&|model| model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints[5][0] += 1);
        with(&|model| model.meshes[0].primitives[0].topology = crate::model::Topology::Lines);
        with(&|model| model.skins[0].joints.push(0));
        with(&|model| model.instances.clear());
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        // What they do not depend on is not.
        let mut moved = model.clone();
        moved.clips.clear();
        assert_eq!(key(&moved), key(&model));
    }

    #[test]
    fn old_entries_go() {
        let folder = tempfile::tempdir().unwrap();
        let name = |number: usize| folder.path().join(format!("centers-{number:03}.bin"));
        for number in 0..MAX_ENTRIES + 6 {
            std::fs::write(name(number), [0]).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + number as u64);
            std::fs::File::options().write(true).open(name(number)).unwrap().set_modified(time).unwrap();
        }
        std::fs::write(folder.path().join("pipelines-1.bin"), [0]).unwrap();
        tidy(&name(MAX_ENTRIES + 5), "centers-");
        let is_there: Vec<bool> = (0..MAX_ENTRIES + 6).map(|number| name(number).exists()).collect();
        assert!(is_there[..6].iter().all(|there| !there) && is_there[6..].iter().all(|there| *there));
        assert!(folder.path().join("pipelines-1.bin").exists());
    }

    #[test]
    fn what_is_kept_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let model = character();
        let cache = Cache { folder: Some(folder.path().to_owned()) };
        let file = folder.path().join(format!("centers-{}.bin", hex(&key(&model))));
        // Centres that no computation would find show that they come from the cache.
        let mut odd = found(&model);
        odd.values_mut().flatten().flatten().for_each(|center| *center = [1.0, 2.0, 3.0]);
        write(&file, &key(&model), &odd, &Inputs::none().close()).unwrap();
        cache.find(&model, &Inputs::none().close(), &|_| true);
        assert_eq!(model.centers.get(), Some(&odd));
        // Without a folder they are worked out.
        let model = model.clone();
        Cache { folder: None }.find(&model, &Inputs::none().close(), &|_| true);
        assert_eq!(model.centers.get(), Some(&found(&model)));
    }
}
