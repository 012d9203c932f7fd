// Package lab runs models repeatedly: over sets of parameters and seeds, and from one state into
// many futures, with tables of the numbers that reporters measure.
//
//	sets × seeds ──▶ runs ──▶ workers, one world each ──▶ outcomes ──▶ journal
//	                          Setup, Step, reporters          └──────▶ rows in order ──▶ Sink
//
// A [Sweep] writes the same table, byte for byte, for any number of workers, because a run depends
// only on its set and its seed, and rows are written in the order of runs. Its journal lets it
// resume after it was killed. It owns one world per worker, a snapshot of that world's first state,
// and the numbers of finished runs that wait for an earlier one.
//
// The package reads neither clock nor environment, and changes a State only by functions of the
// program.
//
// # By task
//
// Choose parameters: a struct, and [Grid] or [Hypercube] of each [Axis], by [Range] or [ParseAxis].
// Choose seeds: [Seeds]. Run: [Sweep], [Sweep.Run]; with [Equipment] per world; failures:
// [FailedError], [Failure]. On many machines: [JoinJournals], [Flags], [ParsePart].
//
// Report: [Count] of objects; a field's [Measure] by [Of] or [OfFunc] of a [Number], a list's by
// [OfList], with [Measure.Sum], [Measure.Mean], [Measure.Min], [Measure.Max], [Measure.Variance],
// [Measure.Histogram], [Measure.Quantiles], [Measure.Sample]; [Report] of any function; [Digest];
// [Together] for several in one plot. Each is a [Reporter].
//
// Write tables: a [Sink] is a [Table] in memory, with [Table.Column], [Table.Where] and
// [Table.Mean]; [NewCSV] for [CSV], [NewNDJSON] for [NDJSON], or yours; its cells have type
// [Value]. While one world runs: [NewRecorder] for a [Recorder], [Recorder.Observe]. On the page of
// an inspector: [NewPanel] for a [Panel], which has [Panel.Columns] and [Panel.Read].
//
// Fork: [Fork] for many futures of a snapshot, a Sweep with From for a table of them, [NewTree] for
// a [Tree], whose parts are of type [Node]; FirstDifference of package systems/tool compares the
// states of two.
//
// Activate objects in random order, and in stages: [Order], [Activate].
//
// Errors: [ErrJournal], [ErrBusy], [ErrDiffers], [ErrLimit].
//
// # Decisions
//
// Parameters are copied into the world, so that the world's bytes alone decide its future. Worlds
// are reused by restoring the first state; after a failed run a worker gets a new one. Sweep.Equip
// replaces Step if a step needs cells or a schedule, one per world. A journal contains the hash of
// the program's file, because functions have no digest, and half a table from another step would
// look complete; set Build if a change does not matter. Rows are written in the order of runs, so
// that tables have the same bytes for any number of workers.
//
// Normal and exponential numbers take one draw each, by inversion with only + − × ÷ √, so that runs
// with different parameters draw in step and all machines agree; a ziggurat would be several times
// faster, with a varying number of draws.
package lab
