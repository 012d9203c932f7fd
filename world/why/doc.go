// Package why finds the job that wrote a value: a wrong one, say, or the first that differs between
// two machines. While the program runs it costs nothing but a [timeline.Timeline]: the steps are
// taken again, job by job, in the world of the timeline.
//
//	past := why.Past{Timeline: timeline, Jobs: jobs}
//	w, err := past.Wrote(hero, Gold, why.Now)
//	fmt.Println(w) // tick 812, frame 270, job "trade": hero.gold of object 7: 10 → 4
//
// Ask [Past.Wrote] for the last write before a tick; ask it again, before the tick of the [Write],
// for one of the fields that its job reads, and so on.
//
// # What counts as a write
//
// A job wrote a value if the value has other bytes after it. A job with Run also wrote it if one of
// its queries writes the field and matches the object, though the bytes are the same. What a step
// does outside of jobs has no name. Nobody can tell a Do that wrote the same bytes from one that
// wrote to a neighbour, so it did not write.
//
// The stamps of rows say which steps are taken again: those between two worlds that the timeline
// has kept, of which the row's stamp is. While neighbours among its 64 rows are written and it is
// not, earlier ones follow.
//
// # Index
//
// [Past], [Past.Wrote], [Now]; [Write], [Write.String]; [ErrUnwritten].
package why
