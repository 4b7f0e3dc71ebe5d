"""Tests next to other programs: OpenUSD skins what the package gives, and Blender runs the guide's script."""

import json
import pathlib
import tempfile
import unittest

import peers
import sinew
from test_docs import scripts

FOLDER = pathlib.Path(__file__).parent


@unittest.skipIf(peers.lacks("pxr"), "make peers")
class OpenUsd(unittest.TestCase):
    # Each rounds to f32 on its way. Where joints move far, as in CesiumMan and RiggedFigure, OpenUSD's dqs alone is 2e-7 and
    # 5e-7 from f64.
    def test_skinned_vertices_are_those_of_openusd(self):
        for model, clip in [("builtin:character", "walk"), ("Fox/Fox.glb", "Run"), ("RiggedSimple/RiggedSimple.glb", "")]:
            with self.subTest(model):
                if not model.startswith("builtin:"):
                    model = peers.CORPUS / model
                    if not model.exists():
                        self.skipTest(f"{model} is not there")
                far = json.loads(peers.run(FOLDER / "usd.py", model, clip))
                print(f"{model}: " + ", ".join(f"{mode} {share:.1e} of the size" for mode, share in far.items()))
                self.assertLess(max(far.values()), 3e-7)


@unittest.skipIf(peers.lacks("bpy"), "make peers")
class Blender(unittest.TestCase):
    def test_the_script_of_the_guide_selects_stray_vertices(self):
        (script,) = [script for script in scripts() if "import bpy" in script]
        with tempfile.TemporaryDirectory() as folder:
            file, model = pathlib.Path(folder, "strays.py"), pathlib.Path(folder, "character.glb")
            file.write_text(script)
            sinew.load("builtin:character").save(model)
            found = json.loads(peers.run(FOLDER / "blender.py", model, file, folder=folder).splitlines()[-1])
        self.assertTrue(found["is_renumbered"])
        self.assertEqual(found["selected"], found["planted"])
        self.assertEqual(found["groups"]["sinew far foot.L"], found["planted"])
        self.assertLess(found["distance"], 1e-6)


if __name__ == "__main__":
    unittest.main()
