"""CartPole from NumPy: the published equations, to the bit; ends, forks, states, replays."""
import os
import sys
from contextlib import closing

here, games, empty = sys.argv[1:]
sys.path.insert(0, here)
import numpy as np
from flatecs_gym import GymError, VectorEnv

f = np.float32


def published(state, action):
    """Gymnasium's CartPoleEnv.step in float32; sines are rounded from float64."""
    x, v, a, w = state.T
    force = np.where(action == 1, f(10), f(-10))
    cos, sin = np.cos(a.astype("f8")).astype(f), np.sin(a.astype("f8")).astype(f)
    temp = (force + f(.05) * np.square(w) * sin) / f(1.1)
    angular = (f(9.8) * sin - cos * temp) / (
        f(.5) * (f(4 / 3) - f(.1) * np.square(cos) / f(1.1)))
    linear = temp - f(.05) * angular * cos / f(1.1)
    return np.stack([x + f(.02) * v, v + f(.02) * linear, a + f(.02) * w, w + f(.02) * angular], 1)


digests = []
for column, workers in (False, 1), (True, 1), (True, 3):
    n = 1500
    env = VectorEnv(os.path.join(games, "cartpole"), n, workers=workers, column=column)
    observations, infos = env.reset(seed=1)
    assert observations.shape == (n, 4) and (np.abs(observations) <= .05).all()
    assert (infos["seed"] == 1 + np.arange(n)).all()
    random, over, ends = np.random.default_rng(1), np.zeros(n, bool), 0
    for _ in range(200):
        actions = random.integers(0, 2, n)
        want = published(observations.copy(), actions)
        observations, rewards, terminations, truncations, _ = env.step(actions)
        assert observations is not None and np.shares_memory(observations, env.observations)
        assert (observations[~over] == want[~over]).all()
        assert (np.abs(observations[over]) <= .05).all()
        assert (rewards == np.where(over, 0, 1)).all()
        fallen = (np.abs(observations[:, 0]) > 2.4) | (np.abs(observations[:, 2]) > f(.20943951))
        assert (terminations == fallen).all() and not truncations.any()
        over = fallen
        ends += fallen.sum()
    assert ends > 5 * n
    digests.append(env.digest(0))
    env.close()
assert digests[1] == digests[2] != digests[0]

with closing(VectorEnv([os.path.join(games, "cartpole")], 6, workers=2)) as env:
    env.reset(seed=[5] * 6)
    assert len({env.digest(i) for i in range(6)}) == 1
    env.step([0, 1, 0, 1, 0, 1])
    a, b = env.digest(0), env.digest(1)
    assert a != b
    env.fork(1, 3, first=2)
    assert [env.digest(i) for i in range(6)] == [a, b, b, b, b, b]
    env.restore(5, env.state(0))
    assert env.digest(5) == a and (env.observations[5] == env.observations[0]).all()
    o, r, *_ = env.step(np.ones(2, np.uint8), first=4, n=2)
    assert o.shape == (2, 4) and env.digest(4) != b and env.digest(3) == b
    env.reset(seed=9)
    env.record(2, os.path.join(empty, "episode"))
    digests, seen = [], []
    while not env.terminations[2]:
        env.step(np.ones(6, int))
        digests.append(env.digest(2))
        seen.append(env.observations[2].copy())
    frames = env.replay(os.path.join(empty, "episode"))
    assert list(frames["digest"]) == digests and (frames["observation"] == seen).all()
    assert (frames["action"] == 1).all() and frames["terminated"][-1] and (frames["reward"] == 1).all()
    try:
        env.record(3, os.path.join(empty, "episode"))
        raise SystemExit("a recording was overwritten")
    except GymError as e:
        assert "episode" in str(e), e

with closing(VectorEnv(os.path.join(games, "cartpole"), 2)) as env:
    space = env.single_observation_space
    assert np.isinf(space.high[1]) and np.isinf(space.low[3]) and f(space.high[0]) == f(4.8)
    assert env.single_action_space.n == 2 and env.action_space.shape == (2,)
