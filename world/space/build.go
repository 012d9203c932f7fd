package space

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A sorter puts objects into cells by a counting sort, in parts.
type sorter[T any] struct {
	places []uint32           // per object of the query, in parts: first its cell, then its entry
	batch  []world.GameObject // per object of the query, in parts: the objects of one batch
	parts  []part[T]
	tasks  []systems.Task
}

// A part is a range of objects, which one goroutine puts into cells.
type part[T any] struct {
	cells      *Cells[T]
	counts     []uint32 // per cell: number of objects of the part; then its next entry
	first, end int      // objects of the part, in places
	fill       bool     // the second pass
	strays     strays
	at         [3][chunk]float64
}

// nowhere is the cell and the entry of a position that is NaN or infinite.
const nowhere = math.MaxUint32

// sorterOf returns a sorter with all its memory.
func sorterOf[T any](c *Cells[T], parts int) sorter[T] {
	r := sorter[T]{
		places: make([]uint32, len(c.entries)), batch: make([]world.GameObject, len(c.entries)),
		parts: make([]part[T], parts), tasks: make([]systems.Task, parts),
	}
	for i := range r.parts {
		p := &r.parts[i]
		if p.cells, p.counts = c, c.cloud.starts[1:]; parts > 1 {
			p.counts = make([]uint32, c.cloud.cells())
		}
		r.tasks[i].Run = []func(world.State) world.State{p.run}
		r.tasks[i].Queries = []world.Query{c.source.query}
	}
	return r
}

// Build puts the objects into the cells, in parts on workers, which may be nil. The entries are the
// same for any number of workers and parts, and no byte of the world changes. It panics in a walk,
// in a task, and if there are more objects than the world passed to NewCells had room for.
func (c *Cells[T]) Build(s world.State, workers *systems.Workers) world.State {
	if c == nil {
		panic("space: nil Cells belong to no world; make them by NewCells")
	}
	field := c.source.field.Kind()
	if tool.MaxUID(s) > len(c.entries) || tool.Mounted(s, field) > cap(c.points) {
		panic(fmt.Sprintf("space: Cells.Build: this world has more objects than the %d that the "+
			"cells have room for; make some by NewCells with this State", cap(c.points)))
	}
	if tool.Walking(s) {
		panic(world.ErrWalking.Error())
	}
	c.built = tool.Moment{} // equals no Moment, in case a task panics
	c.turn++
	if c.cloud.hashed {
		c.cloud.wind(min(buckets(c.source.query.Count(s)), len(c.sorter.parts[0].counts)))
	}
	c.cloud.starts = c.cloud.starts[:c.cloud.cells()+1]
	c.sorter.share(tool.MaxUID(s))
	s = systems.RunTasks(s, workers, c.sorter.tasks)
	c.sum()
	s = systems.RunTasks(s, workers, c.sorter.tasks)
	c.measure()
	c.built = tool.MomentOf(s, field)
	return s
}

// share shares the objects between the parts.
func (r *sorter[T]) share(objects int) {
	blocks, n := (objects+63)/64, len(r.parts)
	for i := range r.parts {
		first, end := blocks*i/n, blocks*(i+1)/n
		r.tasks[i].First, r.tasks[i].End = uint32(first), uint32(end)
		r.parts[i].first, r.parts[i].end, r.parts[i].fill = 64*first, 64*end, false
	}
}

// run is the task that builds a part.
func (p *part[T]) run(s world.State) world.State {
	if p.fill {
		p.enter(s)
	} else {
		p.count(s)
	}
	return s
}

// count finds the cell of each object, and counts the objects of each cell.
func (p *part[T]) count(s world.State) {
	c := p.cells
	counts := p.counts[:c.cloud.cells()]
	clear(counts)
	p.strays = strays{}
	if p.first == p.end { // the range of its task is empty, which would mean all objects
		return
	}
	places := c.sorter.places[p.first:]
	for b := range c.source.query.In(s) {
		points := world.Column(b, c.source.field)
		for first := 0; first < len(points); first += chunk {
			n := min(chunk, len(points)-first)
			c.source.read(&p.at, points[first:][:n])
			if !c.cloud.locate(places[:n], &p.at) {
				p.placeOutside(places[:n], b, first)
			}
			for _, cell := range places[:n] {
				if cell != nowhere {
					counts[cell]++
				}
			}
			places = places[n:]
		}
	}
}

// placeOutside finds the cells of the objects of a batch, from first on, that are outside the box.
func (p *part[T]) placeOutside(cells []uint32, b world.Batch, first int) {
	for i := range cells {
		at, why := [3]float64{p.at[0][i], p.at[1][i], p.at[2][i]}, lost
		if p.cells.cloud.holds(&at) {
			continue
		}
		if cells[i] = nowhere; finite(&at) {
			if cells[i], why = p.cells.cloud.cell(&at), outside; p.cells.cloud.wrap {
				continue
			}
		}
		if p.strays.n[why]++; p.strays.n[why] == 1 {
			p.strays.first[why] = stray{uint64(b.ID(first + i)), at}
		}
	}
}

// sum computes the start of each cell, and of each part within it.
func (c *Cells[T]) sum() {
	n, starts, parts := uint32(0), c.cloud.starts, c.sorter.parts
	if len(parts) == 1 { // its counts become the starts
		counts := parts[0].counts[:c.cloud.cells()]
		for cell, k := range counts {
			counts[cell] = n
			n += k
		}
	} else {
		for cell := range c.cloud.cells() {
			starts[cell] = n
			for i := range parts {
				at := &parts[i].counts[cell]
				*at, n = n, n+*at
			}
		}
		starts[c.cloud.cells()] = n
	}
	c.points, c.ids = c.points[:n], c.ids[:n]
	c.strays = strays{}
	for i := range parts {
		c.strays.add(&parts[i].strays)
		parts[i].fill = true
	}
}

// enter copies the objects to their entries.
func (p *part[T]) enter(s world.State) {
	c := p.cells
	if p.first == p.end {
		return
	}
	places, batch := c.sorter.places[p.first:], c.sorter.batch[p.first:]
	clear(c.entries[p.first:p.end])
	for b := range c.source.query.In(s) {
		entries, ids := places[:b.Len()], b.AppendIDs(batch[:0])
		p.number(entries)
		scatter(c.points, world.Column(b, c.source.field), entries)
		scatter(c.ids, ids, entries)
		for _, f := range c.carried {
			f.take(b, entries)
		}
		for i, e := range entries {
			c.entries[ids[i].Index()] = e + 1 // 0 for nowhere
		}
		places = places[len(entries):]
	}
}

// number replaces each cell by the next entry in it.
func (p *part[T]) number(cells []uint32) {
	counts := p.counts
	for i, cell := range cells {
		if cell != nowhere {
			cells[i] = counts[cell]
			counts[cell]++
		}
	}
}

// scatter copies values to their entries.
func scatter[V any](dst, values []V, entries []uint32) {
	for i, v := range values[:len(entries)] {
		if e := entries[i]; e != nowhere {
			dst[e] = v
		}
	}
}

// measure sets the coordinates of the entries.
func (c *Cells[T]) measure() {
	at := &c.sorter.parts[0].at
	for first := 0; first < len(c.points); first += chunk {
		points := c.points[first:min(first+chunk, len(c.points))]
		c.source.read(at, points)
		c.cloud.put(first, len(points), at)
	}
}
