"""Writes docs/reference/conformance.md and table.json: table.py SINEW RESULTS…, each folder named as its program in run.py.

`table.py --hash` prints the hash of what the table was made of.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE, DATA = ROOT / "docs/reference/conformance.md", HERE / "table.json"
SHORT = re.compile(r"[a-z0-9,.-]+")
CLASSES = ("required", "recommended", "informative")


def inputs():
    """Returns the manifest, the rigs, the runners and the pinned versions."""
    runners = [path for path in HERE.iterdir() if path.suffix in (".py", ".mjs") and path.name != "table.py"]
    files = [ROOT / "conformance/manifest.json", ROOT / "scripts/peers.sh", *(ROOT / "conformance/rigs").iterdir(), *runners]
    return sorted((path.relative_to(ROOT).as_posix(), path) for path in files)


def digest():
    """Returns the hash of the inputs: of the lines that sha256sum prints for them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in inputs()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def judged(sinew, folder):
    """Returns the verdicts of a folder of results, by case and mode."""
    answer = subprocess.run([sinew, "conformance", "--judge", folder, "--json"], capture_output=True, text=True)
    if answer.returncode not in (0, 6):
        sys.exit(f"{folder}: {answer.stderr}")
    # The folder of the machine is nobody's business.
    rows = json.loads(answer.stdout.replace(f"{ROOT}/", ""))["rows"]
    return {(row["case"], row["mode"]): row for row in rows}


def positions_alone(folder, into):
    """Copies results without normals and tangents, which the specification leaves open and another table has."""
    for path in folder.iterdir():
        copy = Path(into) / path.name
        if path.suffix == ".npz":
            with zipfile.ZipFile(path) as given, zipfile.ZipFile(copy, "w") as made:
                for name in given.namelist():
                    if name not in ("normals.npy", "tangents.npy"):
                        made.writestr(name, given.read(name))
        elif path.suffix == ".json" and path.name != "about.json":
            moments = json.loads(path.read_text())
            for part in (part for moment in moments for part in moment["primitives"]):
                part.pop("normals", None)
                part.pop("tangents", None)
            copy.write_text(json.dumps(moments))
        else:
            copy.write_bytes(path.read_bytes())


def directions(rows):
    """Returns the results with normals that deviate or pass, and what the normals of the others are."""
    given = [row for row in rows.values() if "normals" in row["streams"]]
    wrong = [row for row in given if row["worst"] in ("normals", "tangents") and row["outcome"] == "deviates"]
    names = Counter(word for row in wrong for word in (row["words"] or "").split(",") if "normals" in word or "cofactors" in word)
    names = [word if SHORT.fullmatch(word) else "no way that sinew knows" for word, _ in names.most_common(2)]
    return {"given": len(given), "deviate": len(wrong), "words": names}


def cause(causes, program, case, mode):
    """Returns the numbers of the causes of a cell."""
    return [
        number
        for number, entry in enumerate(causes, 1)
        if program in entry["programs"] and ({case, "*"} & set(entry["cases"])) and mode in entry.get("modes", [mode])
    ]


def cell(row, notes):
    """Returns the text of a cell."""
    outcome = row["outcome"]
    if outcome in ("missing", "not-given"):
        return "·"
    marks = " ".join(f"[{number}](#causes)" for number in notes)
    if outcome == "deviates":
        words = row.get("words") or ""
        distance = "not finite" if row["distance"] is None else f"{row['distance']:.0e}".replace("e-0", "e-")
        outcome = words if SHORT.fullmatch(words) and len(words) < 40 else f"{distance} off"
    return f"{outcome} {marks}".strip()


def table(title, programs, keys, cells):
    """Returns a section with a row for each key."""
    programs = [name for name in programs if any(cells[key].get(name, "·") != "·" for key in keys)]
    lines = [f"## {title}\n", "| case | " + " | ".join(programs.values() if isinstance(programs, dict) else programs) + " |"]
    lines.append("|---" * (len(programs) + 1) + "|")
    for key in keys:
        lines.append(f"| {key[0]} | " + " | ".join(cells[key].get(name, "·") for name in programs) + " |")
    return "\n".join(lines) + "\n"


def main():
    """Judges all results, and writes page and data."""
    sinew, *folders = sys.argv[1:]
    causes = [entry for path in sorted(HERE.glob("causes*.json")) for entry in json.loads(path.read_text())]
    manifest = json.loads((ROOT / "conformance/manifest.json").read_text())
    keys = [(case["name"], mode) for case in manifest["cases"] for mode in case["modes"]]
    classes = {(case["name"], mode): of["class"] for case in manifest["cases"] for mode, of in case["modes"].items()}
    programs, cells, data, unexplained = {}, {key: {} for key in keys}, [], []
    for folder in map(Path, folders):
        about = json.loads((folder / "about.json").read_text())
        with tempfile.TemporaryDirectory() as into:
            positions_alone(folder, into)
            rows = judged(sinew, into)
        column = f"{about['program']} {about['path']}" if about["path"] != "CPU" else about["program"]
        counts = {kind: {} for kind in CLASSES}
        for key in keys:
            row = rows.get(key)
            if row is None:
                continue
            notes = cause(causes, folder.name, *key) if row["outcome"] in ("deviates", "refused", "crashed") else []
            if row["outcome"] != "deviates":
                notes = [number for number in notes if causes[number - 1]["cases"] != ["*"]]
            cells[key][column] = cell(row, notes)
            given = counts[classes[key]]
            given[row["outcome"]] = given.get(row["outcome"], 0) + 1
            if row["outcome"] == "deviates" and not notes and (row["distance"] is None or row["distance"] > 1e-5):
                unexplained.append(f"{folder.name} {key[0]} {key[1]}")
        programs[column] = about
        fields = ("case", "mode", "outcome", "worst", "distance", "tolerance", "words")
        rows = [{field: row.get(field) for field in fields} for row in rows.values() if row["outcome"] not in ("missing", "not-given")]
        data.append({"key": folder.name, **about, "counts": counts, "normals": directions(judged(sinew, folder)), "rows": rows})
    lines = lambda rows: "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"
    texts = [json.dumps({**entry, "rows": "ROWS"}).replace('"ROWS"', lines(entry["rows"])) for entry in data]
    DATA.write_text(f'{{"hash": "{digest()}", "programs": [\n' + ",\n".join(texts) + "\n]}\n")
    PAGE.write_text(page(programs, keys, cells, data, causes))
    print(f"{len(programs)} programs, {len(unexplained)} deviations without a cause" + "".join(f"\n  {line}" for line in unexplained))


def page(programs, keys, cells, data, causes):
    """Returns the page."""
    share = lambda counts: f"{counts.get('pass', 0)} of {sum(number for kind, number in counts.items() if kind not in ('missing', 'not-given'))}"
    lines = [
        "# Other programs in the conformance suite\n",
        "This page shows which cases of the [conformance suite](../../conformance/README.md) other programs pass, and why others deviate.\n",
        "`make conformance-table` writes it. Each program imports each rig with its own importer and skins it with its own code.",
        "A cell has *pass*, the deviation's name, or the largest distance in metres; numbers lead to the cause.",
        "*Refused* and *crashed* mean that there are no vertices. A dot means that the program has no such mode.\n",
        "| program | version | skins on | required | recommended | informative |\n|---|---|---|---|---|---|",
    ]
    for entry in data:
        passed = " | ".join(share(entry["counts"][kind]) for kind in CLASSES)
        lines.append(f"| {entry['program']} | {entry['version']} | {entry['path']} | {passed} |")
    lines.append("\nThe columns of classes count passed cases of those with a result.\n")
    lines.append(table("Linear blend skinning", list(programs), [key for key in keys if key[1] == "lbs"], cells))
    for mode in sorted({mode for _, mode in keys if mode != "lbs"}):
        of_mode = [key for key in keys if key[1] == mode and any(value != "·" for value in cells[key].values())]
        if of_mode:
            lines.append(table(f"Mode {mode}", list(programs), of_mode, cells))
    lines.append("## Normals\n\nThe specification does not say how normals move. The suite moves them by the inverse transpose of the blended matrix.\n")
    lines.append("| program | results with normals | of these deviate | because of |\n|---|---|---|---|")
    for entry in data:
        if entry["normals"]["given"]:
            found = entry["normals"]
            lines.append(f"| {entry['program']} {entry['path']} | {found['given']} | {found['deviate']} | {', '.join(found['words'])} |")
    lines.append("\n## Causes\n")
    names = {entry["key"]: entry["program"] for entry in data}
    for number, entry in enumerate(causes, 1):
        who = ", ".join(dict.fromkeys(names.get(key, key) for key in entry["programs"]))
        report = f" [Report](../../conformance/findings/{entry['finding']}/report.md)." if entry.get("finding") else ""
        lines.append(f"{number}. {who}: {entry['says']} Source: {entry['source']}.{report}")
    lines.append("\n## Refused and crashed\n\n| program | | cases | reason |\n|---|---|---|---|")
    for entry in data:
        reasons = {}
        for row in entry["rows"]:
            if row["outcome"] in ("refused", "crashed"):
                reasons.setdefault((row["outcome"], row["words"] or ""), []).append(row["case"])
        for (outcome, words), cases in reasons.items():
            reason = re.sub(r"[\w./-]*/(?=[\w.-])", "", words).replace("|", "/").replace("`", "'")[:120]
            lines.append(f"| {entry['program']} {entry['path']} | {outcome} | {', '.join(dict.fromkeys(cases))} | `{reason}` |")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    print(digest()) if sys.argv[1:] == ["--hash"] else main()
