package frame

import (
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

// assembleAll turns the parts and finds where they are.
func assembleAll(s world.State) world.State {
	for b := range turning.In(s) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			Turn(&local[i])
		}
	}
	s = pose.Update2(s)
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
	body := world.OpenWrite(f.state, bodies)
	for a, b := range near.Pairs(Reach) {
		if Touch(at[a], at[b], size[a].Radius, size[b].Radius) {
			body.At(ids[a]).Contacts++
			body.At(ids[b]).Contacts++
		}
	}
}
