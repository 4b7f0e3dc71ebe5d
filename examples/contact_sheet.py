#!/usr/bin/env python3
"""Makes a page of every mode at eight times of a clip: contact_sheet.py fox.glb out/"""

import json
import pathlib
import subprocess
import sys

MODES = ["rigid", "lbs", "dqs", "blend", "cor", "dqs-blender", "dqs-rigid", "ddm"]
TIMES = 8

model, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
sinew = subprocess.Popen(["sinew", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(command, value):
    sinew.stdin.write(json.dumps({command: value}) + "\n")
    sinew.stdin.flush()
    answer = json.loads(sinew.stdout.readline())
    return answer["ok"] if "ok" in answer else sys.exit(answer["error"])


clips = ask("load", model)["clips"]
seconds = clips[0]["seconds"] if clips else 0
ask("set", {"size": "240x240", "overlay": ["skeleton"]})
rows = ""
for mode in MODES:
    rows += f"<tr><th>{mode}</th>"
    for number in range(TIMES if clips else 1):
        ask("set", {"mode": mode, "time": seconds * number / TIMES} if clips else {"mode": mode})
        name = f"{mode}-{number}.png"
        ask("screenshot", str(folder / name))
        rows += f'<td><img src="{name}" alt="{name}"></td>'
    rows += "</tr>\n"
(folder / "index.html").write_text(f"<!DOCTYPE html><title>{model}</title><table>\n{rows}</table>\n")
