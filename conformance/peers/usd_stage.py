"""A stage with skeletons, written of a glTF file: each primitive is a mesh, bound to a skeleton of all nodes."""

import numpy
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

from runner import omit

REST = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}
MAKE = {"translation": lambda row: Gf.Vec3f(*row), "rotation": lambda row: Gf.Quatf(row[3], *row[:3]), "scale": lambda row: Gf.Vec3f(*row)}
matrix = lambda numbers: Gf.Matrix4d(numpy.asarray(numbers, "f8").reshape(4, 4).tolist())


def write_motion(stage, file, clip, paths):
    """Writes a clip. USD has one list of keys for all joints, so keys that a joint lacks are filled in."""
    nodes, motion, channels = file.json["nodes"], UsdSkel.Animation.Define(stage, "/root/motion"), {}
    kinds = set()
    for channel in file.json["animations"][clip]["channels"] if clip is not None else []:
        sampler = file.json["animations"][clip]["samplers"][channel["sampler"]]
        kinds.add(sampler.get("interpolation", "LINEAR"))
        keys = file.accessor(sampler["input"])[:, 0].tolist(), file.accessor(sampler["output"]).astype("f8").tolist()
        channels[channel["target"]["node"], channel["target"]["path"]] = keys
    if kinds - {"LINEAR", "STEP"} or len(kinds) > 1:
        omit("the stage has neither cubic keys nor mixed interpolation")
    stage.SetInterpolationType(Usd.InterpolationTypeHeld if kinds == {"STEP"} else Usd.InterpolationTypeLinear)
    animated = sorted({node for node, path in channels if path in REST})
    motion.CreateJointsAttr([paths[node] for node in animated])
    write_weights(motion, file, {node: keys for (node, path), keys in channels.items() if path == "weights"})

    def value(node, path, time):
        at, rows = channels.get((node, path), ([0.0], [nodes[node].get(path, REST[path])]))
        make, before = MAKE[path], max(numpy.searchsorted(at, time, "right") - 1, 0)
        if before + 1 == len(at) or time <= at[before] or kinds == {"STEP"}:
            return make(rows[before])
        blend = Gf.Slerp if path == "rotation" else Gf.Lerp
        return blend((time - at[before]) / (at[before + 1] - at[before]), make(rows[before]), make(rows[before + 1]))

    for time in sorted({time for (_, path), (at, _) in channels.items() for time in at if path in REST}):
        motion.CreateTranslationsAttr().Set(Vt.Vec3fArray([value(node, "translation", time) for node in animated]), time)
        motion.CreateRotationsAttr().Set(Vt.QuatfArray([value(node, "rotation", time) for node in animated]), time)
        motion.CreateScalesAttr().Set(Vt.Vec3hArray([Gf.Vec3h(*value(node, "scale", time)) for node in animated]), time)


def write_weights(motion, file, channels):
    """Writes the weights of morph targets: those of a clip, of a node, or of its mesh."""
    names, keys = [], {}
    for index, node in enumerate(file.json["nodes"]):
        mesh = file.json["meshes"][node["mesh"]] if "mesh" in node else {"primitives": [{}]}
        count = len(mesh["primitives"][0].get("targets", []))
        names += [f"n{index}_t{target}" for target in range(count)]
        at, rows = channels.get(index, ([0.0], node.get("weights", mesh.get("weights", [0.0] * count))))
        keys[index] = at, numpy.reshape(rows, (len(at), count)) if count else numpy.zeros((len(at), 0))
    motion.CreateBlendShapesAttr(names)
    for time in sorted({time for at, _ in keys.values() for time in at}):
        weights = [numpy.interp(time, at, rows[:, target]) for at, rows in keys.values() for target in range(rows.shape[1])]
        motion.CreateBlendShapeWeightsAttr().Set(Vt.FloatArray(weights), time)


def local(node):
    """Returns a node's matrix as stored."""
    if "matrix" in node:
        return matrix(node["matrix"])
    place, turn, scale = (MAKE[path](node.get(path, REST[path])) for path in REST)
    return Gf.Matrix4d().SetScale(Gf.Vec3d(scale)) * Gf.Matrix4d().SetRotate(Gf.Quatd(turn)) * Gf.Matrix4d().SetTranslate(Gf.Vec3d(place))


def stage_of(file, clip, method):
    """Writes the stage."""
    stage, nodes = Usd.Stage.CreateInMemory(), file.json["nodes"]
    stage.SetTimeCodesPerSecond(1)
    UsdSkel.Root.Define(stage, "/root")
    parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}
    path = lambda index: (path(parents[index]) + "/" if index in parents else "") + f"n{index}"
    paths = [path(index) for index in range(len(nodes))]
    order = sorted(range(len(nodes)), key=lambda index: paths[index].count("/"))
    write_motion(stage, file, clip, paths)
    for index, _ in file.scene():
        for number, primitive in enumerate(file.json["meshes"][nodes[index]["mesh"]]["primitives"] if "mesh" in nodes[index] else []):
            skin = file.json["skins"][nodes[index]["skin"]] if "skin" in nodes[index] else {"joints": [index]}
            inverses = file.accessor(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else [numpy.eye(4)] * len(skin["joints"])
            binds = dict(zip(skin["joints"], (matrix(numbers).GetInverse() for numbers in inverses)))
            skeleton = UsdSkel.Skeleton.Define(stage, f"/root/skeleton_{index}_{number}")
            skeleton.CreateJointsAttr([paths[node] for node in order])
            skeleton.CreateBindTransformsAttr([binds.get(node, Gf.Matrix4d(1)) for node in order])
            skeleton.CreateRestTransformsAttr([local(nodes[node]) for node in order])
            UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(["/root/motion"])
            write_mesh(stage, file, f"/root/mesh_{index}_{number}", (index, primitive), [order.index(node) for node in skin["joints"]], skeleton, method)
    return stage


def write_mesh(stage, file, path, source, slots, skeleton, method):
    """Writes the points, normals, morph targets and influences of a primitive."""
    node, primitive = source
    attributes, mesh = primitive["attributes"], UsdGeom.Mesh.Define(stage, path)
    read = lambda name: file.accessor(attributes[name]) if name in attributes else None
    points = read("POSITION").astype("f4")
    sets = [number for number in range(8) if f"JOINTS_{number}" in attributes]
    joints = numpy.concatenate([read(f"JOINTS_{number}") for number in sets], 1) if sets else numpy.zeros((len(points), 1), int)
    weights = numpy.concatenate([read(f"WEIGHTS_{number}") for number in sets], 1) if sets else numpy.ones((len(points), 1))
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    if "NORMAL" in attributes:
        mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(read("NORMAL").astype("f4")))
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateJointIndicesPrimvar(False, joints.shape[1]).Set(Vt.IntArray.FromNumpy(numpy.array(slots, "i4")[joints].ravel()))
    binding.CreateJointWeightsPrimvar(False, joints.shape[1]).Set(Vt.FloatArray.FromNumpy(weights.astype("f4").ravel()))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1))
    binding.CreateSkinningMethodAttr(method)
    for number, target in enumerate(primitive.get("targets", [])):
        shape = UsdSkel.BlendShape.Define(stage, f"{path}/t{number}")
        shape.CreateOffsetsAttr(Vt.Vec3fArray.FromNumpy(file.accessor(target["POSITION"]).astype("f4")) if "POSITION" in target else [Gf.Vec3f(0)] * len(points))
        if "NORMAL" in target:
            shape.CreateNormalOffsetsAttr(Vt.Vec3fArray.FromNumpy(file.accessor(target["NORMAL"]).astype("f4")))
        binding.CreateBlendShapeTargetsRel().AddTarget(shape.GetPath())
    if "targets" in primitive:
        binding.CreateBlendShapesAttr([f"n{node}_t{number}" for number in range(len(primitive["targets"]))])
