"""A reader of plain glTF, for programs that have none: accessors, and the default scene's nodes."""

import base64
import os
import struct

import numpy

from runner import document, omit

KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
COLUMNS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
READ = {"KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_transform"}


class File:
    """A .glb or .gltf file."""

    def __init__(self, path):
        self.json = document(path)
        unread = set(self.json.get("extensionsRequired", [])) - READ
        if unread:
            omit(f"the runner's reader of glTF lacks {', '.join(sorted(unread))}")
        self.buffers = []
        data = open(path, "rb").read()
        for buffer in self.json.get("buffers", []):
            uri = buffer.get("uri")
            if uri is None:
                self.buffers.append(data[28 + struct.unpack_from("<I", data, 12)[0] :])
            elif uri.startswith("data:"):
                self.buffers.append(base64.b64decode(uri.split(",", 1)[1]))
            else:
                self.buffers.append(open(os.path.join(os.path.dirname(path), uri), "rb").read())

    def view(self, index, offset, kind, count, columns):
        """Returns rows of a buffer view."""
        view, kind = self.json["bufferViews"][index], numpy.dtype(kind)
        start = view.get("byteOffset", 0) + offset
        stride = view.get("byteStride", kind.itemsize * columns)
        return numpy.ndarray((count, columns), kind, self.buffers[view["buffer"]], start, (stride, kind.itemsize))

    def accessor(self, index):
        """Returns an accessor's rows, sparse ones too, as floats where they are normalized."""
        accessor = self.json["accessors"][index]
        kind, columns = KINDS[accessor["componentType"]], COLUMNS[accessor["type"]]
        rows = numpy.zeros((accessor["count"], columns), kind)
        if "bufferView" in accessor:
            rows = self.view(accessor["bufferView"], accessor.get("byteOffset", 0), kind, accessor["count"], columns).copy()
        if sparse := accessor.get("sparse"):
            at, values = sparse["indices"], sparse["values"]
            where = self.view(at["bufferView"], at.get("byteOffset", 0), KINDS[at["componentType"]], sparse["count"], 1)
            rows[where[:, 0]] = self.view(values["bufferView"], values.get("byteOffset", 0), kind, sparse["count"], columns)
        if accessor.get("normalized"):
            return numpy.maximum(rows / numpy.iinfo(rows.dtype).max, -1.0)
        return rows

    def scene(self):
        """Returns the scene's nodes, depth first, each with its parent."""
        found, nodes = [], self.json["nodes"]
        stack = [(index, None) for index in reversed(self.json["scenes"][self.json.get("scene", 0)]["nodes"])]
        while stack:
            index, parent = stack.pop()
            found.append((index, parent))
            stack += [(child, index) for child in reversed(nodes[index].get("children", []))]
        return found
