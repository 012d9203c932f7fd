package models

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

// What stands in a place of a forest.
const (
	green uint8 = 1 + iota
	burning
	burnt
)

// plainForestFire is a forest in a slice, and a list of the trees that burn.
type plainForestFire struct {
	trees      []uint8 // by place; 0: none
	side       int
	fire, next []int
	burnt      int
}

func newPlainForestFire(p abm.ForestFire, r *rand.Rand) program {
	side := int(p.Side)
	m := &plainForestFire{trees: make([]uint8, side*side), side: side}
	for at := range m.trees {
		switch {
		case r.Float64() >= p.Density:
		case at%side == 0:
			m.trees[at] = burning
			m.fire = append(m.fire, at)
		default:
			m.trees[at] = green
		}
	}
	return m
}

func (m *plainForestFire) step() {
	m.next = m.next[:0]
	for _, at := range m.fire {
		if x := at % m.side; x > 0 {
			m.light(at - 1)
		}
		if x := at % m.side; x < m.side-1 {
			m.light(at + 1)
		}
		if at >= m.side {
			m.light(at - m.side)
		}
		if at < len(m.trees)-m.side {
			m.light(at + m.side)
		}
		m.trees[at] = burnt
	}
	m.burnt += len(m.fire)
	m.fire, m.next = m.next, m.fire
}

func (m *plainForestFire) end() []float64 { return []float64{float64(m.burnt)} }

func (m *plainForestFire) light(at int) {
	if m.trees[at] == green {
		m.trees[at] = burning
		m.next = append(m.next, at)
	}
}
