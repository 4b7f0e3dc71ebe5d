"""Tests of `python -m sinew.corpus`: a cluster that loses a worker ends in the tables of one machine."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import peers
from sinew import _errors, _program, corpus

FOLDER = pathlib.Path(__file__).parent
TABLES = ["assets.csv", "clips.csv", "triage.json", "index.html"]


def program(*words):
    """Runs a command; returns its exit code and what it says."""
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stderr


class Corpus(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.models, self.whole, self.out = (pathlib.Path(self.folder.name, name) for name in ("models", "whole", "out"))
        shutil.copytree(peers.ROOT / "conformance/rigs", self.models)
        (self.models / "broken.glb").write_text("no model")
        self.files = list(self.models.glob("*.*"))

    def same(self):
        """Returns the tables that are as the program alone writes them."""
        self.assertEqual(program(_program.path(), "corpus", "check", self.models, "-o", self.whole, "--pages=0"), (0, ""))
        return [table for table in TABLES if (self.out / table).read_bytes() == (self.whole / table).read_bytes()]

    def shares(self, run):
        """Returns how many models of each share are done, and how many were done in this run."""
        code, said = run
        self.assertEqual(code, 0, said)
        found = re.findall(r"share (\S+): (\d+) done, (\d+) of them now", "\n".join(said))
        shares = {share: (int(done), int(now)) for share, done, now in found}
        self.assertEqual((len(shares), sum(done for done, _ in shares.values())), (3, len(self.files)), said)
        return shares

    @unittest.skipIf(peers.lacks("ray", peers.RAY), "make peers")
    @unittest.skipIf(not os.path.exists("/proc/self/stat"), "finds workers in /proc")
    def test_a_run_that_loses_a_worker_ends_in_the_same_tables(self):
        runs = json.loads(peers.run(FOLDER / "ray_cluster.py", self.models, self.out, folder=self.folder.name, python=peers.RAY))
        shares = self.shares(runs["first"])
        print(f"Ray: share {runs['killed']} lost its worker; done, and done by its last one: {shares}")
        self.assertEqual(runs["left"], [])
        # That share was not run from its start again.
        done, now = shares[runs["killed"]]
        self.assertLess(0, now)
        self.assertLess(now, done)
        self.assertEqual(self.same(), TABLES)

        # A driver that was killed continues, and so does the program, from the same ledger.
        self.assertLess(sum(now for _, now in self.shares(runs["continued"]).values()), len(self.files))
        again = [_program.path(), "corpus", "check", self.models, "-o", self.out, "--pages=0"]
        self.assertIn(", 0 run now", subprocess.run(again, capture_output=True, text=True).stdout)
        self.assertEqual(runs["again"][0], 6)
        self.assertEqual(sum(", 0 of them now" in line for line in runs["again"][1]), 3)
        self.out = self.out.with_name("out-2")
        self.assertEqual(self.same(), TABLES)
        self.assertEqual(runs["nowhere"][0], 1)
        self.assertEqual(runs["nowhere"][1][-1], "error: nowhere: no such file or folder")
        self.assertEqual(runs["full"][0], 5)
        self.assertIn("choose an empty folder", runs["full"][1][-1])

    def test_a_run_that_was_killed_in_its_first_line_begins_again(self):
        self.out.mkdir()
        ledger, other = self.out / "corpus.jsonl", self.out / "index.html"
        for torn, has_other in [("", False), ('{"pro', False), ('{"program":"sinew ', True), ('{"program":"sinew 0.1.0","cor', True)]:
            ledger.write_text(torn)
            if has_other:
                other.touch()
            self.assertEqual(corpus.opened(str(self.out), []), b"", torn)
            self.assertEqual(ledger.read_bytes(), b"", torn)
        for text in ('{"pro', "mine"):
            ledger.write_text(text)
            with self.assertRaises(_errors.OutputError):
                corpus.opened(str(self.out), [])
            self.assertEqual(ledger.read_text(), text)

    def test_without_ray_it_is_the_program(self):
        command = [sys.executable, "-m", "sinew.corpus", "check", self.models, "-o", self.out, "--pages=0"]
        self.assertEqual(program(*command, "--fail-on", "unreadable")[0], 6)
        self.assertEqual(self.same(), TABLES)
        for words, code, says in [
            ([*command, "--level", "nope"], 2, "nope"),
            ([*command[:3], "merge", self.out, "-o", self.whole, "--ray"], 2, "--ray is for check and compare"),
            ([*command[:5], "--ray"], 2, "--ray needs --output"),
        ]:
            found, said = program(*words)
            self.assertEqual(found, code, said)
            self.assertIn(says, said)
        if importlib.util.find_spec("ray") is None:
            self.assertEqual(program(*command, "--ray"), (2, "error: Ray is not installed; install it with: pip install ray\n"))


if __name__ == "__main__":
    unittest.main()
