"""Prints the figures of docs/GYM.md: the best of many rounds, as the machine may do other things.

    go build -o . ./cmd/gym/testdata/cartpole ./cmd/gym/testdata/duel
    PYTHONPATH=cmd/gym python3 cmd/gym/testdata/figures/figures.py .
"""
import os
import sys
import time

import numpy as np
from flatecs_gym import VectorEnv


def best(rounds, call):
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


for game, n, column in (("cartpole", 256, False), ("cartpole", 1024, False), ("cartpole", 1024, True),
                        ("cartpole", 16384, True), ("duel", 256, False)):
    env = VectorEnv(os.path.join(sys.argv[1], game), n, column=column)
    observations, _ = env.reset(seed=1)
    actions = np.zeros(n, "u1")

    def step():
        if game == "cartpole":
            np.greater(observations[:, 2] + observations[:, 3], 0, out=actions.view("?"))
        else:
            actions[:] = 20  # forward, and fire
        env.step(actions)
    seconds = best(3000, step)
    print(f"{game}, {n} environments, {'column' if column else 'pool'}: "
          f"{seconds * 1e6:.0f} us a step, {n / seconds / 1e6:.2f} M/s", flush=True)
    env.close()
for game in ("cartpole", "duel"):
    env = VectorEnv(os.path.join(sys.argv[1], game), 1001)
    env.reset(seed=1)
    print(f"{game}: fork(0, 1000) {best(100, lambda: env.fork(0, 1000, 1)) * 1e3:.2f} ms, "
          f"a state has {len(env.state(0))} bytes")
    env.close()
