package main

import (
	"math"
	"math/rand/v2"

	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type vector [2]float64

type (
	where struct{ p vector }
	speed struct{ v vector }
)

// arkFlocking is a world of birds. As in the comparison's program for Ark.jl, a bird sees all
// birds in the cells around, whose distance is not looked at.
type arkFlocking struct {
	birds  *ecs.Map3[where, speed, abm.Flocking]
	others *ecs.Map2[where, speed]
	extent float64
	cell   float64
	side   int
	cells  [][]ecs.Entity
	around []spot
	order  []ecs.Entity
	r      *rand.Rand
}

func newArkFlocking(p abm.Flocking, r *rand.Rand) *arkFlocking {
	w := ecs.NewWorld(1024)
	m := &arkFlocking{
		birds: ecs.NewMap3[where, speed, abm.Flocking](w), others: ecs.NewMap2[where, speed](w),
		extent: p.Extent, cell: p.Sight / 1.5, r: r,
	}
	m.side = max(1, int(math.Ceil(p.Extent/m.cell)))
	m.cells = make([][]ecs.Entity, m.side*m.side)
	for range p.Birds {
		at := vector{r.Float64() * p.Extent, r.Float64() * p.Extent}
		v := vector{r.Float64()*2 - 1, r.Float64()*2 - 1}
		e := m.birds.NewEntity(&where{at}, &speed{v}, &p)
		m.order = append(m.order, e)
		row, column := m.cellOf(at)
		i := row*m.side + column
		m.cells[i] = append(m.cells[i], e)
	}
	reach := int(math.Ceil(p.Sight / m.cell))
	for x := -reach; x <= reach; x++ {
		for y := -reach; y <= reach; y++ {
			if x*x+y*y <= reach*reach {
				m.around = append(m.around, spot{x, y})
			}
		}
	}
	return m
}

func (m *arkFlocking) cellOf(v vector) (row, column int) {
	return min(max(int(v[1]/m.cell), 0), m.side-1), min(max(int(v[0]/m.cell), 0), m.side-1)
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

func (m *arkFlocking) step() {
	m.r.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	for _, e := range m.order {
		at, flight, p := m.birds.GetUnchecked(e)
		var cohere, separate, match vector
		n := 0.0
		row, column := m.cellOf(at.p)
		for _, d := range m.around {
			for _, other := range m.cells[ring(row+d.x, m.side)*m.side+ring(column+d.y, m.side)] {
				if other == e {
					continue
				}
				q, v := m.others.GetUnchecked(other)
				var h vector
				far := 0.0
				for k := range h {
					h[k] = direction(at.p[k], q.p[k], m.extent)
					far += h[k] * h[k]
				}
				n++
				for k := range h {
					cohere[k] += h[k]
					match[k] += v.v[k]
					if far < p.Separation*p.Separation {
						separate[k] -= h[k]
					}
				}
			}
		}
		m.fly(e, at, flight, p, [3]vector{cohere, separate, match}, max(n, 1))
	}
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

func (m *arkFlocking) fly(
	e ecs.Entity, at *where, flight *speed, p *abm.Flocking, sums [3]vector, n float64,
) {
	v := flight.v
	for k := range v {
		v[k] += (sums[0][k]*p.Cohere + sums[1][k]*p.Separate + sums[2][k]*p.Match) / n
	}
	length, to := math.Hypot(v[0], v[1]), vector{}
	for k := range v {
		v[k] /= length
		to[k] = math.Mod(at.p[k]+v[k]*p.Speed+m.extent, m.extent)
	}
	row, column := m.cellOf(at.p)
	newRow, newColumn := m.cellOf(to)
	if row != newRow || column != newColumn {
		from, into := row*m.side+column, newRow*m.side+newColumn
		m.cells[from] = drop(m.cells[from], e)
		m.cells[into] = append(m.cells[into], e)
	}
	at.p, flight.v = to, v
}
