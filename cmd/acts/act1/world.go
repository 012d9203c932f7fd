package act1

import "reflect"

// World holds the heroes of both kinds, each in ascending order of ID. IDs are given from 0, in one
// sequence for both kinds.
type World struct {
	NormalHeroes []*NormalHero
	SuperHeroes  []*SuperHero
	nextID       int
}

// Renderer draws heroes.
type Renderer interface {
	DrawOne(hero *SuperHero)
	DrawInstances(heroes []*NormalHero)
}

// NewWorld returns a world with room for the given numbers of heroes.
func NewWorld(normalHeroes, superHeroes int) *World {
	return &World{
		NormalHeroes: make([]*NormalHero, 0, normalHeroes),
		SuperHeroes:  make([]*SuperHero, 0, superHeroes),
	}
}

// NewScene returns the story's scene: the first hero of each kind has moved, the first super hero
// has flown too, and the others stand at the origin.
func NewScene(normalHeroes, superHeroes int) *World {
	w := NewWorld(normalHeroes, superHeroes)
	for range normalHeroes {
		w.CreateNormalHero()
	}
	for range superHeroes {
		w.CreateSuperHero()
	}
	if normalHeroes > 0 {
		w.NormalHeroes[0].Move()
	}
	if superHeroes > 0 {
		w.SuperHeroes[0].Move()
		w.SuperHeroes[0].Fly()
	}
	return w
}

// CreateNormalHero adds a normal hero at the origin.
func (w *World) CreateNormalHero() *NormalHero {
	hero := &NormalHero{ID: w.nextID, Velocity: 1}
	w.nextID++
	w.NormalHeroes = append(w.NormalHeroes, hero)
	return hero
}

// CreateSuperHero adds a super hero at the origin.
func (w *World) CreateSuperHero() *SuperHero {
	hero := &SuperHero{ID: w.nextID, Velocity: 1, MaxFlyVelocity: 10}
	w.nextID++
	w.SuperHeroes = append(w.SuperHeroes, hero)
	return hero
}

// MoveAll moves every hero.
func (w *World) MoveAll() {
	for _, hero := range w.NormalHeroes {
		hero.Move()
	}
	for _, hero := range w.SuperHeroes {
		hero.Move()
	}
}

// Update doubles every hero's position.
func (w *World) Update() {
	for _, hero := range w.NormalHeroes {
		hero.Update()
	}
	for _, hero := range w.SuperHeroes {
		hero.Update()
	}
}

// RenderOneByOne draws each super hero.
func (w *World) RenderOneByOne(r Renderer) {
	for _, hero := range w.SuperHeroes {
		r.DrawOne(hero)
	}
}

// RenderInstances draws all normal heroes at once.
func (w *World) RenderInstances(r Renderer) { r.DrawInstances(w.NormalHeroes) }

// Live returns the number of heroes.
func (w *World) Live() int { return len(w.NormalHeroes) + len(w.SuperHeroes) }

// Size returns the bytes of the heroes and of the pointers to them.
func (w *World) Size() int {
	pointer := int(reflect.TypeFor[*NormalHero]().Size())
	normal := int(reflect.TypeFor[NormalHero]().Size())
	super := int(reflect.TypeFor[SuperHero]().Size())
	return len(w.NormalHeroes)*(normal+pointer) + len(w.SuperHeroes)*(super+pointer)
}
