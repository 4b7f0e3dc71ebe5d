//! Holds the arrays of `sinew export`, and those that are read as vertices, to NumPy itself. It comes with Blender, if
//! `make peers` has installed that.

use std::path::{Path, PathBuf};

use sinew::analysis::vertices::{Given, Options, ReadError, Stored, read};

use crate::{common, peers};

/// Checks the arrays of an export, and saves them in other ways.
const SCRIPT: &str = "
import sys, json, numpy as np
npz, npy, moment = np.load('run.npz'), np.load('run.npy'), json.load(open('run.json'))[1]
n = npy.shape[1]
assert npy.shape == (3, n, 3) and npy.dtype == '<f4', npy.shape
lists = [np.array(p[k], '<f4') for k in ('positions', 'normals', 'tangents') for p in moment['primitives']]
for key, values, columns in zip(('positions', 'normals', 'tangents'), lists, (3, 3, 4)):
    assert npz[key].shape == (3, n, columns) and npz[key].dtype == '<f4', key
    assert (npz[key][1].ravel() == values).all(), key
assert (npz['positions'] == npy).all()
assert npz['joints'].shape == npz['weights'].shape == (n, 4) and npz['joints'].dtype == '<i4'
assert (npz['weights'].sum(axis=1) == 1).all()
assert (npz['primitive'] == 0).all() and npz['node'].shape == (n,) and npz['texcoords'].shape == (n, 2)
a = npy[1]
np.savez('savez.npz', a=a)
np.savez_compressed('compressed.npz', positions=a, normals=npz['normals'][1])
for kind in ('f2', 'f4', 'f8'):
    np.save(kind + '.npy', a.astype('<' + kind))
np.save('big.npy', a.astype('>f4'))
np.save('fortran.npy', np.asfortranarray(a))
np.save('objects.npy', np.array([a, None], dtype=object), allow_pickle=True)
np.save('fields.npy', np.zeros(3, dtype=[('x', '<f4'), ('y', '<f4')]))
a.tofile('raw.bin')
np.savetxt('text.obj', a, fmt='v %.6f %.6f %.6f')
";

/// Moves vertices by the terms of an export, as its formula says, and prints how far they are from those of another.
const TERMS: &str = "
import json, numpy as np
terms, pose, posed = np.load('terms.npz'), json.load(open('pose.json')), np.load('posed.npz')
joints = [joint for skin in pose['skins'] for joint in skin['joints']]
assert [joint['name'] for joint in joints] == list(terms['joint_names'])
assert [joint['node'] for joint in joints] == list(terms['joint_nodes'])
assert (terms['node'] == posed['node']).all() and (terms['primitive'] == posed['primitive']).all()
world = np.array([joint['world_from_joint'] for joint in joints]).transpose(0, 2, 1)
matrices = world @ terms['joint_from_bind'].reshape(-1, 4, 4)
row, column = np.triu_indices(4)
omega = np.zeros((len(terms['joint']), 4, 4))
omega[:, row, column] = omega[:, column, row] = terms['omega']
sums = np.add.reduceat(matrices[terms['joint']] @ omega, terms['start'][:-1])
sums /= sums[:, 3:, 3:]
Q, q, p = sums[:, :3, :3], sums[:, :3, 3], sums[:, 3, :3]
U, _, V = np.linalg.svd(Q - q[:, :, None] * p[:, None, :])
U[:, :, 2] *= np.linalg.det(U @ V)[:, None]
R = U @ V
k = terms['point']
assert (k >= 0).all()
v = (R[k] @ terms['positions'][:, :, None])[:, :, 0] + q[k] - (R[k] @ p[k][:, :, None])[:, :, 0]
print(abs(v - posed['positions']).max() / abs(v).max())
";

pub fn python() -> PathBuf {
    peers::folder().join("python/bin/python")
}

pub fn numpy_reads_what_is_exported_and_its_arrays_are_read(_: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for file in ["run.npz", "run.npy", "run.json"] {
        let words = ["export", "builtin:bend", "--mode", "dqs", "--on", "cpu", "--frames", "3", "-o", file];
        common::run_well(common::sinew(words).current_dir(folder));
    }
    peers::run(peers::process(&python()).args(["-c", SCRIPT]).current_dir(folder));
    let open = |file: &str, frame| -> Result<Given, ReadError> {
        let extension = file.rsplit_once('.').unwrap().1;
        read(&std::fs::read(folder.join(file)).unwrap(), extension, &Options { frame, ..Options::default() })
    };
    let expected = open("run.json", Some(1)).unwrap().parts.remove(0);
    let files = ["run.npz", "run.npy", "savez.npz", "compressed.npz", "f4.npy", "f8.npy", "raw.bin"];
    for file in files {
        let frame = file.starts_with("run").then_some(1);
        let given = open(file, frame).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(given.parts.len() == 1 && given.parts[0].positions == expected.positions, "{file}");
        assert_eq!(given.stored, if file == "f8.npy" { Stored::F64 } else { Stored::F32 }, "{file}");
    }
    assert_eq!(open("compressed.npz", None).unwrap().parts[0].normals, expected.normals);
    let apart = |file: &str| {
        let given = open(file, None).unwrap();
        let pairs = given.parts[0].positions.as_flattened().iter().zip(expected.positions.as_flattened());
        (given.stored, pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
    };
    let (stored, half) = apart("f2.npy");
    assert!(stored == Stored::F16 && half > 0.0 && half < 1e-3, "{stored:?} {half}");
    let (stored, six) = apart("text.obj");
    assert!(stored == Stored::Decimals(1e-6) && six > 0.0 && six <= 0.5e-6 + 1e-12, "{stored:?} {six}");
    let refused = ["big.npy", "fortran.npy", "objects.npy", "fields.npy"];
    for file in refused {
        let error = open(file, None).expect_err(file).to_string();
        assert!(error.contains("; save "), "{file}: {error}");
    }
    files.len() + refused.len()
}

/// Writes the terms of a model (`terms.npz`), a pose of its first clip (`pose.json`), and the vertices in that pose by the
/// reference (`posed.npz`).
pub fn export_terms(folder: &Path, model: &str, settings: &str) {
    let set = ["--ddm-settings", settings];
    let moment = ["--clip", "0", "--time", "0.37"];
    let run = |words: &[&str]| common::run_well(common::sinew(words.to_vec()).current_dir(folder));
    run(&[&["export", model, "--ddm", "-o", "terms.npz"], &set[..]].concat());
    let posed = ["export", model, "--mode", "ddm", "--on", "reference", "-o", "posed.npz"];
    run(&[&posed[..], &set, &moment].concat());
    let pose = run(&[&["palette", model, "--json"][..], &moment].concat());
    std::fs::write(folder.join("pose.json"), pose).unwrap();
}

/// The exported terms and their formula move vertices as the reference does.
pub fn numpy_moves_vertices_by_exported_terms(corpus: &Path) -> usize {
    let names = ["Fox", "RiggedFigure", "CesiumMan", "BrainStem"];
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut count = 0;
    for (name, settings) in
        names.into_iter().flat_map(|name| ["least=0", "least=1e-3,alpha=0.5"].map(|s| (name, s)))
    {
        let model = corpus.join(format!("models/{name}/{name}.glb"));
        if !model.is_file() {
            continue;
        }
        let model = model.to_str().unwrap();
        export_terms(folder, model, settings);
        let said = peers::process(&python()).args(["-c", TERMS]).current_dir(folder).output().unwrap();
        let words = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{words}");
        let apart: f64 = String::from_utf8_lossy(&said.stdout).trim().parse().unwrap();
        assert!(apart < 1e-7, "{name}, {settings}: {apart} of the size");
        count += 1;
    }
    count
}
