"""Runs every script of the guide, each as a process of its own in a folder with character.glb."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sinew

DOCS = pathlib.Path(os.environ.get("SINEW_DOCS", pathlib.Path(__file__).resolve().parents[3] / "docs/guides"))


def scripts():
    """Returns the script of each task, or the cells of the notebook that it names."""
    tasks = re.split(r"^## ", (DOCS / "python.md").read_text("utf-8"), flags=re.M)
    for task in tasks:
        if not re.match(r"\d+\. ", task):
            continue
        script = re.search(r"^```python\n(.*?)^```", task, re.M | re.S)
        yield script[1] if script else cells(re.search(r"\((\w+\.ipynb)\)", task)[1])


def cells(notebook):
    """Returns the code of a notebook."""
    document = json.loads((DOCS / notebook).read_text("utf-8"))
    return "\n".join("".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code")


class Guide(unittest.TestCase):
    def test_every_script_runs(self):
        all_scripts = list(scripts())
        self.assertEqual(len(all_scripts), 10)
        with tempfile.TemporaryDirectory() as folder:
            sinew.load("builtin:character").save(os.path.join(folder, "character.glb"))
            # Blender runs its script in test_peers.py. Plots need no window.
            for script in [script for script in all_scripts if "import bpy" not in script]:
                with self.subTest(script[:200]):
                    file = pathlib.Path(folder) / "script.py"
                    file.write_text(script)
                    env = {**os.environ, "MPLBACKEND": "Agg"}
                    done = subprocess.run([sys.executable, file], cwd=folder, env=env, capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
