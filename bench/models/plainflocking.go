package models

import (
	"math"
	"math/rand/v2"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type vector [2]float64

type flyer struct {
	at, flight vector
	cell       int
}

// plainFlocking is the flock in slices. As the comparison declares, a bird sees those that are
// within its sight.
type plainFlocking struct {
	abm.Flocking
	birds []flyer
	side  int     // cells along each axis; none is narrower than a bird sees
	cells [][]int // birds
	r     *rand.Rand
}

func newPlainFlocking(p abm.Flocking, r *rand.Rand) program {
	m := &plainFlocking{
		Flocking: p, birds: make([]flyer, p.Birds), side: int(p.Extent / p.Sight), r: r,
	}
	m.cells = make([][]int, m.side*m.side)
	for i := range m.birds {
		b := &m.birds[i]
		b.at = vector{r.Float64() * p.Extent, r.Float64() * p.Extent}
		b.flight = vector{r.Float64()*2 - 1, r.Float64()*2 - 1}
		b.cell = m.cellOf(b.at)
		m.cells[b.cell] = append(m.cells[b.cell], i)
	}
	return m
}

func (m *plainFlocking) cellOf(v vector) int {
	scale := float64(m.side) / m.Extent
	return min(int(v[1]*scale), m.side-1)*m.side + min(int(v[0]*scale), m.side-1)
}

func (m *plainFlocking) step() {
	for _, i := range m.r.Perm(len(m.birds)) {
		b := &m.birds[i]
		b.flight = m.turned(b)
		for k, v := range b.flight {
			b.at[k] = math.Mod(b.at[k]+v*m.Speed+m.Extent, m.Extent)
		}
		if cell := m.cellOf(b.at); cell != b.cell {
			m.cells[b.cell] = drop(m.cells[b.cell], i)
			m.cells[cell] = append(m.cells[cell], i)
			b.cell = cell
		}
	}
}

// turned returns how a bird flies, by what it sees.
func (m *plainFlocking) turned(b *flyer) vector {
	var cohere, separate, match vector
	n := 0.0
	for dy := -1; dy <= 1; dy++ {
		row := ring(b.cell/m.side+dy, m.side) * m.side
		for dx := -1; dx <= 1; dx++ {
			for _, i := range m.cells[row+ring(b.cell%m.side+dx, m.side)] {
				o := &m.birds[i]
				x, y := direction(b.at[0], o.at[0], m.Extent), direction(b.at[1], o.at[1], m.Extent)
				far := x*x + y*y
				if o == b || far > m.Sight*m.Sight {
					continue
				}
				n++
				cohere[0], cohere[1] = cohere[0]+x, cohere[1]+y
				match[0], match[1] = match[0]+o.flight[0], match[1]+o.flight[1]
				if far < m.Separation*m.Separation {
					separate[0], separate[1] = separate[0]-x, separate[1]-y
				}
			}
		}
	}
	v, n := b.flight, max(n, 1)
	for k := range v {
		v[k] += (cohere[k]*m.Cohere + separate[k]*m.Separate + match[k]*m.Match) / n
	}
	length := math.Hypot(v[0], v[1])
	return vector{v[0] / length, v[1] / length}
}

// end returns how much the birds fly in one direction: 1 if all do.
func (m *plainFlocking) end() []float64 {
	var sum vector
	for i := range m.birds {
		sum[0], sum[1] = sum[0]+m.birds[i].flight[0], sum[1]+m.birds[i].flight[1]
	}
	return []float64{math.Hypot(sum[0], sum[1]) / float64(len(m.birds))}
}

// ring returns x in 0…n-1, for x that is at most n outside.
func ring(x, n int) int {
	if x < 0 {
		return x + n
	}
	if x >= n {
		return x - n
	}
	return x
}

// direction returns the shorter way from one coordinate to another.
func direction(from, to, extent float64) float64 {
	straight := to - from
	back := straight - math.Copysign(extent, straight)
	if math.Abs(straight) <= math.Abs(back) {
		return straight
	}
	return back
}
