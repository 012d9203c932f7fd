package main

import (
	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

type firstAct struct {
	world *act1.World
	log   *logRenderer
	meter *meter
}

func newAct1(h *heroes, log *logRenderer, m *meter) *firstAct {
	scene := act1.NewScene(h.normal(), h.super())
	return &firstAct{world: scene, log: log, meter: m}
}

func (a *firstAct) begin() { a.log.Init() }

func (a *firstAct) frame() {
	a.log.beginFrame()
	a.meter.enter(update)
	a.world.Update()
	a.meter.leave()
	a.log.lines("更新NormalHero", len(a.world.NormalHeroes))
	a.log.lines("更新SuperHero", len(a.world.SuperHeroes))
	a.meter.enter(renderOneByOne)
	a.world.RenderOneByOne(a)
	a.meter.enter(renderInstances)
	a.world.RenderInstances(a)
	a.meter.leave()
}

// DrawOne draws a super hero.
func (a *firstAct) DrawOne(*act1.SuperHero) { a.log.one() }

// DrawInstances draws the normal heroes.
func (a *firstAct) DrawInstances([]*act1.NormalHero) { a.log.instances() }

func (a *firstAct) writeState(out *jsonout.Writer) { a.world.WriteState(out) }
func (a *firstAct) live() int                      { return a.world.Live() }
func (a *firstAct) size() int                      { return a.world.Size() }
func (a *firstAct) close()                         {}
