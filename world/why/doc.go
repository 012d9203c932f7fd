// Package why finds the job that wrote a value, such as a wrong value, or the first value that
// differs between two machines. A running program only needs a [timeline.Timeline]: the search
// repeats steps, job by job, in the timeline's world.
//
//	past := why.Past{Timeline: timeline, Jobs: jobs}
//	w, err := past.Wrote(hero, Gold, why.Now)
//	fmt.Println(w) // tick 812, frame 270, job "trade": hero.gold of object 7: 10 → 4
//
// [Past.Wrote] returns the last write before a tick. To trace a value back, call it again for one
// of the fields that the job reads, before the tick of the [Write], and so on.
//
// # What counts as a write
//
// A job wrote a value if it changed the value's bytes. A job with Run also wrote it if one of its
// queries writes the field and matches the object, even if the bytes are the same. Changes of a
// step outside of jobs have no name. A Do that wrote the same bytes does not count, because this is
// indistinguishable from a write to a neighbour.
//
// The stamp of the row tells which steps to repeat: the steps between the two kept worlds of the
// timeline around the stamp. If only neighbours among its 64 rows were written there, earlier steps
// are repeated next.
//
// # Index
//
// [Past], [Past.Wrote], [Now]; [Write], [Write.String]; [ErrUnwritten].
package why
