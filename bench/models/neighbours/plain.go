package neighbours

import "math"

// A grid is points in the order of their cells, by a counting sort, each with what it carries.
type grid[T any] struct {
	size   float32 // of a cell, world units
	width  int     // cells
	starts []uint32
	cells  []uint32 // per point: its cell, then its entry
	at     []Vec    // per entry
	with   []T      // per entry
}

func newGrid[T any](edge, size float32) grid[T] {
	width := int(edge / size)
	return grid[T]{size: 1 / size, width: width, starts: make([]uint32, width*width+2)}
}

func (g *grid[T]) cell(x float32) int { return min(max(int(x*g.size), 0), g.width-1) }

func (g *grid[T]) build(places []Vec, carried []T) {
	clear(g.starts)
	if n := len(places); cap(g.cells) < n {
		g.cells, g.at, g.with = make([]uint32, 2*n), make([]Vec, 2*n), make([]T, 2*n)
	}
	g.cells = g.cells[:len(places)]
	for i, p := range places {
		c := uint32(g.cell(p.Y)*g.width + g.cell(p.X))
		g.cells[i] = c
		g.starts[c+2]++
	}
	for i := 2; i < len(g.starts); i++ {
		g.starts[i] += g.starts[i-1]
	}
	for i, c := range g.cells {
		k := g.starts[c+1]
		g.starts[c+1]++
		g.at[k], g.with[k] = places[i], carried[i]
		g.cells[i] = k
	}
}

// A plain is the work over slices.
type plain struct {
	places, velocities, changes []Vec
	turns                       []Vec // per entry
	grid[Vec]
}

func newPlain(n int) *plain {
	p := &plain{changes: make([]Vec, n), turns: make([]Vec, n), grid: newGrid[Vec](side, radius)}
	p.places, p.velocities = points(n)
	return p
}

func (p *plain) build() { p.grid.build(p.places, p.velocities) }

func (p *plain) play() {
	p.build()
	for i, at := range p.at[:len(p.turns)] { // in the order of the cells
		p.turns[i] = p.steer(at, p.with[i])
	}
	for i, entry := range p.cells {
		p.changes[i] = p.turns[entry]
	}
}

func (p *plain) steer(at, v Vec) Vec {
	var c crowd
	first, last := p.cell(at.X-radius), p.cell(at.X+radius)
	for y := p.cell(at.Y - radius); y <= p.cell(at.Y+radius); y++ {
		a, b := p.starts[y*p.width+first], p.starts[y*p.width+last+1]
		c.add(at, p.at[a:b], p.with[a:b])
	}
	return c.turn(v)
}

func (p *plain) close() {}

func (p *plain) sum() float64 { return sumOf(p.changes) }

// sumOf adds lengths, which do not cancel: turns are rounded in the order of neighbours.
func sumOf(changes []Vec) (sum float64) {
	for _, a := range changes {
		sum += math.Hypot(float64(a.X), float64(a.Y))
	}
	return sum
}
