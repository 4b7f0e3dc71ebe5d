"""Tests of long calls: Ctrl+C ends each, other threads run meanwhile, and progress is told."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import sinew

# The calls, each of which takes seconds.
CALLS = {
    "report": "model.report(frames=2000)",
    "compare": "sinew.compare(model, clips='all')",
    "clip.skin": "[model.clip(3).skin('cor', fps=60) for _ in range(99)]",
    "diagnose": "model.diagnose(np.random.default_rng(1).random((model.vertices, 3)))",
}
SCRIPT = """
import numpy as np, sinew, threading, time
model = sinew.load("builtin:character")
ticks = []
def tick():
    while True:
        ticks.append(None)
        time.sleep(0.01)
threading.Thread(target=tick, daemon=True).start()
print("ready", flush=True)
try:
    {call}
    print("ended by itself")
except KeyboardInterrupt:
    print(len(ticks))
"""


@unittest.skipIf(os.name == "nt", "Windows has no such signal")
class Long(unittest.TestCase):
    def test_ctrl_c_ends_each_and_other_threads_run(self):
        for name, call in CALLS.items():
            with self.subTest(name):
                command = [sys.executable, "-c", SCRIPT.format(call=call)]
                # Shells start background jobs with the signal ignored, and tests with them.
                signal.signal(signal.SIGINT, signal.default_int_handler)
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                process.stdout.readline()
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                started = time.monotonic()
                printed, faults = process.communicate(timeout=60)
                self.assertEqual((process.returncode, faults), (0, ""))
                self.assertGreater(int(printed), 10)
                self.assertLess(time.monotonic() - started, 10)

    def test_progress_is_told_until_it_is_done(self):
        model = sinew.load("builtin:twist")
        vertices = np.random.default_rng(1).random((model.vertices, 3))
        calls = {
            "report": lambda told: model.report(frames=40, progress=told),
            "compare": lambda told: sinew.compare("builtin:character", clips=["walk"], frames=70, progress=told),
            "clip.skin": lambda told: model.clip(0).skin(fps=30, progress=told),
            "diagnose": lambda told: model.diagnose(vertices, progress=told),
            "draw": lambda told: model.draw(size=(64, 64), progress=told),
        }
        for name, call in calls.items():
            with self.subTest(name):
                shares = []
                call(shares.append)
                self.assertEqual((shares[-1], shares), (1, sorted(shares)))
                # The others may be done before they tell a part.
                self.assertTrue(name not in ("compare", "clip.skin") or any(0 < share < 1 for share in shares), shares)

                def stop(_):
                    raise LookupError(threading.current_thread() is threading.main_thread())

                with self.assertRaisesRegex(LookupError, "True"):
                    call(stop)


if __name__ == "__main__":
    unittest.main()
