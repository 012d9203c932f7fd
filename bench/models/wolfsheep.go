package models

import (
	"math/rand/v2"
	"slices"

	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type energy struct{ e float64 }

type (
	sheepMark struct{}
	wolfMark  struct{}
)

// arkWolfSheep is a world of wolves, sheep and grass.
type arkWolfSheep struct {
	world    *ecs.World
	animals  *ecs.Map2[spot, energy]
	sheep    *ecs.Map3[spot, energy, sheepMark]
	wolves   *ecs.Map3[spot, energy, wolfMark]
	allSheep *ecs.Filter1[sheepMark]
	allWolfs *ecs.Filter1[wolfMark]
	p        abm.WolfSheep
	grown    []bool
	left     []int
	flocks   [][]ecs.Entity
	order    []ecs.Entity
	r        *rand.Rand
}

func newArkWolfSheep(p abm.WolfSheep, r *rand.Rand) program {
	w, side := ecs.NewWorld(1024), int(p.Side)
	m := &arkWolfSheep{
		world: w, animals: ecs.NewMap2[spot, energy](w),
		sheep:    ecs.NewMap3[spot, energy, sheepMark](w),
		wolves:   ecs.NewMap3[spot, energy, wolfMark](w),
		allSheep: ecs.NewFilter1[sheepMark](w), allWolfs: ecs.NewFilter1[wolfMark](w), p: p,
		grown: make([]bool, side*side), left: make([]int, side*side),
		flocks: make([][]ecs.Entity, side*side), r: r,
	}
	for i := range m.grown {
		if m.grown[i] = r.IntN(2) == 0; m.grown[i] {
			m.left[i] = int(p.Regrowth)
		} else {
			m.left[i] = r.IntN(int(p.Regrowth))
		}
	}
	for range p.Sheep {
		at := spot{r.IntN(side), r.IntN(side)}
		e := m.sheep.NewEntity(&at, &energy{float64(r.IntN(int(p.SheepGain) * 2))}, &sheepMark{})
		m.flocks[m.index(at)] = append(m.flocks[m.index(at)], e)
	}
	for range p.Wolves {
		at := spot{r.IntN(side), r.IntN(side)}
		m.wolves.NewEntity(&at, &energy{float64(r.IntN(int(p.WolfGain) * 2))}, &wolfMark{})
	}
	return m
}

func (m *arkWolfSheep) index(at spot) int { return at.y*int(m.p.Side) + at.x }

var eight = [8]spot{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}

func (m *arkWolfSheep) walk(at spot) spot {
	d, last := eight[m.r.IntN(8)], int(m.p.Side)-1
	return spot{min(max(at.x+d.x, 0), last), min(max(at.y+d.y, 0), last)}
}

// drop removes e by the last of the list.
func drop[T comparable](list []T, e T) []T {
	i := slices.Index(list, e)
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}

func (m *arkWolfSheep) step() {
	if m.r.IntN(2) == 0 {
		m.stepSheep()
		m.stepWolves()
	} else {
		m.stepWolves()
		m.stepSheep()
	}
	for i, grown := range m.grown {
		switch {
		case grown:
		case m.left[i] <= 0:
			m.grown[i], m.left[i] = true, int(m.p.Regrowth)
		default:
			m.left[i]--
		}
	}
}

func (m *arkWolfSheep) end() []float64 {
	sheep, wolves := m.allSheep.Query(), m.allWolfs.Query()
	defer sheep.Close()
	defer wolves.Close()
	return []float64{float64(sheep.Count()), float64(wolves.Count())}
}

// shuffled returns the entities of a filter in random order.
func shuffled[T any](m *arkWolfSheep, all *ecs.Filter1[T]) []ecs.Entity {
	m.order = m.order[:0]
	for q := all.Query(); q.Next(); {
		m.order = append(m.order, q.Entity())
	}
	m.r.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	return m.order
}

func (m *arkWolfSheep) stepSheep() {
	for _, e := range shuffled(m, m.allSheep) {
		at, own := m.animals.GetUnchecked(e)
		to := m.walk(*at)
		from, field := m.index(*at), m.index(to)
		if from != field {
			m.flocks[from] = drop(m.flocks[from], e)
			m.flocks[field] = append(m.flocks[field], e)
		}
		now := own.e - 1
		if m.grown[field] {
			now += m.p.SheepGain
			m.grown[field] = false
		}
		if now < 0 {
			m.flocks[field] = drop(m.flocks[field], e)
			m.world.RemoveEntity(e)
			continue
		}
		births := m.r.Float64() <= m.p.SheepBirths
		if births {
			now /= 2
		}
		*at, own.e = to, now // before a birth may move them
		if births {
			child := m.sheep.NewEntity(&to, &energy{now}, &sheepMark{})
			m.flocks[field] = append(m.flocks[field], child)
		}
	}
}

func (m *arkWolfSheep) stepWolves() {
	for _, e := range shuffled(m, m.allWolfs) {
		at, own := m.animals.GetUnchecked(e)
		to := m.walk(*at)
		now, field := own.e-1, m.index(to)
		if dinner := m.flocks[field]; len(dinner) > 0 {
			prey := dinner[m.r.IntN(len(dinner))]
			m.flocks[field] = drop(dinner, prey)
			m.world.RemoveEntity(prey)
			now += m.p.WolfGain
		}
		if now < 0 {
			m.world.RemoveEntity(e)
			continue
		}
		births := m.r.Float64() <= m.p.WolfBirths
		if births {
			now /= 2
		}
		*at, own.e = to, now
		if births {
			m.wolves.NewEntity(&to, &energy{now}, &wolfMark{})
		}
	}
}
