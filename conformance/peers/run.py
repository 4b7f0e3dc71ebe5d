"""Runs a program over a suite: run.py PROGRAM SUITE RESULTS [CASE…]. SUITE is what `sinew conformance --write` writes.
`run.py --list` prints the programs that are installed.

Each case and mode is a process, with a time limit and a memory limit. Its vertices land in RESULTS/NAME.MODE.npz or .json, else
the reason in NAME.MODE.refused or .crashed. about.json names the program and its version, which the program tells.
"""

import json
import os
import resource
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
    """A program: its name in tables, the processor that skins, its runner, and how it tells its version."""

    name: str
    path: str
    runner: str
    command: list
    version: str
    modes: dict = field(default_factory=lambda: {"lbs"})

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


NODE = ["node", "--max-old-space-size=2048"]
XVFB = ["xvfb-run", "-a"]
PROGRAMS = {
    "blender": Program("Blender", "CPU", "blender.py", [PYTHON], "import bpy; print(bpy.app.version_string)", {"lbs", "dqs-blender"}),
    "usd": Program("OpenUSD", "CPU", "usd.py", [PYTHON], "from pxr import Usd; print('%d.%02d' % Usd.GetVersion()[1:])", {"lbs", "dqs"}),
    "panda": Program("Panda3D", "CPU", "panda.py", [PYTHON], packaged("f\"{v('panda3d')} (panda3d-gltf {v('panda3d-gltf')})\"")),
    "raylib": Program("raylib", "CPU", "raylib_cpu.py", [*XVFB, PYTHON], packaged("v('raylib')")),
    "vtk": Program("VTK", "CPU", "vtk_gltf.py", [PYTHON], "import vtk; print(vtk.vtkVersion().GetVTKVersion())"),
    "momentum": Program("momentum", "CPU", "momentum.py", [PYTHON_312], packaged("v('pymomentum-cpu')")),
    "ogre": Program("Ogre", "CPU", "ogre.py", [PYTHON_312], packaged("v('ogre-python')")),
    "ufbx": Program("ufbx", "CPU", "ufbx_eval.py", [PYTHON], packaged("v('ufbx')"), {"lbs", "dqs", "blend"}),
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


def skin(program, rig, out, mode, case):
    """Runs one case and mode. Returns None, or the ending of a text and its reason, or that the runner omits the case."""
    words = ["-" if case["clip"] is None else str(case["clip"]), *map(str, case["times"])]
    command = [*program.command, str(HERE / program.runner), str(rig), str(out), mode, *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limits, start_new_session=True)
    try:
        text = process.communicate(timeout=SECONDS)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "crashed", f"no answer in {SECONDS} s"
    code, last = process.returncode, next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    if code == 0 and out.exists():
        return None
    if code == 4:
        return "omitted", last
    if code == 3:
        return "refused", last or "no reason given"
    number = -code if code < 0 else code - 128
    try:
        return "crashed", signal.Signals(number).name
    except ValueError:
        return "crashed", last.removeprefix("crashed ") or f"exit code {code}"


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
    for case in manifest["cases"]:
        for mode in sorted(set(case["modes"]) & set(program.modes)) if not only or case["name"] in only else []:
            base = results / f"{case['name']}.{mode}"
            for ending in ("npz", "json", "refused", "crashed"):
                Path(f"{base}.{ending}").unlink(missing_ok=True)
            out = Path(f"{base}.{'json' if program.runner.endswith('.mjs') else 'npz'}")
            failure = skin(program, suite / "rigs" / case["file"], out, mode, case)
            if failure:
                out.unlink(missing_ok=True)
            if failure and failure[0] != "omitted":
                Path(f"{base}.{failure[0]}").write_text(failure[1] + "\n")
            kind = failure[0] if failure else "skinned"
            counts[kind] = counts.get(kind, 0) + 1
    print(f"{program.name} {about['version']}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
