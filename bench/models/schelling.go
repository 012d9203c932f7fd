package models

import (
	"math/rand/v2"

	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type spot struct{ x, y int }

type faction struct{ id int8 }

// arkSchelling is a world of Schelling's model.
type arkSchelling struct {
	people *ecs.Map2[spot, faction]
	p      abm.Schelling
	grid   []int8 // the faction of who is there; 0: nobody
	empty  []spot
	order  []ecs.Entity
	around []spot
	happy  int // in the last step
	r      *rand.Rand
}

func newArkSchelling(p abm.Schelling, r *rand.Rand) program {
	w, side := ecs.NewWorld(1024), int(p.Side)
	m := &arkSchelling{
		people: ecs.NewMap2[spot, faction](w), p: p, grid: make([]int8, side*side), r: r,
	}
	for x := range side {
		for y := range side {
			m.empty = append(m.empty, spot{x, y})
		}
	}
	r.Shuffle(len(m.empty), func(i, j int) { m.empty[i], m.empty[j] = m.empty[j], m.empty[i] })
	agents := agents(p)
	for n := range agents {
		id := int8(1 + 2*n/agents)
		at := m.empty[len(m.empty)-1]
		m.empty = m.empty[:len(m.empty)-1]
		e := m.people.NewEntity(&at, &faction{id})
		m.grid[at.y*side+at.x] = id
		m.order = append(m.order, e)
	}
	radius := int(p.Radius)
	for x := -radius; x <= radius; x++ {
		for y := -radius; y <= radius; y++ {
			if x != 0 || y != 0 {
				m.around = append(m.around, spot{x, y})
			}
		}
	}
	return m
}

func (m *arkSchelling) step() {
	side := int(m.p.Side)
	m.happy = 0
	m.r.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	for _, e := range m.order {
		at, own := m.people.GetUnchecked(e)
		same := 0
		for _, d := range m.around {
			x, y := at.x+d.x, at.y+d.y
			if x < 0 || x >= side || y < 0 || y >= side {
				continue
			}
			if m.grid[y*side+x] == own.id {
				same++
			}
		}
		if same >= int(m.p.Wanted) {
			m.happy++
			continue
		}
		i := m.r.IntN(len(m.empty))
		to := m.empty[i]
		m.empty[i] = *at
		m.grid[at.y*side+at.x] = 0
		m.grid[to.y*side+to.x] = own.id
		*at = to
	}
}

func (m *arkSchelling) end() []float64 { return []float64{float64(m.happy)} }
