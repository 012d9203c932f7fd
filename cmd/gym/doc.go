// Package gym makes a game an environment for a learning agent, a Python program with NumPy:
// flatecs_gym.py. The game is unchanged, and trains exactly as it is played.
//
//	Python                        shared memory                    Go
//	VectorEnv.step(actions) ──▶ actions, a row each ──▶ Env.Step   a world of a pool each,
//	observations, rewards … ◀── observations …      ◀── Observe …  or all in one world
//	          └── a request of 20 bytes for all of them, an answer of 8 ──┘
//
// Environments can be forked and stored as bytes. An episode is a seed and actions; package
// world/record records it. The shared memory has no name, and the game ends with the agent, so
// nothing is left behind if either is killed. docs/GYM.md shows a game, and how to watch a match.
//
// A game: [Env] of [Space] and [Value]. Its program: [Serve].
package gym
