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

// Chance is an input that no scene hears: before the step, a random number more is drawn, so that
// another future begins where nobody plays.
const Chance scene.Input = 1 << 6

const kept = 3600 // steps that the past is meant to reach back: a minute

// MaxSteps is the largest number of steps in a frame.
const MaxSteps = 16

// A Player plays a scene.
type Player struct {
	Paused bool
	Pilot  bool                 // somebody who plays well presses too
	Speed  float64              // of time; 1: as it passes
	Clock  func() time.Duration // what steps take is measured with; may be nil
	Budget time.Duration        // a frame begins no further step after it; 0: no limit

	*scene.Play // its Step and Close are the Player's own, as are the Past's
	*past.Past
	state world.State
	owed  time.Duration
	hand  hand
}

// Open opens a scene and stands before its first step. It keeps so many bytes of the past.
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

// State returns the world at the step where the scene is.
func (p *Player) State() world.State { return p.state }

// Hold presses an input's buttons until Release; short or long, the scene sees every press once.
func (p *Player) Hold(input scene.Input) { p.hand.hold(input) }

// Release lets an input's buttons go.
func (p *Player) Release(input scene.Input) { p.hand.down &^= input }

// Pass lets time pass and returns how many steps were due and done.
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

// Step does one step, also while the player is paused. In the past it forgets what came after.
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

// Seek goes to a step of the past, or back to the newest; what is beyond them is their end. It
// returns where it went.
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
