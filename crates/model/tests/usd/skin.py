"""Skins the meshes of USD files with OpenUSD, into FILE.json: skin.py FILE…"""

import json
import sys

from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt


def skinning_transforms(skeleton, time):
    """The transforms of joints, composed in double precision; OpenUSD's own rotation matrices are single."""
    single = skeleton.ComputeSkinningTransforms(time)
    animation = skeleton.GetAnimQuery()
    if not animation:
        return single
    parts = zip(*animation.ComputeJointLocalTransformComponents(time))
    local = [
        Gf.Matrix4d().SetScale(Gf.Vec3d(scale))
        * Gf.Matrix4d().SetRotate(Gf.Quatd(turn).GetNormalized())
        * Gf.Matrix4d().SetTranslate(Gf.Vec3d(place))
        for place, turn, scale in parts
    ]
    order = {str(joint): number for number, joint in enumerate(animation.GetJointOrder())}
    rest = skeleton.ComputeJointLocalTransforms(time, True)
    made = []
    for number, joint in enumerate(skeleton.GetJointOrder()):
        own = local[order[str(joint)]] if str(joint) in order else rest[number]
        parent = skeleton.GetTopology().GetParent(number)
        made.append(own * made[parent] if parent >= 0 else own)
    bind = skeleton.GetJointWorldBindTransforms()
    exact = [bound.GetInverse() * space for bound, space in zip(bind, made)]
    return Vt.Matrix4dArray(exact)


def deformed(query, skeleton, time):
    """Points of a mesh in the space of its skeleton."""
    prim = query.GetPrim()
    points = Vt.Vec3fArray(UsdGeom.Mesh(prim).GetPointsAttr().Get(time))
    if query.HasBlendShapes() and skeleton.GetAnimQuery():
        weights = skeleton.GetAnimQuery().ComputeBlendShapeWeights(time)
        mapper = query.GetBlendShapeMapper()
        if mapper:
            weights = mapper.Remap(weights)
        shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(prim))
        parts = shapes.ComputeSubShapeWeights(weights)[-3:]
        indices, offsets = shapes.ComputeBlendShapePointIndices(), shapes.ComputeSubShapePointOffsets()
        assert shapes.ComputeDeformedPoints(*parts, indices, offsets, points)
    if not query.HasJointInfluences():
        return points, False
    assert query.ComputeSkinnedPoints(skinning_transforms(skeleton, time), points, time)
    return points, True


for file in sys.argv[1:]:
    stage = Usd.Stage.Open(file)
    rate, first, last = stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()
    turn = Gf.Matrix4d(1.0)
    if UsdGeom.GetStageUpAxis(stage) == "Z":
        turn.SetRotate(Gf.Rotation((1, 0, 0), -90))
    turn *= Gf.Matrix4d().SetScale(UsdGeom.GetStageMetersPerUnit(stage))
    everything = Usd.TraverseInstanceProxies()
    found = {}
    cache = UsdSkel.Cache()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), everything):
        if prim.IsA(UsdSkel.Root):
            root = UsdSkel.Root(prim)
            cache.Populate(root, everything)
            for binding in cache.ComputeSkelBindings(root, everything):
                skeleton = cache.GetSkelQuery(binding.GetSkeleton())
                for query in binding.GetSkinningTargets():
                    found[query.GetPrim().GetPath()] = (query, skeleton)
    times, meshes = [], []
    for step in range(5):
        time = round(first + (last - first) * step / 4, 6)
        times.append(time / rate)
        spaces = UsdGeom.XformCache(time)
        made = []
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), everything):
            if not prim.IsA(UsdGeom.Mesh):
                continue
            space = spaces.GetLocalToWorldTransform(prim)
            points = UsdGeom.Mesh(prim).GetPointsAttr().Get(time)
            if prim.GetPath() in found:
                query, skeleton = found[prim.GetPath()]
                points, is_skinned = deformed(query, skeleton, time)
                if is_skinned:
                    # The query of an instance has the skeleton of its prototype.
                    skeleton = UsdSkel.BindingAPI(prim).GetInheritedSkeleton().GetPrim()
                    space = spaces.GetLocalToWorldTransform(skeleton)
            space = space * turn
            made.append([number for point in points for number in space.Transform(Gf.Vec3d(point))])
        meshes.append(made)
    with open(f"{file}.json", "w", encoding="utf-8") as out:
        json.dump({"times": times, "meshes": meshes}, out)
