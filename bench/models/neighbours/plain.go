package neighbours

import "math"

// A sorted is points in the order of their cells, by a counting sort.
type sorted struct {
	width              int // cells
	starts             []uint32
	cells              []uint32 // per point: its cell, then its entry
	places, velocities []Vec    // per entry
	turns              []Vec    // per entry
}

func newSorted(n int) sorted {
	width := side / radius
	return sorted{
		width, make([]uint32, width*width+2), make([]uint32, n),
		make([]Vec, n), make([]Vec, n), make([]Vec, n),
	}
}

func (s *sorted) cell(x float32) int { return min(max(int(x*(1.0/radius)), 0), s.width-1) }

func (s *sorted) build(places, velocities []Vec) {
	clear(s.starts)
	for i, p := range places {
		c := uint32(s.cell(p.Y)*s.width + s.cell(p.X))
		s.cells[i] = c
		s.starts[c+2]++
	}
	for i := 2; i < len(s.starts); i++ {
		s.starts[i] += s.starts[i-1]
	}
	for i, c := range s.cells {
		k := s.starts[c+1]
		s.starts[c+1]++
		s.places[k], s.velocities[k] = places[i], velocities[i]
		s.cells[i] = k
	}
}

func (s *sorted) steer(at, v Vec) Vec {
	var c crowd
	first, last := s.cell(at.X-radius), s.cell(at.X+radius)
	for y := s.cell(at.Y - radius); y <= s.cell(at.Y+radius); y++ {
		a, b := s.starts[y*s.width+first], s.starts[y*s.width+last+1]
		c.add(at, s.places[a:b], s.velocities[a:b])
	}
	return c.turn(v)
}

// steerAll computes the turns of all, in the order of the cells.
func (s *sorted) steerAll() {
	for i, at := range s.places {
		s.turns[i] = s.steer(at, s.velocities[i])
	}
}

type plain struct {
	places, velocities, changes []Vec
	sorted
}

func newPlain(n int) *plain {
	p := &plain{changes: make([]Vec, n), sorted: newSorted(n)}
	p.places, p.velocities = points(n)
	return p
}

func (p *plain) build() { p.sorted.build(p.places, p.velocities) }

func (p *plain) play() {
	p.build()
	p.steerAll()
	for i, entry := range p.cells {
		p.changes[i] = p.turns[entry]
	}
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
