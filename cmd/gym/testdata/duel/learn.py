"""Learns to fight the scripted tank of the duel: the cross-entropy method, with a linear policy.

    go build -o duel ./cmd/gym/testdata/duel
    PYTHONPATH=cmd/gym python3 cmd/gym/testdata/duel/learn.py ./duel match

It prints the mean score of each generation: 10 for each tank broken, -10 for each one lost. Then
it plays games from other seeds, and records the first one in the folder match.
"""
import sys
import time

import numpy as np
from flatecs_gym import VectorEnv

LEFT, RIGHT, FORWARD, FIRE = 1, 2, 4, 16
OUT, POPULATION, ELITE, FRAMES = 3, 256, 24, 2


def press(weights, observations):
    """The actions of policies, a row of weights each: turn, drive and fire by linear outputs."""
    inputs = np.concatenate([observations, np.ones((len(observations), 1), "f4")], 1)
    turn, drive, fire = np.einsum("noi,ni->on", weights, inputs)
    a = np.where(turn > .1, RIGHT, np.where(turn < -.1, LEFT, 0))
    return (a | np.where(drive > 0, FORWARD, 0) | np.where(fire > 0, FIRE, 0)).astype("u1")


def play(env, weights, seed, before=lambda: None):
    """The scores of policies, each in a game of its own; those with a bonus for hits and aim."""
    observations, _ = env.reset(seed=seed)
    before()
    score, over = np.zeros(len(weights)), np.zeros(len(weights), bool)
    bonus = np.zeros(len(weights))
    while not over.all():
        was = observations.copy()
        observations, rewards, ended, late, _ = env.step(press(weights, observations))
        score += np.where(over, 0, rewards)
        hits = np.maximum(was - observations, 0)  # of armour, in thirds of it
        bonus += np.maximum(-rewards, 0) * .7 * ~over  # or it learns to hide
        bonus += 9 * hits[:, 11] * was[:, 6] * observations[:, 6]
        bonus += .02 * observations[:, 6] * observations[:, 9]
        over |= ended | late
    return score, score + bonus


def learn(env, generations, seconds):
    random, began = np.random.default_rng(1), time.monotonic()
    inputs = env.single_observation_space.shape[0] + 1
    mean, spread = np.zeros((OUT, inputs), "f4"), np.full((OUT, inputs), .3, "f4")
    mean[:, (1, -1)] = (.2, 0), (0, .3), (0, 1)  # it begins by driving to the middle, and firing
    for generation in range(generations):
        weights = mean + spread * random.standard_normal((POPULATION, OUT, inputs), "f4")
        seeds = np.full(POPULATION, generation, "u8")  # all play the same game
        score, value = play(env, weights, seeds)
        value = score + .93 ** generation * (value - score)  # first to fight, then to win
        best = weights[np.argsort(-value)[:ELITE]]
        mean, spread = best.mean(0), best.std(0) + .1 * .95 ** generation
        print(f"{generation:3} {time.monotonic() - began:5.0f} s  score {score.mean():6.2f}  "
              f"with bonus {value.mean():6.2f}", flush=True)
        if score.mean() > 10 or time.monotonic() - began > seconds:
            break
    return mean


if __name__ == "__main__":
    env = VectorEnv(sys.argv[1], POPULATION, frames=FRAMES)
    mean = learn(env, 200, 600)
    score, _ = play(env, np.broadcast_to(mean, (POPULATION, *mean.shape)), 42,
                 lambda: env.record(0, sys.argv[2]))
    print(f"learned: score {score.mean():.2f} of {POPULATION} games, {np.mean(score > 0):.0%} won, "
          f"{np.mean(score < 0):.0%} lost; the first is in {sys.argv[2]}")
    env.close()
