"""Decomposes vertices by Dem Bones, and prints the root mean square distance and the seconds: FOLDER BONES INFLUENCES."""

import json
import pathlib
import sys
import time

import numpy
import py_dem_bones

folder, bones, influences = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rest = numpy.fromfile(folder / "rest.f64").reshape(-1, 3)
poses = numpy.fromfile(folder / "poses.f64").reshape(-1, len(rest), 3)
faces = numpy.fromfile(folder / "faces.u32", dtype=numpy.uint32).reshape(-1, 3).tolist()
start = time.perf_counter()
found = py_dem_bones.solve_skinning(rest, poses, bones, faces=faces, max_influences=influences)
seconds = time.perf_counter() - start
places = numpy.concatenate([rest, numpy.ones((len(rest), 1))], 1)
moved = numpy.einsum("fbij,vj,bv->fvi", found.transforms[:, :, :3], places, found.weights, optimize=True)
rms = float(numpy.sqrt(numpy.mean(numpy.sum((moved - poses) ** 2, 2))))
print(json.dumps({"rms": rms, "seconds": seconds, "bones": len(found.weights)}))
