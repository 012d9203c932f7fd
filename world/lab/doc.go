// Package lab runs models again and again: over sets of parameters and seeds, from one state into
// many futures, and with tables of what reporters find in them.
//
//	sets × seeds ──▶ runs ──▶ workers, one world each ──▶ outcomes ──▶ journal
//	                          Setup, Step, reporters          └──────▶ rows in order ──▶ Sink
//
// A [Sweep] gives the same table, byte for byte, for any number of workers, because a run depends
// on its set and its seed alone and rows are written in the order of runs. Its journal lets it go
// on after it was killed. It owns one world per worker, a snapshot of that world's first state,
// and the numbers of the runs that are finished while an earlier one is not.
//
// Nothing here reads a clock or an environment, and no function changes a State but by those that
// the program gives it.
//
// # By task
//
// Choose parameters: a struct, and [Grid] or [Hypercube] of each [Axis], by [Range] or
// [ParseAxis]. Choose seeds: [Seeds]. Run: [Sweep], [Sweep.Run]; with
// [Equipment] per world; what failed: [FailedError],
// [Failure].
//
// Report: [Count] of objects; a field's [Measure] by [Of] or [OfFunc] of a [Number], a list's by
// [OfList], with [Measure.Sum], [Measure.Mean], [Measure.Min], [Measure.Max], [Measure.Variance],
// [Measure.Histogram], [Measure.Quantiles], [Measure.Sample]; [Report] of any function; [Digest];
// [Together] for several in one plot. Each is a [Reporter].
//
// Write tables: a [Sink] is a [Table] in memory, [NewCSV] for [CSV], [NewNDJSON] for [NDJSON], or
// yours; its cells are [Value]s. While one world runs: [NewRecorder] for a [Recorder],
// [Recorder.Observe]. On the page of an inspector: [NewPanel] for a [Panel], which has
// [Panel.Columns] and [Panel.Read].
//
// Fork: [Fork] for many futures of a snapshot, a [Sweep] From it for a table of them, [NewTree]
// for a [Tree] of [Node]s; [FirstDifference], a [Difference].
//
// Activate objects in a random order, and in stages: [Order], [Activate].
//
// Errors: [ErrJournal], [ErrBusy], [ErrLimit].
//
// # Decisions
//
// Parameters are copied into the world, because a step that closed over them would let them decide
// a future that the bytes do not. Worlds are used again by restoring the first state; a run that
// failed gets a new one. [Sweep].Equip replaces Step where a step needs cells or a schedule, one
// per world. A journal names the hash of the program's file, because functions have no digest: half
// a table made by another step would look whole; set Build if a change does not matter. Rows are
// written in the order of runs, so that tables have the same bytes for any number of workers.
//
// Normal and exponential numbers take one draw each, by inversion in + − × ÷ √ alone, so that runs
// whose parameters differ stay in step and all machines agree; a ziggurat would be several times
// faster and take a varying number of draws.
package lab
