package models

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/cmd/scene/abm"
)

type beast struct {
	energy float64
	field  int32
	next   int32 // of sheep: the next one in this field, from 1; 0: none
}

// plainWolfSheep is the model of wolves, sheep and grass in slices.
type plainWolfSheep struct {
	abm.WolfSheep
	sheep, wolves []beast
	grass         []uint8 // steps until it is grown; 0: it is
	first         []int32 // sheep in a field, from 1; 0: none
	r             *rand.Rand
}

func newPlainWolfSheep(p abm.WolfSheep, r *rand.Rand) program {
	fields := int(p.Side) * int(p.Side)
	m := &plainWolfSheep{
		WolfSheep: p, grass: make([]uint8, fields), first: make([]int32, fields), r: r,
	}
	for i := range m.grass {
		if r.IntN(2) == 0 {
			m.grass[i] = uint8(1 + r.IntN(int(p.Regrowth)))
		}
	}
	m.sheep, m.wolves = m.herd(p.Sheep, p.SheepGain), m.herd(p.Wolves, p.WolfGain)
	return m
}

// herd returns n animals anywhere.
func (m *plainWolfSheep) herd(n int32, gain float64) []beast {
	all := make([]beast, n)
	for i := range all {
		all[i] = beast{float64(m.r.IntN(int(2 * gain))), int32(m.r.IntN(len(m.grass))), 0}
	}
	return all
}

func (m *plainWolfSheep) step() {
	m.sheep = m.act(m.sheep, m.SheepBirths, func(a *beast) {
		if m.grass[a.field] == 0 {
			a.energy += m.SheepGain
			m.grass[a.field] = uint8(m.Regrowth)
		}
	})
	clear(m.first)
	for i := range m.sheep {
		a := &m.sheep[i]
		a.next, m.first[a.field] = m.first[a.field], int32(i+1)
	}
	m.wolves = m.act(m.wolves, m.WolfBirths, func(a *beast) {
		if m.first[a.field] != 0 {
			a.energy += m.WolfGain
			m.eat(&m.first[a.field])
		}
	})
	m.sheep = living(m.sheep)
	for i, left := range m.grass {
		m.grass[i] = left - min(left, 1)
	}
}

func (m *plainWolfSheep) end() []float64 {
	return []float64{float64(len(m.sheep)), float64(len(m.wolves))}
}

// act lets all animals move and eat in a new random order, and returns those that live on and those
// that are born.
func (m *plainWolfSheep) act(all []beast, births float64, eat func(*beast)) []beast {
	m.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := range all {
		a := &all[i]
		a.field = m.walk(a.field)
		a.energy--
		if eat(a); a.energy >= 0 && m.r.Float64() < births {
			a.energy /= 2
			all = append(all, *a)
		}
	}
	return living(all)
}

// living returns those whose energy is not below 0, in place.
func living(all []beast) []beast {
	n := 0
	for _, a := range all {
		if a.energy >= 0 {
			all[n] = a
			n++
		}
	}
	return all[:n]
}

func (m *plainWolfSheep) walk(field int32) int32 {
	d, last := eight[m.r.IntN(8)], int(m.Side)-1
	x, y := int(field)%int(m.Side)+d.x, int(field)/int(m.Side)+d.y
	return int32(min(max(y, 0), last)*int(m.Side) + min(max(x, 0), last))
}

// eat takes one of the sheep of a list, each equally likely.
func (m *plainWolfSheep) eat(link *int32) {
	n := 0
	for i := *link; i != 0; i = m.sheep[i-1].next {
		n++
	}
	for range m.r.IntN(n) {
		link = &m.sheep[*link-1].next
	}
	prey := &m.sheep[*link-1]
	prey.energy, *link = -1, prey.next
}
