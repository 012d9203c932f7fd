// Package gym makes a game the environments of a learning agent, which is a Python program with
// NumPy: flatecs_gym.py. The game is not changed, and trains as it is played.
//
//	Python                        shared memory                    Go
//	VectorEnv.step(actions) ──▶ actions, a row each ──▶ Env.Step   a world of a pool each,
//	observations, rewards … ◀── observations …      ◀── Observe …  or all in one world
//	          └── a request of 20 bytes for all of them, an answer of 8 ──┘
//
// An environment can be forked, and kept as bytes; its episode is a seed and actions, and package
// world/record keeps it. The memory has no name, and the game ends with the agent: if either is
// killed, nothing is left behind. docs/GYM.md shows a game, and how to see a match of it.
//
// A game: [Env] of [Space] and [Value]. Its program: [Serve].
package gym
