// Package history stores the last frames of a world, so that a program can go back to a frame and
// repeat the steps from there with other inputs.
//
//	frame    first     …         next-1         the present
//	kept     before    before    before         (not kept until Record)
//	         input     input     input
//
// A [History] stores a snapshot of the world before each frame, and the frame's input; [New]
// allocates all of them. Package session builds multiplayer on it.
//
// Record: [New], [History], [History.Record], [History.Frames], [History.Input],
// [History.Snapshot], [History.At], [History.Kept], [History.Digest], [History.Restart]. Go back:
// [History.Undo], [History.Rollback]; repeat steps: [History.SetInput], [History.Resimulate],
// [Resimulating].
// Compare: [History.FirstDifference], [Difference].
//
// Errors: [ErrFrame].
package history
