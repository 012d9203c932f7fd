package neighbours

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

// A flat is a world with cells over its points, which looks at neighbours in the order of the
// cells.
type flat struct {
	state   world.State
	cells   *space.Cells[Vec]
	workers *systems.Workers
	look    []systems.Task // each with a part of the entries
	write   []systems.Task // each with a part of the objects
	turns   []Vec          // per entry
}

func newFlat(n, workers int) *flat {
	f := &flat{workers: systems.NewWorkers(workers), turns: make([]Vec, n)}
	f.state = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(place.Count(n), velocity.Count(n), change.Count(n)),
		Recipes: []world.Recipe{point},
	}))
	places, velocities := points(n)
	f.state = world.Must(world.SpawnN(f.state, point, n, func(b world.Batch) {
		places = places[copy(world.Column(b, place), places):]
		velocities = velocities[copy(world.Column(b, velocity), velocities):]
	}))
	f.cells = world.Must(space.NewCells(f.state, place, space.Options{
		Size: radius, Low: []float64{0, 0}, High: []float64{side, side},
		Carry: []space.Carried{space.Carry(velocity)}, Parts: workers,
	}))
	blocks := (n + 63) / 64
	parts := 1
	if workers > 1 {
		parts = min(16*workers, blocks) // End: 0 would be all blocks
	}
	for i := range parts {
		look := func(s world.State) world.State { return f.steer(s, i, parts) }
		f.look = append(f.look, systems.Task{Run: []func(world.State) world.State{look}})
		f.write = append(f.write, systems.Task{
			Run: []func(world.State) world.State{f.turn}, Queries: []world.Query{steering},
			First: uint32(blocks * i / parts), End: uint32(blocks * (i + 1) / parts),
		})
	}
	return f
}

// build builds the cells.
func (f *flat) build() {
	f.state = world.Advance(f.state)
	f.state = f.cells.Build(f.state, f.workers)
}

func (f *flat) play() {
	f.build()
	f.state = systems.RunTasks(f.state, f.workers, f.look)
	f.state = systems.RunTasks(f.state, f.workers, f.write)
}

// steer computes the turns of one of several parts of the entries.
func (f *flat) steer(s world.State, part, parts int) world.State {
	view := f.cells.In(s)
	places, velocities := view.Points(), space.Column(view, velocity)
	n := view.Len()
	for i := n * part / parts; i < n*(part+1)/parts; i++ {
		at, c := places[i], crowd{}
		for e := range view.Near(at, radius) {
			c.n++
			c.x, c.y = c.x+places[e].X-at.X, c.y+places[e].Y-at.Y
			c.vx, c.vy = c.vx+velocities[e].X, c.vy+velocities[e].Y
		}
		f.turns[i] = c.turn(velocities[i])
	}
	return s
}

// turn writes the turns to the objects.
func (f *flat) turn(s world.State) world.State {
	view := f.cells.In(s)
	for b := range steering.In(s) {
		space.Return(world.Column(b, change), view, b, f.turns)
	}
	return s
}

func (f *flat) close() {
	f.workers.Close()
	world.Close(f.state)
}

func (f *flat) sum() float64 { return sumOf(world.View(f.state, change)) }
