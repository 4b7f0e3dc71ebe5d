"""Packs a wheel from a program and a library that are built already, for tests: pack.py PROGRAM LIBRARY FOLDER

maturin, which packs the wheels that users get, would build both anew.
"""

import pathlib
import re
import sys
import sysconfig
import zipfile

program, library, folder = map(pathlib.Path, sys.argv[1:])
root = pathlib.Path(__file__).parent.parent
version = re.search(r'^version = "(.*)"', (root / "Cargo.toml").read_text(), re.M)[1]
project = (root / "crates/python/pyproject.toml").read_text()
wants = re.search(r'^dependencies = \["(.*)"\]', project, re.M)[1]
tag = "cp39-abi3-" + re.sub("[-.]", "_", sysconfig.get_platform())
about = f"sinew-{version}.dist-info/"
files = {f"sinew/{file.name}": file for file in (root / "crates/python/python/sinew").iterdir() if file.is_file()}
files["sinew/_sinew.abi3.so"] = library
files[f"sinew-{version}.data/scripts/sinew"] = program
texts = {
    "METADATA": f"Metadata-Version: 2.1\nName: sinew\nVersion: {version}\nRequires-Dist: {wants}\n",
    "WHEEL": f"Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\nTag: {tag}\n",
    "RECORD": "".join(f"{name},,\n" for name in [*files, *(about + name for name in ("METADATA", "WHEEL", "RECORD"))]),
}
wheel = folder / f"sinew-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w") as out:
    for name, file in files.items():
        out.write(file, name)
    for name, text in texts.items():
        out.writestr(about + name, text)
print(wheel)
