import os
from typing import Any, BinaryIO, Callable, Dict, List, Mapping, Optional, Tuple, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._answers import Answer
from ._program import Picture

_Float32 = NDArray[np.float32]
_Clip = Union[str, int, "Clip"]
_Progress = Optional[Callable[[float], object]]

MODES: Tuple[str, ...]

def load(
    source: Union[str, "os.PathLike[str]", bytes, BinaryIO], *, scene: Optional[str] = None, fps: Optional[float] = None
) -> Model: ...
def skin(
    positions: ArrayLike,
    joints: ArrayLike,
    weights: ArrayLike,
    matrices: ArrayLike,
    mode: str = "lbs",
    *,
    normals: Optional[ArrayLike] = None,
    tangents: Optional[ArrayLike] = None,
    centers: Optional[ArrayLike] = None,
    shares: Optional[ArrayLike] = None,
) -> Vertices: ...
def pixels(path: Union[str, "os.PathLike[str]"]) -> NDArray[np.uint8]: ...

@final
class Mesh:
    def __new__(
        cls,
        positions: ArrayLike,
        joints: ArrayLike,
        weights: ArrayLike,
        *,
        normals: Optional[ArrayLike] = None,
        tangents: Optional[ArrayLike] = None,
        centers: Optional[ArrayLike] = None,
        shares: Optional[ArrayLike] = None,
    ) -> Mesh: ...
    def skin(self, matrices: ArrayLike, mode: str = "lbs") -> Vertices: ...

@final
class Model:
    @property
    def name(self) -> str: ...
    @property
    def clips(self) -> List[Clip]: ...
    @property
    def joints(self) -> List[List[str]]: ...
    @property
    def meshes(self) -> List[str]: ...
    @property
    def triangles(self) -> List[NDArray[np.uint32]]: ...
    @property
    def influences(self) -> List[Optional[Tuple[NDArray[np.uint16], _Float32]]]: ...
    @property
    def warnings(self) -> List[str]: ...
    @property
    def vertices(self) -> int: ...
    @property
    def mode(self) -> Optional[str]: ...
    @property
    def _bytes(self) -> Optional[bytes]: ...
    @property
    def _path(self) -> Optional[os.PathLike[str]]: ...
    def clip(self, name: _Clip) -> Clip: ...
    def pose(
        self,
        clip: Optional[_Clip] = None,
        *,
        time: Optional[float] = None,
        frame: Optional[float] = None,
        over: Union[None, str, "os.PathLike[str]", Dict[str, Any]] = None,
        blends: Optional[Dict[str, float]] = None,
        joints: Optional[Dict[str, Mapping[str, ArrayLike]]] = None,
        morphs: Optional[Dict[str, Mapping[str, float]]] = None,
    ) -> Pose: ...
    def diagnose(
        self,
        vertices: Union[ArrayLike, List[_Float32]],
        *,
        normals: Union[None, ArrayLike, List[_Float32]] = None,
        pose: Optional[Pose] = None,
        progress: _Progress = None,
    ) -> Answer: ...
    def weights(self, *, volume: bool = False) -> Answer: ...
    def explain(
        self,
        vertex: Union[int, str],
        clip: Optional[_Clip] = None,
        time: Optional[float] = None,
        *,
        pose: Optional[Pose] = None,
    ) -> Answer: ...
    def draw(self, *, progress: _Progress = None, **flags: Any) -> Picture: ...
    def report(
        self, output: Union[None, str, "os.PathLike[str]"] = None, *, progress: _Progress = None, **flags: Any
    ) -> Answer: ...
    def bake(self, path: Union[str, "os.PathLike[str]"], *, progress: _Progress = None, **flags: Any) -> None: ...
    def save(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = False) -> None: ...

@final
class Clip:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    def times(self, fps: Optional[float] = None) -> List[float]: ...
    def skin(self, mode: str = "lbs", *, fps: Optional[float] = None, progress: _Progress = None) -> _Float32: ...

@final
class Pose:
    @property
    def kind(self) -> str: ...
    @property
    def time(self) -> float: ...
    def skin(self, mode: str = "lbs") -> Skinned: ...
    def palette(self, mode: str = "lbs", *, skin: int = 0) -> NDArray[np.float64]:
        """The matrices that every mode blends: `mode` is checked, and changes nothing."""
    def to_json(self) -> str: ...

@final
class Skinned:
    @property
    def primitives(self) -> List[str]: ...
    @property
    def positions(self) -> List[_Float32]: ...
    @property
    def normals(self) -> List[Optional[_Float32]]: ...
    @property
    def tangents(self) -> List[Optional[_Float32]]: ...
    def merged(self) -> Vertices: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Vertices: ...

@final
class Vertices:
    @property
    def positions(self) -> _Float32: ...
    @property
    def normals(self) -> Optional[_Float32]: ...
    @property
    def tangents(self) -> Optional[_Float32]: ...
