// Package walk finds the objects that match a query, and hands them out in batches whose rows are
// contiguous in every column.
//
//	Walks    the open walks of one goroutine                 a slot per nesting depth, reused
//	Walk     the position of one walk, by a plan (package query)
//	Batch    the objects collected so far, and then what a system sees
//
//	blocks ─▶ matching ─▶ Collect ─▶ run    contiguous in every kind: in place      ─▶ batch
//	of 64     objects                lists  scattered: gathered, written back       ─▶ batch
//	                                 holes  row-wise: over other rows, put back     ─▶ batch
//
// A batch is yielded when the next objects cannot continue it. When its function returns, or the
// walk is closed, copies are written back, holes are restored, and the written rows are stamped.
//
// The package works on an arena and a range of blocks. Its callers decide which walks are allowed.
//
// The files, each of which uses only those before it: walk (types), columns (a batch's columns),
// batch (yielding and finishing), runs, lists, rowwise (three ways to collect), collect (chooses
// the way), span (iterates over blocks), open (slots, nested walks). For listed objects: steps
// (blocks whose objects need no individual look), levels (by depth, or the referrers of an object),
// order (other orders).
//
// # Decisions
//
// Walks by depth are handed out as lists of up to 256 objects, because objects of one depth are
// seldom contiguous, and a look at each block for each depth would cost more than the work. If all
// referrers match and are in lockstep, rows are the list plus an offset; the blocks for which this
// holds are found once for all depths. Values of the next batch are prefetched if a column exceeds
// the caches. Walking the world in parts, copying runs of rows instead of rows, and running over
// rows of other depths were measured and were not faster. Runs and lists are not types with an
// interface: a batch may be a run in one kind and a list in another, so each kind's bit in strewn
// says which, and a call by interface per block would cost as much as the block. Row-wise walks
// stay, because a walk over 100,000 objects of which one in eight does not match takes 1.7 times as
// long without them (go test ./world/internal/costs -run NONE -bench RowWise).
package walk
