"""The part that all runners share: arguments, refusals and the file of results."""

import json
import os
import struct
import sys

import numpy


def arguments():
    """Returns the rig, the output file, the mode, the clip's index or None, and the times."""
    rig, out, mode, clip, *times = sys.argv[1:]
    return rig, out, mode, None if clip == "-" else int(clip), [float(time) for time in times]


def refuse(reason):
    """Ends the process: the program does not load the file, or lacks what the case needs."""
    print(" ".join(str(reason).split()), file=sys.stderr, flush=True)
    os._exit(3)  # Some programs crash when Python frees them.


def omit(reason):
    """Ends the process: this runner, not the program, lacks what the case needs. The case has no result then."""
    print(" ".join(str(reason).split()), file=sys.stderr, flush=True)
    os._exit(4)


def document(rig):
    """Returns the JSON of a .glb or .gltf file, for names by which a program lists clips."""
    data = open(rig, "rb").read()
    if data[:4] != b"glTF":
        return json.loads(data)
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def clip_name(rig, clip):
    """Returns the name of a clip of a glTF file, or None."""
    return None if rig.endswith(".fbx") else document(rig)["animations"][clip].get("name")


def write(out, moments):
    """Writes moments, each a list of (positions, normals or None, texcoords or None), one per primitive."""
    if not all(moments) or not any(len(part[0]) for part in moments[0]):
        refuse("the program has no vertices of this file")
    arrays = {}
    for key, index in (("positions", 0), ("normals", 1), ("texcoords", 2)):
        columns = 2 if key == "texcoords" else 3
        parts = [[part[index] for part in moment] for moment in moments]
        if all(part is not None and len(part) for moment in parts for part in moment):
            rows = [numpy.concatenate([numpy.asarray(part, "f8").reshape(-1, columns) for part in moment]) for moment in parts]
            arrays[key] = rows[0] if key == "texcoords" else numpy.stack(rows)
    numpy.savez(out, **arrays)
