// Package past steps a scene and can go back to any of the last steps.
//
//	chapter 0          chapter 1          chapter 2
//	world              world              world
//	└ step 0 … 14      └ step 15 … 29     └ step 30 … 37 = Newest
//
// A [Past] is a [history.History] of chapters of several steps each: it stores the world before the
// first step of each chapter, and the inputs of all steps. To go to a step, a Past restores the
// step's chapter and repeats the steps from there. A step taken in the past begins a new future.
package past

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

const longest = 120 // steps in a chapter

// A Past steps a world and stores its last steps.
type Past struct {
	take        func(world.State, scene.Input) world.State
	history     *history.History // a frame is a chapter; nil: not enough memory
	chapter     uint64           // steps per chapter
	now, newest uint64
	inputs      []byte // per step, up to the newest
}

// New returns the Past of a world before its first step; take takes a step. It can go back at least
// steps steps if memory allows that many chapters, each a copy of the world; without any chapter it
// cannot go back.
func New(
	s world.State, steps, chapters int, take func(world.State, scene.Input) world.State,
) *Past {
	p := &Past{take: take}
	if chapters <= 0 {
		return p
	}
	chapters = max(chapters, 2)
	length := min(max((steps+chapters-1)/chapters, 1), longest)
	p.chapter = uint64(length)
	if h, err := history.New(s, min(chapters, steps/length+2), 0); err == nil {
		p.history = h
	}
	return p
}

// Close releases the memory.
func (p *Past) Close() {
	if p.history != nil {
		p.history.Close()
	}
}

// Now returns the number of steps up to the current state.
func (p *Past) Now() uint64 { return p.now }

// Newest returns the number of steps before going back, or Now.
func (p *Past) Newest() uint64 { return p.newest }

// Oldest returns the first step that Seek can reach.
func (p *Past) Oldest() uint64 {
	if p.history == nil {
		return p.now
	}
	first, _ := p.history.Frames()
	return min(uint64(first)*p.chapter, p.now)
}

// Inputs returns the inputs of all steps up to the newest as text, one ASCII letter each.
func (p *Past) Inputs() string { return string(p.inputs) }

// Step takes a step. In the past it drops all later steps.
func (p *Past) Step(s world.State, input scene.Input) world.State {
	if p.history != nil {
		if p.now < p.newest {
			s = p.forget(s)
		}
		if p.now%p.chapter == 0 {
			must(p.history.Record(s, nil))
		}
	}
	p.inputs = append(p.inputs[:p.now], byte(input))
	s = p.take(s, input)
	p.now++
	p.newest = p.now
	return s
}

// forget makes now the newest step. Earlier steps of the chapter stay.
func (p *Past) forget(s world.State) world.State {
	now := p.now
	if frame := int(now / p.chapter); frame < p.next() {
		var err error
		s, err = p.history.Rollback(s, frame)
		must(err)
		if p.now -= now % p.chapter; p.now < now {
			must(p.history.Record(s, nil))
		}
		s = p.replay(s, now)
	}
	p.newest = now
	return s
}

func (p *Past) next() int {
	_, next := p.history.Frames()
	return next
}

// Seek goes to a step between Oldest and Newest; it clamps other steps.
func (p *Past) Seek(s world.State, step uint64) world.State {
	step = min(max(step, p.Oldest()), p.newest)
	if p.history == nil || step == p.now {
		return s
	}
	frame := min(int(step/p.chapter), p.next()-1) // the newest step may end a chapter
	snapshot, err := p.history.Snapshot(frame)
	must(err)
	s, err = world.Restore(s, snapshot)
	must(err)
	p.now = uint64(frame) * p.chapter
	return p.replay(s, step)
}

// replay repeats the steps up to a number, with their inputs.
func (p *Past) replay(s world.State, until uint64) world.State {
	for p.now < until {
		s = p.take(s, scene.Input(p.inputs[p.now]))
		p.now++
	}
	return s
}

// must panics on errors that correct use of a Past's own history cannot cause.
func must(err error) {
	if err != nil {
		panic("past: " + err.Error() + "; report this")
	}
}
