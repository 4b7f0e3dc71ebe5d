"""Runs `python -m sinew.corpus` on a Ray cluster of two nodes on this machine: ray_cluster.py MODELS OUT. Kills a worker in the
middle of its share, and in another run the driver. Prints the share, and the exit code and standard error of each run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# Models of a share that are done when its worker is killed; there are more.
DONE = 3


def workers():
    """Yields the shares of which so much is done, with the process of the worker."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
            flags = dict(word.split("=", 1) for word in words if word.startswith(("--shard=", "--output=")))
            if len(flags) == 2 and pathlib.Path(flags["--output"], "corpus.jsonl").read_text().count("\n") > DONE:
                yield flags["--shard"], int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # It has just ended.
            pass


def kill(running):
    """Kills the first worker that has done so much."""
    until = time.monotonic() + 120
    while running.poll() is None and time.monotonic() < until:
        for share, worker in workers():
            os.kill(worker, signal.SIGKILL)
            return share
    return None


def corpus(*words):
    command = [sys.executable, "-m", "sinew.corpus", "check", *words, f"--ray={cluster.address}", "--shards=3", "--pages=0"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def ended(running):
    said = running.communicate(timeout=120)[1]
    return running.returncode, said.splitlines()


with tempfile.TemporaryDirectory() as folder:
    os.environ.update(RAY_TMPDIR=folder, RAY_USAGE_STATS_ENABLED="0", TMPDIR=folder)
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        models, out = sys.argv[1:]
        running = corpus(models, "-o", out)
        runs = {"killed": kill(running), "first": ended(running)}
        runs["left"] = [path.name for path in pathlib.Path(folder).glob("sinew-*")]
        with corpus(models, "-o", f"{out}-2") as running:
            running.stderr.readline()
            running.kill()
        runs["continued"] = ended(corpus(models, "-o", f"{out}-2"))
        runs["again"] = ended(corpus(models, "-o", out, "--fail-on", "unreadable"))
        runs["full"] = ended(corpus(models, "-o", models))
        runs["nowhere"] = ended(corpus("nowhere", "-o", f"{out}-3"))
    finally:
        cluster.shutdown()
print(json.dumps(runs))
