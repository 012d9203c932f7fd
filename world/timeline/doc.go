// Package timeline stores a long past of a world: millions of frames, while a history stores some
// hundred. See [Timeline].
//
//	past, err := timeline.New(state, timeline.Options{Step: step, Frames: 36_000, InputBytes: 1})
//	err = past.Record(state, input) // before each step
//	then, err := past.At(7_200)     // two minutes after the first one
//
// Package why finds the job that wrote a value in it.
//
// Record: [New], [Options], [Timeline], [Timeline.Record], [Timeline.Bytes], [Timeline.Close].
// Read: [Timeline.Frames], [Timeline.Input], [Timeline.At], [Timeline.Kept], [Timeline.KeptByTick].
// Go back: [Timeline.Rollback]. Frames from elsewhere, such as the frames of package record:
// [Open], [Store], [World], [Newest], [Compare].
//
// Errors: [ErrBeside]; [history.ErrFrame]; with [Options].Check a [DifferError].
//
// # Decisions
//
// It is not part of package history because it needs the encoder of deltas, which programs that
// roll back a few frames, such as games in a browser, do not need.
package timeline
