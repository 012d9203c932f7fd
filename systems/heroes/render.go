package heroes

import (
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

const noRenderer = "flatecs: the Renderer is nil; pass one"

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
	singly    = systems.NewQuery(systems.Read(Position), systems.Without(Instance))
	instanced = systems.NewQuery(systems.Read(Position), systems.With(Instance))
)

// RenderOneByOne draws every object that has a position and no instance mark, ascending. It does
// nothing in a world without positions.
func RenderOneByOne(s systems.State, r Renderer) systems.State {
	m := systems.ArenaOf(s).Find(Position.Kind().Spec())
	if r == nil {
		panic(noRenderer)
	}
	if m == nil {
		return systems.Next(s)
	}
	positions, kind := manager.PositionsOf(m), Position.Kind()
	for b := range singly.In(s) {
		for i := 0; i < b.Len(); {
			row, n := systems.RowsFrom(b, i, kind)
			for end := i + n; i < end; i++ {
				r.DrawOne(b.ID(i).Index(), positions.Bytes(int(row), 1))
				row++
			}
		}
	}
	return systems.Next(s)
}

// RenderInstances draws every object that has a position and an instance mark, ascending, with one
// call per run of consecutive positions. It does nothing in a world without one of these kinds.
func RenderInstances(s systems.State, r Renderer) systems.State {
	arena := systems.ArenaOf(s)
	if r == nil {
		panic(noRenderer)
	}
	if !has(s, Position.Kind(), Instance) {
		return systems.Next(s)
	}
	kind := Position.Kind()
	positions := manager.PositionsOf(arena.Find(kind.Spec()))
	row, n := 0, 0
	for b := range instanced.In(s) {
		for i := 0; i < b.Len(); {
			next, c := systems.RowsFrom(b, i, kind)
			if n > 0 && int(next) != row+n {
				r.DrawInstances(Instance.String(), positions.Bytes(row, n))
				n = 0
			}
			if n == 0 {
				row = int(next)
			}
			n, i = n+c, i+c
		}
	}
	r.DrawInstances(Instance.String(), positions.Bytes(row, n))
	return systems.Next(s)
}
