package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	hero "github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/schedule"
)

// A story plays the heroes' scene as one of the three acts, and prints the state. The world of its
// schedule is empty: acts have worlds of their own.
type story struct {
	flags *heroes
	log   *logRenderer
	run   *sceneRun
	world told
}

// told is the data that a story prints about its world.
type told interface {
	Shown() jsonout.Object
	Live() int
	Size() int
}

// tell plays the story.
func (h *heroes) tell(ctx context.Context, s streams) error {
	frames := uint64(1)
	if h.Frames != nil {
		frames = *h.Frames
	}
	t := &story{flags: h, log: &logRenderer{quiet: h.Render == "none"}}
	defer func() {
		if w, third := t.world.(*thirdAct); third {
			world.Close(w.State)
		}
	}()
	acted := &scene.Scene{Name: "heroes", Make: t.open}
	return h.profiled(ctx, s, acted, scene.Options{}, func(r *sceneRun) error {
		orderly(ctx)
		r.player, r.story, t.run = &steady{frames: &frames}, t, r
		t.log.out = r.lines.Writer
		t.log.Init()
		r.watchers = append([]watcher{{t.stepped, t.ended}}, r.watchers...)
		return nil
	})
}

// open opens the scene of the chosen act.
func (t *story) open(scene.Options) (s world.State, jobs []schedule.Job, err error) {
	n, supers := t.flags.normal(), t.flags.super()
	switch t.flags.Act {
	case "1":
		if err := t.fits(act1.NewScene(1, 0).Size(), act1.NewScene(0, 1).Size()); err != nil {
			return s, nil, err
		}
		w := act1.NewScene(n, supers)
		r := logOf[*act1.SuperHero, []*act1.NormalHero]{t.log}
		jobs = systemsOf[act1.Renderer](t, w, r, func() {
			t.log.lines("更新NormalHero", len(w.NormalHeroes))
			t.log.lines("更新SuperHero", len(w.SuperHeroes))
		})
	case "2":
		if err := t.fits(act2.NewScene(1, 0).Size(), act2.NewScene(0, 1).Size()); err != nil {
			return s, nil, err
		}
		w := act2.NewScene(n, supers)
		r := logOf[*act2.GameObject, []*act2.GameObject]{t.log}
		jobs = systemsOf[act2.Renderer](t, w, r, func() {
			t.log.lines("更新PositionComponent", w.Live())
		})
	default:
		w := &thirdAct{}
		if w.State, err = act3.NewScene(t.flags.counts(), n, supers); err != nil {
			return s, nil, err
		}
		// A query is planned at its first walk; the plan's allocations must not count for a frame.
		w.RenderOneByOne(&render.Ledger{})
		w.RenderInstances(&render.Ledger{})
		jobs = systemsOf[hero.Renderer](t, w, thirdLog{t.log}, func() {
			if !t.log.quiet {
				for row := range world.All(w.State, hero.Position) {
					t.log.updated(int(row))
				}
			}
		})
	}
	s, err = world.CreateState(world.Counts{})
	return s, jobs, err
}

// fits refuses more heroes than fit in memory; normal and super are the bytes per hero. Go or the
// system would kill the program.
func (t *story) fits(normal, super int) error {
	n, supers := t.flags.normal(), t.flags.super()
	needs := uint64(n)*uint64(normal) + uint64(supers)*uint64(super)
	if most := uint64(tool.Memory()); needs+needs/4 > most { // the heap needs additional space
		return fmt.Errorf("act %s: %d heroes take %d bytes, more than this machine has for this "+
			"program, %d; lower --count or --supers", t.flags.Act, n+supers, needs, most)
	}
	return nil
}

// An act is the world of one act, drawn by a renderer R.
type act[R any] interface {
	Update()
	RenderOneByOne(r R)
	RenderInstances(r R)
	told
}

// systemsOf returns the jobs of an act's frame.
func systemsOf[R any](t *story, w act[R], r R, updated func()) (jobs []schedule.Job) {
	t.world = w
	job := func(name string, do func()) {
		jobs = append(jobs, schedule.Job{
			Name: name, Do: func(s world.State) (world.State, error) { do(); return s, nil },
		})
	}
	job("Update", func() { w.Update(); updated() })
	job("RenderOneByOne", func() { w.RenderOneByOne(r) })
	job("RenderInstances", func() { w.RenderInstances(r) })
	return jobs
}

// A logOf renders an act without the library: One is drawn by itself, Many are drawn in a batch.
type logOf[One, Many any] struct{ *logRenderer }

func (l logOf[One, Many]) DrawOne(One)        { l.one() }
func (l logOf[One, Many]) DrawInstances(Many) { l.instances() }

// A thirdAct is the act with the library.
type thirdAct struct{ world.State }

func (w *thirdAct) Update()               { w.State = hero.Update(w.State) }
func (w *thirdAct) Shown() jsonout.Object { return act3.Shown(w.State) }
func (w *thirdAct) Live() int             { return world.Len(w.State) }
func (w *thirdAct) Size() int             { return len(world.Bytes(w.State)) }

func (w *thirdAct) RenderOneByOne(r hero.Renderer) { w.State = hero.RenderOneByOne(w.State, r) }

func (w *thirdAct) RenderInstances(r hero.Renderer) { w.State = hero.RenderInstances(w.State, r) }

// A thirdLog renders the act with the library.
type thirdLog struct{ *logRenderer }

func (l thirdLog) DrawOne(uint32, []byte)       { l.one() }
func (l thirdLog) DrawInstances(string, []byte) { l.instances() }

// counts returns the room: enough for the scene, and at least 10.
func (h *heroes) counts() world.Counts {
	all, flies := max(10, h.normal()+h.super()), max(10, h.super())
	return world.Counts{GameObjects: all, Kinds: layout.Kinds(
		hero.Position.Count(all), hero.Velocity.Count(all), hero.MaxVelocity.Count(flies),
		hero.Instance.Count(all),
	)}
}

func (t *story) stepped(uint64, world.State) error {
	t.log.beginFrame()
	if t.flags.State == "every" {
		t.run.unwatch()
		t.print()
		t.run.watch()
	}
	return t.run.lines.flushNowAndThen()
}

func (t *story) ended(_ uint64, _ world.State, why error) error {
	if why == nil && (t.flags.State == "last" || t.flags.State == "") {
		t.print()
	}
	return t.run.lines.Flush()
}

// print prints the state as a line.
func (t *story) print() {
	jsonout.Write(t.log.out, t.world.Shown())
	_ = t.log.out.WriteByte('\n')
}

// sum sets the fields of a summary that the story knows.
func (t *story) sum(s *summary) {
	s.played, s.name = "act", cmp.Or(t.flags.Act, "3")
	s.live, s.bytes = t.world.Live(), t.world.Size()
	for i, n := range []int{s.live, s.live, t.flags.super(), t.flags.normal()} {
		s.costs[i].objects = uint64(n)
	}
}
