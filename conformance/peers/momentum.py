"""momentum: load_gltf_with_skel_states and skin_points. It works in centimetres."""

import sys
import types

import numpy

sys.modules["torch"] = types.ModuleType("torch")  # Imported first by pymomentum, but nothing of geometry needs it.
import pymomentum.geometry as geometry

from runner import arguments, refuse, write

rig, out, mode, clip, times = arguments()
if clip:
    refuse("load_gltf_with_skel_states offers no choice of clips")
try:
    if rig.endswith(".fbx"):
        character, motion, rate = geometry.Character.load_fbx_with_motion(rig)
    else:
        character, states, stamps = geometry.Character.load_gltf_with_skel_states(rig)
except RuntimeError as error:
    refuse(error)
if not character.has_mesh:
    refuse("momentum finds no skinned mesh")
if rig.endswith(".fbx"):
    states = numpy.stack([geometry.joint_parameters_to_skeleton_state(character, row) for row in motion[0]])
    stamps = numpy.arange(len(states)) / rate
if clip is None:
    rest = numpy.zeros(7 * character.skeleton.size, "f4")
    states, stamps = geometry.joint_parameters_to_skeleton_state(character, rest)[None], [0.0]


def part(time):
    """Returns the vertices at the sample nearest to a time."""
    state = states[int(numpy.argmin(numpy.abs(numpy.asarray(stamps) - time)))]
    texcoords = None
    if len(character.mesh.texcoords) == len(character.mesh.vertices):
        texcoords = numpy.asarray(character.mesh.texcoords, "f8")
    return character.skin_points(state).astype("f8") / 100, None, texcoords


write(out, [[part(time)] for time in times])
