// Package history stores the last frames of a world, to go back to a frame and to step again with
// other inputs.
//
//	frame    first     …         next-1         the present
//	kept     before    before    before         (not kept until Record)
//	         input     input     input
//
// A [History] owns a snapshot of the world before each of its frames, and the frame's input; [New]
// allocates all of them. Package session builds multiplayer on it.
//
// Keep: [New], [History], [History.Record], [History.Frames], [History.Input],
// [History.Snapshot], [History.At], [History.Kept], [History.Digest], [History.Restart]. Go back:
// [History.Undo], [History.Rollback]; step again: [History.SetInput], [History.Resimulate],
// [Resimulating].
// Compare: [History.FirstDifference], [Difference].
//
// Errors: [ErrFrame].
package history
