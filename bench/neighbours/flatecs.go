package main

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var (
	place    = layout.NewComponent[Vec]("place")
	velocity = layout.NewComponent[Vec]("velocity")
	change   = layout.NewComponent[Vec]("change")
	point    = world.NewRecipe("point", place, velocity, change)

	steering = world.NewQuery(world.Read(place, velocity), world.Write(change))
)

type flat struct {
	state   world.State
	cells   *space.Cells[Vec]
	workers *systems.Workers
	tasks   []systems.Task
}

func newFlat(n, workers int) frame {
	f := &flat{workers: systems.NewWorkers(workers)}
	f.state = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(place.Count(n), velocity.Count(n), change.Count(n)),
		Recipes: []world.Recipe{point},
	}))
	places, velocities := points(n)
	f.state = world.Must(world.SpawnN(f.state, point, n, func(b world.Batch) {
		k := copy(world.Column(b, place), places)
		places = places[k:]
		velocities = velocities[copy(world.Column(b, velocity), velocities):]
	}))
	f.cells = world.Must(space.NewCells(f.state, place, space.Options{
		Size: radius, Low: []float64{0, 0}, High: []float64{side, side},
		Carry: []space.Carried{space.Carry(velocity)}, Parts: workers,
	}))
	blocks := uint32(n+63) / 64
	parts := uint32(1)
	if workers > 1 {
		parts = 16 * uint32(workers)
	}
	for i := range parts {
		f.tasks = append(f.tasks, systems.Task{
			Run: []func(world.State) world.State{f.steer}, Queries: []world.Query{steering},
			First: blocks * i / parts, End: blocks * (i + 1) / parts,
		})
	}
	return f
}

func (f *flat) play() { f.build(); f.look() }

// build builds the cells.
func (f *flat) build() {
	f.state = world.Advance(f.state)
	f.state = f.cells.Build(f.state, f.workers)
}

func (f *flat) look() { f.state = systems.RunTasks(f.state, f.workers, f.tasks) }

func (f *flat) steer(s world.State) world.State {
	near := f.cells.In(s)
	places, velocities := near.Points(), space.Column(near, velocity)
	for b := range steering.In(s) {
		p, v, a := world.Column(b, place), world.Column(b, velocity), world.Column(b, change)
		for i := range p {
			var c crowd
			r := near.Near(p[i], radius)
			for r.Next() {
				c.add(p[i], places[r.First:r.End], velocities[r.First:r.End])
			}
			a[i] = c.turn(v[i])
		}
	}
	return s
}

func (f *flat) sum() (sum float64) {
	for _, a := range world.View(f.state, change) {
		sum += float64(a.X) + float64(a.Y)
	}
	return sum
}
