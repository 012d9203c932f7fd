// Package space finds objects by their positions: it has cells over the positions of a field, and
// grids whose cells are objects.
//
//	positions in a world          cells, beside it        Near(at, 5)
//	                                  0   1   2
//	0 (4, 9)   2 (1, 1)             +---+---+---+         entries 0, 1 and 3:
//	1 (8, 2)   3 (6, 1)  ─ Build ─▶ | 2 | 3 | 1 |         objects 2, 3 and 0
//	                                | 0 |   |   |
//	                                +---+---+---+
//	                      entries     2 3 1 0             ordered by cell, in a cell by object
//
// [Cells] are a copy of the positions, and of carried fields, ordered by cell in a counting sort.
// Build them in each step, after the positions were written; [Cells.In] panics if they are stale.
// Searches yield numbers of entries, whose positions and carried values are contiguous. Any number
// of tasks may search at once. The order is the same on every machine, for any number of workers.
//
// Space is a box, a torus, or unbounded; the cells of unbounded space share places in a table.
// Distances are computed in float64, with each product rounded. Searches also find positions
// outside of the box, and [View.Strays] reports them; a torus wraps them. NaN and infinite
// positions are in no cell, and are reported too.
//
// A [Grid] is part of the world: a cell is an object, a layer a field, and queries walk its cells
// side by side in one batch. For diffusion see Diffuse of package buffer/kernel.
//
// Cells: [NewCells] of [Options] and [Carry] of [Carried]; [Cells.Build], [Cells.In] for a [View]:
// [View.Len], [View.Points], [View.IDs], [View.ID], [Column], [View.Near], [View.NearEach] of many
// points, [View.AppendNear] and [View.Nearest] into [Hit], [View.Rect], [View.Pairs] and
// [View.PairsOf], [View.Between], [View.Strays]; [Return] of values per entry to the objects.
//
// Grids: [NewGrid] of [GridOptions]; [Grid.AddTo], [Grid.Create]; [Grid.Cells], [Grid.Size],
// [Grid.At], [Grid.XY], [Grid.ID], [Grid.Row]; [Grid.Moore], [Grid.VonNeumann]; [Grid.Enter],
// [Grid.Leave], [Grid.Occupant], [Grid.Occupants], [Grid.Empty], [Grid.RandomEmpty].
//
// Errors: [ErrOptions], [ErrOutside], [ErrNotFinite], [ErrGrid], [ErrTaken], [ErrInside],
// [ErrElsewhere].
//
// # Decisions
//
// Cells are rebuilt in each step because most positions change in each step and the sort takes 9 ns
// per object; incremental lists would be part of the world's bytes, and moves would write them.
// Rows of the world are not sorted by cell, although loops over neighbours would gain a quarter:
// every other walk would lose lockstep.
//
// A search finds a few entries at a time, without a branch on the distance, which would be
// mispredicted, and stores them on the stack of the loop, so that it makes no call per entry. It
// yields no ids beside the entries: the bounds check would add two instructions to the four per
// hit, also in loops that ignore the id. [View.NearEach] collects the entries around some points
// before it tests them, without a branch on their number either, which halves the time if points
// have few neighbours. It takes points, so that objects need no cells of their own. [View.Nearest]
// takes a radius because most callers have one. Its first search is as small as the density allows,
// and bounds the second. Tasks write to a slice by entry, and [Return] copies the values to the
// objects.
//
// Without bounds, rows of cells are wound around a table by a golden section: cells that share a
// place are far from each other, and a search visits no row of cells twice. A hash would scatter
// near cells, and each search would sort their rows.
//
// Distances are float64, over a second copy of the coordinates: float32 converts exactly, so one
// loop serves all fields. The reach of a search includes the rounding error. A cell of a grid is an
// object, so that queries, tasks, snapshots, files and the inspector work on layers; this costs 17
// bytes per cell.
//
// Objects in a grid have a seat, which names their cell, and a suspended component, which copies do
// not get: if the number of these components differs from the grid's count, objects were disposed.
// The lists of a relation would drop disposed objects as well, but each Enter would derive them
// again.
package space
