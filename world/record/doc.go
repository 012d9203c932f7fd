// Package record is the black box of a program: it records a world to disk while the program plays,
// and every recording replays.
//
//	rec, err := record.Create("blackbox", state, record.Options{Keep: 10 * time.Minute})
//	defer rec.Recover()
//	for … {
//		state, err = rec.Step(state, input, step)
//	}
//	err = rec.Close()
//
//	past, err := record.Open("blackbox", counts, step, record.Options{}) // a timeline
//	err = record.Replay("blackbox", counts, step, record.Options{}, nil) // compares digests
//
// A recording is a head, and segments. A segment is a world, whole or as a delta from the world of
// the previous segment, and the inputs and digests that follow. Written data never changes; only
// the oldest segments are removed.
//
//	head.flrec        build, kinds, seed, options
//	00000000.flrec    world         steps steps steps …
//	00000001.flrec    difference    steps steps …
//	…
//	00000010.flrec    world         steps … note end
//
// The caller of [Recorder.Step] copies inputs, and at the beginning of a segment the world; a
// goroutine does the rest. Steps do not wait for the disk: if it is full or too slow, the recording
// ends with an error, and the program continues. A truncated recording can be read up to its end. A
// resized world begins a new segment. Reading accepts any bytes: it checks them, and keeps one
// segment in memory.
//
// The format is in docs/FORMAT.md, and in block.go and steps.go.
//
// Write: [Create], [New], [Options], [Sync]: [SyncNever], [SyncSecond], [SyncStep]; [Recorder]:
// [Recorder.Step], [Step], [Recorder.Record], [Recorder.Changed], [Recorder.Note], [Note],
// [Recorder.Recover], [Recorder.Frame], [Recorder.End], [Recorder.Close]. Read: [Open], [Replay],
// [Read], [ReadFrom], [File], [Head]: [File.Worlds], [File.Frames], [File.Input], [File.Digest],
// [File.Timeline], [File.Replay], [File.Pack]. Errors: [ErrDamaged], [ErrCut], [ErrBuild],
// [ErrDiffers], [ErrSlow].
//
// Files, from the top down: replay.go, part.go, file.go; recorder.go, writer.go, output.go;
// options.go, block.go, steps.go.
//
// # Decisions
//
// A segment begins with a copy of the world rather than only a digest, so that a difference in a
// replay is narrowed to a segment, and old segments can be removed. Inputs are stored as
// differences from step to step, place by place, because most bytes of an input do not change; zstd
// compresses the rest. Durations are counted in steps, so that a recording does not depend on a
// clock.
package record
