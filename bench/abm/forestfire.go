package main

import (
	"math/rand/v2"

	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

// A stage is what a tree of arkForestFire is.
type stage struct{ is uint8 }

const (
	green uint8 = 1 + iota
	burning
	burnt
)

// arkForestFire is a world of trees, each an entity. The comparison has no program of it for
// Ark.jl; this one is like that for Agents.jl, which lists the trees that burn.
type arkForestFire struct {
	trees      *ecs.Map1[stage]
	grid       []ecs.Entity // zero where there is no tree
	side       int
	fire, next []spot
	burnt      int
}

func newArkForestFire(p abm.ForestFire, r *rand.Rand) *arkForestFire {
	w, side := ecs.NewWorld(1024), int(p.Side)
	m := &arkForestFire{
		trees: ecs.NewMap1[stage](w), grid: make([]ecs.Entity, side*side), side: side,
	}
	for i := range m.grid {
		if r.Float64() >= p.Density {
			continue
		}
		is := green
		if at := (spot{i % side, i / side}); at.x == 0 {
			is = burning
			m.fire = append(m.fire, at)
		}
		m.grid[i] = m.trees.NewEntity(&stage{is})
	}
	return m
}

func (m *arkForestFire) step() {
	m.next = m.next[:0]
	for _, at := range m.fire {
		for _, d := range [4]spot{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			x, y := at.x+d.x, at.y+d.y
			if x < 0 || x >= m.side || y < 0 || y >= m.side {
				continue
			}
			e := m.grid[y*m.side+x]
			if e.IsZero() {
				continue
			}
			if tree := m.trees.GetUnchecked(e); tree.is == green {
				tree.is = burning
				m.next = append(m.next, spot{x, y})
			}
		}
		m.trees.GetUnchecked(m.grid[at.y*m.side+at.x]).is = burnt
		m.burnt++
	}
	m.fire, m.next = m.next, m.fire
}
