"""`python -m sinew.corpus`: `sinew corpus`, with its shares on the workers of a Ray cluster.

    python -m sinew.corpus check models -o checked --ray

The output folder's ledger is the only state. A worker gets a copy, runs one share in a temporary folder, and returns the share's
results. So workers need no common folder but that of the models, and a run that was stopped continues.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from typing import Optional, Sequence

from . import _errors, _program

# The name of a ledger in its folder, and its first bytes.
NAME = "corpus.jsonl"
START = b'{"program":"sinew '

# Shares for each process that runs at once.
SHARES = 4

# Maximum number of times that a share runs again after its worker is lost.
RETRIES = 10

USAGE = "%(prog)s check|compare INPUT... -o DIR --ray[=ADDRESS] [--shards N] [--jobs N] [FLAG...]"
ABOUT = """Runs the shares of 'sinew corpus' as tasks of Ray, and merges them. All other flags are those of 'sinew corpus'. Without
--ray, the program runs as usual."""


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command line; returns the exit code of the program."""
    words = list(sys.argv[1:] if argv is None else argv)
    # A value follows only after =, so that `--ray models` has an input.
    given, rest = parser().parse_known_args(["--ray=" if word == "--ray" else word for word in words])
    try:
        if given.ray is None:
            return subprocess.call([_program.path(), "corpus", *words])
        return distribute(given, rest)
    except _errors.Error as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code


def parser():
    own = argparse.ArgumentParser(prog="python -m sinew.corpus", usage=USAGE, description=ABOUT, allow_abbrev=False)
    own.add_argument("--ray", metavar="ADDRESS", help="the cluster, as ray.init() takes it [default: a running or a new one]")
    own.add_argument("--shards", type=int, metavar="N", help=f"number of shares [default: {SHARES} per process at once]")
    own.add_argument("--jobs", type=int, default=1, metavar="N", help="CPUs and simultaneous processes per task [default: 1]")
    own.add_argument("-o", "--output", metavar="DIR", help="folder for the ledger and the tables, on this machine")
    for flag in ("--pages", "--junit", "--markdown"):
        own.add_argument(flag, help=argparse.SUPPRESS)
    own.add_argument("--fail-on", action="append", default=[], help=argparse.SUPPRESS)
    return own


def distribute(given, rest):
    """Runs the shares on a cluster, and merges them."""
    if rest[:1] not in (["check"], ["compare"]):
        raise _errors.UsageError("--ray is for check and compare")
    if given.output is None:
        raise _errors.UsageError("--ray needs --output")
    if given.jobs < 1 or (given.shards is not None and given.shards < 1):
        raise _errors.UsageError("--jobs and --shards must be at least 1")
    try:
        import ray
    except ImportError:
        raise _errors.UsageError("Ray is not installed; install it with: pip install ray") from None
    seed = opened(given.output, rest)
    text = sys.stdin.buffer.read() if "-" in rest else b""
    is_new = not ray.is_initialized()
    if is_new:
        try:
            ray.init(address=given.ray or None, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _errors.UsageError(f"--ray: {str(error).strip().splitlines()[0]}") from None
    try:
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            folders, inputs = gather(ray, given, (rest, os.getcwd(), text), seed, folder)
            merge = [f"--fail-on={kinds}" for kinds in given.fail_on]
            merge += [] if given.pages is None else [f"--pages={given.pages}"]
            for flag, report in (("--junit", given.junit), ("--markdown", given.markdown)):
                if report is not None:
                    keep(report, inputs)
                    merge.append(f"{flag}={report}")
            return subprocess.call([_program.path(), "corpus", "merge", *folders, f"--output={given.output}", *merge])
    finally:
        if is_new:
            ray.shutdown()


def opened(folder, words):
    """Returns the ledger of an output folder; makes the folder if it does not exist."""
    file = os.path.join(folder, NAME)
    try:
        os.makedirs(folder, exist_ok=True)
        seed, names = read(file) if os.path.exists(file) else b"", os.listdir(folder)
    except OSError as error:
        raise _errors.OutputError(error.strerror, folder) from None
    if b"\n" not in seed and (seed.startswith(START) or names == [NAME] and START.startswith(seed)):
        # A run was killed in its first line.
        with open(file, "wb"):
            return b""
    if names and not seed.startswith(START):
        raise _errors.OutputError(f"the folder has files, but no {NAME} of sinew; choose an empty folder", folder)
    whole = os.path.realpath(folder)
    for word in words:
        if os.path.exists(word) and os.path.realpath(word).startswith(os.path.join(whole, "")):
            raise _errors.UsageError(f"{word}: it is in {folder}, which this run fills")
    return seed


def gather(ray, given, work, seed, folder):
    """Runs all shares, and keeps their ledgers: in a folder for the merge, and in the output's for the next run.

    Returns the shares' folders, and the files that were read.
    """
    cpus = ray.cluster_resources().get("CPU", 1)
    count = given.shards or max(1, round(SHARES * cpus / given.jobs))
    task = ray.remote(share).options(num_cpus=given.jobs, max_retries=RETRIES)
    common, token = ray.put((*work, given.jobs, seed)), uuid.uuid4().hex
    shards = {task.remote(common, token, number, count): number for number in range(1, count + 1)}
    known, start = set(seed.split(b"\n")), time.monotonic()
    folders, inputs, first, left = [], set(), None, list(shards)
    while left:
        (ended,), left = ray.wait(left)
        number = shards[ended]
        try:
            header, lines, ran = ray.get(ended)
        except ray.exceptions.RayTaskError as error:
            raise failure(error.cause, number, count) from None
        except ray.exceptions.RayError as error:
            raise failure(error, number, count) from None
        first = first or header
        if header != first:
            raise _errors.Error(f"share {number}/{count}: its worker has another sinew: {header.decode()}, not {first.decode()}")
        # The header, unless the ledger has it, and what is new.
        new = [line for line in (header, *lines) if line not in known]
        known.update(new)
        append(os.path.join(given.output, NAME), new)
        folders.append(os.path.join(folder, f"{number}-of-{count}"))
        os.mkdir(folders[-1])
        append(os.path.join(folders[-1], NAME), [header, *lines])
        for line in lines:
            inputs.update(json.loads(line)["inputs"])
        done = f"{count - len(left)} of {count} shares after {time.monotonic() - start:.1f} s"
        print(f"share {number}/{count}: {len(lines)} done, {ran} of them now; {done}", file=sys.stderr, flush=True)
    return folders, inputs


def failure(error, number, count):
    """Returns the failure of a share as an error of one line."""
    if isinstance(error, _errors.Error):
        return error
    lines = [line for line in str(error).splitlines() if line.strip()]
    return _errors.Error(f"share {number}/{count}: {type(error).__name__}: {lines[-1] if lines else ''}")


def share(common, token, number, count):
    """Runs a share, on a worker. Returns the ledger's header, the line of each asset, and the number of assets that were run.

    If the worker is lost and the share is run again on the same machine, it continues in the same folder.
    """
    folder = os.path.join(tempfile.gettempdir(), f"sinew-{token}-{number}")
    try:
        return checked(folder, f"{number}/{count}", *common)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def checked(folder, shard, words, place, text, jobs, seed):
    file = os.path.join(folder, NAME)
    if not (os.path.exists(file) and read(file).startswith(START)):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder, mode=0o700)
        if seed:
            append(file, [seed])
    before = set(read(file).split(b"\n")) if os.path.exists(file) else set()
    # The merge draws the pages.
    own = [f"--shard={shard}", f"--jobs={jobs}", f"--output={folder}", "--pages=0"]
    done = subprocess.run(
        [_program.path(), "corpus", words[0], *own, *words[1:]],
        cwd=place if os.path.isdir(place) else None,
        env={**os.environ, "RAYON_NUM_THREADS": str(jobs)},
        input=text,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if done.returncode not in (0, 6):
        cause = done.stderr.decode("utf-8", "replace").strip().rpartition("error: ")[2]
        raise _program.KINDS.get(done.returncode, _errors.Error)(cause or f"the program ended with {done.returncode}")
    with open(os.path.join(folder, "assets.csv"), encoding="utf-8", newline="") as table:
        names = [row[0] for row in csv.reader(table)][1:]
    header, last = parsed(read(file))
    # The table guards names that a spreadsheet would compute.
    lines = [last[name] if name in last else last[name[1:]] for name in names]
    return header, lines, sum(line not in before for line in lines)


def parsed(ledger):
    """Returns the last header of a ledger, and the last line of each asset."""
    header, last = b"", {}
    for line in ledger.split(b"\n"):
        try:
            value = json.loads(line)
        except ValueError:  # A part of a line, which a killed run left.
            continue
        if "asset" in value:
            last[value["asset"]] = line
        elif "program" in value:
            header = line
    return header, last


def read(file):
    with open(file, "rb") as ledger:
        return ledger.read()


def append(file, lines):
    """Appends lines to a ledger, in one call, after the end of a part of a line."""
    with open(file, "ab+") as ledger:
        if ledger.tell() > 0:
            ledger.seek(-1, os.SEEK_END)
            lines = lines if ledger.read(1) == b"\n" else [b"", *lines]
        ledger.write(b"".join(line + b"\n" for line in lines))


def keep(report, inputs):
    """Refuses a report that would take the place of a file that was read."""
    if os.path.exists(report):
        for file in inputs:
            if os.path.exists(file) and os.path.samefile(report, file):
                raise _errors.UsageError(f"{report}: the output would overwrite {file}")


if __name__ == "__main__":
    sys.exit(main())
