"""Exceptions, with the exit codes of the program."""

import re
from typing import Any, Optional

# The start of a cause: a place in the JSON of glTF.
PLACE = re.compile(
    r"(?:accessors|animations|asset|bufferViews|buffers|cameras|extensions\w*|images|materials|meshes|nodes|samplers"
    r"|scenes?|skins|textures)[\w.\[\]/-]*(?=: )"
)


class Error(Exception):
    """Any failure of sinew."""

    exit_code: int = 1

    def __init__(self, cause: object, file: Optional[str] = None) -> None:
        super().__init__(f"{file}: {cause}" if file else str(cause))
        self.cause = str(cause)
        self.file = file
        place = PLACE.match(self.cause)
        self.json_path = place[0] if place else None


class InputError(Error):
    """A file is at fault; `cause` begins with `json_path`, unless that is None."""


class UsageError(Error, ValueError):
    """An argument is at fault."""

    exit_code = 2


class NoVulkan(Error):
    """There is no usable Vulkan driver; the message says what to install."""

    exit_code = 3


class DeviceError(Error):
    """The device, the surface or memory failed."""

    exit_code = 4


class OutputError(Error, OSError):
    """A file could not be written."""

    exit_code = 5


class CheckFailed(Error):
    """A check said no; `result` has what it found."""

    exit_code = 6
    result: Any = None


def plain(value):
    """Returns arrays and numbers of NumPy as lists and numbers, for the module json."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
