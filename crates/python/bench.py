"""Times skinning of arrays: 100,000 vertices with 4 influences of 60 joints, 60 frames, by lbs. Prints a table.

    bench.py [ROUNDS]

Contenders run in turn, and medians count. pymomentum takes part if this Python can import it: make peers installs it into
.deps/peers/python312. The call of Rust takes part if there is cargo.
"""

import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import types

import numpy as np
import sinew

VERTICES, JOINTS, FRAMES = 100_000, 60, 60
ROOT = pathlib.Path(__file__).resolve().parents[2]


def arrays():
    """Returns a mesh whose joints follow each other as along a limb, heaviest first, and matrices that turn and shift."""
    dice = np.random.default_rng(1)
    positions = dice.random((VERTICES, 3), "f4")
    first = np.arange(VERTICES)[:, None] * (JOINTS - 3) // VERTICES
    joints = (first + np.arange(4)).astype("i4")
    weights = np.sort(dice.random((VERTICES, 4), "f4") + np.float32(0.01))[:, ::-1]
    weights = np.ascontiguousarray(weights / weights.sum(axis=1, keepdims=True))
    angles = dice.random((FRAMES, JOINTS)) * 2
    matrices = np.tile(np.eye(4), (FRAMES, JOINTS, 1, 1))
    matrices[..., 0, 0] = matrices[..., 1, 1] = np.cos(angles)
    matrices[..., 1, 0] = np.sin(angles)
    matrices[..., 0, 1] = -np.sin(angles)
    matrices[..., :3, 3] = dice.random((FRAMES, JOINTS, 3))
    return positions, joints, weights, matrices


def by_einsum(positions, joints, weights, matrices):
    """Returns NumPy's way: the matrices of each vertex are blended, then moved by."""
    points = np.hstack([positions, np.ones((VERTICES, 1), "f4")])
    frames = matrices[..., :3, :].astype("f4")

    def skin():
        made = np.empty((FRAMES, VERTICES, 3), "f4")
        for frame, palette in zip(made, frames):
            blended = np.einsum("vi,vijk->vjk", weights, palette[joints])
            np.einsum("vjk,vk->vj", blended, points, out=frame)
        return made

    return skin


def by_momentum(positions, joints, weights, matrices):
    """Returns pymomentum's way, or None."""
    try:
        # Its geometry imports torch, and does without.
        sys.modules.setdefault("torch", types.ModuleType("torch"))
        import pymomentum.geometry as momentum
    except ImportError:
        return None
    turn, place = np.array([0, 0, 0, 1], "f4"), np.zeros(3, "f4")
    rig = momentum.Skeleton([momentum.Joint(f"j{number}", -1 if number == 0 else 0, turn, place) for number in range(JOINTS)])
    names = [f"j{number}" for number in range(JOINTS)]
    transform = momentum.ParameterTransform(["p"], rig, np.zeros((7 * JOINTS, 1), "f4"))
    faces = np.arange(VERTICES // 3 * 3, dtype="i4").reshape(-1, 3)
    mesh = momentum.Mesh(positions, faces, normals=positions)
    skinned = momentum.Character("bench", rig, transform)
    skinned = skinned.with_mesh_and_skin_weights(mesh, momentum.SkinWeights(joints, weights))
    frames = matrices.astype("f4")
    return lambda: skinned.skin_points(frames)


class Rust:
    """The call of Rust, as a process that skins once a line."""

    def __init__(self, given):
        self.folder = tempfile.TemporaryDirectory()
        for name, array in zip(["positions", "joints", "weights", "matrices"], given):
            array.tofile(pathlib.Path(self.folder.name, name))
        command = ["cargo", "bench", "--quiet", "--locked", "-p", "sinew-skinning", "--bench", "arrays", "--"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1, "cwd": ROOT}
        self.process = subprocess.Popen([*command, self.folder.name], **pipes)
        self.time()

    def time(self):
        """Returns the seconds of laying out, and of skinning."""
        self.process.stdin.write("\n")
        return [float(word) for word in self.process.stdout.readline().split()]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    given = arrays()
    mesh = sinew.Mesh(*given[:3])
    calls = {
        "`sinew.skin`": lambda: sinew.skin(*given).positions,
        "`sinew.Mesh.skin`": lambda: mesh.skin(given[3]).positions,
        "`sinew.skin`, dqs": lambda: sinew.skin(*given, "dqs").positions,
        "pymomentum, `skin_points`": by_momentum(*given),
        "NumPy, `einsum`": by_einsum(*given),
    }
    times = {name: [] for name, call in calls.items() if call}
    truth = calls["`sinew.skin`"]()
    for name in times:
        apart = np.abs(calls[name]() - truth).max()
        assert "dqs" in name or apart < 1e-5, f"{name}: {apart}"
    try:
        rust = Rust(given)
        times.update({"Rust, laid out and skinned": [], "Rust, skinned": []})
    except (OSError, ValueError):
        rust = None
    contenders = [name for name, call in calls.items() if call] + ["Rust"] * (rust is not None)
    for _ in range(rounds):
        # In another order each round, as a call finds the caches that the last one left.
        for name in random.sample(contenders, len(contenders)):
            if name == "Rust":
                laid, skinned = rust.time()
                times["Rust, laid out and skinned"].append(laid + skinned)
                times["Rust, skinned"].append(skinned)
                continue
            start = time.perf_counter()
            calls[name]()
            times[name].append(time.perf_counter() - start)
    medians = {name: 1000 * statistics.median(all_times) for name, all_times in times.items()}
    print(f"| {VERTICES:,} vertices, {FRAMES} frames | ms | of `sinew.skin` |\n|---|---:|---:|")
    for name, median in sorted(medians.items(), key=lambda pair: pair[1]):
        print(f"| {name} | {median:.1f} | {median / medians['`sinew.skin`']:.2f}× |")


if __name__ == "__main__":
    main()
