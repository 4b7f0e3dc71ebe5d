"""Runs hostile.py in a process: no array and no object that a caller passes ends it. SINEW_HOSTILE=N makes it N calls."""

import os
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).parent / "hostile.py"


@unittest.skipIf(os.name == "nt", "Windows has no such limit of memory")
class Hostile(unittest.TestCase):
    def test_no_call_ends_the_process(self):
        count = int(os.environ.get("SINEW_HOSTILE", 600))
        command = [sys.executable, "-X", "faulthandler", SCRIPT, "1", str(count)]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.split()[-1:]), (0, [str(count - 1)]), done.stderr[-3000:])


if __name__ == "__main__":
    unittest.main()
