"""VTK: vtkGLTFReader, which skins on the CPU."""

import vtk
from vtk.util.numpy_support import vtk_to_numpy

from runner import arguments, refuse, write

rig, out, mode, clip, times = arguments()
reader = vtk.vtkGLTFReader()
errors = vtk.vtkStringOutputWindow()
vtk.vtkOutputWindow.SetInstance(errors)
reason = lambda: next((line for line in errors.GetOutput().splitlines() if "): " in line), "no error").split("): ")[-1]
reader.SetFileName(rig)
reader.ApplyDeformationsToGeometryOn()
reader.UpdateInformation()
if clip is not None:
    if clip >= reader.GetNumberOfAnimations():
        refuse(f"vtkGLTFReader lists no such animation: {reason()}")
    reader.EnableAnimation(clip)


def parts():
    """Returns the vertices of each primitive."""
    blocks = reader.GetOutput().NewIterator()
    found = []
    while not blocks.IsDoneWithTraversal():
        points = blocks.GetCurrentDataObject()
        array = lambda array: vtk_to_numpy(array).astype("f8") if array else None
        data = points.GetPointData()
        found.append((array(points.GetPoints().GetData()), array(data.GetNormals()), array(data.GetArray("TEXCOORD_0"))))
        blocks.GoToNextItem()
    return found


moments = []
for time in times:
    reader.UpdateTimeStep(time)
    moments.append(parts())
if not moments[0]:
    refuse(f"vtkGLTFReader has no geometry: {reason()}")
write(out, moments)
