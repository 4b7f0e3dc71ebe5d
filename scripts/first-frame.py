#!/usr/bin/env python3
"""How long it takes from the start of the program to the first pixel on a screen.

Opens windows one after the other on a virtual screen (Xvfb) and reads its frame buffer:

    scripts/first-frame.py target/release/sinew [RUNS]
"""
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SIZE = (960, 720)


def pixel(path):
    """The middle of the window: an X window dump has a header, colours of twelve bytes, then rows of pixels."""
    with open(path, "rb") as file:
        words = struct.unpack(">25I", file.read(100))
        file.seek(words[0] + words[19] * 12 + words[12] * (SIZE[1] // 2) + SIZE[0] // 2 * 4)
        return file.read(3)


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x900x24", "-fbdir", folder],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            display = ":" + server.stdout.readline().decode().strip()
            environment = dict(os.environ, DISPLAY=display, XDG_STATE_HOME=folder)
            environment.pop("WAYLAND_DISPLAY", None)
            screen = os.path.join(folder, "Xvfb_screen0")
            empty, times = pixel(screen), []
            # The first one fills the caches.
            for _ in range(runs + 1):
                start = time.perf_counter()
                window = subprocess.Popen([program, "--paused", "--size", "%dx%d" % SIZE], env=environment)
                while pixel(screen) == empty and time.perf_counter() - start < 10:
                    time.sleep(0.001)
                times.append(time.perf_counter() - start)
                window.terminate()
                window.wait()
                while pixel(screen) != empty:
                    time.sleep(0.001)
            times = sorted(times[1:])
            print("first frame: smallest %.3f s, median %.3f s, largest %.3f s of %d"
                  % (times[0], statistics.median(times), times[-1], runs))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
