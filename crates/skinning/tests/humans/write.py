"""Writes two humans of Blender as glTF files into a folder: bones as Mixamo names them, and as Rigify does."""

import sys

import bpy

folder = sys.argv[1]

# Names in Mixamo and in Rigify, the parent, and the head of the bone; Z is up, the figure faces -Y and its left is +X.
CENTER = [
    ("Hips", "spine", None, (0, 0, 0.95)),
    ("Spine", "spine.001", "Hips", (0, 0, 1.05)),
    ("Spine1", "spine.002", "Spine", (0, 0, 1.17)),
    ("Spine2", "spine.003", "Spine1", (0, 0, 1.3)),
    ("Neck", "spine.004", "Spine2", (0, 0, 1.45)),
    (None, "spine.005", "Neck", (0, -0.01, 1.5)),
    ("Head", "spine.006", "Neck", (0, -0.02, 1.55)),
    ("HeadTop_End", None, "Head", (0, -0.02, 1.75)),
]
SIDE = [
    ("Shoulder", "shoulder", "Spine2", (0.05, 0, 1.42)),
    ("Arm", "upper_arm", "Shoulder", (0.17, 0, 1.4)),
    ("ForeArm", "forearm", "Arm", (0.44, 0.01, 1.4)),
    ("Hand", "hand", "ForeArm", (0.7, 0, 1.4)),
    ("HandIndex1", "f_index.01", "Hand", (0.79, -0.02, 1.4)),
    ("HandIndex2", "f_index.02", "HandIndex1", (0.82, -0.02, 1.4)),
    ("HandIndex3", "f_index.03", "HandIndex2", (0.85, -0.02, 1.4)),
    ("HandIndex4", None, "HandIndex3", (0.87, -0.02, 1.4)),
    ("HandThumb1", "thumb.01", "Hand", (0.73, -0.04, 1.39)),
    ("HandThumb2", "thumb.02", "HandThumb1", (0.76, -0.06, 1.39)),
    ("HandThumb3", "thumb.03", "HandThumb2", (0.79, -0.08, 1.39)),
    (None, "pelvis", "Hips", (0.02, 0, 1.0)),
    ("UpLeg", "thigh", "Hips", (0.09, 0, 0.9)),
    ("Leg", "shin", "UpLeg", (0.09, -0.01, 0.5)),
    ("Foot", "foot", "Leg", (0.09, 0.02, 0.09)),
    ("ToeBase", "toe", "Foot", (0.09, -0.1, 0.02)),
    ("Toe_End", None, "ToeBase", (0.09, -0.18, 0.02)),
]


def bones(is_rigify):
    """Lists names, parents and heads."""
    center = {mixamo: rigify for mixamo, rigify, *_ in CENTER if mixamo}
    side = {mixamo: rigify for mixamo, rigify, *_ in SIDE if mixamo}

    def named(mixamo, rigify, sign):
        if is_rigify:
            return rigify + {0: "", 1: ".L", -1: ".R"}[sign]
        return "mixamorig:" + {0: "", 1: "Left", -1: "Right"}[sign] + mixamo

    for signs, rows in [([0], CENTER), ([1, -1], SIDE)]:
        for sign in signs:
            for mixamo, rigify, parent, (x, y, z) in rows:
                if (rigify if is_rigify else mixamo) is None:
                    continue
                above = None
                if is_rigify and rigify == "spine.006":
                    above = "spine.005"
                elif parent in center:
                    above = named(parent, center[parent], 0)
                elif parent:
                    above = named(parent, side[parent], sign)
                yield named(mixamo, rigify, sign), above, ((sign or 1) * x, y, z)


def human(is_rigify):
    armature = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head in bones(is_rigify):
        bone = armature.data.edit_bones.new(name)
        bone.head = head
        bone.tail = (head[0], head[1], head[2] + 0.05)
        if parent:
            bone.parent = armature.data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def skin(armature):
    """Adds a triangle at every bone, and turns each bone in a clip."""
    mesh = bpy.data.meshes.new("Body")
    points, faces = [], []
    for bone in armature.data.bones:
        x, y, z = bone.head_local
        points += [(x, y, z), (x + 0.01, y, z), (x, y, z + 0.01)]
        faces.append((len(points) - 3, len(points) - 2, len(points) - 1))
    mesh.from_pydata(points, [], faces)
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.collection.objects.link(body)
    for number, bone in enumerate(armature.data.bones):
        corners = [3 * number, 3 * number + 1, 3 * number + 2]
        body.vertex_groups.new(name=bone.name).add(corners, 1.0, "ADD")
    body.modifiers.new("Armature", "ARMATURE").object = armature
    body.parent = armature
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
        for frame, x in [(1, 0.0), (10, 0.1)]:
            bone.rotation_quaternion = (1, x, 0, 0)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        bone.rotation_quaternion = (1, 0, 0, 0)


for name in ["mixamo", "rigify"]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    skin(human(name == "rigify"))
    bpy.ops.export_scene.gltf(filepath=f"{folder}/{name}.glb", export_animations=True)
