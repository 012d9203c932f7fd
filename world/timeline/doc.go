// Package timeline stores a long past of a world: millions of frames, where a history stores some
// hundred. [Timeline] says how.
//
//	past, err := timeline.New(state, timeline.Options{Step: step, Frames: 36_000, InputBytes: 1})
//	err = past.Record(state, input) // before each step
//	then, err := past.At(7_200)     // two minutes after the first one
//
// Package why finds in it which job wrote a value.
//
// Keep: [New], [Options], [Timeline], [Timeline.Record], [Timeline.Bytes], [Timeline.Close]. Look:
// [Timeline.Frames], [Timeline.Input], [Timeline.At], [Timeline.Kept], [Timeline.KeptByTick]. Go on
// from there: [Timeline.Rollback].
//
// Errors: [ErrBeside]; [history.ErrFrame]; with [Options].Check a [DifferError].
//
// # Decisions
//
// It is no part of package history, since it takes the encoder of deltas: programs that roll back a
// few frames, such as games in a browser, do without.
package timeline
