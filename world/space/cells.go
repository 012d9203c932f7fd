package space

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Cells are the positions of objects, ordered by cell. They are a copy, as of the last build, and
// are not part of snapshots, files and digests. [Cells.Build] belongs to one goroutine.
type Cells[T any] struct {
	cloud
	field   layout.Field[T]
	axes    [3]layout.Axis[T]
	query   world.Query
	points  []T                // per entry
	ids     []world.GameObject // per entry
	carried []column
	places  []uint32           // per object of the query, in parts: its cell, then its entry
	entries []uint32           // per index of an object: its entry
	batch   []world.GameObject // per object of the query, in parts: those of a batch
	parts   []part[T]
	tasks   []systems.Task
	strays  strays
	built   tool.Moment
	turn    uint64 // times that they were built; a View is of one
}

// NewCells returns cells for the positions in a field, with all memory that worlds with the counts
// of s need. The error wraps [ErrOptions], or [world.ErrNoKind]. It panics if f has no axis of a
// name in o.Axes.
func NewCells[T any](s world.State, f layout.Field[T], o Options) (*Cells[T], error) {
	axes, dims, err := axesOf(f, &o)
	if err != nil {
		return nil, err
	}
	if err := o.check(dims); err != nil {
		return nil, err
	}
	q, err := queryOf(f, &o)
	if err != nil {
		return nil, err
	}
	rows, objects, err := roomOf(s, f.Kind())
	if err != nil {
		return nil, err
	}
	c := &Cells[T]{field: f, axes: axes, query: q}
	c.lattice = latticeOf(&o, dims, rows)
	c.reserve(rows, objects, max(o.Parts, 1), o.Carry)
	return c, nil
}

// reserve makes all memory of c.
func (c *Cells[T]) reserve(rows, objects, parts int, carry []Carried) {
	c.cloud.reserve(rows)
	c.starts = make([]uint32, c.cells()+1)
	c.points, c.ids = make([]T, rows), make([]world.GameObject, rows)
	for _, f := range carry {
		c.carried = append(c.carried, f.column(rows))
	}
	c.places = make([]uint32, (objects+63)&^63)
	c.entries = make([]uint32, len(c.places))
	c.batch = make([]world.GameObject, len(c.places))
	c.parts, c.tasks = make([]part[T], parts), make([]systems.Task, parts)
	for i := range c.parts {
		p := &c.parts[i]
		if p.cells, p.counts = c, c.starts[1:]; parts > 1 {
			p.counts = make([]uint32, c.cells())
		}
		c.tasks[i].Run = []func(world.State) world.State{p.run}
		c.tasks[i].Queries = []world.Query{c.query}
	}
}

// coordinates returns those of a position.
func (c *Cells[T]) coordinates(v *T) (p [3]float64) {
	p[0], p[1] = c.axes[0].Of(v), c.axes[1].Of(v)
	if c.dims == 3 {
		p[2] = c.axes[2].Of(v)
	}
	return p
}

// In returns the cells for a State of the world passed to Build. It panics if positions were added,
// removed or written since, or the world went back to a snapshot: build the cells again. Changes of
// other kinds that the query names are not noticed.
func (c *Cells[T]) In(s world.State) View[T] {
	if c == nil {
		panic("space: nil Cells belong to no world; make them by NewCells")
	}
	if tool.MomentOf(s, c.field.Kind()) != c.built {
		panic(fmt.Sprintf("space: these cells were not built for this State: %s was written "+
			"since, or it is another world's; write state = cells.Build(state, workers) first",
			c.field.Kind()))
	}
	return View[T]{c, c.turn}
}

// A View gives access to current cells. Entries are numbered from 0, ordered by cell, then by
// object. It is valid until the cells are built again, and panics afterwards; any number of
// goroutines may use it.
type View[T any] struct {
	cells *Cells[T]
	turn  uint64 // of the cells
}

// Len returns the number of entries, which is the number of objects in cells.
func (v View[T]) Len() int { return len(v.of().points) }

// Points returns the position of each entry, for reading.
func (v View[T]) Points() []T { return v.of().points }

// IDs returns the object of each entry, for reading.
func (v View[T]) IDs() []world.GameObject { return v.of().ids }

// ID returns the object of an entry. It panics if there is no such entry.
func (v View[T]) ID(entry int) world.GameObject {
	ids := v.of().ids
	if uint(entry) >= uint(len(ids)) {
		panicEntry(entry, len(ids))
	}
	return ids[entry]
}

//go:noinline
func panicEntry(entry, of int) {
	panic(fmt.Sprintf("space: a view of %d entries has no entry %d; give one that a search yields",
		of, entry))
}

// Strays returns nil if all positions are finite and inside the box. Otherwise the error wraps
// [ErrOutside], or [ErrNotFinite], or both, and says how many positions are not, and names the
// first object.
func (v View[T]) Strays() error { return v.of().strays.err(v.cells.dims) }

// Between returns the vector from a to b along the axes of the cells: on a torus, the shortest one.
func (v View[T]) Between(a, b T) [3]float64 {
	c := v.of()
	p, q := c.coordinates(&a), c.coordinates(&b)
	return c.between(&p, &q)
}

// Column returns the values of a carried field, one per entry, for reading. It panics if the cells
// do not carry the field.
func Column[V, T any](v View[T], f layout.Field[V]) []V {
	for _, c := range v.of().carried {
		if k, ok := c.(*carriedColumn[V]); ok && k.field == f {
			return k.values[:len(v.cells.points)]
		}
	}
	panic(fmt.Sprintf("space: these cells do not carry %s; give space.Carry of it in Options.Carry",
		f.Spec().Title(layout.Part{})))
}

func (v View[T]) of() *Cells[T] {
	if v.cells == nil || v.cells.turn != v.turn {
		panic("space: this View is stale, or of no cells; write view = cells.In(state)")
	}
	return v.cells
}

// nowhere is the cell and the entry of a position that is NaN or infinite.
const nowhere = math.MaxUint32

// A part is a range of objects, which one goroutine puts into cells.
type part[T any] struct {
	cells  *Cells[T]
	counts []uint32           // per cell: objects of the part; then the next one's entry
	first  int                // of the part, in places
	end    int                // behind the part
	ids    []world.GameObject // of a batch
	idle   bool               // no objects
	fill   bool               // the second pass
	strays strays
	at     [3][chunk]float64
}

// Build puts the objects into the cells, in parts on workers, which may be nil. The entries are the
// same for any number of workers and parts, and no byte of the world changes. It panics in a walk,
// in a task, and if there are more objects than the world passed to NewCells had room for.
func (c *Cells[T]) Build(s world.State, workers *systems.Workers) world.State {
	if c == nil {
		panic("space: nil Cells belong to no world; make them by NewCells")
	}
	c.checkRoom(s)
	if tool.Walking(s) {
		panic(world.ErrWalking.Error())
	}
	c.built = tool.Moment{} // of no world, should a task panic
	c.turn++
	c.cut(s)
	s = systems.RunTasks(s, workers, c.tasks)
	c.sum()
	s = systems.RunTasks(s, workers, c.tasks)
	c.built = tool.MomentOf(s, c.field.Kind())
	return s
}

// checkRoom panics if there are more objects than c has room for.
func (c *Cells[T]) checkRoom(s world.State) {
	if tool.MaxUID(s) > len(c.places) || tool.Mounted(s, c.field.Kind()) > cap(c.points) {
		panic(fmt.Sprintf("space: Cells.Build: this world has more objects than the %d that the "+
			"cells have room for; make some by NewCells with this State", cap(c.points)))
	}
}

// cut shares the objects between the parts.
func (c *Cells[T]) cut(s world.State) {
	objects := tool.MaxUID(s)
	if c.hashed {
		c.wind(min(buckets(c.query.Count(s)), len(c.parts[0].counts)))
	}
	c.starts = c.starts[:c.cells()+1]
	blocks, n := (objects+63)/64, len(c.parts)
	for i := range c.parts {
		first, end := blocks*i/n, blocks*(i+1)/n
		c.tasks[i].First, c.tasks[i].End = uint32(first), uint32(end)
		p := &c.parts[i]
		p.first, p.end, p.idle, p.fill = 64*first, 64*end, first == end, false
		p.ids = c.batch[p.first:]
	}
}

// run is the task of a part.
func (p *part[T]) run(s world.State) world.State {
	if p.fill {
		return p.enter(s)
	}
	return p.count(s)
}

// count finds the cell of each object, and counts those of each cell.
func (p *part[T]) count(s world.State) world.State {
	c := p.cells
	counts := p.counts[:c.cells()]
	clear(counts)
	p.strays = strays{}
	if p.idle { // the range of its task is empty, which stands for everything
		return s
	}
	places := c.places[p.first:]
	for b := range c.query.In(s) {
		points := world.Column(b, c.field)
		for first := 0; first < len(points); first += chunk {
			n := min(chunk, len(points)-first)
			p.locate(places[:n], b, first, points[first:][:n])
			for _, cell := range places[:n] {
				if cell != nowhere {
					counts[cell]++
				}
			}
			places = places[n:]
		}
	}
	return s
}

const chunk = 256 // points whose coordinates are read at once

// locate finds the cells of points, which are those of a batch from first on.
func (p *part[T]) locate(cells []uint32, b world.Batch, first int, points []T) {
	c := p.cells
	at := &p.at
	for axis := range c.dims {
		c.axes[axis].Read(at[axis][:], points)
	}
	for i := range cells {
		x, y, z := at[0][i], at[1][i], at[2][i]
		cell, ok := c.inside(x, y, z)
		if !ok {
			cell = p.stray(b, first+i, &[3]float64{x, y, z})
		}
		cells[i] = cell
	}
}

// stray returns the cell of object i of a batch, which is not inside of the box.
func (p *part[T]) stray(b world.Batch, i int, at *[3]float64) uint32 {
	if !finite(at) {
		if p.strays.lost++; p.strays.lost == 1 {
			p.strays.firstLost = stray{uint64(b.ID(i)), *at}
		}
		return nowhere
	}
	cell, outside := p.cells.cell(at)
	if outside {
		if p.strays.outside++; p.strays.outside == 1 {
			p.strays.firstOutside = stray{uint64(b.ID(i)), *at}
		}
	}
	return cell
}

// sum sets where each cell begins, and within it each part.
func (c *Cells[T]) sum() {
	n := uint32(0)
	if len(c.parts) == 1 { // whose counts become the starts
		counts := c.parts[0].counts[:c.cells()]
		for cell, k := range counts {
			counts[cell] = n
			n += k
		}
	} else {
		for cell := range c.cells() {
			c.starts[cell] = n
			for i := range c.parts {
				at := &c.parts[i].counts[cell]
				*at, n = n, n+*at
			}
		}
		c.starts[c.cells()] = n
	}
	c.points, c.ids = c.points[:n], c.ids[:n]
	c.strays = strays{}
	for i := range c.parts {
		c.strays.add(&c.parts[i].strays)
		c.parts[i].fill = true
	}
}

// enter copies the objects to their entries.
func (p *part[T]) enter(s world.State) world.State {
	c := p.cells
	places := c.places[p.first:]
	if p.idle {
		return s
	}
	own := c.entries[p.first:p.end]
	for i := range own {
		own[i] = nowhere
	}
	for b := range c.query.In(s) {
		points := world.Column(b, c.field)
		entries := places[:len(points)]
		ids := b.AppendIDs(p.ids[:0])
		for i, cell := range entries {
			if cell == nowhere {
				continue
			}
			e := p.counts[cell]
			p.counts[cell]++
			entries[i], c.entries[ids[i].Index()] = e, e
			c.points[e], c.ids[e] = points[i], ids[i]
		}
		for first := 0; first < len(points); first += chunk {
			n := min(chunk, len(points)-first)
			p.put(entries[first:][:n], points[first:][:n])
		}
		for _, f := range c.carried {
			f.take(b, entries)
		}
		places = places[len(points):]
	}
	return s
}

// put sets the coordinates of entries.
func (p *part[T]) put(entries []uint32, points []T) {
	c, at := p.cells, &p.at
	for axis := range c.dims {
		c.axes[axis].Read(at[axis][:], points)
		if c.wrap {
			for i, e := range entries {
				if e != nowhere {
					at[axis][i] = c.relative(axis, at[axis][i])
				}
			}
		}
	}
	if c.dims == 3 {
		for i, e := range entries {
			if e != nowhere {
				c.deep[e] = [3]float64{at[0][i], at[1][i], at[2][i]}
			}
		}
		return
	}
	for i, e := range entries {
		if e != nowhere {
			c.flat[e] = [2]float64{at[0][i], at[1][i]}
		}
	}
}
