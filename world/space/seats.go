package space

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// seats are the layers that record the objects in the cells of a grid. The cells are in a list,
// taken cells first, so that a random empty cell is found in one step:
//
//	order   5 2 | 0 1 3 4     the cell at each place of the list; 2 are taken
//	place   2 3 1 4 5 0       the place of each cell
//
// An object that was ever in a cell has a seat, and keeps a component suspended, which copies do
// not get. Both are disposed with the object. If fewer components are kept than known, some objects
// were disposed: the next Enter or Leave updates the layers, and until then the seats are searched.
type seats struct {
	limit  uint32
	who    layout.Field[world.GameObject] // the only object in the cell, or the last that entered
	inside layout.Field[uint32]           // objects in the cell
	order  layout.Field[uint32]
	place  layout.Field[uint32]
	taken  world.ResourceKind
	cells  layout.Field[uint32] // of the resource: cells that are taken
	known  layout.Field[uint32] // of the resource: components kept at the last update
	seat   layout.Field[uint32] // of an object: its cell, from 1; 0: no cell
	holder layout.Field[uint64] // of an object: itself; of a copy: the original, so it has no seat
	kept   layout.Kind          // the kind that an object keeps suspended
}

func newSeats(name string, limit uint32) seats {
	t := seats{
		limit:  limit,
		who:    layout.NewField[world.GameObject]("who"),
		inside: layout.NewField[uint32]("inside"),
		order:  layout.NewField[uint32]("order"),
		place:  layout.NewField[uint32]("place"),
		cells:  layout.NewField[uint32]("taken"),
		known:  layout.NewField[uint32]("known"),
		seat:   layout.NewField[uint32]("seat"),
		holder: layout.NewField[uint64]("holder"),
	}
	layout.NewKind(name+" seats", t.who, t.inside, t.order, t.place)
	layout.NewKind(name+" seat", t.seat, t.holder)
	t.kept = layout.NewKind(name + " kept")
	t.taken = world.NewResource(name+" taken", t.cells, t.known)
	return t
}

// empty sets up the list for the cells of a batch, all empty.
func (g *Grid) empty(b world.Batch, first uint32) {
	order, place := world.Column(b, g.order), world.Column(b, g.place)
	for i := range order {
		order[i], place[i] = first+uint32(i), first+uint32(i)
	}
}

// Enter puts an object into a cell. The error wraps [ErrInside] if the object is already in a cell
// of the grid, or [ErrTaken] if the cell holds as many objects as the grid's Limit. An object that
// enters for the first time gets a component, so it must be alive, and no walk may be open; Enter
// then returns the errors of [world.Ensure]. It panics if the grid has no Limit, if the cell does
// not exist, and in a task.
func (g *Grid) Enter(s world.State, cell int, id world.GameObject) (world.State, error) {
	row, at, n := g.rowOf(cell), g.where(s, id), g.Occupants(s, cell)
	switch {
	case at >= 0:
		return s, fmt.Errorf("%w: object %v in cell %d of grid %s; call Leave first", ErrInside,
			id, at, layout.Quoted(g.name))
	case n >= int(g.limit):
		return s, fmt.Errorf("%w: cell %d of grid %s, by %d objects; raise Limit, or take another "+
			"cell", ErrTaken, cell, layout.Quoted(g.name), n)
	}
	s, seat, err := g.enroll(s, id)
	if err != nil {
		return s, err
	}
	s = world.SetRow(g.settle(s), g.seat, seat, uint32(cell)+1)
	if taken := world.Resource(s, g.cells); n == 0 {
		s = world.SetResource(g.swap(s, row, taken), g.cells, taken+1)
	}
	s = world.SetRow(s, g.inside, row, uint32(n)+1)
	return world.SetRow(s, g.who, row, id), nil
}

// enroll returns the row of an object's seat. It first adds the seat to an object without one.
func (g *Grid) enroll(s world.State, id world.GameObject) (world.State, layout.Row, error) {
	s, seat, err := world.Ensure(s, id, g.seat)
	if err != nil || world.GetRow(s, g.holder, seat) == uint64(id) {
		return s, seat, err
	}
	if s, _, err = world.Ensure(s, id, g.kept); err != nil {
		return s, 0, err
	}
	s = world.SetRow(world.SetRow(s, g.seat, seat, 0), g.holder, seat, uint64(id))
	s = world.SetResource(s, g.known, world.Resource(s, g.known)+1)
	return world.Must(world.Suspend(s, id, g.kept)), seat, nil
}

// Leave removes an object from a cell. The error wraps [ErrElsewhere] if the object is not in this
// cell. It panics like [Grid.Enter].
func (g *Grid) Leave(s world.State, cell int, id world.GameObject) (world.State, error) {
	row := g.rowOf(cell)
	if at := g.where(s, id); at != cell {
		return s, fmt.Errorf("%w: object %v in cell %d of grid %s, where %d are; name its own cell",
			ErrElsewhere, id, cell, layout.Quoted(g.name), g.Occupants(s, cell))
	}
	s = g.settle(s)
	s = world.SetRow(s, g.seat, world.Must(world.RowOf(s, id, g.seat)), 0)
	if world.GetRow(s, g.who, row) == id {
		s = world.SetRow(s, g.who, row, 0)
	}
	n := world.GetRow(s, g.inside, row) - 1
	if s = world.SetRow(s, g.inside, row, n); n > 0 {
		return s, nil
	}
	last := world.Resource(s, g.cells) - 1
	return world.SetResource(g.swap(s, row, last), g.cells, last), nil
}

// where returns the cell of an object, or -1 if it is in no cell.
func (g *Grid) where(s world.State, id world.GameObject) int {
	if !world.Has(s, id, g.seat) {
		return -1
	}
	seat := world.Must(world.RowOf(s, id, g.seat))
	cell := int(world.GetRow(s, g.seat, seat)) - 1
	if uint(cell) >= uint(g.Cells()) || world.GetRow(s, g.holder, seat) != uint64(id) ||
		g.limit == 1 && world.GetRow(s, g.who, layout.Row(cell)) != id { // written by others
		return -1
	}
	return cell
}

// keeping returns the number of objects that keep enroll's component.
func (g *Grid) keeping(s world.State) uint32 {
	return uint32(systems.ArenaOf(s).Find(g.kept.Spec()).Live())
}

// settle updates the layers for objects that were disposed.
func (g *Grid) settle(s world.State) world.State {
	keep, taken := g.keeping(s), uint32(0)
	if world.Resource(s, g.known) == keep {
		return s
	}
	for i, n := range g.tally(s) {
		cell := layout.Row(i)
		if n != world.GetRow(s, g.inside, cell) {
			s = world.SetRow(s, g.who, cell, g.Occupant(s, i))
			s = world.SetRow(s, g.inside, cell, n)
		}
		if n > 0 {
			s = g.swap(s, cell, taken)
			taken++
		}
	}
	return world.SetResource(world.SetResource(s, g.cells, taken), g.known, keep)
}

// tally counts the objects in each cell.
func (g *Grid) tally(s world.State) []uint32 {
	inside := make([]uint32, g.Cells())
	for first, n := range tool.Runs(s, g.seat.Kind()) {
		for row := first; row < first+n; row++ {
			id, _ := world.ObjectOf(s, g.seat, layout.Row(row))
			if cell := g.where(s, id); cell >= 0 {
				inside[cell]++
			}
		}
	}
	return inside
}

// swap moves a cell to a place of the list, and the cell at that place to the old place.
func (g *Grid) swap(s world.State, cell layout.Row, to uint32) world.State {
	from := world.GetRow(s, g.place, cell)
	other := world.GetRow(s, g.order, layout.Row(to))
	s = world.SetRow(s, g.order, layout.Row(to), uint32(cell))
	s = world.SetRow(s, g.order, layout.Row(from), other)
	s = world.SetRow(s, g.place, layout.Row(other), from)
	return world.SetRow(s, g.place, cell, to)
}

// Occupants returns the number of live objects in a cell. Between a disposal and the next Enter or
// Leave, each call counts all objects if the Limit is above 1. It panics like [Grid.Enter], but not
// in tasks.
func (g *Grid) Occupants(s world.State, cell int) int {
	switch row := g.rowOf(cell); {
	case world.Resource(s, g.known) == g.keeping(s):
		return int(world.GetRow(s, g.inside, row))
	case g.limit == 1:
		return min(1, int(g.Occupant(s, cell)))
	}
	return int(g.tally(s)[cell])
}

// Occupant returns the object in a cell, or nobody if the cell is empty. If there are several, it
// returns the last to enter that is still there. It panics like [Grid.Occupants].
func (g *Grid) Occupant(s world.State, cell int) world.GameObject {
	if id := world.GetRow(s, g.who, g.rowOf(cell)); g.where(s, id) == cell {
		return id
	}
	return world.Nobody
}

// Empty returns the number of cells without objects. Between a disposal and the next Enter or
// Leave, each call counts all cells. It panics if the grid has no Limit.
func (g *Grid) Empty(s world.State) int {
	empty, left := g.free(s)
	return empty + len(left)
}

// free returns the number of empty cells in the list, and the taken cells whose objects were
// disposed.
func (g *Grid) free(s world.State) (empty int, left []int) {
	g.rowOf(0)
	taken := world.Resource(s, g.cells)
	if world.Resource(s, g.known) != g.keeping(s) {
		inside := g.tally(s)
		for i := range taken {
			if cell := world.GetRow(s, g.order, layout.Row(i)); inside[cell] == 0 {
				left = append(left, int(cell))
			}
		}
	}
	return g.Cells() - int(taken), left
}

// RandomEmpty returns an empty cell, each with the same probability; ok is false if there is none.
// Its time does not depend on the number of empty cells, unless the cells are counted as for
// [Grid.Empty]. It panics if the grid has no Limit.
func (g *Grid) RandomEmpty(s world.State, r *world.Stream) (cell int, ok bool) {
	empty, left := g.free(s)
	if empty+len(left) == 0 {
		return 0, false
	}
	at := r.IntN(empty + len(left))
	if at >= empty {
		return left[at-empty], true
	}
	return int(world.GetRow(s, g.order, layout.Row(g.Cells()-empty+at))), true
}

// rowOf returns the row of a cell. The grid must have a limit.
func (g *Grid) rowOf(cell int) layout.Row {
	if g.check(cell); g.limit == 0 {
		panic("space: grid " + layout.Quoted(g.name) + " does not count; set GridOptions.Limit")
	}
	return layout.Row(cell)
}
