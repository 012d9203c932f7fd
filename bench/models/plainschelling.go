package models

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type resident struct {
	place int32
	group uint8 // from 1
}

// plainSchelling is Schelling's model in slices.
type plainSchelling struct {
	abm.Schelling
	people []resident
	groups []uint8 // by place; 0: free
	free   []int32
	happy  int // in the last step
	r      *rand.Rand
}

func newPlainSchelling(p abm.Schelling, r *rand.Rand) program {
	places, agents := int(p.Side)*int(p.Side), agents(p)
	m := &plainSchelling{
		Schelling: p, people: make([]resident, agents), groups: make([]uint8, places), r: r,
	}
	for i, at := range r.Perm(places) {
		if i >= agents {
			m.free = append(m.free, int32(at))
			continue
		}
		group := uint8(1 + i*int(p.Groups)/agents)
		m.people[i], m.groups[at] = resident{int32(at), group}, group
	}
	return m
}

func (m *plainSchelling) step() {
	m.happy = 0
	m.r.Shuffle(len(m.people), func(i, j int) {
		m.people[i], m.people[j] = m.people[j], m.people[i]
	})
	for i := range m.people {
		who := &m.people[i]
		if m.alike(int(who.place), who.group) >= int(m.Wanted) {
			m.happy++
			continue
		}
		j := m.r.IntN(len(m.free))
		m.groups[who.place] = 0
		who.place, m.free[j] = m.free[j], who.place
		m.groups[who.place] = who.group
	}
}

func (m *plainSchelling) end() []float64 { return []float64{float64(m.happy)} }

// alike counts the neighbours of a place who are of a group.
func (m *plainSchelling) alike(place int, group uint8) int {
	side, radius := int(m.Side), int(m.Radius)
	x, y, n := place%side, place/side, -1 // without the one who lives here
	left, right := max(x-radius, 0), min(x+radius, side-1)
	for row := max(y-radius, 0); row <= min(y+radius, side-1); row++ {
		for _, g := range m.groups[row*side+left : row*side+right+1] {
			if g == group {
				n++
			}
		}
	}
	return n
}
