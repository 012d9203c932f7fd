package scene

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// StepTime is the time that one step of a scene stands for, unless it says another one.
const StepTime = time.Second / 60

// StepSeconds is StepTime as the systems reckon with it.
const StepSeconds float32 = 1.0 / 60

// A Scene is an example that can be played.
type Scene struct {
	Name      string
	About     string    // one sentence
	Behaviour uint32    // version of what its steps do
	Defaults  Options   // to be changed and given to Open
	Variants  []Variant // that Options may name; the first one, unless they name any
	Inputs    []string  // what each bit of an Input means, the lowest first

	// Make makes the world before the first step, and the jobs of a step, which run one after the
	// other. No job fails, whatever the world's bytes are.
	Make func(Options) (world.State, []schedule.Job, error)

	// Take takes a step instead of the jobs, for a world without [Controls]; nil: the jobs do.
	Take func(world.State, Input) world.State

	// StepRate is how many steps a second has; 0: 60.
	StepRate int

	// Look returns how things look to a canvas, its camera among them.
	Look func() render.Look

	// Aim turns the camera of a look to where this state is to be seen from. It may be nil.
	Aim func(world.State, *render.Look)

	// Draw draws everything on a canvas, between its Begin and its End.
	Draw func(world.State, render.Canvas) world.State

	// DrawGizmos collects lines that show how the scene works, up to one for each object. It may
	// be nil.
	DrawGizmos func(world.State, *stage.Gizmos) world.State

	// Fork changes a copy of a world so that its future differs from the world's. nil: a random
	// number is drawn.
	Fork func(world.State) world.State

	// Called names an object to somebody who looks: "blue shell". nil: it has a number only.
	Called func(world.State, world.GameObject) string

	// Pilot returns what somebody who plays well would press now. It is nil where nobody plays.
	Pilot func(world.State) Input
}

// Options are what a scene is opened with. Those that a scene has no use for are ignored.
type Options struct {
	Count   int    // objects: cubes, normal heroes
	Supers  int    // super heroes
	Seed    uint64 // of all random numbers
	Variant string // name of one of the scene's Variants; nothing: the first
	Workers int    // goroutines that run the systems; 0 and 1: the caller's

	// Crew is those goroutines, for jobs that run tasks of their own. Open sets it.
	Crew *systems.Workers

	// Clock tells the time since any moment; with one, the schedule keeps the times of its jobs.
	Clock func() time.Duration
}

// A Variant is one way in which a scene can be played.
type Variant struct {
	Name  string // a plain word
	About string // half a sentence: what is different
}

// An Input is what a player does in one step, a bit for each thing that the scene's Inputs name.
// Other bits are ignored.
type Input uint8

// A Play is a scene that was opened.
type Play struct {
	Scene    *Scene
	Options  Options
	First    world.State        // the world before its first step; Step uses it up
	Schedule *schedule.Schedule // the step is its pipeline Pipeline
}

// Pipeline is the name of the pipeline that is a scene's step.
const Pipeline = "step"

// ErrOptions is the error of options that a scene cannot be opened with.
var ErrOptions = errors.New("the scene cannot be opened with these options")

// A RefusedError is an [ErrOptions] that says by itself what is wrong, and what would be right.
type RefusedError string

// Error says what is wrong.
func (r RefusedError) Error() string { return string(r) }

// Is makes it an [ErrOptions].
func (r RefusedError) Is(target error) bool { return target == ErrOptions }

// Controls is where a step's input lies in the world of a scene that hears any.
var (
	Controls = world.NewResource("controls", pressed)
	pressed  = layout.NewField[uint8]("pressed")
)

// Pressed returns the input of the step.
func Pressed(s world.State) Input { return Input(world.Resource(s, pressed)) }

// CheckVariant returns an error that wraps [ErrOptions] and lists the scene's variants when the
// name is none of them; no name is the first.
func (s *Scene) CheckVariant(name string) error {
	var names []string
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	if name == "" || slices.Contains(names, name) {
		return nil
	}
	if len(names) == 0 {
		return RefusedError(fmt.Sprintf("%s has no variants, and so no %q", s.Name, name))
	}
	return RefusedError(fmt.Sprintf("%s has no variant %q; %s", s.Name, name, Suggest(name, names)))
}

// Open makes the world of a scene and the schedule of its step. The error wraps [ErrOptions], or is
// one of [world.CreateState].
func (s *Scene) Open(o Options) (*Play, error) {
	if err := s.CheckVariant(o.Variant); err != nil {
		return nil, err
	}
	if o.Count < 0 || o.Supers < 0 {
		return nil, fmt.Errorf("scene: %s: %d and %d objects: %w; give 0 or more",
			s.Name, o.Count, o.Supers, ErrOptions)
	}
	if o.Variant == "" && len(s.Variants) > 0 {
		o.Variant = s.Variants[0].Name
	}
	steps := schedule.New(o.Workers)
	o.Crew = steps.Workers()
	first, jobs, err := s.Make(o)
	if err != nil {
		steps.Close()
		return nil, err
	}
	p := &Play{Scene: s, Options: o, First: first, Schedule: steps}
	p.Schedule.Clock = o.Clock
	all := schedule.Group{Name: s.Name}
	for _, j := range jobs {
		all.Elements = append(all.Elements, j.Name)
	}
	if err := p.Schedule.Register(schedule.Pipeline{
		Name: Pipeline, Groups: []schedule.Group{all}, Jobs: jobs,
	}); err != nil {
		p.Close(first)
		return nil, err
	}
	return p, nil
}

// StepTime is the time that one step stands for.
func (s *Scene) StepTime() time.Duration {
	if s.StepRate == 0 {
		return StepTime
	}
	return time.Second / time.Duration(s.StepRate)
}

// Press hands the input of the next step to a world of the scene.
func (s *Scene) Press(state world.State, input Input) world.State {
	n := len(s.Inputs)
	if n == 0 {
		return state
	}
	return world.SetResource(state, pressed, uint8(input)&(1<<n-1))
}

// Step takes the world one step on. It panics when a job fails, which no bytes and no input lead
// to.
func (p *Play) Step(state world.State, input Input) world.State {
	if take := p.Scene.Take; take != nil {
		return take(state, input)
	}
	state, err := p.Schedule.Run(p.Scene.Press(state, input), Pipeline)
	if err != nil {
		panic(fmt.Sprintf("scene: %s: %v; report this", p.Scene.Name, err))
	}
	return state
}

// Close ends the play: the schedule's goroutines and the world that the last step returned.
func (p *Play) Close(state world.State) {
	p.Schedule.Close()
	world.Close(state)
}
