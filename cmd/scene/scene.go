package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// StepTime is the time that one step of a scene stands for.
const StepTime = time.Second / 60

// stepSeconds is StepTime as the systems reckon with it.
const stepSeconds float32 = 1.0 / 60

// A Scene is an example that can be played.
type Scene struct {
	Name      string
	About     string  // one sentence
	Behaviour uint32  // version of what its steps do
	Defaults  Options // to be changed and given to Open
	Variants  []string
	Inputs    []string // what each bit of an Input means, the lowest first
	View      View

	open func(*Play) error
}

// A View says how a scene is looked at. The region is what a camera should hold.
type View struct {
	Flat   bool       // x to the right and y downward, in pixels of a canvas; else y is up
	Lo, Hi [3]float32 // corners of the region, in world units
}

// Options are what a scene is opened with. Those that a scene has no use for are ignored.
type Options struct {
	Count   int    // objects: cubes, normal heroes
	Supers  int    // super heroes
	Seed    uint64 // of all random numbers
	Variant string // one of the scene's Variants, or none
	Workers int    // goroutines that run the systems; 0 and 1: the caller's

	// Clock tells the time since any moment; with one, the schedule keeps the times of its jobs.
	Clock func() time.Duration
}

// An Input is what a player does in one step, a bit for each thing that the scene's Inputs name.
// Other bits are ignored.
type Input uint8

// A Play is a scene that was opened.
type Play struct {
	Scene    *Scene
	Options  Options
	First    world.State     // the world before its first step; Step uses it up
	Schedule *world.Schedule // the step is its pipeline Pipeline
}

// Pipeline is the name of the pipeline that is a scene's step.
const Pipeline = "step"

// ErrOptions is the error of options that a scene cannot be opened with.
var ErrOptions = errors.New("this scene cannot be opened so")

// controls is where a step's input lies in the world of a scene that hears any.
var (
	pressed  = layout.NewField[uint8]("pressed", 1)
	controls = world.NewResource("controls", pressed)
)

// All returns the scenes, by name.
func All() []*Scene { return []*Scene{Cubes} }

// ByName returns the scene of a name, or an error that lists the names.
func ByName(name string) (*Scene, error) {
	var names []string
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("scene: %q: %w; there are %s",
		name, ErrOptions, strings.Join(names, ", "))
}

// Open makes the world of a scene and the schedule of its step. The error wraps [ErrOptions], or is
// one of [world.CreateState].
func (s *Scene) Open(o Options) (*Play, error) {
	switch {
	case o.Variant != "" && !slices.Contains(s.Variants, o.Variant):
		return nil, fmt.Errorf("scene: %s: variant %q: %w; there are %q",
			s.Name, o.Variant, ErrOptions, s.Variants)
	case o.Count < 0 || o.Supers < 0:
		return nil, fmt.Errorf("scene: %s: %d and %d objects: %w; give 0 or more",
			s.Name, o.Count, o.Supers, ErrOptions)
	}
	p := &Play{Scene: s, Options: o, Schedule: world.NewSchedule(o.Workers)}
	p.Schedule.Clock = o.Clock
	if err := s.open(p); err != nil {
		p.Schedule.Close()
		return nil, err
	}
	return p, nil
}

// create makes the play's world.
func (p *Play) create(c world.Counts) error {
	if p.Scene.Inputs != nil {
		c.Resources = append(slices.Clone(c.Resources), controls)
	}
	c.Seed = max(p.Options.Seed, 1) // 0 would mean no random numbers
	var err error
	p.First, err = world.CreateState(c)
	return err
}

// steps registers jobs that run one after the other as the play's step.
func (p *Play) steps(jobs ...world.Job) error {
	all := world.Group{Name: p.Scene.Name}
	for _, j := range jobs {
		all.Elements = append(all.Elements, j.Name)
	}
	return p.Schedule.Register(world.Pipeline{
		Name: Pipeline, Groups: []world.Group{all}, Jobs: jobs,
	})
}

// Step takes the world one step on. It panics when a job fails, which no bytes and no input lead
// to.
func (p *Play) Step(state world.State, input Input) world.State {
	if n := len(p.Scene.Inputs); n > 0 {
		state = world.SetResource(state, pressed, uint8(input)&(1<<n-1))
	}
	state, err := p.Schedule.Run(state, Pipeline)
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
