package main

import (
	"errors"
	"math"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A flip changes the lowest bit of one float of one object after one tick.
type flip struct {
	tick uint64 // the tick before it, from 1
	nth  int    // number of the object in the walk, from 0
	y    bool   // of its speed; false: x
}

// ticksOf returns the number of steps of a world; a new world is at tick 1.
func ticksOf(s world.State) uint64 { return world.Tick(s) - 1 }

// step takes a step of a world with the flip.
func (f flip) step(s world.State) (world.State, error) {
	s, err := step(s)
	if err != nil || ticksOf(s) != f.tick {
		return s, err
	}
	id := nth(s, f.nth)
	v, err := world.Get(s, id, speed)
	if err != nil {
		return s, err
	}
	if f.y {
		v.Y = otherBit(v.Y)
	} else {
		v.X = otherBit(v.X)
	}
	return world.Set(s, id, speed, v)
}

// otherBit returns a float with the lowest bit inverted.
func otherBit(x float32) float32 { return math.Float32frombits(math.Float32bits(x) ^ 1) }

// errNone is the error of two runs with the same final bytes.
var errNone = errors.New("same: the runs end with the same bytes; there is nothing to find")

// find steps two worlds to a tick, with one step function each, and compares all bytes after each
// tick, because a bit may be rounded away again a few ticks later. It returns the first difference.
// Without a difference the error wraps errNone.
func find(
	ticks int, played func(tick int), steps ...func(world.State) (world.State, error),
) (d tool.Difference, err error) {
	var worlds [2]world.State
	for i := range worlds {
		if worlds[i], err = begin(); err != nil {
			return d, err
		}
	}
	defer func() {
		for _, s := range worlds {
			world.Close(s)
		}
	}()
	for n := range ticks {
		for i, step := range steps {
			if worlds[i], err = step(worlds[i]); err != nil {
				return d, err
			}
		}
		if !world.Equal(worlds[0], worlds[1]) {
			d, _, err = tool.FirstDifference(worlds[0], worlds[1])
			return d, err
		}
		played(n + 1)
	}
	return d, errNone
}
