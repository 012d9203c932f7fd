package space

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A Grid is a plane of cells in a world. Each cell is a game object, and a layer is a field of it,
// so that queries walk cells, and files, snapshots and digests contain them. Cells are numbered row
// by row, and cell n has row n in each kind of the grid. Declare a Grid once, as a package-level
// variable:
//
//	Heat   = layout.NewComponent[float32]("heat")
//	Meadow = space.NewGrid("meadow", space.GridOptions{Width: 1000, Height: 500, Limit: 1}, Heat)
type Grid struct {
	name          string
	width, height int
	wrap          bool
	kinds         []layout.Kind
	recipe        world.Recipe
	seats
}

// GridOptions are the options of a [Grid].
type GridOptions struct {
	Width, Height int    // cells; at most 2²⁶ in all
	Wrap          bool   // a torus: the first column and row follow the last
	Limit         uint32 // most objects in one cell; 0: no [Grid.Enter]
}

const maxGrid = 1 << 26

// NewGrid declares a grid whose layers are the fields of kinds. Objects other than its cells must
// not have these kinds. It panics if there are no cells, too many cells, or no kinds.
func NewGrid(name string, o GridOptions, layers ...layout.AnyKind) *Grid {
	if o.Width < 1 || o.Height < 1 || o.Width > maxGrid/o.Height {
		panic(fmt.Sprintf("space: NewGrid %s: %d × %d cells; give 1 to %d",
			layout.Quoted(name), o.Width, o.Height, maxGrid))
	}
	g := &Grid{name: name, width: o.Width, height: o.Height, wrap: o.Wrap}
	if o.Limit > 0 {
		g.seats = newSeats(name, o.Limit)
		layers = append(slices.Clip(layers), g.order)
	}
	if len(layers) == 0 {
		panic("space: NewGrid " + layout.Quoted(name) + " without layers; give a kind, or a Limit")
	}
	g.recipe = world.NewRecipe(name, layers...) // refuses values that are not kinds
	for _, k := range layers {
		g.kinds = append(g.kinds, k.Kind())
	}
	return g
}

// AddTo adds room for the grid to the counts of a world: an object per cell, its kinds and its
// recipe; with a Limit also a resource, and two kinds for objects that enter.
func (g *Grid) AddTo(c *world.Counts) {
	if g.declared(); c == nil {
		panic("space: Grid.AddTo nil; give the address of the world's Counts")
	}
	c.GameObjects += (g.Cells() + 63) &^ 63
	for _, k := range g.kinds {
		c.Kinds = append(c.Kinds, k.Count(g.Cells()))
	}
	c.Recipes = append(c.Recipes, g.recipe)
	if g.limit > 0 {
		c.Kinds = append(c.Kinds, g.seat.Counted(), g.kept.Counted())
		c.Resources = append(c.Resources, g.taken)
	}
}

// Create creates the cells, with the defaults of their layers. The error wraps [ErrGrid] if any
// object already has the kinds, or comes from [world.SpawnN].
func (g *Grid) Create(s world.State) (world.State, error) {
	g.declared()
	for _, k := range g.kinds {
		if n := tool.MaxIndex(s, k); n != 0 {
			return s, fmt.Errorf("%w: %s: %d rows of %s are in use; create the grid first, and "+
				"once", ErrGrid, layout.Quoted(g.name), n, k)
		}
	}
	first := uint32(0)
	return world.SpawnN(s, g.recipe, g.Cells(), func(b world.Batch) {
		g.checkRows(b, first)
		if g.limit > 0 {
			g.empty(b, first)
		}
		first += uint32(b.Len())
	})
}

// checkRows panics unless the cells of a batch, from first on, are in the rows of their numbers.
func (g *Grid) checkRows(b world.Batch, first uint32) {
	for _, k := range g.kinds {
		for i := range b.Len() {
			if row := b.Row(i, k); uint32(row) != first+uint32(i) {
				panic(fmt.Sprintf("space: cell %d of grid %s is in row %d of %s; count the kind "+
					"by Grid.AddTo", first+uint32(i), layout.Quoted(g.name), row, k))
			}
		}
	}
}

// Cells returns the number of cells.
func (g *Grid) Cells() int { return g.declared().width * g.height }

// Size returns the numbers of columns and rows.
func (g *Grid) Size() (width, height int) { return g.declared().width, g.height }

// At returns the cell in a column and a row, counted from 0. On a torus all numbers are valid. It
// panics if the cell does not exist.
func (g *Grid) At(x, y int) int {
	if g.declared().wrap {
		x, y = modulo(x, g.width), modulo(y, g.height)
	}
	if uint(x) >= uint(g.width) || uint(y) >= uint(g.height) {
		panic(fmt.Sprintf("space: Grid.At(%d, %d): grid %s has %d × %d cells; give one inside",
			x, y, layout.Quoted(g.name), g.width, g.height))
	}
	return y*g.width + x
}

// XY returns the column and the row of a cell. It panics if the cell does not exist.
func (g *Grid) XY(cell int) (x, y int) {
	g.check(cell)
	return cell % g.width, cell / g.width
}

// ID returns the game object of a cell. It panics if the cell does not exist, or was disposed.
func (g *Grid) ID(s world.State, cell int) world.GameObject {
	id, ok := world.ObjectOf(s, g.kinds[0], g.Row(cell))
	if !ok {
		panic(fmt.Sprintf("space: cell %d of grid %s is no object; call Grid.Create, and keep the "+
			"cells", cell, layout.Quoted(g.name)))
	}
	return id
}

// Row returns the row of a cell in the kinds of the grid. It panics if the cell does not exist.
func (g *Grid) Row(cell int) layout.Row {
	g.check(cell)
	return layout.Row(cell)
}

// Moore appends the cells around a cell: those at most radius columns and radius rows away, row by
// row, without the cell itself. No cell occurs twice, even on a small torus. It panics if the cell
// does not exist.
func (g *Grid) Moore(dst []int, cell, radius int) []int {
	return g.around(dst, cell, radius, func(int) int { return radius })
}

// VonNeumann is Moore for the cells at most radius steps away, along columns and rows.
func (g *Grid) VonNeumann(dst []int, cell, radius int) []int {
	return g.around(dst, cell, radius, func(rows int) int { return radius - rows })
}

// around appends the cells around a cell that are at most radius rows away and, in a row that is n
// rows away, at most columns(n) columns.
func (g *Grid) around(dst []int, cell, radius int, columns func(rows int) int) []int {
	x, y := g.XY(cell)
	first, last := g.reach(y, radius, g.height)
	for r := first; r <= last; r++ {
		away := max(r-y, y-r)
		if g.wrap {
			away = min(away, g.height-away)
		}
		left, right := g.reach(x, columns(away), g.width)
		row := modulo(r, g.height) * g.width
		for c := left; c <= right; c++ {
			if found := row + modulo(c, g.width); found != cell {
				dst = append(dst, found)
			}
		}
	}
	return dst
}

// reach returns the first and the last of n columns, or rows, that are at most radius away from at.
func (g *Grid) reach(at, radius, n int) (first, last int) {
	radius = min(radius, n)
	switch {
	case !g.wrap:
		return max(at-radius, 0), min(at+radius, n-1)
	case 2*radius >= n: // all, once
		first = at - n/2
		return first, first + n - 1
	}
	return at - radius, at + radius
}

// modulo returns i on a torus of n.
func modulo(i, n int) int {
	if uint(i) < uint(n) {
		return i
	}
	if i %= n; i < 0 {
		i += n
	}
	return i
}

func (g *Grid) check(cell int) {
	if uint(cell) >= uint(g.Cells()) {
		panic(fmt.Sprintf("space: grid %s has no cell %d; its cells are 0 to %d",
			layout.Quoted(g.name), cell, g.Cells()-1))
	}
}

func (g *Grid) declared() *Grid {
	if g == nil || g.width == 0 {
		panic("space: this Grid was not declared; make one by NewGrid")
	}
	return g
}
