// Package space finds objects by where they are: cells over the positions of a field, and grids
// whose cells are objects themselves.
//
//	positions in a world          cells, beside it        Near(at, 5)
//	                                  0   1   2
//	0 (4, 9)   2 (1, 1)             +---+---+---+         entries 0, 1 and 3:
//	1 (8, 2)   3 (6, 1)  ─ Build ─▶ | 2 | 3 | 1 |         objects 2, 3 and 0
//	                                | 0 |   |   |
//	                                +---+---+---+
//	                      entries     2 3 1 0             ordered by cell, in a cell by object
//
// [Cells] are a copy of the positions, and of fields that are carried along, ordered by cell in a
// counting sort. They hold no truth: build them in each step after the positions were written;
// cells that are not up to date are refused. Searches yield the numbers of entries, whose positions
// and carried values lie side by side. Any number of tasks may search at once. The order is the
// same on every machine, for any number of workers.
//
// Space is a box, a box that closes to a torus, or has no bounds; then its cells share places in a
// table. Distances are computed in float64, with each product rounded. Positions outside of a box
// are found by every search that reaches them, and named by [View.Strays]; on a torus they stand
// for the place where its copies meet them. NaN and infinite ones are in no cell, and named too.
//
// A [Grid] is part of the world: a cell is an object, a layer a field, and queries walk its cells
// side by side in one batch. For diffusion see Diffuse of package buffer/kernel.
//
// Cells: [NewCells] of [Options] and [Carry] of [Carried]; [Cells.Build], [Cells.In] for a [View]:
// [View.Len], [View.Points], [View.IDs], [Column], [View.Near], [View.NearSquares], [View.Rect],
// [View.Pairs], [View.PairsOf], [View.Nearest] into [Hit], [View.Between], [View.Strays]; [Return]
// of values per entry to the objects.
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
// Cells are built anew in each step because most positions change in each step and the sort takes
// 12 ns per object; lists kept up to date would be truth in the bytes, written by every move. Rows
// of the world are not put in the order of cells, although loops over neighbours would gain a
// quarter: every other walk would lose lockstep.
//
// A search is a loop over the entries that are in reach. It finds them a few at a time, without a
// branch on the distance, which goes either way by chance, and puts them on the stack of the loop,
// so that nothing of it is called per entry. That is as fast as runs of candidates, which were
// tested in the loop, and faster than to find the runs of all entries of a cell at once.
// [View.Nearest] takes a radius because most questions have one. Its first search is as small as
// the density allows, and bounds the second. A task writes to a slice by entry, and [Return] brings
// the values to the objects.
//
// Without bounds, rows of cells are wound around a table by a golden section: cells that share a
// place in it are far from each other, and a search meets no row of cells twice. A hash would mix
// near cells and sort their rows in each search.
//
// Distances are float64, of coordinates that are copied once more: a float32 converts exactly, so
// one loop serves all fields. What rounding may add is added to the reach of a search. A cell of a
// grid is an object because queries, tasks, snapshots, files and the inspector then work on layers;
// it costs 17 bytes per cell.
//
// Objects of a grid have a seat, which says in which cell they are, and keep a component suspended,
// which no copy gets: a number of these that the grid did not write down says that some died. The
// lists of a relation would drop the dead as well, but are derived anew after each Enter.
package space
