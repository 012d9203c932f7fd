// Package player plays a scene at a pace of its own: paused, step by step, slower or faster than
// time passes, and back in time.
//
//	Pass(elapsed) ── speed ──▶ time owed ── 1/60 s each ──▶ scene.Play.Step(state, input)
//
// Time owed that cannot be paid within a frame is forgotten: a slow machine plays slowly, and never
// tries to catch up. How far a scene has come depends on its steps and their inputs alone.
//
// The past is a [history.History] of chapters, each some steps long: what the world was before
// them. The inputs of all steps are kept.
//
//	chapter 0          chapter 1          chapter 2
//	world              world              world
//	└ step 0 … 14      └ step 15 … 29     └ step 30 … 37 = Newest
//
// To go to a step, the player restores its chapter and takes the steps from there again. Chapters
// are as short as keeps a minute within the memory meant for it. A step taken in the past begins
// another future.
package player

import (
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// Chance is an input that no scene hears: before the step, a random number more is drawn, so that
// another future begins where nobody plays.
const Chance scene.Input = 1 << 6

// MaxSteps is the largest number of steps in a frame.
const MaxSteps = 16

// A Player plays a scene.
type Player struct {
	Paused bool
	Pilot  bool                 // somebody who plays well presses too
	Speed  float64              // of time; 1: as it passes
	Clock  func() time.Duration // what steps take is measured with; may be nil
	Budget time.Duration        // a frame begins no further step after it; 0: no limit

	play   *scene.Play
	state  world.State
	owed   time.Duration
	steps  uint64
	inputs []byte // of each step up to the newest
	hand   hand
	past   past
}

// Open opens a scene and stands before its first step. It keeps so many bytes of the past.
func Open(sc *scene.Scene, o scene.Options, memory int) (*Player, error) {
	play, err := sc.Open(o)
	if err != nil {
		return nil, err
	}
	p := &Player{Speed: 1, play: play, state: play.First}
	p.past = newPast(p.state, memory)
	return p, nil
}

// Close ends the scene.
func (p *Player) Close() {
	if p.past.history != nil {
		p.past.history.Close()
	}
	p.play.Close(p.state)
}

// Scene returns what is played.
func (p *Player) Scene() *scene.Scene { return p.play.Scene }

// Options returns what the scene was opened with.
func (p *Player) Options() scene.Options { return p.play.Options }

// Steps returns at which step the scene is.
func (p *Player) Steps() uint64 { return p.steps }

// Inputs returns the inputs of all steps up to the newest as text, a letter of ASCII each.
func (p *Player) Inputs() string { return string(p.inputs) }

// Live returns how many objects there are.
func (p *Player) Live() int { return world.Len(p.state) }

// Bytes returns how large the world is.
func (p *Player) Bytes() int { return world.Size(p.state) }

// Digest returns the world's digest.
func (p *Player) Digest() uint64 { return world.Digest(p.state) }

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
	if pilot := p.play.Scene.Pilot; p.Pilot && pilot != nil {
		input |= pilot(p.state)
	}
	p.record()
	p.inputs = append(p.inputs[:p.steps], byte(input))
	p.take(input)
	p.past.newest = p.steps
}

func (p *Player) take(input scene.Input) {
	if input&Chance != 0 {
		p.state, _ = world.NextStream(p.state)
	}
	p.state = p.play.Step(p.state, input)
	p.steps++
}

// Draw draws a frame.
func (p *Player) Draw(on *scene.View) (report render.Report, err error) {
	p.state, report, err = on.Draw(p.state)
	return report, err
}
