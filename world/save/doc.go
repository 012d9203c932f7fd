// Package save writes worlds to files and reads them back: after a crash the file before is still
// there, what is damaged is refused, and a program that has moved on still reads it.
//
//	0       header   magic, sizes, tick, checksum; kinds, recipes, watchers; directory of parts
//	4096·k  part     generations of the objects, as far as any was ever used
//	        zeros    up to the next multiple of 4096
//	4096·m  part     a column: the values of one field of one kind
//	…
//
// docs/FORMAT.md says what every byte means. A file has the truth of a world and nothing that
// follows from it, and of that the part that was ever used, so that counts may be others when it is
// read. Recorded commands are in no file: apply them first.
//
//	err := save.Save("game.flat", state, save.Options{})
//	state, report, err := save.Load("game.flat", counts, save.Options{})
//
// Write: [Save], [Write], [Options]; [Sweep]. From a running loop: [NewSaver], [Saver],
// [Saver.Offer], [Saver.Wait], [SaverCounts], [ErrLate], [ErrClosed]. Read: [Load], [Read],
// [Report]; into memory that is there, [Reload], [Reread]. Go values: [Values], [Shared], [Codec].
// Fields that have changed: [Migrate], [Migration]. Look: [Open], [File], [FileColumn],
// [File.Verify], [FileKind], [FileField], [FilePart].
//
// Errors: [ErrNotFlat], [ErrOrder], [ErrNewer], [ErrTruncated], [ErrTrailing], [ErrOverlap],
// [ErrDamaged], [ErrNotFile], [ErrSchema], [ErrCodec], [ErrMigration], [ErrImpossible],
// [ErrTooLarge].
package save
