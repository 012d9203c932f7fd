// Package hunt searches a game for its bugs. It plays random inputs, goes back to states that
// nothing had been in before and plays on from there, checks after each tick what must always hold,
// and reduces what it finds to a few inputs, a job, an object and a field.
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
// Checked without being asked: that no tick panics or returns an error; and now and then, between
// two ticks, that the world's bytes are consistent ([tool.Verify]), that ticks lead to the same
// bytes when they are repeated after a rollback, in a world that was saved and loaded, and by eight
// goroutines instead of one. A game is a function of its world and its inputs; what depends on
// anything else is found so.
//
//	inputs ─▶ tick ─▶ properties ─▶ a state like none before: kept, and begun from again
//	                      │
//	                      └─▶ failure ─▶ fewer ticks, bytes, bits, objects ─▶ job, object, field
//
// Declare: [Game], [Property] by [Check], [Holds], [Same], [NoNaN] and [NoDangling]. Hunt: [Run]
// with [Options], [Result], [Failure] with [Write]; in tests [Test], [Fuzz], and [Again] for a
// failure that was found.
//
// # Decisions
//
// Worlds are small here, and a snapshot is a copy: to go back costs less than a tick, so a hunt can
// begin again from any of thousands of states. Workers share nothing, so that a hunt of one worker
// and so many ticks finds the same again. Leaving inputs out of a match ends where each is needed:
// so what was found is hunted again, and edited at random, for a match that needs fewer.
package hunt
