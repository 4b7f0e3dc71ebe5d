"""Writes USD files with OpenUSD, each for one feature: write.py FOLDER"""

import math
import os
import sys

from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, UsdUtils, Vt

folder = sys.argv[1]
JOINTS = ["root", "root/mid", "root/mid/tip"]


def tube():
    """Points of a tube along y, and quads with hexagons at the ends."""
    points, counts, indices = [], [], []
    for ring in range(9):
        for side in range(6):
            angle = math.radians(60 * side)
            points.append((0.3 * math.cos(angle), 0.25 * ring, 0.3 * math.sin(angle)))
    for ring in range(8):
        for side in range(6):
            a, b = 6 * ring + side, 6 * ring + (side + 1) % 6
            counts.append(4)
            indices += [a, a + 6, b + 6, b]
    counts += [6, 6]
    indices += list(range(6)) + list(reversed(range(48, 54)))
    return points, counts, indices


def move(x, y, z):
    return Gf.Matrix4d().SetTranslate((x, y, z))


def new(name, up="Y", metres=1.0):
    stage = Usd.Stage.CreateNew(os.path.join(folder, name))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetTimeCodesPerSecond(24)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(8)
    root = UsdSkel.Root.Define(stage, "/Root")
    stage.SetDefaultPrim(root.GetPrim())
    return stage


def skeleton(stage, path="/Root/Skeleton", scaled=False, rest=None):
    own = UsdSkel.Skeleton.Define(stage, path)
    own.CreateJointsAttr(JOINTS)
    bind = [move(0, 0, 0), move(0, 1, 0), move(0, 2, 0)]
    own.CreateBindTransformsAttr(Vt.Matrix4dArray(bind))
    local = rest or [move(0, 0, 0), move(0, 1, 0), move(0, 1, 0)]
    own.CreateRestTransformsAttr(Vt.Matrix4dArray(local))
    animation = UsdSkel.Animation.Define(stage, path + "/Animation")
    animation.CreateJointsAttr(JOINTS)
    turns, places, sizes = (
        animation.CreateRotationsAttr(),
        animation.CreateTranslationsAttr(),
        animation.CreateScalesAttr(),
    )
    for frame in range(0, 9, 2):
        turn = lambda axis, angle: Gf.Quatf(Gf.Rotation(axis, angle).GetQuat())
        turns.Set(
            Vt.QuatfArray(
                [
                    turn(Gf.Vec3d(0, 1, 0), 5.0 * frame),
                    turn(Gf.Vec3d(1, 0, 0), 8.0 * frame),
                    turn(Gf.Vec3d(0, 1, 1), 17.0 * frame),
                ]
            ),
            frame,
        )
        places.Set(Vt.Vec3fArray([(0.05 * frame, 0, 0), (0, 1, 0), (0, 1, 0.02 * frame)]), frame)
        size = 1 + 0.125 * frame if scaled else 1
        sizes.Set(Vt.Vec3hArray([Gf.Vec3h(1), Gf.Vec3h(size), Gf.Vec3h(1, 1, size)]), frame)
    binding = UsdSkel.BindingAPI.Apply(own.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    return own


def mesh(stage, path="/Root/Mesh", bound="/Root/Skeleton", width=2, influences=True):
    points, counts, indices = tube()
    own = UsdGeom.Mesh.Define(stage, path)
    own.CreatePointsAttr(points)
    own.CreateFaceVertexCountsAttr(counts)
    own.CreateFaceVertexIndicesAttr(indices)
    own.CreateSubdivisionSchemeAttr("none")
    binding = UsdSkel.BindingAPI.Apply(own.GetPrim())
    if bound:
        binding.CreateSkeletonRel().SetTargets([bound])
    if influences:
        joints, weights = [], []
        for _, y, _ in points:
            lower = min(int(y), 1)
            part = y - lower
            joints += ([lower, lower + 1] + [0] * width)[:width]
            weights += ([1 - part, part] + [0.0] * width)[:width] if width > 1 else [1.0]
        binding.CreateJointIndicesPrimvar(False, width).Set(joints)
        binding.CreateJointWeightsPrimvar(False, width).Set(weights)
    return own, binding


def simple(name, **how):
    stage = new(name, **how)
    skeleton(stage)
    return stage, *mesh(stage)


def method(binding, word="dualQuaternion"):
    binding.CreateSkinningMethodAttr(word)


for ending in ["usda", "usdc", "usd"]:
    simple(f"plain.{ending}")[0].Save()
UsdUtils.CreateNewUsdzPackage(os.path.join(folder, "plain.usdc"), os.path.join(folder, "plain.usdz"))

stage, own, binding = simple("texts.usdc")
for name, kind in [("words", "string[]"), ("files", "asset[]")]:
    attribute = own.GetPrim().CreateAttribute(name, Sdf.ValueTypeNames.Find(kind))
    attribute.Set([])
    attribute.Set([], 1)
    attribute.Set(["a", "b"], 2)
stage.Save()

stage, own, binding = simple("dual.usda", up="Z", metres=0.01)
method(binding)
stage.Save()

stage = new("dual_scaled.usdc")
skeleton(stage, scaled=True)
own, binding = mesh(stage)
method(binding)
stage.Save()

for name, word in [("linear_scaled.usdc", "classicLinear"), ("dual_sheared.usdc", "dualQuaternion")]:
    stage = new(name)
    skeleton(stage, scaled=True)
    if "sheared" in name:
        # The tip turns in a space that is scaled along one axis, and mirrored.
        scales = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skeleton/Animation")).GetScalesAttr()
        for frame in range(0, 9, 2):
            scales.Set(Vt.Vec3hArray([Gf.Vec3h(1), Gf.Vec3h(1, 1 + 0.25 * frame, 1), Gf.Vec3h(-1, 0.5, 2)]), frame)
    own, binding = mesh(stage)
    method(binding, word)
    stage.Save()

stage, own, binding = simple("methods.usda")
own, binding = mesh(stage, "/Root/Dual")
method(binding)
own.AddTranslateOp().Set((3, 0, 0))
stage.Save()

stage, own, binding = simple("geom_bind.usda")
matrix = Gf.Matrix4d().SetScale((0.5, 1.5, 2)) * Gf.Matrix4d().SetRotate(Gf.Rotation((1, 2, 0), 40)) * move(0.1, 0, 0.3)
binding.CreateGeomBindTransformAttr(matrix)
method(binding)
own.AddTranslateOp().Set((7, 1, 0))
stage.Save()

stage, own, binding = simple("subset.usda")
binding.CreateJointsAttr(["root/mid/tip", "root", "root/mid"])
stage.Save()

for width in [1, 6]:
    stage = new(f"width_{width}.usda")
    skeleton(stage)
    mesh(stage, width=width)
    stage.Save()

stage = new("constant.usda")
skeleton(stage)
own, binding = mesh(stage, influences=False)
binding.CreateJointIndicesPrimvar(True, 2).Set([1, 2])
binding.CreateJointWeightsPrimvar(True, 2).Set([0.75, 0.25])
stage.Save()

stage = new("inherited.usda")
skeleton(stage)
group = UsdGeom.Xform.Define(stage, "/Root/Group")
above = UsdSkel.BindingAPI.Apply(group.GetPrim())
above.CreateSkeletonRel().SetTargets(["/Root/Skeleton"])
method(above)
mesh(stage, "/Root/Group/A", bound=None)
_, binding = mesh(stage, "/Root/Group/B", bound=None)
method(binding, "classicLinear")
stage.Save()

stage = new("moving_above.usda", up="Z")
skeleton(stage)
mesh(stage)
root = UsdGeom.Xformable(stage.GetPrimAtPath("/Root"))
shift, turn = root.AddTranslateOp(), root.AddRotateXYZOp()
for frame in [0, 8]:
    shift.Set((0.5 * frame, 0, 1), frame)
    turn.Set((10 * frame, 4 * frame, -7 * frame), frame)
stage.Save()

stage = new("moving_skeleton.usda")
own = UsdGeom.Xformable(skeleton(stage).GetPrim())
own.AddTranslateOp().Set((0, 0, 2))
turn = own.AddRotateYOp()
for frame in [0, 8]:
    turn.Set(20 * frame, frame)
own, binding = mesh(stage)
own.AddTranslateOp().Set((5, 5, 5))
method(binding)
stage.Save()

stage = new("rest.usda")
skeleton(stage, rest=[move(0, 0.5, 0), move(0.2, 1, 0), move(0, 1.5, 0)])
mesh(stage)
stage.RemovePrim("/Root/Skeleton/Animation")
stage.Save()

stage = new("two.usda")
skeleton(stage)
skeleton(stage, "/Root/Other", scaled=True)
mesh(stage)
own, _ = mesh(stage, "/Root/Second", bound="/Root/Other")
UsdGeom.Xformable(stage.GetPrimAtPath("/Root/Other")).AddTranslateOp().Set((2, 0, 0))
stage.Save()

stage, own, binding = simple("surface.usda")
own.CreateOrientationAttr("leftHanded")
own.CreateDoubleSidedAttr(True)
own.CreateHoleIndicesAttr([3])
api = UsdGeom.PrimvarsAPI(own)
count = len(own.GetFaceVertexIndicesAttr().Get())
texcoords = api.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "faceVarying")
texcoords.Set([(0.25 * (corner % 4), 0.5) for corner in range(4)])
texcoords.SetIndices(Vt.IntArray([corner % 4 for corner in range(count)]))
own.CreateNormalsAttr([(0, 1, 0)] * count)
own.SetNormalsInterpolation("faceVarying")
UsdGeom.Subset.CreateGeomSubset(own, "front", "face", Vt.IntArray([0, 1, 2, 4]), "materialBind")
stage.Save()


def shapes(name, word):
    stage, own, binding = simple(name)
    method(binding, word)
    all_points = len(own.GetPointsAttr().Get())
    first = UsdSkel.BlendShape.Define(stage, "/Root/Mesh/wide")
    first.CreateOffsetsAttr([(0.01 * point, 0, 0) for point in range(all_points)])
    first.CreateNormalOffsetsAttr([(0.1, 0, 0)] * all_points)
    half = first.CreateInbetween("half")
    half.SetWeight(0.4)
    half.SetOffsets([(0, 0.01 * point, 0) for point in range(all_points)])
    second = UsdSkel.BlendShape.Define(stage, "/Root/Mesh/tall")
    second.CreatePointIndicesAttr([3, 50, 20])
    second.CreateOffsetsAttr([(0, 1, 0), (0, 0, 0.5), (0.3, 0.3, 0.3)])
    binding.CreateBlendShapesAttr(["wide", "tall"])
    binding.CreateBlendShapeTargetsRel().SetTargets([first.GetPath(), second.GetPath()])
    animation = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Skeleton/Animation"))
    animation.CreateBlendShapesAttr(["tall", "unused", "wide"])
    weights = animation.CreateBlendShapeWeightsAttr()
    for frame, weight in [(0, -0.25), (3, 0.5), (8, 1.5)]:
        weights.Set([0.1 * frame, 9, weight], frame)
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d().SetRotate(Gf.Rotation((0, 0, 1), 30)))
    stage.Save()


shapes("shapes.usda", "classicLinear")
shapes("shapes_dual.usdc", "dualQuaternion")

stage = Usd.Stage.CreateNew(os.path.join(folder, "references.usda"))
UsdGeom.SetStageUpAxis(stage, "Y")
UsdGeom.SetStageMetersPerUnit(stage, 1)
stage.SetTimeCodesPerSecond(24)
stage.SetStartTimeCode(0)
stage.SetEndTimeCode(8)
for number, instanceable in enumerate([False, True, True]):
    prim = stage.DefinePrim(f"/World/Copy{number}", "")
    prim.GetReferences().AddReference("./plain.usdc")
    prim.SetInstanceable(instanceable)
    if number > 0:
        UsdGeom.Xformable(prim).AddTranslateOp().Set((2 * number, 0, 0))
sets = stage.GetPrimAtPath("/World").GetVariantSets().AddVariantSet("height")
for name, height in [("low", 0), ("high", 5)]:
    sets.AddVariant(name)
    sets.SetVariantSelection(name)
    with sets.GetVariantEditContext():
        op = UsdGeom.Xformable(stage.GetPrimAtPath("/World/Copy0")).AddTranslateOp(opSuffix="more")
        op.Set((0, height, 0))
stage.Save()
