package main

import (
	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

// objects is the world of an act without the library, which a renderer R draws.
type objects[R any] interface {
	Update()
	RenderOneByOne(r R)
	RenderInstances(r R)
	WriteState(out *jsonout.Writer)
	Live() int
	Size() int
}

// An objectAct is an act without the library. One is what is drawn by itself, Many what is drawn at
// once.
type objectAct[R, One, Many any] struct {
	world    objects[R]
	renderer R      // the act itself
	updated  func() // tells of what was updated
	log      *logRenderer
	meter    *meter
}

func newAct1(h *heroes, log *logRenderer, m *meter) act {
	w := act1.NewScene(h.normal(), h.super())
	a := &objectAct[act1.Renderer, *act1.SuperHero, []*act1.NormalHero]{
		world: w, log: log, meter: m,
	}
	a.renderer = a
	a.updated = func() {
		log.lines("更新NormalHero", len(w.NormalHeroes))
		log.lines("更新SuperHero", len(w.SuperHeroes))
	}
	return a
}

func newAct2(h *heroes, log *logRenderer, m *meter) act {
	w := act2.NewScene(h.normal(), h.super())
	a := &objectAct[act2.Renderer, *act2.GameObject, []*act2.GameObject]{
		world: w, log: log, meter: m,
	}
	a.renderer = a
	a.updated = func() { log.lines("更新PositionComponent", w.Live()) }
	return a
}

func (a *objectAct[R, One, Many]) begin() { a.log.Init() }

func (a *objectAct[R, One, Many]) frame() {
	a.log.beginFrame()
	a.meter.enter(update)
	a.world.Update()
	a.meter.leave()
	a.updated()
	a.meter.enter(renderOneByOne)
	a.world.RenderOneByOne(a.renderer)
	a.meter.enter(renderInstances)
	a.world.RenderInstances(a.renderer)
	a.meter.leave()
}

// DrawOne draws an object by itself.
func (a *objectAct[R, One, Many]) DrawOne(One) { a.log.one() }

// DrawInstances draws objects at once.
func (a *objectAct[R, One, Many]) DrawInstances(Many) { a.log.instances() }

func (a *objectAct[R, One, Many]) writeState(out *jsonout.Writer) { a.world.WriteState(out) }
func (a *objectAct[R, One, Many]) live() int                      { return a.world.Live() }
func (a *objectAct[R, One, Many]) size() int                      { return a.world.Size() }
func (a *objectAct[R, One, Many]) close()                         {}
