package main

import (
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

type secondAct struct {
	world *act2.World
	log   *logRenderer
	meter *meter
}

func newAct2(h *heroes, log *logRenderer, m *meter) *secondAct {
	scene := act2.NewScene(h.normal(), h.super())
	return &secondAct{world: scene, log: log, meter: m}
}

func (a *secondAct) begin() { a.log.Init() }

func (a *secondAct) frame() {
	a.log.beginFrame()
	a.meter.enter(update)
	a.world.Update()
	a.meter.leave()
	a.log.lines("更新PositionComponent", a.world.Live())
	a.meter.enter(renderOneByOne)
	a.world.RenderOneByOne(a)
	a.meter.enter(renderInstances)
	a.world.RenderInstances(a)
	a.meter.leave()
}

// DrawOne draws a game object without an instance component.
func (a *secondAct) DrawOne(*act2.GameObject) { a.log.one() }

// DrawInstances draws the game objects with an instance component.
func (a *secondAct) DrawInstances([]*act2.GameObject) { a.log.instances() }

func (a *secondAct) writeState(out *jsonout.Writer) { a.world.WriteState(out) }
func (a *secondAct) live() int                      { return a.world.Live() }
func (a *secondAct) size() int                      { return a.world.Size() }
func (a *secondAct) close()                         {}
