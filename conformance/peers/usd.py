"""OpenUSD: UsdSkel, through a stage that usd_stage.py writes of the rig, as USD has no importer of glTF."""

import numpy
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

from gltf_file import File
from runner import arguments, refuse, write
from usd_stage import stage_of

rig, out, mode, clip, times = arguments()
stage = stage_of(File(rig), clip, {"lbs": "classicLinear", "dqs": "dualQuaternion"}[mode])
root = UsdSkel.Root(stage.GetPrimAtPath("/root"))
cache = UsdSkel.Cache()
cache.Populate(root, Usd.PrimDefaultPredicate)


def part(mesh, time):
    """Returns the skinned vertices of a mesh."""
    mesh = UsdGeom.Mesh(mesh)
    points, normals = mesh.GetPointsAttr().Get(), mesh.GetNormalsAttr().Get()
    skeleton = cache.GetSkelQuery(UsdSkel.BindingAPI(mesh).GetInheritedSkeleton())
    skinning = cache.GetSkinningQuery(mesh.GetPrim())
    shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(mesh))
    if shapes.GetNumBlendShapes():
        weights = skinning.GetBlendShapeMapper().Remap(skeleton.GetAnimQuery().ComputeBlendShapeWeights(time))
        parts = *shapes.ComputeSubShapeWeights(weights), shapes.ComputeBlendShapePointIndices()
        shapes.ComputeDeformedPoints(*parts, shapes.ComputeSubShapePointOffsets(), points)
        normals = None  # Python has no call that moves them.
    matrices = skeleton.ComputeSkinningTransforms(time)
    if not skinning.ComputeSkinnedPoints(matrices, points, time):
        refuse("ComputeSkinnedPoints fails")
    if normals:
        turns = Vt.Matrix3dArray([matrix.ExtractRotationMatrix().GetInverse().GetTranspose() for matrix in matrices])
        indices, weights = skinning.ComputeJointInfluences()
        count = skinning.GetNumInfluencesPerComponent()
        UsdSkel.SkinNormals(skinning.GetSkinningMethod(), Gf.Matrix3d(1), turns, indices, weights, count, normals)
    return points, normals, None


meshes = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
write(out, [[part(mesh, time) for mesh in meshes] for time in (times if clip is not None else [Usd.TimeCode.Default()])])
