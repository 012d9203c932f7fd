package arena

import (
	"fmt"
	"sync"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// The description of a [Duel] in its recordings.
const (
	DuelName      = "duel"
	DuelBehaviour = 2 // version of the rules
)

// A Duel plays matches between two tanks in worlds of Counts(2, 1): inputs of steps drive the first
// tank, and a script drives the second. Several goroutines may use it at once.
type Duel struct{ matches sync.Pool }

// NewDuel returns a Duel.
func NewDuel() *Duel {
	return &Duel{sync.Pool{New: func() any { // a match can be used for any world
		s := world.Must(world.CreateState(Counts(2, 1)))
		defer world.Close(s)
		return world.Must(NewMatch(s, 2))
	}}}
}

// Step takes a tick with the input of the first tank.
func (d *Duel) Step(s world.State, input Input) world.State { return d.step(s, input, d.script(s)) }

// Begin takes the first tick, which creates the tanks.
func (d *Duel) Begin(s world.State) world.State { return d.step(s, 0, 0) }

func (d *Duel) step(s world.State, inputs ...Input) world.State {
	m := d.matches.Get().(*Match)
	defer d.matches.Put(m)
	return m.Step(s, inputs)
}

// Look returns the status of both tanks.
func (d *Duel) Look(s world.State) (first, second Status) {
	m := d.matches.Get().(*Match)
	defer d.matches.Put(m)
	return m.Status(s, 0), m.Status(s, 1)
}

// script returns the input of the second tank: it turns to the visible enemy and fires, or drives
// between places.
func (d *Duel) script(s world.State) (input Input) {
	enemy, own := d.Look(s)
	goal := [2]float32{fieldWide / 2, fieldHigh / 2}
	input = Forward
	if own.InSight(enemy) {
		goal, input = enemy.At, Fire
		if far, _ := own.Toward(goal); far > 90 {
			input |= Forward
		}
	} else if x := world.Tick(s) / 200 % 4; x > 0 { // another place every ten seconds
		goal = [2]float32{fieldWide * float32(x) / 4, fieldHigh * float32(x*x%3) / 2}
	}
	switch _, off := own.Toward(goal); {
	case off > .09:
		input |= Right
	case off < -.09:
		input |= Left
	}
	return input
}

// Toward returns the distance of a place from a tank, in world units, and its angle from the tank's
// heading, in [-π, π), positive to the right.
func (s Status) Toward(to [2]float32) (far, off float32) {
	x, y := to[0]-s.At[0], to[1]-s.At[1]
	return exact.Hypot(x, y), wrapAngle(exact.Atan2(y, x) - s.Angle)
}

// InSight reports whether a tank sees another one that is not a wreck.
func (s Status) InSight(other Status) bool {
	far, _ := s.Toward(other.At)
	return other.Armour > 0 && far < Sight
}

// Scene returns a scene for viewing the duel: its picture contains both tanks. Make is nil, because
// another program creates matches: the first world of a match comes from [Counts](2, seed).
func (d *Duel) Scene() *scene.Scene {
	return &scene.Scene{
		Name: DuelName, About: "Two tanks fight.", Behaviour: DuelBehaviour, StepRate: Ticks,
		Inputs: []string{"left", "right", "forward", "back", "fire"},
		Take:   func(s world.State, in scene.Input) world.State { return d.Step(s, Input(in)) },
		Look:   Look, Draw: d.draw,
		Aim: func(s world.State, l *render.Look) {
			w := d.window(s)
			l.W, l.H = 2*w.half[0], 2*w.half[1]
			l.Camera = render.Flat{W: l.W, H: l.H}
		},
	}
}

// window returns a window that contains both tanks with a margin. It is at least as large as a
// player's.
func (d *Duel) window(s world.State) (w window) {
	low, high := [2]float32{0, 0}, [2]float32{fieldWide, fieldHigh}
	if a, b := d.Look(s); a.Side >= 0 && b.Side >= 0 {
		low = [2]float32{min(a.At[0], b.At[0]), min(a.At[1], b.At[1])}
		high = [2]float32{max(a.At[0], b.At[0]), max(a.At[1], b.At[1])}
	}
	const room, ratio = 100, 1.5
	wide, tall := high[0]-low[0]+2*room, high[1]-low[1]+2*room
	tall = max(tall, wide/ratio, planeHigh/Scale)
	w.middle = [2]float32{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}
	w.half = [2]float32{tall * ratio * Scale / 2, tall * Scale / 2}
	return w
}

// draw draws what both tanks see, and darkens the rest. The score of each tank is above it.
func (d *Duel) draw(s world.State, c render.Canvas) world.State {
	w := d.window(s)
	w.Canvas = c
	first, second := d.Look(s)
	for n, of := range [...]Status{first, second} {
		if of.Side < 0 {
			continue
		}
		w.ground(s, uint8(of.Side))
		name := [...]string{"first ", "second "}[n]
		w.label(fmt.Sprint(name, of.Score[of.Side]), of.At, w.half[1]/16)
	}
	w.actors(s)
	return s
}
