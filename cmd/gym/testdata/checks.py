"""What gymnasium.utils.env_checker asks of an environment, asked of these without Gymnasium."""
import inspect
import os
import sys
from contextlib import closing

here, games, empty = sys.argv[1:]
sys.path.insert(0, here)
import numpy as np
from flatecs_gym import VectorEnv


def contains(space, x):
    """Whether an array is in a space, as that of Gymnasium says."""
    return isinstance(x, np.ndarray) and x.shape == space.shape and x.dtype == space.dtype and \
        not np.isnan(x).any() and (x >= space.low).all() and (x <= space.high).all()


def sample(env, random):
    return random.integers(0, env.single_action_space.n, env.action_space.shape)


def played(env, seed, steps=50):
    """All that an agent sees of some steps, copied, and the infos that it was given."""
    random, infos = np.random.default_rng(seed), []
    seen = [env.reset(seed=seed)[0].copy()]
    for _ in range(steps):
        *arrays, info = env.step(sample(env, random))
        seen += [a.copy() for a in arrays]
        infos.append(info)
    return seen, infos


def same(a, b):
    return len(a) == len(b) and all(map(np.array_equal, a, b))


for game, n in ("cartpole", 7), ("duel", 2):
    with closing(VectorEnv(os.path.join(games, game), n)) as env:
        # The spaces: shapes and types of one environment, and of all.
        one, all_ = env.single_observation_space, env.observation_space
        assert env.num_envs == n and all_.shape == (n, *one.shape) and all_.dtype == one.dtype
        assert env.action_space.shape == (n, *env.single_action_space.shape)
        assert one.low.shape == one.high.shape == one.shape and (one.low <= one.high).all()
        assert env.metadata["autoreset_mode"] and not env.closed and not hasattr(env, "seed")

        # reset: its parameters, a pair, seeds that decide, and others that differ.
        parameters = inspect.signature(env.reset).parameters
        assert parameters["seed"].default is None and "options" in parameters
        assert "return_info" not in parameters
        for call in {}, {"seed": 123}, {"options": {}}, {"options": None}:
            result = env.reset(**call)
            assert type(result) is tuple and len(result) == 2 and type(result[1]) is dict
            assert contains(all_, result[0]), call
        first, other, again = (env.reset(seed=s)[0].copy() for s in (123, 456, 123))
        assert (first == again).all() and (first != other).any()
        unseeded = [env.reset()[1]["seed"].copy() for _ in range(2)]
        assert (unseeded[0] != unseeded[1]).all(), "without a seed, another game each time"

        mixed = env.reset(seed=[7] + [None] * (n - 1))[1]["seed"].tolist()
        assert mixed[0] == 7 and len(set(mixed)) == n, "None in a list is any seed"

        # step: five values, their types and shapes, in the space; the same from the same seed.
        random = np.random.default_rng(1)
        env.reset(seed=1)
        for _ in range(300):
            actions = sample(env, random)
            before = actions.copy()
            result = env.step(actions)
            assert type(result) is tuple and len(result) == 5 and (actions == before).all()
            observations, rewards, terminations, truncations, info = result
            assert contains(all_, observations) and type(info) is dict
            assert rewards.shape == terminations.shape == truncations.shape == (n,)
            assert rewards.dtype.kind == "f" and np.isfinite(rewards).all()
            assert terminations.dtype == truncations.dtype == bool
        seen, infos = played(env, 5)
        kept = [a.copy() for a in seen]
        seen2, _ = played(env, 5)
        assert same(seen, seen2) and same(seen, kept), "the same steps, and copies stay"
        assert not same(seen, played(env, 6)[0])

        # Each call has infos of its own: wrappers of Gymnasium write into them.
        infos[0]["episode"] = 1
        assert "episode" not in infos[1] and "episode" not in env.step(sample(env, random))[4]
        assert env.reset()[1] is not env.reset()[1]
        actions[:] = sample(env, random)  # what was given belongs to the agent again
        assert not np.shares_memory(actions, env.actions)
    env.close()  # a second time
    assert env.closed
