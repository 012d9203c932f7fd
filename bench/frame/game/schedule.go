package game

import (
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// A scheduled is the game as jobs of a schedule, as docs/GUIDE.md says: what touches the object at
// hand alone is Local, what reads others is Split, and what follows ids and changes structure runs
// alone; collisions are found by tasks.
type scheduled struct {
	*flat
	schedule *schedule.Schedule
	times    []schedule.JobTime
	last     [SystemCount]time.Duration
}

const pipeline = "frame"

func newScheduled(script *Script) Game {
	g := &scheduled{flat: newFlat(script, 2), schedule: schedule.New(2)}
	pairs := newCollision(g.flat)
	began := time.Now()
	g.schedule.Clock = func() time.Duration { return time.Since(began) }
	must(g.schedule.Register(schedule.Pipeline{
		Name:   pipeline,
		Groups: []schedule.Group{{Name: "all", Elements: Systems[:]}},
		Jobs: []schedule.Job{
			g.alone(damage, g.damage), g.alone(freeze, g.freeze), g.alone(swap, g.swap),
			g.alone(age, g.age), g.alone(spawn, g.spawn),
			{
				Name: Systems[chase], Run: g.chaseTargets, Split: true,
				Queries: []world.Query{hunting},
			},
			local(accelerate, accelerateKernel, faster), local(move, moveKernel, moving),
			local(heal, healAll, healing), local(animate, animateAll, drawn),
			g.alone(hang, g.hang), g.alone(assemble, g.systems[assemble]),
			g.alone(collide, func() { pairs.collide(g.schedule.Workers()) }),
		},
	}))
	return g
}

// alone is a job that does anything.
func (g *scheduled) alone(system int, do func()) schedule.Job {
	return schedule.Job{Name: Systems[system], Do: func(s world.State) (world.State, error) {
		g.state = s
		do()
		return g.state, nil
	}}
}

func local(system int, run func(world.State) world.State, q world.Query) schedule.Job {
	return schedule.Job{Name: Systems[system], Run: run, Local: true, Queries: []world.Query{q}}
}

func (g *scheduled) Frame(spent *Spent) {
	g.state = world.Must(g.schedule.Run(g.state, pipeline))
	g.times = g.schedule.AppendTimes(g.times[:0], pipeline)
	for i, t := range g.times {
		spent[i] += t.Total - g.last[i]
		g.last[i] = t.Total
	}
}

func (g *scheduled) Close() {
	g.schedule.Close()
	g.flat.Close()
}
