"""The duel: the arena's rules for two tanks, the second of them scripted."""
import os
import sys
from contextlib import closing

here, games, empty = sys.argv[1:]
sys.path[:0] = [here, os.path.join(os.path.dirname(__file__), "duel")]
import numpy as np
import learn
from flatecs_gym import VectorEnv

duel, n = os.path.join(games, "duel"), 32
digests = []
for workers in (1, 3):
    with closing(VectorEnv(duel, n, frames=2, workers=workers)) as env:
        o, _ = env.reset(seed=3)
        assert o.shape == (n, 15) and (env.digest(0) != env.digest(1))
        env.record(1, os.path.join(empty, f"match{workers}"))
        random, seen, broken = np.random.default_rng(1), 0, 0
        while not env.truncations.any():
            o, rewards, *_ = env.step(random.integers(0, 32, n))
            seen, broken = seen + o[:, 6].sum(), broken + np.abs(rewards).sum()
            if seen == 100:
                env.fork(3, 5, first=20)
        assert seen > 100 and broken > 0
        digests.append([env.digest(i) for i in range(n)])
        frames = env.replay(os.path.join(empty, f"match{workers}"))
        assert len(frames) == 1198 and frames["digest"][-1] == env.digest(1), len(frames)
        print(os.path.join(empty, f"match{workers}"), env.digest(1))  # for programs in Go
assert digests[0] == digests[1]

# A policy that aims, drives and fires beats the script; the one that learns begins as it should.
aims = np.zeros(learn.SIZE, "f4")
aims[[0, 1, 9, 15, 27]] = .2, 3, -2, 1, 1  # it drives back where it sees the enemy
with closing(VectorEnv(duel, 64)) as env:
    score, *_ = learn.play(env, np.broadcast_to(aims, (64, learn.SIZE)), 7)
    assert score.mean() > 0, score
learn.PAIRS = 16
with closing(VectorEnv(duel, 32, frames=4)) as env:
    assert np.isfinite(learn.learn(env, 60, 2)).all()
