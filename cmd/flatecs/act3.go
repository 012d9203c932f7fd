package main

import (
	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	hero "github.com/flatecs/flatecs/world/heroes"
)

type thirdAct struct {
	state world.State
	step  func(world.State) world.State // bound once, so that a frame allocates nothing
	log   *logRenderer
	meter *meter
}

// counts sizes the buffers: what the flags ask for, else enough for the scene and at least 10.
func (h *heroes) counts() world.Counts {
	all := h.normal() + h.super()
	positions, velocities := rows(h.Positions, all), rows(h.Velocities, all)
	flies := rows(h.Flies, h.super())
	objects := max(all, positions, velocities, flies)
	return world.Counts{GameObjects: objects, Kinds: layout.Kinds(
		hero.Position.Count(positions), hero.Velocity.Count(velocities),
		hero.MaxVelocity.Count(flies), hero.Instance.Count(objects),
	)}
}

func rows(asked *uint32, needed int) int {
	if asked != nil {
		return int(*asked)
	}
	return max(10, needed)
}

func newAct3(h *heroes, log *logRenderer, m *meter) (*thirdAct, error) {
	state, err := act3.NewScene(h.counts(), h.normal(), h.super())
	if err != nil {
		return nil, err
	}
	a := &thirdAct{state: warm(state), log: log, meter: m}
	a.step = a.play
	return a, nil
}

// warm runs each system that only looks once, for nobody: a query is planned at its first walk, and
// what that allocates is not a frame's.
func warm(state world.State) world.State {
	state = hero.RenderOneByOne(state, &render.Ledger{})
	return hero.RenderInstances(state, &render.Ledger{})
}

func (a *thirdAct) begin() { a.state = hero.Init(a.state, a) }

// frame plays one frame, so that an interrupt or a closed pipe ends the scene between two.
func (a *thirdAct) frame() { a.state = hero.Loop(a.state, 1, a.step) }

func (a *thirdAct) play(state world.State) world.State {
	a.log.beginFrame()
	a.meter.enter(update)
	state = hero.Update(state)
	a.meter.leave()
	a.tellUpdated(state)
	a.meter.enter(renderOneByOne)
	state = hero.RenderOneByOne(state, a)
	a.meter.enter(renderInstances)
	state = hero.RenderInstances(state, a)
	a.meter.leave()
	return state
}

func (a *thirdAct) tellUpdated(state world.State) {
	if a.log.quiet {
		return
	}
	for row := range world.All(state, hero.Position) {
		a.log.updated(int(row))
	}
}

// Init tells that the scene begins.
func (a *thirdAct) Init() { a.log.Init() }

// DrawOne draws a game object without the instance mark.
func (a *thirdAct) DrawOne(uint32, []byte) { a.log.one() }

// DrawInstances draws those with the mark.
func (a *thirdAct) DrawInstances(string, []byte) { a.log.instances() }

func (a *thirdAct) writeState(out *jsonout.Writer) { act3.WriteState(out, a.state) }
func (a *thirdAct) live() int                      { return world.Len(a.state) }
func (a *thirdAct) size() int                      { return world.Size(a.state) }
func (a *thirdAct) close()                         { world.Close(a.state) }
