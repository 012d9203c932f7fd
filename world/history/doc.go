// Package history stores the last frames of a world, so that a program can go back to a frame and
// repeat the steps from there with other inputs.
//
// A [History] stores a snapshot of the world before each frame, and the frame's input. Package
// session builds multiplayer on it.
//
// Record: [New], [History], [History.Record], [History.Frames], [History.Input],
// [History.Snapshot], [History.At], [History.Kept], [History.Digest], [History.Restart]. Go back:
// [History.Undo], [History.Rollback]; repeat steps: [History.SetInput], [History.Resimulate],
// [Resimulating].
// Compare: [History.FirstDifference], [Difference].
//
// Errors: [ErrFrame].
package history
