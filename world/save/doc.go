// Package save writes worlds to files and reads them back. Saving replaces the previous file as a
// whole, loading refuses damaged files, and files of older versions of a program can still be read.
//
// A file contains the used part of the world and no derived data, so that a world can be loaded
// with other counts. Recorded commands are not saved: apply them first. docs/FORMAT.md describes
// every byte.
//
//	err := save.Save("game.flat", state, save.Options{})
//	state, report, err := save.Load("game.flat", counts, save.Options{})
//
// Write: [Save], [Copy], [Write], [Options]; [Sweep]. From a running loop: [NewSaver], [Saver],
// [Saver.Offer], [Saver.Wait], [SaverCounts], [ErrLate], [ErrClosed]. Read: [Load], [Read],
// [Report]; into existing memory, [Reread]. Go values: [Values], [Shared], [Codec].
// Changed programs: [Migrate], [MigrateKind], [Drop], [Migration], [Options.DropFields]. Read
// without loading: [Open], [File], [FileColumn], [File.Rowed], [File.Verify], [FileKind];
// lists: [File.List], [FileList], [File.OfList].
//
// Errors: [ErrNotFlat], [ErrOrder], [ErrNewer], [ErrTruncated], [ErrTrailing], [ErrOverlap],
// [ErrDamaged], [ErrNotFile], [ErrSchema], [ErrCodec], [ErrMigration], [ErrImpossible],
// [ErrTooLarge].
//
// Files, from the top down: view.go, saver.go, load.go. A [Load] makes a plan from the file's
// header alone (plan.go, match.go, matcher.go, planned.go, column.go, migrate.go), reads the parts
// of the file (source.go, rows.go, roles.go, decode.go), and fills a world (fill.go, remade.go,
// places.go). A [Save] is file.go, sweep.go, write.go, codec.go, encode.go. At the bottom are
// os_unix.go (or os_other.go), errors.go and format.go.
//
// # Decisions
//
// A kind that the program lacks becomes part of the loaded world, so that it is cleared, copied and
// saved with its objects like any other kind; the cost is that Only sees it. A Saver writes from a
// copy, because a file must contain the world at one tick and the disk takes longer than a frame.
// Recorded commands contain numbers of kinds that are valid in one run only, so saving before Apply
// is refused.
package save
