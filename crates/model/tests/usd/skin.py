"""Skins the meshes of USD files with OpenUSD in three ways, into FILE.json: skin.py FILE…"""

import json
import sys

from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

EVERYTHING = Usd.TraverseInstanceProxies()


def local_transforms(skeleton, time):
    """The joints in their parents, in double precision; OpenUSD's own rotation matrices are single."""
    rest = skeleton.ComputeJointLocalTransforms(time, True)
    animation = skeleton.GetAnimQuery()
    if not animation:
        return rest
    parts = zip(*animation.ComputeJointLocalTransformComponents(time))
    local = [
        Gf.Matrix4d().SetScale(Gf.Vec3d(scale))
        * Gf.Matrix4d().SetRotate(Gf.Quatd(turn).GetNormalized())
        * Gf.Matrix4d().SetTranslate(Gf.Vec3d(place))
        for place, turn, scale in parts
    ]
    order = {str(joint): number for number, joint in enumerate(animation.GetJointOrder())}
    names = [str(joint) for joint in skeleton.GetJointOrder()]
    return [local[order[name]] if name in order else own for name, own in zip(names, rest)]


def skinning_transforms(skeleton, time):
    """The transforms of joints, composed in double precision."""
    if not skeleton.GetAnimQuery():
        return skeleton.ComputeSkinningTransforms(time)
    made = []
    for number, own in enumerate(local_transforms(skeleton, time)):
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


def opened(file):
    """A stage for changes in memory, without instances, whose prims could not be changed."""
    stage = Usd.Stage.Open(file)
    session = stage.GetSessionLayer()
    session.timeCodesPerSecond = stage.GetTimeCodesPerSecond()
    stage.SetEditTarget(session)
    while copies := [prim for prim in stage.Traverse() if prim.IsInstance()]:
        for prim in copies:
            prim.SetInstanceable(False)
    return stage


def bake(stage, times):
    """Bakes the points of meshes at these times, among others."""
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            # OpenUSD bakes where anything has samples. This moves nothing.
            still = UsdGeom.Xformable(prim).AddTranslateOp(opSuffix="still")
            for time in times:
                still.Set((0, 0, 0), time)
    assert UsdSkel.BakeSkinning(Usd.PrimRange(stage.GetPseudoRoot()), Gf.Interval(times[0], times[-1]))


def stand(stage, time):
    """Gives skeletons the pose of a time as their rest, in double precision, and no other motion."""
    poses = [
        (skeleton.GetSkeleton(), local_transforms(skeleton, time))
        for _, skeleton in bindings(stage).values()
    ]
    for skeleton, pose in poses:
        skeleton.GetRestTransformsAttr().Set(Vt.Matrix4dArray(pose))
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Animation):
            UsdSkel.Animation(prim).GetJointsAttr().Set([])


def baked_of_double(file, times, time):
    """Points at a time that OpenUSD bakes with joints in double precision."""
    stage = opened(file)
    stand(stage, time)
    bake(stage, times)
    return placed(stage, {}, time)


def converted(stage):
    """The transform from a stage's space to metres and y up."""
    turn = Gf.Matrix4d(1.0)
    if UsdGeom.GetStageUpAxis(stage) == "Z":
        turn.SetRotate(Gf.Rotation((1, 0, 0), -90))
    return turn * Gf.Matrix4d().SetScale(UsdGeom.GetStageMetersPerUnit(stage))


def bindings(stage):
    """The skinning queries of meshes, with those of their skeletons."""
    found = {}
    cache = UsdSkel.Cache()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYTHING):
        if prim.IsA(UsdSkel.Root):
            root = UsdSkel.Root(prim)
            cache.Populate(root, EVERYTHING)
            for binding in cache.ComputeSkelBindings(root, EVERYTHING):
                skeleton = cache.GetSkelQuery(binding.GetSkeleton())
                for query in binding.GetSkinningTargets():
                    found[query.GetPrim().GetPath()] = (query, skeleton)
    return found


def placed(stage, found, time):
    """Coordinates of each mesh's points in metres and y up; meshes in `found` are skinned."""
    spaces = UsdGeom.XformCache(time)
    made = []
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), EVERYTHING):
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
        space = space * converted(stage)
        made.append([number for point in points for number in space.Transform(Gf.Vec3d(point))])
    return made


for file in sys.argv[1:]:
    stage = Usd.Stage.Open(file)
    rate, first, last = stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()
    times = [round(first + (last - first) * step / 4, 6) for step in range(5)]
    own = opened(file)
    bake(own, times)
    truth = {
        "times": [time / rate for time in times],
        "skinned": [placed(stage, bindings(stage), time) for time in times],
        "baked": [placed(own, {}, time) for time in times],
        "baked_of_double": [baked_of_double(file, times, time) for time in times],
    }
    with open(f"{file}.json", "w", encoding="utf-8") as out:
        json.dump(truth, out)
