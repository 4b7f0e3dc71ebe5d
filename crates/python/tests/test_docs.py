"""Runs every script of the guide, each as a process of its own in a folder with character.glb."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sinew

DOCS = os.environ.get("SINEW_DOCS")


@unittest.skipIf(DOCS is None, "SINEW_DOCS does not name the folder of the guides")
class Guide(unittest.TestCase):
    def test_every_script_runs(self):
        text = (pathlib.Path(DOCS) / "python.md").read_text("utf-8")
        scripts = re.findall(r"^## (\d+\. .*?)$.*?^```python\n(.*?)^```", text, re.M | re.S)
        self.assertEqual(len(scripts), 10)
        with tempfile.TemporaryDirectory() as folder:
            sinew.load("builtin:character").save(os.path.join(folder, "character.glb"))
            for title, script in scripts:
                with self.subTest(title):
                    file = pathlib.Path(folder) / "script.py"
                    file.write_text(script)
                    done = subprocess.run([sys.executable, file], cwd=folder, capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
