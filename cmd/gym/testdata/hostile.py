"""Killed games and killed agents, and calls that are wrong."""
import os
import signal
import subprocess
import sys
import time

here, games, empty = sys.argv[1:]
sys.path.insert(0, here)
import numpy as np
from flatecs_gym import GymError, VectorEnv

pole = os.path.join(games, "cartpole")


def refused(kind, text, call):
    try:
        call()
    except kind as e:
        assert text in str(e), (text, e)
    else:
        raise SystemExit(f"not refused: {text}")


# Wrong calls are named, and nothing is written.
env = VectorEnv(pole, 4)
refused(GymError, "call reset", lambda: env.step([0] * 4))
env.reset(seed=1)
before = env.actions.copy(), env.seeds.copy(), env.digest(0)
refused(ValueError, "actions have shape (2,); give (4,)", lambda: env.step([0, 1]))
refused(ValueError, "actions have shape (); give (4,)", lambda: env.step(1))
refused(TypeError, "actions have type float64; give uint8", lambda: env.step([.5] * 4))
refused(TypeError, "actions have type <U1; give uint8", lambda: env.step(["1"] * 4))
refused(ValueError, "actions are -1 to 0; give 0 to 1", lambda: env.step([0, -1, 0, 0]))
refused(ValueError, "actions are 0 to 256; give 0 to 1", lambda: env.step([0, 256, 0, 0]))
refused(IndexError, "there are 4 environments", lambda: env.step([0] * 4, first=2, n=4))
refused(IndexError, "there are 4 environments", lambda: env.fork(-1, 2))
refused(ValueError, "seeds have shape (3,); give (4,)", lambda: env.reset(seed=[1, 2, 3]))
refused(TypeError, "seeds have type float64", lambda: env.reset(seed=[1.5] * 4))
refused(ValueError, "this gym has none", lambda: env.reset(options={"low": 0}))
refused(GymError, "no state of this game", lambda: env.restore(0, env.state(0)[:-1] + b"x"))
refused(GymError, "number 4; there are 0 to 3", lambda: env.digest(4))
assert (env.actions == before[0]).all() and (env.seeds == before[1]).all()
assert env.digest(0) == before[2]
refused(ValueError, "actions are 0 to 2; give 0 to 1", lambda: env.step(np.array([0, 0, 0, 2], "u1")))
refused(GymError, "0 environments", lambda: VectorEnv(pole, 0))
refused(GymError, "needs Again, and frames=1", lambda: VectorEnv(pole, 1, 2, column=True))
refused(GymError, "the game has ended with status 0", lambda: VectorEnv(["echo", "hello"]))
refused(FileNotFoundError, "none", lambda: VectorEnv("/none"))

column = VectorEnv(pole, 4, column=True)
column.reset(seed=1)
for call in (lambda: column.fork(0, 1), lambda: column.state(0), lambda: column.restore(0, b""),
             lambda: column.record(0, empty + "/x"), lambda: column.replay(empty),
             lambda: column.step([1], first=1, n=1)):
    refused(GymError, "all environments are one world; ask for column=False", call)
column.close()

# A killed game is an exception within a second; so is what follows. What was returned stays.
os.kill(env._game.pid, signal.SIGKILL)
began = time.monotonic()
refused(GymError, "ended with status -9", lambda: env.step([0] * 4))
assert time.monotonic() - began < 1
refused(GymError, "are closed", lambda: env.step([0] * 4))
assert env.observations.shape == (4, 4) and np.isfinite(env.observations).all()

# A killed agent leaves neither a process nor shared memory, also in the middle of steps.
shared = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
agent = f"""
import sys; sys.path.insert(0, {here!r})
from flatecs_gym import VectorEnv
env = VectorEnv({pole!r}, 1000)
env.reset(seed=1)
print(env._game.pid, flush=True)
while True:
    env.step(env.actions)
"""
child = subprocess.Popen([sys.executable, "-c", agent], stdout=subprocess.PIPE)
game = int(child.stdout.readline())
time.sleep(.2)
os.kill(game, 0)
child.kill()
child.wait()
for _ in range(100):
    try:
        os.kill(game, 0)
        with open(f"/proc/{game}/stat") as stat:
            if ") Z " in stat.read():
                break
        time.sleep(.02)
    except OSError:
        break
else:
    raise SystemExit(f"game {game} outlived its agent by two seconds")
assert not (set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()) - shared
