package game

import (
	"slices"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/schedule"
)

// A scheduled is the game as jobs of a schedule, as docs/GUIDE.md says. What uses other fields runs
// side by side: damages, changes that are recorded, and the tree. What touches the object at hand
// alone is Local, what reads others is Split, what changes structure runs alone, and collisions are
// found by tasks. Workers look for the next phase before they sleep.
type scheduled struct {
	*flat
	schedule *schedule.Schedule
	times    []schedule.JobTime
	last     []time.Duration // per job
	systems  []int           // per job, where its time counts
}

const pipeline = "frame"

// patience is for how long a worker looks for the next phase.
const patience = time.Millisecond

// The jobs that are a part of a system.
const (
	apply = "apply" // what freeze, swap and age have recorded; counts as age
	place = "place" // the end of assemble
)

func newScheduled(script *Script) Game {
	g := &scheduled{flat: newFlat(script, 2), schedule: schedule.New(2)}
	g.schedule.Workers().SetPatience(patience)
	began := time.Now()
	g.schedule.Clock = func() time.Duration { return time.Since(began) }
	must(g.schedule.Register(g.frame()))
	g.times = g.schedule.AppendTimes(nil, pipeline)
	for _, t := range g.times {
		system := slices.Index(Systems[:], t.Name)
		switch t.Name {
		case apply:
			system = age
		case place:
			system = assemble
		}
		g.systems = append(g.systems, system)
	}
	g.last = make([]time.Duration, len(g.times))
	return g
}

// frame is what happens in a frame. The three parts of "apart" use no field together.
func (g *scheduled) frame() schedule.Pipeline {
	pairs := newCollision(g.flat)
	named := func(systems ...int) (names []string) {
		for _, system := range systems {
			names = append(names, Systems[system])
		}
		return names
	}
	return schedule.Pipeline{
		Name: pipeline,
		Groups: []schedule.Group{
			{Name: "all", Elements: slices.Concat(
				named(hang), []string{"apart", apply},
				named(spawn, chase, accelerate, move, heal, animate), []string{place},
				named(collide),
			)},
			{Name: "apart", Link: schedule.Merge, Elements: append(
				named(assemble, damage), "changes",
			)},
			{Name: "changes", Elements: named(freeze, swap, age)},
		},
		Jobs: []schedule.Job{
			g.alone(Systems[hang], g.hang),
			whole(assemble, deriveAll, turning, pose.Placing2),
			whole(damage, g.hitAll, healing),
			whole(freeze, g.toggle), whole(swap, g.exchange, swapped), whole(age, g.expire, aging),
			{Name: apply, Do: world.Apply}, g.alone(Systems[spawn], g.spawn),
			{
				Name: Systems[chase], Run: g.chaseTargets, Split: true,
				Queries: []world.Query{hunting},
			},
			local(Systems[accelerate], accelerateKernel, faster),
			local(Systems[move], moveKernel, moving), local(Systems[heal], healAll, healing),
			local(Systems[animate], animateAll, drawn), local(place, placeAll, placed),
			g.alone(Systems[collide], func() { pairs.collide(g.schedule.Workers()) }),
		},
	}
}

// alone is a job that does anything.
func (g *scheduled) alone(name string, do func()) schedule.Job {
	return schedule.Job{Name: name, Do: func(s world.State) (world.State, error) {
		g.state = s
		do()
		return g.state, nil
	}}
}

// whole is a job on all objects.
func whole(system int, run func(world.State) world.State, q ...world.Query) schedule.Job {
	return schedule.Job{Name: Systems[system], Run: run, Queries: q}
}

func local(name string, run func(world.State) world.State, q world.Query) schedule.Job {
	return schedule.Job{Name: name, Run: run, Local: true, Queries: []world.Query{q}}
}

func (g *scheduled) Frame(spent *Spent) {
	g.state = world.Must(g.schedule.Run(g.state, pipeline))
	g.times = g.schedule.AppendTimes(g.times[:0], pipeline)
	for i, t := range g.times {
		spent[g.systems[i]] += t.Total - g.last[i]
		g.last[i] = t.Total
	}
}

func (g *scheduled) Close() {
	g.schedule.Close()
	g.flat.Close()
}
