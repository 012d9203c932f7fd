"""Games of flatecs as vector environments, after Gymnasium's VectorEnv. It needs NumPy alone.

The arrays are views of memory that the game writes: copy what is to outlive the next call. The
step after the end of an episode begins the next one: it ignores the action, and has no reward
(Gymnasium's NEXT_STEP). docs/GYM.md shows how to use it, and how to write a game for it.
"""

import json
import mmap
import os
import struct
import subprocess
import tempfile
from types import SimpleNamespace as Space

import numpy as np

try:
    import gymnasium
    from gymnasium.vector.utils import batch_space
    Base, NEXT_STEP = gymnasium.vector.VectorEnv, gymnasium.vector.AutoresetMode.NEXT_STEP
except ImportError:
    gymnasium, Base, NEXT_STEP = None, object, "NextStep"


class GymError(RuntimeError):
    """The game refused a call, or has ended."""


class VectorEnv(Base):
    """num_envs environments of a game: each a world of its own, or all in one with column=True.

    command, a path or a list of words, starts the game. An action lasts for so many frames.
    workers are goroutines, 0 for one on each processor; the bytes are the same for any number.
    """

    def __init__(self, command, num_envs=1, frames=1, workers=0, column=False):
        self.num_envs, self.closed, self._begun = num_envs, False, False
        # A file without a name is gone with the last program that has it.
        with (os.fdopen(os.memfd_create("gym"), "r+b") if hasattr(os, "memfd_create")
              else tempfile.TemporaryFile()) as memory:
            self._game = subprocess.Popen(command, bufsize=0, pass_fds=[memory.fileno()],
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            asked = {"Envs": num_envs, "Frames": frames, "Workers": workers, "Column": bool(column)}
            try:
                self._write(json.dumps({**asked, "Memory": memory.fileno()}).encode() + b"\n")
                self._open(self._game.stdout.readline(), memory.fileno())
            except BaseException:
                self.close()
                raise

    def _open(self, line, memory):
        """Map the arrays that the game's first line tells of."""
        if not line.startswith(b"{"):
            self._ended(f"it says {line[:80]!r}; start a program that calls gym.Serve")
        spec = json.loads(line)
        if spec.get("Error"):
            raise GymError(spec["Error"])
        mapped, n = mmap.mmap(memory, spec["At"][-1]), self.num_envs

        def view(i, dtype, shape=()):
            return np.ndarray((n, *shape), dtype, mapped, spec["At"][i])

        self.single_action_space = a = self._space(spec["Types"][0], **spec["Action"])
        self.single_observation_space = o = self._space(spec["Types"][1], **spec["Observation"])
        self.seeds, self.rewards = view(0, "<u8"), view(1, "<f4")
        self.terminations, self.truncations = view(2, "?"), view(3, "?")
        self.actions, self.observations = view(4, a.dtype, a.shape), view(5, o.dtype, o.shape)
        self.action_space, self.observation_space = (
            batch_space(s, n) if gymnasium else Space(**{**vars(s), "shape": (n, *s.shape)})
            for s in (a, o))
        self.metadata = {"autoreset_mode": NEXT_STEP, "name": spec["Name"]}
        self._most = spec["Action"]["N"] - 1

    @staticmethod
    def _space(name, Shape, N, Low, High):
        """Gymnasium's space, or a plain object that says the same; n is 0 for a box."""
        shape, dtype = tuple(Shape or ()), np.dtype(name.split(".")[-1].lower())
        of = np.iinfo(dtype) if dtype.kind != "f" else Space(min=-np.inf, max=np.inf)
        low, high = (np.where(np.abs(x) < np.finfo("f4").max, x, np.copysign(np.inf, x)) for x in (
            np.resize(Low or of.min, shape), np.resize(High or of.max, shape)))
        if not gymnasium:
            return Space(shape=shape, dtype=dtype, low=low, high=high, n=N)
        if N:
            return gymnasium.spaces.MultiDiscrete(np.full(shape, N), dtype=dtype.type) \
                if shape else gymnasium.spaces.Discrete(N, dtype=dtype.type)
        return gymnasium.spaces.Box(low.astype(dtype), high.astype(dtype), shape, dtype.type)

    def reset(self, *, seed=None, options=None):
        """Begin an episode in each environment: i from seed + i, or each from its own of a list.

        None is any seed, also in a list."""
        if options:
            raise ValueError(f"options are {options!r}; this gym has none")
        some = lambda s: int.from_bytes(os.urandom(8), "little") >> 1 if s is None else s
        seed = [some(s) for s in seed] if isinstance(seed, (list, tuple)) else some(seed)
        if np.ndim(seed) == 0:
            seed = np.array([(int(seed) + i) % 2**64 for i in range(self.num_envs)], np.uint64)
        self.seeds[:] = self._fits("seeds", seed, self.seeds, 2**64 - 1)
        self._begun = self._ask("b", 0, self.num_envs) == b""
        return self.observations, {"seed": self.seeds}  # wrappers write into it

    def step(self, actions, first=0, n=None):
        """Take an action in each environment, or only in n of them, from first on."""
        n = self.num_envs - first if n is None else n
        self._check(first, n, first + n)
        if not self._begun:
            raise GymError("no episode has begun; call reset")
        part = slice(first, first + n)
        self.actions[part] = self._fits("actions", actions, self.actions[part], self._most)
        self._ask("s", first, n)
        return (self.observations[part], self.rewards[part], self.terminations[part],
                self.truncations[part], {"seed": self.seeds})

    @staticmethod
    def _fits(what, given, like, most):
        """Return an array. Another shape, or values that the type of like has not, are errors."""
        a = np.asarray(given)
        if a.shape != like.shape:
            raise ValueError(f"{what} have shape {a.shape}; give {like.shape}")
        if like.dtype.kind == "f" and np.can_cast(a.dtype, np.float64):
            return a
        if a.dtype.kind not in "iu" or like.dtype.kind not in "iu":
            raise TypeError(f"{what} have type {a.dtype}; give {like.dtype}")
        of = np.iinfo(like.dtype)
        least, most = (0, most) if most >= 0 else (of.min, of.max)
        if a.min() < least or a.max() > most:
            raise ValueError(f"{what} are {a.min()} to {a.max()}; give {least} to {most}")
        return a

    def fork(self, i, n, first=0):
        """Make n environments, from first on, what environment i is now."""
        self._ask("f", first, n, i)

    def state(self, i):
        """Return environment i as bytes, for restore."""
        return self._ask("w", i=i)

    def restore(self, i, state):
        """Make environment i what it, or another one, was at state()."""
        self._ask("r", i=i, more=bytes(state))

    def digest(self, i):
        """Return a number of the world of environment i: equal worlds have equal ones."""
        return int.from_bytes(self._ask("d", i=i), "little")

    def record(self, i, path):
        """Record environment i, until its episode is over, in a new folder."""
        self._ask("t", i=i, more=os.fsencode(os.path.abspath(path)))

    def replay(self, path):
        """Play a recording again, comparing digests; return its frames, each after its step."""
        return np.frombuffer(self._ask("p", more=os.fsencode(path)), [
            ("digest", "<u8"), ("reward", "<f4"), ("terminated", "?"), ("truncated", "?"),
            ("action", self.actions.dtype, self.actions.shape[1:]),
            ("observation", self.observations.dtype, self.observations.shape[1:])])

    def _check(self, *numbers):
        if self.closed:
            raise GymError("the environments are closed; make others")
        if min(numbers) < 0 or max(numbers) > self.num_envs:
            raise IndexError(f"there are {self.num_envs} environments; {numbers} is beyond")

    def _ask(self, op, first=0, n=1, i=0, more=b""):
        self._check(first, n, i)
        self._write(struct.pack("<5I", ord(op), first, n, i, len(more)) + more)
        failed, size = struct.unpack("<2I", self._read(8))
        result = self._read(size)
        if failed:
            raise GymError(result.decode(errors="replace"))
        return result

    def _ended(self, why):
        self.close()
        raise GymError(f"the game has ended with status {self._game.returncode}: {why}")

    def _write(self, b):
        try:
            while b:
                b = b[self._game.stdin.write(b):]
        except OSError as e:
            self._ended(e)

    def _read(self, n):
        b = b""
        while len(b) < n:
            b += self._game.stdout.read(n - len(b)) or self._ended("its last words are above")
        return b

    def close(self, **_):
        """End the game. The arrays stay readable."""
        self.closed = True
        game = getattr(self, "_game", None)
        if game and not game.stdin.closed:
            game.stdin.close()
            try:
                game.wait(5)
            except subprocess.TimeoutExpired:
                game.kill()
            game.wait()
            game.stdout.close()
