"""Calls every entry point with harmful arrays and objects: hostile.py SEED CALLS. Any exception is well but a panic; a crash
ends the process."""

import array
import pathlib
import random
import resource
import sys
import threading
import warnings

import numpy as np
import sinew

ALLOWED = (sinew.Error, TypeError, ValueError, MemoryError, OverflowError, RecursionError, BufferError, Warning)
DTYPES = "f2 f4 f8 >f4 >f8 g ? i1 i2 >i4 i8 u1 u2 >u2 u4 u8 F D O S3 U2 V4 M8[s] m8[ms]".split()
RIG = pathlib.Path(__file__).resolve().parents[3] / "conformance/rigs/instances-two-skins.glb"
HUGE = [2**20, 2**36, 2**40, 2**61]
NUMBERS = [0, -1, 1, 3, 65535, 65536, 2**31, 2**63 - 1, np.nan, np.inf, -np.inf, 1e-45, 1e38, 1e300, -0.0]


class Evil(Exception):
    """Raised by the objects below."""


class Converts:
    """Becomes another thing whenever NumPy asks, or raises."""

    def __init__(self, dice, good):
        self.dice, self.good = dice, good

    def __array__(self, *_, **__):
        answer = self.dice.choice([self.good, self, None, "text", [[]], Evil])
        if answer is Evil:
            raise Evil
        return answer

    def __len__(self):
        return self.dice.choice([0, 3, 2**62])

    def __getitem__(self, _):
        return self.dice.choice([self, 1, None])

    def __float__(self):
        raise Evil

    def __index__(self):
        raise Evil


class Subclass(np.ndarray):
    """Changes its own shape and type as it is looked at."""

    def __array_finalize__(self, other):
        if other is not None and random.random() < 0.1:
            raise Evil

    @property
    def dtype(self):
        return random.choice([np.dtype("f4"), np.dtype("i8"), None])

    @property
    def shape(self):
        return random.choice([(3, 3), (2**40, 3), None])


def reshaped(dice, good):
    """Returns an array of numbers in another form."""
    good = np.asarray(good)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            good = good.astype(dice.choice(["f4", "f8", "i8", *DTYPES]))
    except (TypeError, ValueError, RuntimeError):
        pass
    return good


def stretched(dice, good):
    """Returns a view with another layout, or with far more rows than memory has."""
    good = np.asarray(good)
    way = dice.randrange(8)
    if way == 0:
        return np.asfortranarray(good)
    if way == 1:
        return good[tuple(slice(None, None, dice.choice([1, -1, 2])) for _ in good.shape)]
    if way == 2 and good.ndim:
        return np.broadcast_to(good[:1], (dice.choice([len(good), *HUGE]) // max(good[:1].size, 1), *good.shape[1:]))
    if way == 3 and good.ndim:
        return good[:0] if dice.random() < 0.5 else good[..., :0]
    if way == 4:
        return good.transpose(dice.sample(range(good.ndim), good.ndim))
    if way == 5:
        return good[(None,) * dice.randrange(3)]
    if way == 6:
        return np.lib.stride_tricks.as_strided(good, good.shape, (0,) * good.ndim)
    return np.array(good.flat[0] if good.size else 0)


def sprinkled(dice, good):
    """Returns a copy with a few numbers that are out of range."""
    good = np.array(good)
    for _ in range(dice.randrange(1, 4)):
        if good.size and good.dtype.kind in "fiu":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    good.flat[dice.randrange(good.size)] = dice.choice(NUMBERS)
                except (OverflowError, ValueError):
                    pass
    return good


def other(dice, good):
    """Returns something else than an array."""
    good = np.asarray(good)
    return dice.choice(
        [
            lambda: good.tolist(),
            lambda: [good.tolist(), [1], "x"],
            lambda: list(good) if good.ndim else good,
            lambda: np.ma.masked_array(good, mask=good != good),
            lambda: np.asarray(good).view(Subclass),
            lambda: np.matrix(good.reshape(len(good), -1)) if good.ndim else good,
            lambda: np.zeros(3, [("x", "f4"), ("y", "O")]),
            lambda: memoryview(np.ascontiguousarray(good)) if good.dtype.kind in "fiu" else None,
            lambda: array.array("d", [1.0, 2.0]),
            lambda: Converts(dice, good),
            lambda: [Converts(dice, good)] * 3,
            lambda: dice.choice([None, 3, 1.5, "x", b"x", {}, {1}, (), [], [[]], object(), int, range(3), True, 2**70]),
        ]
    )()


def harmed(dice, good):
    """Returns a value in the place of a good one; often that itself."""
    for _ in range(dice.choice([0, 0, 0, 1, 1, 2])):
        try:
            good = dice.choice([reshaped, stretched, sprinkled, other])(dice, good)
        except (ValueError, TypeError, IndexError, Evil):
            pass
    if isinstance(good, np.ndarray) and dice.random() < 0.1 and type(good) is np.ndarray:
        good = good.view()
        good.flags.writeable = False
    return good


class Calls:
    """The entry points."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.bytes = RIG.read_bytes()
        self.model = sinew.load(self.bytes)
        self.clip = self.model.clip(0)
        self.pose = self.model.pose(0, time=0.4)
        rows = np.random.default_rng(seed)
        self.joint = self.model.joints[0][-1]
        self.parts = self.pose.skin().positions
        self.good = {
            "positions": rows.random((9, 3)),
            "joints": rows.integers(0, 2, (9, 4)),
            "weights": rows.random((9, 4)),
            "normals": rows.random((9, 3)),
            "tangents": rows.random((9, 4)),
            "centers": rows.random((9, 3)),
            "shares": rows.random(9),
            "matrices": np.tile(np.eye(4), (3, 2, 1, 1)),
        }

    def take(self, *optional):
        """Returns arguments, of which up to two are harmed, and optional ones are sometimes absent."""
        names = ["positions", "joints", "weights", *(name for name in optional if self.dice.random() < 0.5)]
        given = {name: self.good[name] for name in names}
        for name in self.dice.sample(names, self.dice.randrange(3)):
            given[name] = harmed(self.dice, given[name])
        return given

    def mode(self):
        if self.dice.random() < 0.05:
            return self.dice.choice(["no", None, 3, "\ud800"])
        return self.dice.choice(sinew.MODES)

    def matrices(self):
        return harmed(self.dice, self.good["matrices"]) if self.dice.random() < 0.4 else self.good["matrices"]

    def skin(self):
        given = self.take("normals", "tangents", "centers", "shares")
        sinew.skin(**given, matrices=self.matrices(), mode=self.mode())

    def mesh(self):
        mesh = sinew.Mesh(**self.take("normals", "tangents", "centers", "shares"))
        for _ in range(3):
            self.attempt(lambda: mesh.skin(self.matrices(), self.mode()))

    def changing(self):
        """Skins arrays that another thread changes."""
        good = {name: np.repeat(value, 300, 0) for name, value in self.good.items()}
        good["matrices"] = self.good["matrices"].copy()
        stop = threading.Event()

        def change():
            while not stop.is_set():
                for value in good.values():
                    value[:] = value[::-1].copy()
                good["joints"][0] = 10 ** random.randrange(-1, 9)
                good["joints"][0] = 0
                good["shares"].shape = self.dice.choice([(-1,), (-1, 1)])

        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(6):
                self.attempt(lambda: sinew.skin(**good, mode=self.mode()))
        finally:
            stop.set()
            thread.join()

    def diagnose(self):
        vertices = [harmed(self.dice, part) for part in self.parts]
        normals = self.dice.choice([None, None, vertices])
        if self.dice.random() < 0.3:
            vertices = harmed(self.dice, np.concatenate(self.parts))
            normals = self.dice.choice([None, harmed(self.dice, vertices)])
        self.model.diagnose(vertices, normals=normals, pose=self.dice.choice([self.pose, self.pose, None, 3]))

    def posed(self):
        dice, odd = self.dice, lambda good: harmed(self.dice, good)
        recursive = {}
        recursive["upper"] = recursive
        blends = {}

        class Grows:
            def __float__(self):
                blends.update({str(number): 0.5 for number in range(99)})
                return 0.25

        blends[self.clip.name] = dice.choice([0.5, Grows(), odd(0.5)])
        joints = {dice.choice([self.joint] * 5 + ["nobody", "\ud800", 3]): {"rotation": odd([0, 0, 0, 1]), dice.choice(["scale", "scale", "x"]): odd([1, 1, 1])}}
        keywords = {
            "clip": [self.clip.name, 0, "rest", "bind", -1, 2**70, odd(0), self.clip, "\ud800", b"x"],
            "time": [0.5, odd(0.5), 1e300, np.float64("nan")],
            "joints": [joints, joints, recursive, {}],
            "blends": [blends],
            "morphs": [recursive, {"a": {"b": odd(1.0)}}, {}],
            "over": [{"sinew-pose": odd(2)}, "/nix", odd(1), recursive],
        }
        chosen = dice.sample(sorted(keywords), dice.randrange(1, 4))
        pose = self.model.pose(**{name: dice.choice(keywords[name]) for name in chosen})
        pose.skin(self.mode())
        pose.palette(self.mode(), skin=dice.choice([0, -1, 2**70, odd(0)]))

    def clipped(self):
        calls = iter(range(self.dice.randrange(5)))

        def told(_):
            if next(calls, None) is None:
                raise Evil

        progress = self.dice.choice([None, told, 3, told])
        frames = self.clip.skin(self.mode(), fps=self.dice.choice([2, harmed(self.dice, 2.0), 1e-300, 1e9]), progress=progress)
        frames.dtype = "u1"

    def merged(self):
        """Changes arrays in place that objects share."""
        skinned = self.pose.skin()
        for one in [skinned.positions[self.dice.randrange(2)], skinned.normals[0], skinned.merged().positions]:
            way = self.dice.randrange(3)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if way == 0:
                    one.dtype = self.dice.choice(["u1", "f8", "f4"])
                elif way == 1:
                    one.shape = one.shape[::-1]
                else:
                    self.attempt(lambda: one.resize((2**20, 3)))
        self.attempt(lambda: skinned.merged())
        self.model.diagnose(skinned.positions, pose=self.pose)

    def explained(self):
        vertex = self.dice.choice([0, -1, 2**70, "node0:0:1", "node0:0:99999999999999999999", "::", "\ud800", harmed(self.dice, 1), None])
        self.model.explain(vertex, 0, harmed(self.dice, 0.5))

    def loaded(self):
        harm = bytearray(self.bytes)
        for _ in range(self.dice.randrange(4)):
            harm[self.dice.randrange(min(len(harm), 3000))] = self.dice.randrange(256)
        source = self.dice.choice([bytes(harm), bytes(harm[: self.dice.randrange(len(harm))]), harm, memoryview(harm), Reads(self.dice, harm)])
        model = sinew.load(source, fps=self.dice.choice([None, harmed(self.dice, 30.0)]))
        for clip in model.clips:
            model.pose(clip).skin("dqs").merged()

    def attempt(self, call):
        try:
            call()
        except (*ALLOWED, Evil):
            pass

    def one(self):
        kinds = [self.skin] * 6 + [self.mesh] * 6 + [self.posed] * 3
        kinds += [self.diagnose, self.clipped, self.merged, self.explained, self.loaded, self.changing]
        self.attempt(self.dice.choice(kinds))


class Reads:
    """A file that reads as something else."""

    def __init__(self, dice, harm):
        self.dice, self.harm = dice, harm

    def read(self, *_):
        answer = self.dice.choice([bytes(self.harm), self.harm, "text", None, Evil])
        if answer is Evil:
            raise Evil
        return answer


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    # A view of little memory that looks like much of it must not be copied.
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    warnings.simplefilter("ignore")
    calls = Calls(seed)
    for number in range(count):
        calls.dice = random.Random(f"{seed} {number}")
        random.seed(number)
        print(number, flush=True)
        calls.one()


if __name__ == "__main__":
    main()
