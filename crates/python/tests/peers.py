"""Other programs that `make peers` installs into .deps/peers and .deps/ray, where they can import the package that is tested."""

import os
import pathlib
import subprocess
import tempfile

import sinew
from sinew import _program

ROOT = pathlib.Path(__file__).resolve().parents[3]
PYTHON = pathlib.Path(os.environ.get("PEERS", ROOT / ".deps/peers")) / "python/bin/python"
RAY = ROOT / ".deps/ray/bin/python"
CORPUS = pathlib.Path(os.environ.get("SINEW_CORPUS", ROOT.parent / "shared/corpus")) / "models"


def lacks(module, python=PYTHON):
    """Returns true if that Python cannot import a module, and says so."""
    find = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    if python.exists() and subprocess.run([python, "-c", find]).returncode == 0:
        return False
    print(f"{module} is not there (make peers): its tests do not run")
    return True


def run(script, *arguments, folder=None, python=PYTHON):
    """Runs a script, and returns what it prints."""
    with tempfile.TemporaryDirectory() as site:
        os.symlink(os.path.dirname(sinew.__file__), os.path.join(site, "sinew"))
        env = {**os.environ, "PYTHONPATH": site, "SINEW_PROGRAM": _program.path(), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([python, script, *arguments], env=env, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{script} ended with {done.returncode}: {done.stderr[-3000:]}")
    return done.stdout
