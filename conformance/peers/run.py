"""Runs a program over a suite: run.py PROGRAM SUITE RESULTS [CASE…]. SUITE is what `sinew conformance --write` writes.
`run.py --list` prints the programs that are installed.

Each case and mode is a process, with a time limit and a memory limit; runners in JavaScript take all in one process. Its vertices land in RESULTS/NAME.MODE.npz or .json, else
the reason in NAME.MODE.refused or .crashed. about.json names the program and its version, which the program tells.
"""

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEPS = Path(os.environ.get("PEERS", HERE.parent.parent / ".deps/peers")).resolve()
PYTHON, PYTHON_312 = str(DEPS / "python/bin/python"), str(DEPS / "python312/bin/python")
SECONDS = 90
BYTES = 12 << 30


@dataclass
class Program:
    """A program: its name in tables, the processor that skins, its runner, how it tells its version, and what it imports."""

    name: str
    path: str
    runner: str
    command: list
    version: str
    modes: set = field(default_factory=lambda: {"lbs"})
    formats: tuple = (".glb", ".gltf")

    def is_installed(self):
        """Returns true if the program tells its version."""
        try:
            return (HERE / self.runner).exists() and bool(self.tell())
        except (OSError, subprocess.SubprocessError):
            return False

    def tell(self):
        """Asks the program for its version: an expression of Python, or an npm package."""
        if self.runner.endswith(".mjs"):
            return json.loads((DEPS / "node_modules" / self.version / "package.json").read_text())["version"]
        answer = subprocess.run([self.command[-1], "-c", self.version], capture_output=True, text=True, timeout=SECONDS, check=True)
        return answer.stdout.strip().splitlines()[-1]


def packaged(name):
    """Returns the Python that prints a package's version."""
    return f"from importlib.metadata import version as v; print({name})"


ALL = (".glb", ".gltf", ".fbx")
NODE = ["node", "--max-old-space-size=2048"]
XVFB = ["xvfb-run", "-a"]
PROGRAMS = {
    "blender": Program("Blender", "CPU", "blender.py", [PYTHON], "import bpy; print(bpy.app.version_string)", {"lbs", "dqs-blender"}, ALL),
    "usd": Program("OpenUSD", "CPU", "usd.py", [PYTHON], "from pxr import Usd; print('%d.%02d' % Usd.GetVersion()[1:])", {"lbs", "dqs"}),
    "panda": Program("Panda3D", "CPU", "panda.py", [PYTHON], packaged("f\"{v('panda3d')} (panda3d-gltf {v('panda3d-gltf')})\"")),
    "raylib": Program("raylib", "CPU", "raylib_cpu.py", [*XVFB, PYTHON], packaged("v('raylib')")),
    "vtk": Program("VTK", "CPU", "vtk_gltf.py", [PYTHON], "import vtk; print(vtk.vtkVersion().GetVTKVersion())"),
    "momentum": Program("momentum", "CPU", "momentum.py", [PYTHON_312], packaged("v('pymomentum-cpu')"), formats=ALL),
    "ogre": Program("Ogre", "CPU", "ogre.py", [PYTHON_312], packaged("v('ogre-python')"), formats=ALL),
    "ufbx": Program("ufbx", "CPU", "ufbx_eval.py", [PYTHON], packaged("v('ufbx')"), {"lbs", "dqs", "blend"}, (".fbx",)),
    "three-cpu": Program("three.js", "CPU", "three_cpu.mjs", NODE, "three"),
    "three-gpu": Program("three.js", "GPU", "three_gpu.mjs", NODE, "three"),
    "babylon-cpu": Program("Babylon.js", "CPU", "babylon_cpu.mjs", NODE, "@babylonjs/core"),
    "babylon-gpu": Program("Babylon.js", "GPU", "babylon_gpu.mjs", NODE, "@babylonjs/core"),
    "playcanvas": Program("PlayCanvas", "GPU", "playcanvas.mjs", NODE, "playcanvas"),
    "filament": Program("Filament", "GPU", "filament.mjs", NODE, "filament"),
    "cesium": Program("CesiumJS", "GPU", "cesium.mjs", NODE, "cesium"),
    "galacean": Program("Galacean", "GPU", "galacean.mjs", NODE, "@galacean/engine"),
    "khronos": Program("Khronos Sample Viewer", "GPU", "khronos.mjs", NODE, "@khronosgroup/gltf-viewer"),
    "rhodonite": Program("Rhodonite", "GPU", "rhodonite.mjs", NODE, "rhodonite"),
}


def limits():
    """Limits the memory of the process that is about to start."""
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def alone(program, words):
    """Runs one case in one mode as a process. Returns an outcome and its reason."""
    command = [*program.command, str(HERE / program.runner), *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limits, start_new_session=True)
    try:
        text = process.communicate(timeout=SECONDS)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "crashed", f"no answer in {SECONDS} s"
    code, last = process.returncode, next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    if last.startswith("xvfb-run: error: problem while cleaning up") and Path(words[1]).exists():
        code = 0
    if code in (0, 3, 4):
        return {0: "done", 3: "refused", 4: "omitted"}[code], last or "no reason given"
    number = -code if code < 0 else code - 128
    try:
        return "crashed", signal.Signals(number).name
    except ValueError:
        return "crashed", last or f"exit code {code}"


class Served:
    """A runner in JavaScript, which takes cases line by line, as a browser starts slowly. It starts anew after a crash."""

    process = None

    def __call__(self, program, words):
        """Runs one case in one mode. Returns an outcome and its reason."""
        if self.process is None:
            command = [*program.command, str(HERE / program.runner)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, **pipes, text=True, bufsize=1, preexec_fn=limits, start_new_session=True)
        try:
            self.process.stdin.write("\t".join(words) + "\n")
        except OSError:
            return self.end("the process has ended")
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            return self.end(f"no answer in {SECONDS} s")
        outcome, _, reason = self.process.stdout.readline().strip().partition(" ")
        if outcome == "crashed" or not outcome:
            return self.end(reason or "the process has ended")
        return outcome, reason or "no reason given"

    def end(self, reason="done"):
        """Ends the process with the browser that it started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None
        return "crashed", reason


def main():
    """Runs the program over all cases, or those whose names follow."""
    if sys.argv[1:] == ["--list"]:
        print(*(name for name, program in PROGRAMS.items() if program.is_installed()))
        return
    name, suite, results, *only = sys.argv[1:]
    program, suite, results = PROGRAMS[name], Path(suite).resolve(), Path(results).resolve()
    if not only:
        shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True, exist_ok=True)
    about = {"program": program.name, "version": program.tell(), "path": program.path}
    (results / "about.json").write_text(json.dumps(about) + "\n")
    manifest, counts = json.loads((suite / "manifest.json").read_text()), {}
    ending = "json" if program.runner.endswith(".mjs") else "npz"
    skin = Served() if ending == "json" else alone
    # The runners in JavaScript tell themselves what their program imports.
    cases = [case for case in manifest["cases"] if ending == "json" or case["file"].endswith(program.formats)]
    for case in cases:
        for mode in sorted(set(case["modes"]) & set(program.modes)) if not only or case["name"] in only else []:
            base = results / f"{case['name']}.{mode}"
            for old in (ending, "refused", "crashed"):
                Path(f"{base}.{old}").unlink(missing_ok=True)
            moments = ["-" if case["clip"] is None else str(case["clip"]), *map(str, case["times"])]
            outcome, reason = skin(program, [str(suite / "rigs" / case["file"]), f"{base}.{ending}", mode, *moments])
            if outcome != "done":
                Path(f"{base}.{ending}").unlink(missing_ok=True)
            if outcome in ("refused", "crashed"):
                Path(f"{base}.{outcome}").write_text(reason + "\n")
            counts[outcome] = counts.get(outcome, 0) + 1
    if skin is not alone:
        skin.end()
    print(f"{program.name} {about['version']}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
