package systems

import "github.com/flatecs/flatecs/manager"

// A Renderer draws. It gets bytes and numbers and knows nothing of worlds; the bytes are valid
// until the call returns.
type Renderer interface {
	// Init is called once, before anything is drawn.
	Init()
	// DrawOne draws one object: its index, and float32 x, y, z in world units.
	DrawOne(object uint32, position []byte)
	// DrawInstances draws as many instances of kind as positions holds: float32 x, y, z of each, in
	// world units, 12 bytes, side by side. It is called once for every stretch of instances that
	// lie side by side, and once where there is none, in a world that counts positions and
	// instances. positions is the live column, not a copy.
	DrawInstances(kind string, positions []byte)
}

var (
	singly    = NewQuery(Read(Position), Without(Instance))
	instanced = NewQuery(Read(Position), With(Instance))
)

// RenderOneByOne draws every object that has a position and no instance mark, ascending: none in a
// world that does not count positions.
func RenderOneByOne(s State, r Renderer) State {
	j := s.look()
	if r == nil {
		panic(noRenderer)
	}
	m := j.Find(Position.Kind().Spec())
	if m == nil {
		return s.done()
	}
	positions := manager.PositionsOf(m)
	for b := range singly.In(s) {
		for i := range b.Len() {
			r.DrawOne(b.ID(i).Index(), positions.Bytes(int(b.walk.Row(0, i)), 1))
		}
	}
	return s.done()
}

// RenderInstances draws every object that has a position and an instance mark, ascending; objects
// whose positions lie side by side in one call. In a world that does not count both it does
// nothing.
func RenderInstances(s State, r Renderer) State {
	j := s.look()
	if r == nil {
		panic(noRenderer)
	}
	if j.Lacks(Position.Kind(), Instance) {
		return s.done()
	}
	positions := manager.PositionsOf(j.Manager(Position.Kind().Spec()))
	row, n := 0, 0
	for b := range instanced.In(s) {
		for i := 0; i < b.Len(); {
			next, c := int(b.walk.Row(0, i)), b.walk.SideBySide(0, i)
			if n > 0 && next != row+n {
				r.DrawInstances(Instance.String(), positions.Bytes(row, n))
				n = 0
			}
			if n == 0 {
				row = next
			}
			n, i = n+c, i+c
		}
	}
	r.DrawInstances(Instance.String(), positions.Bytes(row, n))
	return s.done()
}
