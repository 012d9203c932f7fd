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

// StepTime is the default time of one step of a scene.
const StepTime = time.Second / 60

// StepSeconds is StepTime as a number for systems.
const StepSeconds float32 = 1.0 / 60

// A Scene is a playable example.
type Scene struct {
	Name      string
	About     string    // one sentence
	Behaviour uint32    // version of its steps
	Defaults  Options   // for Open; callers may change them
	Variants  []Variant // for Options.Variant; the first one is the default
	Inputs    []string  // meaning of each bit of an Input, the lowest first

	// Make creates the world before the first step, and the jobs of a step, which run one after the
	// other. No job fails, for any bytes of the world.
	Make func(Options) (world.State, []schedule.Job, error)

	// Take takes a step instead of the jobs, for a world without [Controls]; nil: use the jobs.
	Take func(world.State, Input) world.State

	// StepRate is the number of steps per second; 0: 60.
	StepRate int

	// Look returns the look for a canvas, including its camera.
	Look func() render.Look

	// Aim sets the camera of a look for a state. It may be nil.
	Aim func(world.State, *render.Look)

	// Draw draws everything on a canvas, between its Begin and its End.
	Draw func(world.State, render.Canvas) world.State

	// DrawGizmos collects lines that explain the scene, at most one per object. It may be nil.
	DrawGizmos func(world.State, *stage.Gizmos) world.State

	// Fork changes a copy of a world so that its future differs from the original's. nil: draw a
	// random number.
	Fork func(world.State) world.State

	// Called returns a name of an object for users: "blue shell". nil: objects have only numbers.
	Called func(world.State, world.GameObject) string

	// Pilot returns the input of a good player. It is nil for scenes without inputs.
	Pilot func(world.State) Input
}

// Options are the options for opening a scene. A scene ignores options that do not apply to it.
type Options struct {
	Count   int    // objects: cubes, normal heroes
	Supers  int    // super heroes
	Seed    uint64 // of all random numbers
	Variant string // a name in Variants; "": the first
	Workers int    // goroutines that run the systems; 0 and 1: the caller's

	// Crew is the workers for jobs that run tasks of their own. Open sets it.
	Crew *systems.Workers

	// Clock returns the time since any moment; with a Clock, the schedule measures its jobs.
	Clock func() time.Duration
}

// A Variant is a variant of a scene.
type Variant struct {
	Name  string // one word
	About string // half a sentence about the difference
}

// An Input is a player's input in one step, one bit for each of the scene's Inputs. Other bits are
// ignored.
type Input uint8

// A Play is an opened scene.
type Play struct {
	Scene    *Scene
	Options  Options
	First    world.State        // the world before the first step; Step invalidates it
	Schedule *schedule.Schedule // Pipeline is the step
}

// Pipeline is the name of the pipeline for a scene's step.
const Pipeline = "step"

// ErrOptions is the error of options with which a scene cannot be opened.
var ErrOptions = errors.New("the scene cannot be opened with these options")

// A RefusedError is an [ErrOptions] whose message contains the problem and the fix.
type RefusedError string

// Error returns the message.
func (r RefusedError) Error() string { return string(r) }

// Is reports whether target is [ErrOptions].
func (r RefusedError) Is(target error) bool { return target == ErrOptions }

// Controls stores the input of a step, in the worlds of scenes with inputs.
var (
	Controls = world.NewResource("controls", pressed)
	pressed  = layout.NewField[uint8]("pressed")
)

// Pressed returns the input of the step.
func Pressed(s world.State) Input { return Input(world.Resource(s, pressed)) }

// CheckVariant returns an error that wraps [ErrOptions] and lists the scene's variants if the scene
// lacks the variant. The empty name means the first variant.
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

// Open creates the world of a scene and the schedule of its step. It returns [ErrOptions], wrapped,
// and the errors of [world.CreateState].
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

// StepTime returns the time of one step.
func (s *Scene) StepTime() time.Duration {
	if s.StepRate == 0 {
		return StepTime
	}
	return time.Second / time.Duration(s.StepRate)
}

// Press stores the input of the next step in a world of the scene.
func (s *Scene) Press(state world.State, input Input) world.State {
	n := len(s.Inputs)
	if n == 0 {
		return state
	}
	return world.SetResource(state, pressed, uint8(input)&(1<<n-1))
}

// Step takes a step. It panics if a job fails, which no bytes and no input cause.
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

// Repeated returns the step of a play, for recorded inputs.
func Repeated(p *Play) func(state world.State, input []byte) world.State {
	return func(s world.State, input []byte) world.State { return p.Step(s, Input(input[0])) }
}

// Close closes the schedule, and the world that the last step returned.
func (p *Play) Close(state world.State) {
	p.Schedule.Close()
	world.Close(state)
}
