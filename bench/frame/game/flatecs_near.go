package game

import (
	core "github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

func (f *flat) hang() {
	for _, h := range f.script.Hangs {
		f.state = world.Must(world.Set(f.state, f.ids[h.Slot], family.ChildOf, f.ids[h.Parent]))
	}
}

func assembleAll(s world.State) world.State { return placeAll(deriveAll(s)) }

// deriveAll turns the parts and finds where they are.
func deriveAll(s world.State) world.State {
	for b := range turning.In(s) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			Turn(&local[i])
		}
	}
	return pose.Update2(s)
}

func placeAll(s world.State) world.State {
	for b := range placed.In(s) {
		p, global := world.Column(b, positions), world.Column(b, pose.Global2)
		for i := range p {
			p[i].Place(&global[i])
		}
	}
	return s
}

func (f *flat) collide() {
	f.state = f.cells.Build(f.state, nil)
	near := f.cells.In(f.state)
	at, ids, size := near.Points(), near.IDs(), space.Column(near, bodies)
	var body world.Writer[Body]
	f.state, body = world.OpenWrite(f.state, bodies)
	for a, b := range near.Pairs(Reach) {
		if Touch(at[a], at[b], size[a].Radius, size[b].Radius) {
			body.At(ids[a]).Contacts++
			body.At(ids[b]).Contacts++
		}
	}
}

// A collision is [flat.collide] by tasks, each of which finds the pairs of some entries.
type collision struct {
	*flat
	tasks   []core.Task
	touched [4][][2]int // per task
}

func newCollision(f *flat) *collision {
	c := &collision{flat: f}
	for i := range c.touched {
		c.tasks = append(c.tasks, core.Task{Run: []func(world.State) world.State{
			func(s world.State) world.State { return c.find(s, i) },
		}})
	}
	return c
}

// find is the work of a task.
func (c *collision) find(s world.State, task int) world.State {
	near := c.cells.In(s)
	at, size := near.Points(), space.Column(near, bodies)
	n, touched := near.Len(), c.touched[task][:0]
	for a, b := range near.PairsOf(n*task/len(c.touched), n*(task+1)/len(c.touched), Reach) {
		if Touch(at[a], at[b], size[a].Radius, size[b].Radius) {
			touched = append(touched, [2]int{a, b})
		}
	}
	c.touched[task] = touched
	return s
}

func (c *collision) collide(workers *core.Workers) {
	c.state = c.cells.Build(c.state, workers)
	c.state = core.RunTasks(c.state, workers, c.tasks)
	ids := c.cells.In(c.state).IDs()
	var body world.Writer[Body]
	c.state, body = world.OpenWrite(c.state, bodies)
	for _, touched := range c.touched {
		for _, pair := range touched {
			body.At(ids[pair[0]]).Contacts++
			body.At(ids[pair[1]]).Contacts++
		}
	}
}
