"""Panda3D: the importer panda3d-gltf, and vertices animated on the CPU."""

import math
import struct

import gltf
import numpy
from panda3d.core import AnimControlCollection, GeomVertexReader, NodePath, Thread, auto_bind, loadPrcFileData

from runner import arguments, clip_name, refuse, write

loadPrcFileData("", "hardware-animated-vertices false\nnotify-level error")
rig, out, mode, clip, times = arguments()
try:
    model = NodePath(gltf.load_model(rig))
except (Exception, SystemExit) as error:
    refuse(f"{type(error).__name__}: {error}")
characters = [found.node() for found in model.findAllMatches("**/+Character")]
name = None if clip is None else clip_name(rig, clip) or f"anim{clip}"
controls = []
for character in characters if name else []:
    bound = AnimControlCollection()
    auto_bind(character, bound, ~0)
    controls += [bound.getAnim(index) for index in range(bound.getNumAnims()) if bound.getAnimName(index) == name]


def rows(data, column, columns):
    """Returns a column of vertices."""
    if not data.hasColumn(column):
        return None
    reader = GeomVertexReader(data, column)
    return numpy.array([tuple(reader.getData4())[:columns] for _ in range(data.getNumRows())], "f8")


def parts():
    """Returns the vertices of each geom in glTF's axes."""
    found = []
    for path in model.findAllMatches("**/+GeomNode"):
        to_world = numpy.array(path.getNetTransform().getMat(), "f8").reshape(4, 4)
        for geom in path.node().getGeoms():
            data = geom.getVertexData().animateVertices(True, Thread.getCurrentThread())
            positions, normals = rows(data, "vertex", 3) @ to_world[:3, :3] + to_world[3, :3], rows(data, "normal", 3)
            if normals is not None:
                normals = normals @ numpy.linalg.inv(to_world[:3, :3]).T
            turned = lambda array: None if array is None else numpy.stack([array[:, 0], array[:, 2], -array[:, 1]], 1)
            found.append((turned(positions), turned(normals), rows(data, "texcoord", 2) if data.hasColumn("texcoord") else rows(data, "texcoord.0", 2)))
    return found


moments = []
for time in times:
    for control in controls:
        control.pose(min(time * control.getFrameRate(), control.getNumFrames() - 1))
    for character in characters:
        character.forceUpdate() if hasattr(character, "forceUpdate") else character.update()
    moments.append(parts())
write(out, moments)
