// Package walk goes through the objects that match a query, and hands them out in batches whose
// rows lie side by side in every column.
//
//	Walks    the walks that one goroutine has open       a slot per nesting depth, used again
//	Walk     one of them, of a plan (package query): where it is
//	Batch    what it has collected so far, and then what a system sees
//
//	blocks ─▶ matching ─▶ Collect ─▶ run    rows side by side in every kind: in place  ─▶ batch
//	of 64     who of 64              lists  rows here and there: gathered, put back    ─▶ batch
//	                                 holes  row-wise: a run over others' rows, put back ─▶ batch
//
// A batch goes out when what comes next does not go on where it ends. It comes back when its
// function returns, or the walk is closed: then copies are put back, holes are made what they were,
// and the rows that were written are stamped.
//
// It works on an arena and a range of blocks, and knows no states: who may walk what is decided
// above.
//
// The files, each on those before it: walk (what there is), columns (what a batch shows), batch
// (out and back), runs, lists, rowwise (what is collected), collect (which of these), span (through
// the blocks), open (slots, and walks inside walks). Of objects that are listed: steps (which of
// them need no look at each), levels (by depth, or those that refer to one), order (any other).
//
// # Decisions
//
// Walks by depth are handed out as lists of up to 256 objects, because objects of one depth seldom
// lie side by side, and a look at each block for each depth would cost more than the work. Where
// all referrers match and are in lockstep, rows are the list plus an offset; which blocks are so is
// found once for all depths. Values of the next batch are prefetched where a column exceeds the
// caches. Walking the world in parts, copying runs of rows instead of rows, and running over rows
// of other depths were measured and were not faster. Runs and lists are no types with an interface:
// a batch may be a run in one kind and a list in another, so each kind's bit in strewn says which,
// and a call by interface per block would cost as much as the block. Row-wise walks stay, because a
// walk over 100,000 objects of which one in eight does not match takes 1.7 times as long without
// them (go test ./world/internal/costs -run NONE -bench RowWise).
package walk
