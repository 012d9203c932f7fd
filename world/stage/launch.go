package stage

import (
	"fmt"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Stage is one of several lists of systems over the same State, such as logic, physics and render
// (worlds elsewhere). Functions may be nil.
type Stage struct {
	Name string // for messages

	// Fixed runs the stage's systems in a fixed step, as Update of a [Root] does; dt is in seconds.
	Fixed func(s world.State, dt float32) world.State

	// Update runs the stage's systems in a frame; dt is in seconds, alpha 0…1 how far the world
	// is from the last fixed step to the next.
	Update func(s world.State, dt, alpha float32) world.State

	// DrawGizmos draws debug lines of the stage.
	DrawGizmos func(s world.State) world.State
}

// A StartUpStep is an action before the stages run. Run may create the State; until then it is the
// zero State, unless Launch was given one.
type StartUpStep struct {
	Name string
	Run  func(s world.State) (world.State, error)
}

// A Launcher runs start-up steps, and then its stages, each function in the order of the list:
//
//	Launch       utils → resources → manager → worlds → globals → ready
//	FixedUpdate  logic → physics             stages with Fixed
//	Update       render                      stages with Update
//	DrawGizmos   logic → physics → render    stages with DrawGizmos
//
// Its methods have the signatures of [Timed]'s functions. Stages run only after the last step of
// StartUp; until then a step may set Stages. A Launcher belongs to the goroutine of the State.
// Running the stages does not allocate.
type Launcher struct {
	StartUp []StartUpStep
	Stages  []Stage

	done int // steps of StartUp
}

// Launch runs the remaining steps of StartUp. The error wraps the error of the failed step and
// gives its number, from 0, and its name; the next call starts with that step. Launch panics if a
// step has no Run.
func (l *Launcher) Launch(s world.State) (world.State, error) {
	var err error
	for err == nil && !l.Ready() {
		s, err = l.LaunchNext(s)
	}
	return s, err
}

// LaunchNext runs the next step of StartUp, if one is left, so that a frame can be drawn between
// steps. Otherwise it is like Launch.
func (l *Launcher) LaunchNext(s world.State) (world.State, error) {
	if l.Ready() {
		return s, nil
	}
	step := l.StartUp[l.done]
	if step.Run == nil {
		panic(fmt.Sprintf("stage: start-up step %d (%s) has no Run; set it", l.done, step.Name))
	}
	next, err := step.Run(s)
	if err != nil {
		return next, fmt.Errorf("stage: start-up step %d (%s): %w", l.done, step.Name, err)
	}
	l.done++
	return program.Kept(s, next, "stage: start-up step ", step.Name), nil
}

// Ready reports whether all steps of StartUp are finished.
func (l *Launcher) Ready() bool { return program.There(l, noLauncher).done >= len(l.StartUp) }

// FixedUpdate runs each stage's Fixed; dt is in seconds.
func (l *Launcher) FixedUpdate(s world.State, dt float32) world.State {
	for _, stage := range l.running() {
		if stage.Fixed != nil {
			s = program.Kept(s, stage.Fixed(s, dt), "stage: Fixed of stage ", stage.Name)
		}
	}
	return s
}

// Update runs each stage's Update; dt is in seconds, alpha is 0…1 as passed by [Timed].
func (l *Launcher) Update(s world.State, dt, alpha float32) world.State {
	for _, stage := range l.running() {
		if stage.Update != nil {
			s = program.Kept(s, stage.Update(s, dt, alpha), "stage: Update of stage ", stage.Name)
		}
	}
	return s
}

// DrawGizmos runs each stage's DrawGizmos.
func (l *Launcher) DrawGizmos(s world.State) world.State {
	for _, stage := range l.running() {
		if stage.DrawGizmos != nil {
			s = program.Kept(s, stage.DrawGizmos(s), "stage: DrawGizmos of stage ", stage.Name)
		}
	}
	return s
}

// running returns the stages that run.
func (l *Launcher) running() []Stage {
	if l.Ready() {
		return l.Stages
	}
	return nil
}

const noLauncher = "stage: this Launcher is nil; hand in the address of one"
