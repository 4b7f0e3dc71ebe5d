"""Tests of the package as it is installed: `python -m unittest`, in an environment with NumPy and nothing else."""

import concurrent.futures
import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np
import sinew
from sinew import _program


def twisted():
    return sinew.load("builtin:twist").pose("twist", time=1.0)


def rod(vertices=40, joints=2, seed=1):
    """A mesh of random vertices, and matrices that turn and shift."""
    random = np.random.default_rng(seed)
    positions = random.random((vertices, 3)).astype("f4")
    of_joints = random.integers(0, joints, (vertices, 4))
    weights = random.random((vertices, 4)).astype("f4")
    weights /= weights.sum(axis=1, keepdims=True)
    angles = random.random(joints)
    matrices = np.tile(np.eye(4), (joints, 1, 1))
    matrices[:, 0, 0] = matrices[:, 1, 1] = np.cos(angles)
    matrices[:, 0, 1], matrices[:, 1, 0] = -np.sin(angles), np.sin(angles)
    matrices[:, :3, 3] = random.random((joints, 3))
    return positions, of_joints, weights, matrices


def blended(positions, joints, weights, matrices):
    """Linear blending, in float64 by NumPy alone."""
    blend = np.einsum("ni,nijk->njk", weights.astype("f8"), matrices[joints])
    ones = np.ones((len(positions), 1))
    return np.einsum("njk,nk->nj", blend, np.hstack([positions, ones]))[:, :3]


class Models(unittest.TestCase):
    def test_a_path_bytes_and_an_open_file_give_one_model(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "twist.glb"
            sinew.load("builtin:twist").save(path)
            with open(path, "rb") as file:
                models = [sinew.load(path), sinew.load(str(path)), sinew.load(path.read_bytes()), sinew.load(file)]
            with io.BytesIO(path.read_bytes()) as file:
                models.append(sinew.load(file))
        all_positions = [model.pose("twist", time=1).skin("dqs").merged().positions for model in models]
        for positions in all_positions[1:]:
            np.testing.assert_array_equal(positions, all_positions[0])

    def test_a_layer_of_usd_is_a_model(self):
        text = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Mesh "Triangle"
{
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    uniform token subdivisionScheme = "none"
}
"""
        positions = sinew.load(text.encode()).pose("rest").skin().merged().positions
        np.testing.assert_array_equal(positions, [[0, 0, 0], [1, 0, 0], [0, 2, 0]])

    def test_a_model_says_what_it_holds(self):
        model = sinew.load("builtin:twist")
        self.assertEqual([clip.name for clip in model.clips], ["twist"])
        self.assertEqual(model.joints, [["lower", "upper"]])
        self.assertEqual(model.warnings, [])
        self.assertEqual(model.vertices, sum(len(one) for one in model.pose("rest").skin().positions))
        self.assertIn("twist", repr(model))
        self.assertIn("twist", repr(model.clips[0]))
        triangles = model.triangles[0]
        self.assertEqual(triangles.shape[1], 3)
        self.assertLess(triangles.max(), model.vertices)

    def test_a_file_is_not_overwritten_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kept.glb"
            path.write_bytes(b"mine")
            model = sinew.load("builtin:strip")
            with self.assertRaisesRegex(sinew.OutputError, "exists"):
                model.save(path)
            self.assertEqual(path.read_bytes(), b"mine")
            model.save(path, overwrite=True)
            self.assertEqual(path.read_bytes()[:4], b"glTF")

    def test_errors_name_the_file_and_the_place(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = pathlib.Path(folder) / "nix.glb"
            with self.assertRaises(sinew.InputError) as caught:
                sinew.load(missing)
            self.assertEqual(caught.exception.file, str(missing))
            self.assertEqual(caught.exception.exit_code, 1)
            broken = pathlib.Path(folder) / "broken.gltf"
            broken.write_text('{"asset": {"version": "2.0"}, "scene": 4}')
            with self.assertRaises(sinew.Error):
                sinew.load(broken).pose("nope")
        for bad in [b"", b"glTF", b"\x00" * 100, b"{", b"[]"]:
            with self.assertRaises(sinew.InputError):
                sinew.load(bad)
        with self.assertRaises(TypeError):
            sinew.load(3)
        with self.assertRaises(TypeError):
            sinew.load(io.StringIO("text"))


class Poses(unittest.TestCase):
    def test_kinds_of_poses(self):
        model = sinew.load("builtin:character")
        self.assertEqual(model.pose("bind").kind, "bind")
        self.assertEqual(model.pose("rest").kind, "rest")
        self.assertEqual(model.pose().kind, "rest")
        at = model.pose("walk", time=0.5)
        by_frame = model.pose(1, frame=15)
        np.testing.assert_array_equal(at.palette(), by_frame.palette())
        over = model.pose(over=json.loads(at.to_json()))
        np.testing.assert_array_equal(at.palette(), over.palette())
        turned = model.pose(joints={"head": {"rotation": np.array([0, 0, np.sin(0.5), np.cos(0.5)])}})
        self.assertGreater(np.abs(turned.palette() - model.pose().palette()).max(), 0.1)
        mixed = model.pose("walk", time=0.3, blends={"idle": 0.5})
        self.assertGreater(np.abs(mixed.palette() - model.pose("walk", time=0.3).palette()).max(), 1e-3)

    def test_wrong_poses_say_why(self):
        model = sinew.load("builtin:character")
        wrong = [
            dict(clip="nope"), dict(clip=99), dict(clip=-1), dict(clip="walk", time=1, frame=2), dict(time=1.0),
            dict(clip="walk", time=float("nan")), dict(clip="walk", blends={"idle": 2.0}), dict(clip=1.5),
            dict(joints={"nobody": {"rotation": [0, 0, 0, 1]}}), dict(joints={"head": {"rotation": [0, 0, 0, 9]}}),
            dict(joints={"head": {"rotation": object()}}), dict(over={"sinew-pose": 99}), dict(over="nix.json"),
        ]
        for keywords in wrong:
            with self.subTest(keywords), self.assertRaises(sinew.Error):
                model.pose(**keywords)

    def test_a_palette_moves_the_bind_pose(self):
        model = sinew.load("builtin:twist")
        np.testing.assert_allclose(model.pose("rest").palette(), np.tile(np.eye(4), (2, 1, 1)), atol=1e-6)
        with self.assertRaises(sinew.UsageError):
            model.pose("rest").palette(skin=3)


class Strangers(unittest.TestCase):
    def test_poses_and_clips_of_other_models_are_refused(self):
        twist, bend = sinew.load("builtin:twist"), sinew.load("builtin:bend")
        with self.assertRaisesRegex(sinew.UsageError, "another model"):
            twist.pose(bend.clips[0])
        with self.assertRaisesRegex(sinew.UsageError, "another model"):
            twist.explain(0, pose=bend.pose("rest"))
        with self.assertRaisesRegex(sinew.UsageError, "a pose, or a clip"):
            twist.explain(0, 0, pose=twist.pose("rest"))

    def test_the_bind_pose_takes_nothing_else(self):
        twist = sinew.load("builtin:twist")
        clip = json.loads(twist.pose(0).to_json())
        for extra in [{"time": 1.0}, {"frame": 1}, {"joints": {}}, {"over": clip}, {"blends": {}}]:
            with self.subTest(extra), self.assertRaisesRegex(sinew.UsageError, "the bind pose takes no"):
                twist.pose("bind", **extra)

    def test_the_program_reads_a_model_as_it_was_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "strip.glb")
            sinew.load("builtin:strip").save(file)
            chosen = sinew.load(file, scene="0", fps=50)
            with _program.Files() as files:
                files.model(chosen)
                self.assertEqual(files.flags, ["--scene=0", "--fbx-rate=50"])
            self.assertEqual(len(sinew.compare(chosen, modes="lbs,rigid", time=0).clips), 1)
            with self.assertRaisesRegex(sinew.UsageError, "different scene"):
                sinew.compare(chosen, sinew.load(file))


class Skinning(unittest.TestCase):
    def test_all_modes_skin(self):
        pose = twisted()
        for mode in sinew.MODES:
            merged = pose.skin(mode).merged()
            self.assertTrue(np.isfinite(merged.positions).all())
            self.assertEqual(merged.positions.dtype, np.float32)
            np.testing.assert_allclose(np.linalg.norm(merged.normals, axis=1), 1, atol=1e-5)
        with self.assertRaisesRegex(sinew.UsageError, "the modes are"):
            pose.skin("nope")

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_forked_process_raises_instead_of_waiting(self):
        pose = twisted()
        pose.skin()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            code = 1
            try:
                pose.skin()
            except RuntimeError as error:
                code = 0 if "spawn" in str(error) else 2
            os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_shared_arrays_cannot_be_written(self):
        skinned = twisted().skin("dqs")
        with self.assertRaises(ValueError):
            skinned.positions[0][0] = 0
        self.assertIs(skinned.merged().positions, skinned.positions[0])

    def test_the_program_gives_the_same_numbers(self):
        pose = sinew.load("builtin:character").pose("walk", time=0.4)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "walk.npy")
            program = [sys.executable, "-m", "sinew", "export", "--mode", "dqs", "--clip", "walk", "--time", "0.4"]
            subprocess.run([*program, "--on", "cpu", "-o", file], check=True, capture_output=True)
            theirs = np.load(file)
        ours = pose.skin("dqs").merged().positions
        self.assertEqual(ours.shape, theirs.shape)
        self.assertLess(np.abs(ours - theirs).max(), 2e-6)

    def test_frames_of_a_clip(self):
        model = sinew.load("builtin:twist")
        clip = model.clip("twist")
        told = []
        frames = clip.skin("dqs", fps=5, progress=told.append)
        times = clip.times(5)
        self.assertEqual(frames.shape, (len(times), model.vertices, 3))
        for frame, at in zip(frames, times):
            np.testing.assert_array_equal(frame, model.pose("twist", time=at).skin("dqs").merged().positions)
        self.assertEqual(told[-1], 1)
        self.assertEqual(told, sorted(told))
        for fps in [0, -1, float("nan"), float("inf"), 1e9]:
            with self.assertRaises(sinew.UsageError):
                clip.skin(fps=fps)

    def test_what_progress_raises_is_raised(self):
        def stop(_):
            raise LookupError("enough")

        with self.assertRaises(LookupError):
            sinew.load("builtin:twist").clip(0).skin(fps=30, progress=stop)

    def test_many_threads_skin_one_model(self):
        model = sinew.load("builtin:twist")
        pose = model.pose("twist", time=1)
        modes = ["lbs", "dqs", "cor", "blend"] * 4
        alone = {mode: pose.skin(mode).merged().positions for mode in modes}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for mode, skinned in zip(modes, pool.map(pose.skin, modes)):
                np.testing.assert_array_equal(skinned.merged().positions, alone[mode])


class Arrays(unittest.TestCase):
    def test_arrays_of_every_kind_are_taken(self):
        positions, joints, weights, matrices = rod()
        truth = blended(positions, joints, weights, matrices)
        as_list = [array.tolist() for array in (positions, joints, weights, matrices)]
        forms = [
            (positions, joints, weights, matrices),
            (positions.astype("f8"), joints.astype("u1"), weights.astype("f8"), matrices.astype("f4")),
            (np.asfortranarray(positions), np.asfortranarray(joints), np.asfortranarray(weights), matrices),
            (positions.astype(">f8"), joints.astype(">i2"), weights.astype(">f4"), matrices.astype(">f8")),
            (np.repeat(positions, 2, axis=0)[::2], joints, np.repeat(weights, 2, axis=1)[:, ::2], matrices),
            as_list,
        ]
        for form in forms:
            np.testing.assert_allclose(sinew.skin(*form).positions, truth, atol=2e-6)
        back = [np.ascontiguousarray(array[::-1])[::-1] for array in (positions, joints, weights)]
        np.testing.assert_allclose(sinew.skin(*back, matrices).positions, truth, atol=2e-6)

    def test_influences_from_one_to_sixteen(self):
        for influences in range(1, 17):
            random = np.random.default_rng(influences)
            positions, _, _, matrices = rod(30, 20)
            joints = random.integers(0, 20, (30, influences))
            weights = random.random((30, influences)).astype("f4") + 0.01
            weights /= weights.sum(axis=1, keepdims=True)
            truth = blended(positions, joints, weights, matrices)
            np.testing.assert_allclose(sinew.skin(positions, joints, weights, matrices).positions, truth, atol=3e-6)

    def test_many_frames_are_the_single_ones(self):
        positions, joints, weights, matrices = rod(50, 3)
        frames = np.stack([matrices, matrices @ matrices, np.linalg.inv(matrices)])
        mesh = sinew.Mesh(positions, joints, weights, normals=np.tile([0, 0, 1], (50, 1)))
        for mode in ["lbs", "dqs"]:
            many = mesh.skin(frames, mode)
            self.assertEqual(many.positions.shape, (3, 50, 3))
            self.assertEqual(many.normals.shape, (3, 50, 3))
            for frame, palette in enumerate(frames):
                np.testing.assert_array_equal(many.positions[frame], mesh.skin(palette, mode).positions)
                np.testing.assert_array_equal(many.normals[frame], mesh.skin(palette, mode).normals)

    def test_empty_arrays(self):
        empty = sinew.skin(np.zeros((0, 3)), np.zeros((0, 4), int), np.zeros((0, 4)), np.eye(4)[None])
        self.assertEqual(empty.positions.shape, (0, 3))
        positions, joints, weights, matrices = rod()
        none = sinew.Mesh(positions, joints, weights).skin(np.zeros((0, 2, 4, 4)))
        self.assertEqual(none.positions.shape, (0, 40, 3))

    def test_wrong_arrays_say_what_was_wanted(self):
        positions, joints, weights, matrices = rod()
        wrong = {
            "positions": [np.zeros((40, 2)), np.zeros(40), np.zeros((40, 3, 1)), "text", None, [[1, 2], [3]],
                          np.zeros((40, 3), complex), np.array([[object()] * 3] * 40), np.zeros((40, 3), bool)],
            "joints": [joints[:5], joints[:, 0], joints.astype(float), joints - 1, joints + 70000, joints + 2**40,
                       np.zeros((40, 17), int), np.zeros((40, 0), int), joints.astype("U")],
            "weights": [weights[:5], weights[:, :3], weights.ravel(), weights.astype("datetime64[s]")],
            "matrices": [matrices[0], matrices[:1], matrices[:, :3], matrices.transpose(0, 2, 1), np.zeros((0, 4, 4)),
                         matrices[None, None], matrices.astype("S8")],
        }
        for name, values in wrong.items():
            for value in values:
                given = dict(positions=positions, joints=joints, weights=weights, matrices=matrices)
                given[name] = value
                with self.subTest(name=name, value=type(value)), self.assertRaises((sinew.UsageError, TypeError)):
                    sinew.skin(**given)
        for keyword, value in [("normals", positions[:3]), ("tangents", positions), ("centers", positions[:, :2]),
                               ("shares", weights)]:
            with self.subTest(keyword), self.assertRaises(sinew.UsageError):
                sinew.skin(positions, joints, weights, matrices, "blend", **{keyword: value})
        with self.assertRaisesRegex(sinew.UsageError, "centers"):
            sinew.skin(positions, joints, weights, matrices, "cor")

    def test_numbers_that_are_not_finite_stay_where_they_are(self):
        positions, joints, weights, matrices = rod()
        positions[3] = np.nan
        positions[5, 1] = np.inf
        skinned = sinew.skin(positions, joints, weights, matrices).positions
        wrong = set(np.flatnonzero(~np.isfinite(skinned).all(axis=1)))
        self.assertEqual(wrong, {3, 5})
        weights[7] = np.nan
        weights[8] = 0
        matrices[0, 0, 0] = np.nan
        for mode in set(sinew.MODES) - {"cor", "ddm"}:
            self.assertEqual(sinew.skin(positions, joints, weights, matrices, mode).positions.shape, (40, 3))

    def test_sizes_that_no_memory_has_are_refused(self):
        positions, joints, weights, matrices = rod(1000, 2)
        mesh = sinew.Mesh(positions, joints, weights)
        # A view of one palette as very many frames; NumPy would have to copy it.
        endless = np.broadcast_to(matrices, (2**40, 2, 4, 4))
        with self.assertRaises(MemoryError):
            mesh.skin(endless)

    def test_an_array_that_another_thread_changes(self):
        positions, joints, weights, matrices = rod(20000, 8)
        stop = threading.Event()

        def change():
            while not stop.is_set():
                joints[:] = np.random.randint(0, 8, joints.shape)
                positions[:] = np.random.random(positions.shape)

        threads = [threading.Thread(target=change) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(30):
                self.assertTrue(np.isfinite(sinew.skin(positions, joints, weights, matrices, "dqs").positions).all())
        finally:
            stop.set()
            for thread in threads:
                thread.join()


class Answers(unittest.TestCase):
    def test_vertices_are_named(self):
        model = sinew.load("builtin:character")
        pose = model.pose("walk", time=0.4)
        answer = model.diagnose(pose.skin("dqs").positions, pose=pose)
        self.assertEqual((answer.verdict.mode, answer.verdict.agrees), ("dqs", True))
        self.assertTrue(str(answer).startswith("These are dqs"))
        searched = model.diagnose(pose.skin("lbs").merged().positions.astype("f8"))
        self.assertEqual((searched.verdict.mode, searched.matched.pose), ("lbs", "walk"))
        with self.assertRaises(sinew.InputError):
            model.diagnose(np.zeros((5, 3)))
        with self.assertRaises(sinew.UsageError):
            model.diagnose(np.zeros((0, 3)))
        with self.assertRaises(sinew.UsageError):
            model.diagnose(pose.skin().positions, pose=twisted())
        with self.assertRaises(AttributeError):
            answer.nothing

    def test_weights_and_vertices_are_explained(self):
        model = sinew.load("builtin:character")
        self.assertIsInstance(model.weights().findings, list)
        explained = model.explain(331, "walk", 0.4)
        self.assertEqual(explained.vertex, model.explain("node0:0:331", pose=model.pose("walk", time=0.4)).vertex)
        for wrong in [10**9, "nope", "node0:0:999999"]:
            with self.assertRaises(sinew.Error):
                model.explain(wrong, "walk", 0.4)

    def test_models_are_compared(self):
        apart = sinew.compare("builtin:twist", clips="all")
        self.assertTrue(apart.clips)
        with self.assertRaises(sinew.CheckFailed) as caught:
            sinew.compare("builtin:twist", clips=["twist"], fail_above="1mm")
        self.assertEqual(caught.exception.exit_code, 6)
        self.assertIn("clips", caught.exception.result)
        same = sinew.load("builtin:twist")
        with tempfile.TemporaryDirectory() as folder:
            same.save(os.path.join(folder, "twist.glb"))
            with open(os.path.join(folder, "twist.glb"), "rb") as file:
                sinew.compare(same, sinew.load(file), clips="all", fail_above="0.001mm")

    def test_reports_and_bakes(self):
        model = sinew.load("builtin:twist")
        self.assertIn("clips", model.report(frames=3))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "baked.glb")
            model.bake(path, mode="dqs", clip="twist", fps=5)
            self.assertEqual(sinew.load(path).vertices, model.vertices)

    def test_fits(self):
        model = sinew.load("builtin:bend")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fitted.glb")
            found = sinew.fit(model, path, mode="dqs", helpers=2)
            self.assertEqual((len(found.helpers), found.mode), (2, "dqs"))
            row = found.rows[0]
            self.assertLess(row.after.max_m, row.before.max_m)
            self.assertEqual(sinew.load(path).vertices, model.vertices)
            cache = os.path.join(folder, "bend.pc2")
            model.bake(cache, mode="dqs")
            again = os.path.join(folder, "again.glb")
            self.assertIsNone(sinew.fit("builtin:bend", again, cache=cache, helpers=1).mode)

    def test_pictures(self):
        model = sinew.load("builtin:twist")
        picture = model.draw(mode="dqs", pose=model.pose("twist", time=1), size=(160, 120))
        self.assertEqual((picture.shape, picture.dtype), ((120, 160, 4), np.uint8))
        self.assertGreater(np.unique(picture.reshape(-1, 4), axis=0).shape[0], 20)
        self.assertEqual(picture._repr_png_()[:4], b"\x89PNG")
        self.assertIsNone((picture + 1).png)
        again = model.draw(mode="dqs", clip="twist", time=1, size=(160, 120))
        np.testing.assert_array_equal(picture, again)
        with self.assertRaises(sinew.UsageError):
            model.draw(mode="nope")

    def test_without_vulkan_there_are_no_pictures_but_everything_else(self):
        code = (
            "import sinew\n"
            "sinew.load('builtin:twist').pose('twist', time=1).skin('dqs')\n"
            "try:\n    sinew.load('builtin:twist').draw()\n"
            "except sinew.NoVulkan as error:\n    print('none:', error)\n"
        )
        nowhere = {**os.environ, "VK_DRIVER_FILES": "/nowhere.json", "VK_ICD_FILENAMES": "/nowhere.json"}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=nowhere)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("none:"), done.stdout)


class Process(unittest.TestCase):
    def test_the_program_is_the_whole_program(self):
        for arguments, code in [(["--version"], 0), (["nix.glb", "--screenshot", "x.png"], 1), (["--nope"], 2)]:
            done = subprocess.run([sys.executable, "-m", "sinew", *arguments], capture_output=True)
            self.assertEqual(done.returncode, code, done.stderr)

    @unittest.skipIf(os.name == "nt", "Windows has no such signal")
    def test_ctrl_c_ends_long_work(self):
        clip = sinew.load("builtin:character").clip("range-of-motion")
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        started = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                clip.skin("dqs", fps=60)
        self.assertLess(time.monotonic() - started, 5)

    def test_other_threads_run_meanwhile(self):
        clip = sinew.load("builtin:character").clip("range-of-motion")
        counted = 0
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            future = pool.submit(clip.skin, "cor", fps=60)
            while not future.done():
                counted += 1
                time.sleep(0.001)
            future.result()
        self.assertGreater(counted, 10)

    def test_models_are_not_pickled_by_accident(self):
        with self.assertRaises(TypeError):
            pickle.dumps(sinew.load("builtin:strip"))


if __name__ == "__main__":
    unittest.main()
