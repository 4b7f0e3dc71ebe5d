"""Skinned characters as arrays: load, pose, skin, measure and draw them.

    >>> import sinew
    >>> figure = sinew.load("builtin:twist")
    >>> figure.pose("twist", time=1).skin("dqs").merged().positions.shape
    (6929, 3)
"""

from ._answers import Answer
from ._errors import CheckFailed, DeviceError, Error, InputError, NoVulkan, OutputError, UsageError
from ._program import Picture, compare, fit
from ._sinew import MODES, Clip, Mesh, Model, Pose, Skinned, Vertices, load, skin

__all__ = [
    "Answer",
    "CheckFailed",
    "Clip",
    "DeviceError",
    "Error",
    "InputError",
    "MODES",
    "Mesh",
    "Model",
    "NoVulkan",
    "OutputError",
    "Picture",
    "Pose",
    "Skinned",
    "UsageError",
    "Vertices",
    "compare",
    "fit",
    "load",
    "skin",
]
