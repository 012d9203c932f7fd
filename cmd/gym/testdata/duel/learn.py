"""Learns to beat the scripted tank of the duel: an evolution strategy, with a linear policy.

    go build -o duel ./cmd/gym/testdata/duel
    PYTHONPATH=cmd/gym python3 cmd/gym/testdata/duel/learn.py ./duel match

Policies are tried in pairs, one on either side of the mean, in the same game, and the mean follows
the ranks of their scores: 10 for each tank broken, -10 for each one lost. It prints the mean score
of each generation. Then it plays 256 games from other seeds, and records one in the folder match.
"""
import sys
import time

import numpy as np
from flatecs_gym import VectorEnv

LEFT, RIGHT, FORWARD, BACK, FIRE = 1, 2, 4, 8, 16
ODD, EVEN = [1, 8, 12, 13], [0, 2, 3, 4, 5, 6, 7, 9, 10, 11, 14]  # a mirror negates the odd ones
SIZE = len(ODD) + 2 * len(EVEN) + 2
PAIRS, SPREAD, RATE = 64, .25, .2


def press(weights, observations):
    """The actions of policies, a row of weights each: turn, drive and fire by linear outputs."""
    even = np.concatenate([observations[:, EVEN], np.ones((len(observations), 1), "f4")], 1)
    odd, cuts = observations[:, ODD], [len(ODD), (len(ODD) + SIZE) // 2]
    turn, drive, fire = ((w * x).sum(1) for w, x in zip(
        np.split(weights, cuts, 1), (odd, even, even)))
    a = np.where(turn > .08, RIGHT, np.where(turn < -.08, LEFT, 0))
    a |= np.where(drive > .1, FORWARD, np.where(drive < -.1, BACK, 0))
    return (a | np.where(fire > 0, FIRE, 0)).astype("u1")


def play(env, weights, seed, before=lambda: None):
    """The scores of policies, each in a game of its own; what they lost; a bonus for hits, aim."""
    observations, _ = env.reset(seed=seed)
    before()
    score, lost, bonus, over = np.zeros((4, len(weights)))
    while not over.all():
        was = observations.copy()
        observations, rewards, ended, late, _ = env.step(press(weights, observations))
        goes, hits = over == 0, np.maximum(was - observations, 0)  # of armour, in thirds of it
        score += goes * rewards
        lost += goes * np.maximum(-rewards, 0)
        bonus += goes * 9 * hits[:, 11] * was[:, 6] * observations[:, 6]
        bonus += goes * .02 * observations[:, 6] * observations[:, 9]
        over[:] = over + (ended | late) > 0
    return score, lost, bonus


def learn(env, seconds, generations=10_000):
    random, began, done = np.random.default_rng(1), time.monotonic(), 0
    mean, speed = np.zeros((2, SIZE), "f4")
    mean[[0, (len(ODD) + SIZE) // 2 - 1, -1]] = 1  # it begins by driving to the middle, and firing
    for generation in range(generations):
        tries = random.standard_normal((PAIRS, SIZE), "f4")
        tries = np.concatenate([tries, -tries])
        seeds = generation * PAIRS + np.arange(2 * PAIRS, dtype="u8") % PAIRS
        score, lost, bonus = play(env, mean + SPREAD * (1 - done / 2) * tries, seeds)
        bold = max(0, 1 - done / .6)  # first to fight, then to win; or it learns to hide
        ranks = (score + bold * lost + max(.3, bold) * bonus).argsort().argsort()
        speed = .8 * speed + (ranks / (2 * PAIRS - 1) - .5).astype("f4") @ tries / PAIRS
        mean = mean + RATE * (1 - .7 * done) * speed
        done = (time.monotonic() - began) / seconds
        print(f"{generation:3} {done * seconds:5.0f} s  score {score.mean():6.2f}  "
              f"lost {lost.mean():6.2f}", flush=True)
        if done > 1:
            break
    return mean


if __name__ == "__main__":
    env = VectorEnv(sys.argv[1], 2 * PAIRS)
    mean = np.broadcast_to(learn(env, 560), (2 * PAIRS, SIZE))
    score = np.concatenate([play(env, mean, 2**40, lambda: env.record(0, sys.argv[2]))[0],
                            play(env, mean, 2**41)[0]])
    print(f"learned: score {score.mean():.2f} of {len(score)} games, {np.mean(score > 0):.0%} won, "
          f"{np.mean(score < 0):.0%} lost; the first is in {sys.argv[2]}\n{mean[0].round(2)}")
    env.close()
