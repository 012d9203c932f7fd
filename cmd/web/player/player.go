// Package player plays a scene at a pace of its own: paused, step by step, slower or faster than
// time passes, and back in time.
//
//	Pass(elapsed) ── speed ──▶ time owed ── 1/60 s each ──▶ scene.Play.Step(state, input)
//
// Time owed that cannot be paid within a frame is forgotten: a slow machine plays slowly, and never
// tries to catch up. How far a scene has come depends on its steps and their inputs alone.
//
// Package past keeps a minute of the past, or as much of it as the memory allows. A step taken in
// the past begins another future.
package player

import (
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/past"
	"github.com/flatecs/flatecs/world"
)

// Chance is an input that scenes ignore: before the step, a random number is drawn, so that a
// different future begins in scenes without inputs.
const Chance scene.Input = 1 << 6

const kept = 3600 // steps in the past, if memory allows: a minute

// MaxSteps is the largest number of steps in a frame.
const MaxSteps = 16

// A Player plays a scene.
type Player struct {
	Paused bool
	Pilot  bool                 // the scene's pilot also gives inputs
	Speed  float64              // relative to real time
	Clock  func() time.Duration // measures steps; may be nil
	Budget time.Duration        // a frame starts no further step after this time; 0: no limit

	*scene.Play // the Player overrides Step and Close
	*past.Past
	state world.State
	owed  time.Duration
	hand  hand
}

// Open opens a scene before its first step, with a past of memory bytes.
func Open(sc *scene.Scene, o scene.Options, memory int) (*Player, error) {
	play, err := sc.Open(o)
	if err != nil {
		return nil, err
	}
	p := &Player{Speed: 1, Play: play, state: play.First}
	chapters := memory / max(len(world.Bytes(p.state)), 1)
	if memory > 0 {
		chapters = max(chapters, 1)
	}
	p.Past = past.New(p.state, kept, chapters, p.take)
	return p, nil
}

// Close ends the scene.
func (p *Player) Close() {
	p.Past.Close()
	p.Play.Close(p.state)
}

// State returns the current world.
func (p *Player) State() world.State { return p.state }

// Hold presses an input's buttons until Release. The scene sees every press once, however short.
func (p *Player) Hold(input scene.Input) { p.hand.hold(input) }

// Release releases an input's buttons.
func (p *Player) Release(input scene.Input) { p.hand.down &^= input }

// Pass advances the time and returns the number of steps taken.
func (p *Player) Pass(elapsed time.Duration) (steps int) {
	if p.Paused {
		p.owed = 0
		return 0
	}
	begin := p.now()
	p.owed += time.Duration(float64(elapsed) * p.Speed)
	for p.owed >= scene.StepTime {
		if steps == MaxSteps || steps > 0 && p.Budget > 0 && p.now()-begin >= p.Budget {
			p.owed = 0
			break
		}
		p.Step()
		p.owed -= scene.StepTime
		steps++
	}
	return steps
}

func (p *Player) now() time.Duration {
	if p.Clock == nil {
		return 0
	}
	return p.Clock()
}

// Step takes a step, even while the player is paused. In the past it drops all later steps.
func (p *Player) Step() {
	input := p.hand.step()
	if pilot := p.Scene.Pilot; p.Pilot && pilot != nil {
		input |= pilot(p.state)
	}
	p.state = p.Past.Step(p.state, input)
}

func (p *Player) take(s world.State, input scene.Input) world.State {
	if input&Chance != 0 {
		s, _ = world.NextStream(s)
	}
	return p.Play.Step(s, input)
}

// Seek goes to a step of the past, or back to the newest, within these limits. It returns the
// resulting step.
func (p *Player) Seek(step uint64) uint64 {
	before := p.Now()
	if p.state = p.Past.Seek(p.state, step); p.Now() != before {
		p.hand.seen = 0
	}
	return p.Now()
}

// Draw draws a frame.
func (p *Player) Draw(on *scene.View) (report render.Report, err error) {
	p.state, report, err = on.Draw(p.state)
	return report, err
}
