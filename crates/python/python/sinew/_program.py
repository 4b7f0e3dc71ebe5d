"""The program `sinew` of the package, as a separate process, so that a failing driver cannot end Python."""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
from typing import Any, Callable, Optional, Sequence, Union

import numpy

from . import _answers, _errors, _sinew

KINDS = {
    kind.exit_code: kind
    for kind in (
        _errors.InputError,
        _errors.UsageError,
        _errors.NoVulkan,
        _errors.DeviceError,
        _errors.OutputError,
        _errors.CheckFailed,
    )
}

# A model that was loaded, or its path.
Subject = Union[str, "os.PathLike[str]", _sinew.Model]


def path():
    """Returns the path of the program that this package was installed with."""
    given = os.environ.get("SINEW_PROGRAM")
    if given:
        return given
    try:
        files = importlib.metadata.files("sinew") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("sinew", "sinew.exe") and file.parent.name in ("bin", "Scripts"):
            return str(file.locate())
    raise _errors.UsageError("this installation has no program; SINEW_PROGRAM can name one")


def main():
    """Becomes the program."""
    program = path()
    arguments = [program, *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(arguments))
    os.execv(program, arguments)


def run(arguments, names=None, progress=None, accept=(0,)):
    """Runs the program; returns its exit code and what it prints. `names` has the names of files, for errors."""
    env = os.environ if progress is None else {**os.environ, "SINEW_PROGRESS": "1"}
    lines, cause = [], None
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [path(), *arguments], stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.PIPE, env=env
        )
        try:
            for line in process.stderr:
                line = line.decode("utf-8", "replace").strip()
                if progress is not None and line.startswith("progress: "):
                    progress(float(line[10:]))
                else:
                    lines.append(line)
        except BaseException:  # The caller's function raised, or Ctrl+C was pressed.
            process.terminate()
            raise
        finally:
            process.stderr.close()
            process.wait()
        if process.returncode in accept:
            if progress is not None:
                progress(1.0)
            printed.seek(0)
            return process.returncode, printed.read()
    for line in lines:
        if line.startswith("error: "):
            cause = line[7:]
    kind = KINDS.get(process.returncode, _errors.Error)
    if cause is None:
        raise kind(f"the program ended with {process.returncode}: {' '.join(lines)[-500:]}")
    for given, name in (names or {}).items():
        if cause.startswith(f"{given}: "):
            raise kind(cause[len(given) + 2 :], name)
    raise kind(cause)


def words(flags):
    """Returns keywords as flags: fail_above="5mm" is --fail-above=5mm; True is a switch; a list repeats the flag."""
    for key, value in flags.items():
        flag = "--" + key.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield flag
        elif key == "size" and isinstance(value, (tuple, list)):
            yield f"{flag}={'x'.join(str(side) for side in value)}"
        elif isinstance(value, (tuple, list)):
            yield from (f"{flag}={one}" for one in value)
        else:
            yield f"{flag}={os.fspath(value) if hasattr(value, '__fspath__') else value}"


class Files:
    """Names models and poses for the program; those without a path are written to a folder for the time of a run."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sinew-")
        self.names = {}
        self.flags = None
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def new(self, name):
        return os.path.join(self.folder.name, name)

    def model(self, model, name="model"):
        if isinstance(model, (str, os.PathLike)):
            shown = os.fsdecode(model)
            file = shown if shown.startswith("builtin:") else os.path.abspath(shown)
        elif not isinstance(model, _sinew.Model):
            raise _errors.UsageError("a model is a path, or what load() returns")
        else:
            file, shown = model._path and os.fspath(model._path), model.name
            if file is None:
                file = self.new(name)
                with open(file, "wb") as out:
                    out.write(model._bytes)
        self.names[file] = shown
        # The program reads the model as it was loaded here.
        flags = getattr(model, "_flags", [])
        if self.flags not in (None, flags):
            raise _errors.UsageError("the models were loaded with different scene or fps")
        self.flags = flags
        return file

    def posed(self, flags):
        """Returns flags in which a pose is a file."""
        pose = flags.get("pose")
        if not hasattr(pose, "to_json"):
            return flags
        if pose.kind in ("bind", "rest"):
            return {**flags, "pose": pose.kind}
        file = self.new("pose.json")
        with open(file, "w", encoding="utf-8") as out:
            out.write(pose.to_json())
        return {**flags, "pose": file}


class Picture(numpy.ndarray):
    """A picture: (height, width, 4) of uint8. A notebook shows it."""

    png: Optional[bytes] = None

    def __array_finalize__(self, other: Any) -> None:
        # What is made of a picture is another picture.
        self.png = None

    def _repr_png_(self) -> Optional[bytes]:
        return self.png


def draw(model, progress=None, **flags):
    """Draws a picture by the program."""
    with Files() as files:
        file = files.new("picture.png")
        command = [files.model(model), *files.flags, "--no-config", *words(files.posed(flags)), "--screenshot", file]
        run(command, files.names, progress)
        picture = _sinew.pixels(file).view(Picture)
        with open(file, "rb") as png:
            picture.png = png.read()
        return picture


def report(model, output=None, progress=None, **flags):
    """Runs `sinew report`, and returns what its report.json holds."""
    if "clips" in flags and not isinstance(flags["clips"], str):
        flags["clips"] = ",".join(flags["clips"])
    with Files() as files:
        folder = files.new("report") if output is None else os.path.abspath(output)
        pictures = {"no_pictures": True} if output is None else {}
        command = ["report", files.model(model), *files.flags, "--no-config", *words({**pictures, **flags}), "-o", folder]
        code, _ = run(command, files.names, progress, accept=(0, 6))
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as text:
            return checked(code, _answers.parse(text.read()), "the report has findings that fail")


def bake(model, path, progress=None, **flags):
    """Runs `sinew bake`."""
    with Files() as files:
        given = [files.model(model), *files.flags, "--no-config", *words(files.posed(flags))]
        command = ["bake", *given, "-o", os.path.abspath(path)]
        run(command, files.names, progress)


def compare(
    old: Subject,
    new: Optional[Subject] = None,
    *,
    clips: Union[None, str, Sequence[str]] = None,
    progress: Optional[Callable[[float], object]] = None,
    **flags: Any,
) -> _answers.Answer:
    """Measures the distance between modes of a model, or between two models, as `sinew compare --json` does.

    Models are paths or loaded models; `clips` is "all" or one or more clips. With a gate such as fail_above="5mm",
    CheckFailed is raised, whose `result` is the answer.
    """
    chosen = {"all_clips": True} if clips == "all" else {"clip": clips}
    with Files() as files:
        models = [files.model(old, "old")] + ([] if new is None else [files.model(new, "new")])
        command = ["compare", *models, *files.flags, "--no-config", "--json", *words({**chosen, **files.posed(flags)})]
        code, printed = run(command, files.names, progress, accept=(0, 6))
    return checked(code, _answers.parse(printed), "the models differ by more than is allowed")


def fit(
    model: Subject,
    path: Union[str, "os.PathLike[str]"],
    *,
    cache: Union[None, str, "os.PathLike[str]"] = None,
    progress: Optional[Callable[[float], object]] = None,
    **flags: Any,
) -> _answers.Answer:
    """Adds joints so that linear blending follows a mode, or the frames of a point cache, and writes the model to `path`.

    Keywords are the flags of `sinew fit`: mode="dqs", helpers=8 or within="1mm", clip="Run", joints=20. The answer has the
    distances before and after.
    """
    frames = [] if cache is None else [f"--from={os.path.abspath(cache)}"]
    with Files() as files:
        command = ["fit", files.model(model), *files.flags, "--no-config", *frames, *words(flags), "--json"]
        _, printed = run([*command, "-o", os.path.abspath(path)], files.names, progress)
    return _answers.parse(printed)


def checked(code, answer, cause):
    """Returns an answer, or raises if a check said no."""
    if code == 6:
        failed = _errors.CheckFailed(cause)
        failed.result = answer
        raise failed
    return answer
