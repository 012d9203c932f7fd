package systems

import "github.com/flatecs/flatecs/manager"

// A Renderer draws. It gets bytes and numbers and does not know worlds. The bytes are valid until
// the call returns.
type Renderer interface {
	// Init is called once, before anything is drawn.
	Init()
	// DrawOne draws one object: its index, and float32 x, y, z in world units.
	DrawOne(object uint32, position []byte)
	// DrawInstances draws one instance of kind per position: float32 x, y, z in world units, 12
	// bytes each. It is called once per run of instances with consecutive rows, and once with no
	// positions if there are no instances but the world counts both kinds. positions is the world's
	// memory, not a copy.
	DrawInstances(kind string, positions []byte)
}

var (
	singly    = NewQuery(Read(Position), Without(Instance))
	instanced = NewQuery(Read(Position), With(Instance))
)

// RenderOneByOne draws every object that has a position and no instance mark, ascending. It does
// nothing in a world without positions.
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
			r.DrawOne(b.ID(i).Index(), positions.Bytes(int(b.row(0, i)), 1))
		}
	}
	return s.done()
}

// RenderInstances draws every object that has a position and an instance mark, ascending, with one
// call per run of consecutive positions. It does nothing in a world without one of these kinds.
func RenderInstances(s State, r Renderer) State {
	j := s.look()
	if r == nil {
		panic(noRenderer)
	}
	if j.lacks(Position.Kind(), Instance) {
		return s.done()
	}
	positions := manager.PositionsOf(j.find(Position.Kind().Spec()))
	row, n := 0, 0
	for b := range instanced.In(s) {
		for i := 0; i < b.Len(); {
			next, c := int(b.row(0, i)), b.stretch(0, i)
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
