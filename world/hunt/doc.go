// Package hunt searches a game for bugs. It plays random inputs, goes back to states that no run
// had reached before and continues from there, checks the game's properties after each tick, and
// reduces a failure to a few inputs, a job, an object and a field.
//
//	game := hunt.Game{
//		New:    newMatch,                       // func() (world.State, error)
//		Inputs: 8,                              // bytes of a tick, one per player
//		Step:   hear,                           // hands a tick's input to the world
//		Jobs:   newJobs,                        // func() []schedule.Job, one after the other
//		Always: []hunt.Property{hunt.Same("gold", goldOf)},
//	}
//	func TestHunt(t *testing.T) { hunt.Test(t, game, hunt.Options{}) }
//
// A hunt always checks that no tick panics or returns an error. Now and then, between two ticks, it
// also checks that the world's bytes are consistent (tool.Verify), and that ticks lead to the same
// bytes when repeated after a rollback, in a saved and loaded world, and with eight goroutines
// instead of one. This finds games that depend on more than their world and inputs.
//
//	inputs ─▶ tick ─▶ properties ─▶ a new state: kept, and continued later
//	                      │
//	                      └─▶ failure ─▶ fewer ticks, bytes, bits, objects ─▶ job, object, field
//
// Declare: [Game], [Property] by [Check], [Holds], [Same], [NoNaN] and [NoDangling]. Hunt: [Run]
// with [Options], [Result], [Failure] with [Write]; in tests [Test], [Fuzz], and [Again] for a
// known failure. On many machines: [Corpus], [Find], [OpenDir] for a [Dir], [ErrCorpus].
//
// # Files
//
// From the top down:
//
//	test.go     failures as files, tests     run.go       Run: shared by workers
//	shrink.go   a failure made smaller       failure.go   a failure, and its job
//	worker.go   a hunt by one goroutine      nodes.go     stored states
//	deep.go     rare checks                  player.go    a game in one world
//	game.go     Game, Property, Options      coverage.go  numbers of states
//	values.go   magnitudes of values         share.go     finds of other parts
//	corpus.go   a folder of finds
//
// # Decisions
//
// Worlds are small here, and a snapshot is a copy: going back costs less than a tick, so a hunt can
// continue from any of thousands of states. Workers share nothing, so that a hunt with one worker
// and a number of ticks is repeatable. Removing inputs stops when each input is needed; so the hunt
// also edits the failing match at random, to find one that needs fewer.
package hunt
