package space

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Seats are the layers that say who is in the cells of a grid. The cells are in a list, the taken
// ones first, so that a random empty one is found in one step:
//
//	order   5 2 | 0 1 3 4     the cell at each place of the list; 2 are taken
//	place   2 3 1 4 5 0       the place of each cell
type seats struct {
	limit  uint32
	who    layout.Field[world.GameObject] // the only one in the cell, or the last that entered
	inside layout.Field[uint32]           // objects in the cell
	order  layout.Field[uint32]
	place  layout.Field[uint32]
	taken  world.ResourceKind
	cells  layout.Field[uint32] // of the resource: cells that are taken
}

func newSeats(name string, limit uint32) seats {
	t := seats{
		limit:  limit,
		who:    layout.NewField[world.GameObject]("who"),
		inside: layout.NewField[uint32]("inside"),
		order:  layout.NewField[uint32]("order"),
		place:  layout.NewField[uint32]("place"),
		cells:  layout.NewField[uint32]("taken"),
	}
	layout.NewKind(name+" seats", t.who, t.inside, t.order, t.place)
	t.taken = world.NewResource(name+" taken", t.cells)
	return t
}

// empty sets up the list for the cells of a batch, which nobody is in.
func (g *Grid) empty(b world.Batch, first uint32) {
	order, place := world.Column(b, g.order), world.Column(b, g.place)
	for i := range order {
		order[i], place[i] = first+uint32(i), first+uint32(i)
	}
}

// Enter puts an object into a cell. An object that is in a cell already is to leave it first. The
// error wraps [ErrTaken] if the cell has as many objects as the grid's Limit. It panics if the grid
// has none, if there is no such cell, and in a task.
func (g *Grid) Enter(s world.State, cell int, id world.GameObject) (world.State, error) {
	row := g.seat(cell)
	n := world.GetRow(s, g.inside, row)
	if n >= g.limit {
		return s, fmt.Errorf("%w: cell %d of grid %s, by %d objects; raise Limit, or take another "+
			"cell", ErrTaken, cell, layout.Quoted(g.name), n)
	}
	if n == 0 {
		s = g.swap(s, row, world.Resource(s, g.cells))
		s = world.SetResource(s, g.cells, world.Resource(s, g.cells)+1)
	}
	s = world.SetRow(s, g.inside, row, n+1)
	return world.SetRow(s, g.who, row, id), nil
}

// Leave takes an object out of a cell. The error wraps [ErrElsewhere] if nobody is in it, or, with
// a Limit of 1, somebody else. It panics like [Grid.Enter].
func (g *Grid) Leave(s world.State, cell int, id world.GameObject) (world.State, error) {
	row := g.seat(cell)
	n, who := world.GetRow(s, g.inside, row), world.GetRow(s, g.who, row)
	if n == 0 || g.limit == 1 && who != id {
		return s, fmt.Errorf("%w: object %v in cell %d of grid %s, where %d are; name its own cell",
			ErrElsewhere, id, cell, layout.Quoted(g.name), n)
	}
	s = world.SetRow(s, g.inside, row, n-1)
	if who == id {
		s = world.SetRow(s, g.who, row, 0)
	}
	if n > 1 {
		return s, nil
	}
	last := world.Resource(s, g.cells) - 1
	s = g.swap(s, row, last)
	return world.SetResource(s, g.cells, last), nil
}

// swap brings a cell to a place of the list, and the cell that was there to its own.
func (g *Grid) swap(s world.State, cell layout.Row, to uint32) world.State {
	from := world.GetRow(s, g.place, cell)
	other := world.GetRow(s, g.order, layout.Row(to))
	s = world.SetRow(s, g.order, layout.Row(to), uint32(cell))
	s = world.SetRow(s, g.order, layout.Row(from), other)
	s = world.SetRow(s, g.place, layout.Row(other), from)
	return world.SetRow(s, g.place, cell, to)
}

// Occupants returns the number of objects in a cell. It panics like [Grid.Enter], but for tasks.
func (g *Grid) Occupants(s world.State, cell int) int {
	return int(world.GetRow(s, g.inside, g.seat(cell)))
}

// Occupant returns the object in a cell; of several, the last that entered, unless it left, and
// nobody in an empty one. An object that was disposed stays in its cell until it leaves. It panics
// like [Grid.Occupants].
func (g *Grid) Occupant(s world.State, cell int) world.GameObject {
	return world.GetRow(s, g.who, g.seat(cell))
}

// Empty returns the number of cells that nobody is in. It panics if the grid has no Limit.
func (g *Grid) Empty(s world.State) int {
	g.seat(0)
	return g.Cells() - int(world.Resource(s, g.cells))
}

// RandomEmpty returns one of the empty cells, each as likely as any other, and false if there is
// none. It takes the same time however few there are. It panics if the grid has no Limit.
func (g *Grid) RandomEmpty(s world.State, r *world.Stream) (cell int, ok bool) {
	empty := g.Empty(s)
	if empty == 0 {
		return 0, false
	}
	at := g.Cells() - empty + r.IntN(empty)
	return int(world.GetRow(s, g.order, layout.Row(at))), true
}

// seat returns the row of a cell, of a grid with a limit.
func (g *Grid) seat(cell int) layout.Row {
	if g.check(cell); g.limit == 0 {
		panic("space: grid " + layout.Quoted(g.name) + " does not count who is in its cells; " +
			"give GridOptions.Limit")
	}
	return layout.Row(cell)
}
