"""Skins the meshes of USD files with OpenUSD, into FILE.json: skin.py FILE…"""

import json
import sys

from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt


def deformed(query, binding_prim, skeleton, time):
    """Points of a mesh in the space of its skeleton."""
    prim = query.GetPrim()
    points = Vt.Vec3fArray(UsdGeom.Mesh(prim).GetPointsAttr().Get(time))
    if query.HasBlendShapes() and skeleton.GetAnimQuery():
        weights = skeleton.GetAnimQuery().ComputeBlendShapeWeights(time)
        mapper = query.GetBlendShapeMapper()
        if mapper:
            weights = mapper.Remap(weights)
        shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(prim))
        parts = shapes.ComputeSubShapeWeights(weights)
        parts = parts[-3:]
        indices, offsets = shapes.ComputeBlendShapePointIndices(), shapes.ComputeSubShapePointOffsets()
        assert shapes.ComputeDeformedPoints(*parts, indices, offsets, points)
    if not query.HasJointInfluences():
        return points, False
    assert query.ComputeSkinnedPoints(skeleton.ComputeSkinningTransforms(time), points, time)
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
                points, is_skinned = deformed(query, prim, skeleton, time)
                if is_skinned:
                    space = spaces.GetLocalToWorldTransform(skeleton.GetPrim())
            space = space * turn
            made.append([number for point in points for number in space.Transform(Gf.Vec3d(point))])
        meshes.append(made)
    with open(f"{file}.json", "w", encoding="utf-8") as out:
        json.dump({"times": times, "meshes": meshes}, out)
