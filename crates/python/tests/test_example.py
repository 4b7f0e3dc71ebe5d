"""Runs the lines that introduce the package, with a clip of the built-in character and with Fox.glb where it is."""

import os
import pathlib
import tempfile
import unittest

import numpy as np
import peers
import sinew


def example(path, run, test):
    """Checks each line with a model that has this clip."""
    fox = sinew.load(path)
    test.assertIn(run, [clip.name for clip in fox.clips])
    test.assertTrue(fox.joints[0] and isinstance(fox.meshes, list) and isinstance(fox.warnings, list))
    pose = fox.pose(run, time=0.35)
    for other in [fox.pose(run, frame=8), fox.pose("rest"), fox.pose("bind"), fox.pose(run, blends={run: 0.5})]:
        test.assertEqual(other.palette().shape, pose.palette().shape)
    with open("pose.json", "w") as file:
        file.write(pose.to_json())
    np.testing.assert_array_equal(fox.pose(over="pose.json").palette(), pose.palette())
    skin = pose.skin("dqs")
    positions = skin.merged().positions
    test.assertEqual((positions.dtype, positions.shape), (np.float32, (fox.vertices, 3)))
    test.assertTrue(len(skin.positions) > 1 or np.shares_memory(positions, skin.positions[0]))
    test.assertFalse(positions.flags.writeable)
    palette = pose.palette("lbs")
    test.assertEqual((palette.dtype, palette.shape), (np.float64, (len(fox.joints[0]), 4, 4)))
    bind, (joints, weights) = fox.pose("bind").skin().positions[0], fox.influences[0]
    by_arrays = sinew.skin(bind, joints, weights, palette, mode="dqs")
    np.testing.assert_array_equal(by_arrays.positions, skin.positions[0])
    centered = sinew.skin(bind, joints, weights, palette, mode="cor", centers=bind)
    test.assertEqual(centered.positions.shape, bind.shape)
    frames = fox.clip(run).skin("lbs", fps=30)
    test.assertEqual(frames.shape, (len(fox.clip(run).times(30)), fox.vertices, 3))
    test.assertEqual(sinew.compare(path, path, clips="all").clips[0].frames[0].modes[0].max_m, 0)
    test.assertIn("clips", fox.report(clips=[run], frames=2))
    test.assertIsInstance(fox.weights().findings, list)
    test.assertTrue(fox.explain(331, run, 0.87).vertex.endswith(":331"))
    test.assertEqual(fox.diagnose(positions, pose=pose).verdict.mode, "dqs")
    picture = fox.draw(mode="dqs", clip=run, time=0.35, size=(640, 480))
    test.assertEqual((picture.shape, picture.dtype), ((480, 640, 4), np.uint8))
    test.assertTrue(picture._repr_png_().startswith(b"\x89PNG"))
    fox.save("out.glb")
    test.assertEqual(sinew.load("out.glb").vertices, fox.vertices)
    fox.bake("baked.glb", mode="dqs", clip=run, fps=5)
    test.assertEqual(sinew.load("baked.glb").vertices, fox.vertices)


class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_every_line_works_on_the_character(self):
        sinew.load("builtin:character").save("fox.glb")
        example("fox.glb", "walk", self)

    @unittest.skipUnless((peers.CORPUS / "Fox/Fox.glb").exists(), "SINEW_CORPUS has no Fox.glb")
    def test_every_line_works_on_the_fox(self):
        pathlib.Path("fox.glb").write_bytes((peers.CORPUS / "Fox/Fox.glb").read_bytes())
        example("fox.glb", "Run", self)


if __name__ == "__main__":
    unittest.main()
