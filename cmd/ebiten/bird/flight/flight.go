// Package flight is the world of a bird between pipes, and the last minute of it. It knows no
// window.
package flight

import (
	"errors"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

// Sizes, in pixels.
const (
	Width  = 320 // of the world
	Height = 240
	Size   = 12 // of the bird, and how wide a pipe is
	Gap    = 70 // in a pipe
)

const pipes = 3 // at once

var (
	place  = layout.NewComponent("place", [2]float32{60, 100}) // of a pipe: the middle of its gap
	fall   = layout.NewComponent[float32]("fall")              // pixels a step; birds alone have it
	bird   = world.NewRecipe("bird", place, fall)
	pipe   = world.NewRecipe("pipe", place)
	birds  = world.NewQuery(world.Write(place, fall))
	others = world.NewQuery(world.Write(place), world.Without(fall))
	drawn  = world.NewQuery(world.Read(place), world.Without(fall))
)

// A Flight is a world, and the worlds of the last minute.
type Flight struct {
	state world.State
	past  *history.History
}

// New returns a flight before its first step.
func New() *Flight {
	s := begin()
	return &Flight{s, world.Must(history.New(s, 3600, 0))}
}

// Close releases the memory.
func (f *Flight) Close() {
	f.past.Close()
	world.Close(f.state)
}

// Bird returns where the bird is.
func (f *Flight) Bird() [2]float32 { return world.View(f.state, place)[0] } // it was spawned first

// Pipes calls draw with the middle of each pipe's gap.
func (f *Flight) Pipes(draw func(x, y float32)) {
	for b := range drawn.In(f.state) {
		for _, p := range world.Column(b, place) {
			draw(p[0], p[1])
		}
	}
}

// Fly records the world and takes a step, unless the bird is dead.
func (f *Flight) Fly(flap bool) (err error) {
	if f.Dead() {
		return nil
	}
	if err = f.past.Record(f.state, nil); err == nil {
		f.state = step(f.state, flap)
	}
	return err
}

// Back takes the last step back; with none left, time stands still.
func (f *Flight) Back() (err error) {
	if f.state, err = f.past.Undo(f.state); errors.Is(err, history.ErrFrame) {
		return nil
	}
	return err
}

// Dead says whether the bird has hit a pipe, or left the window.
func (f *Flight) Dead() bool {
	at := f.Bird()
	hit := at[1] < 0 || at[1] > Height
	f.Pipes(func(x, y float32) {
		hit = hit || max(x-at[0], at[0]-x) < Size && max(y-at[1], at[1]-y) > Gap/2
	})
	return hit
}

func begin() world.State {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 1 + pipes, Recipes: []world.Recipe{bird, pipe}, Seed: 1, Random: true,
	}))
	s, _ = world.Must2(world.Spawn(s, bird))
	for n := range pipes {
		x := float32(Width + n*Width/pipes)
		s, _ = world.Must2(world.Spawn(s, pipe, place.Value([2]float32{x, Height / 2})))
	}
	return s
}

// step takes a sixtieth of a second. It depends on the world and the key alone.
func step(s world.State, flap bool) world.State {
	s, random := world.NextStream(world.Advance(s))
	for b := range birds.In(s) {
		at, falls := world.Column(b, place), world.Column(b, fall)
		for i := range at {
			if falls[i] += 0.2; flap {
				falls[i] = -3.5
			}
			at[i][1] += falls[i]
		}
	}
	for b := range others.In(s) {
		for i, at := range world.Column(b, place) {
			if at[0]--; at[0] < -Size {
				at = [2]float32{at[0] + Width + 2*Size, random.Range(Gap, Height-Gap)}
			}
			world.Column(b, place)[i] = at
		}
	}
	return s
}
