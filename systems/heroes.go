package systems

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

const noRenderer = "flatecs: there is no Renderer to draw with; hand in one"

// Position is the position of an object: x, y, z in world units, 0 by default.
var Position = manager.Position

// Velocity is the velocity of an object: world units per step along each axis, 1 by default.
var Velocity = manager.Velocity

// MaxVelocity is the velocity at which the speed of a flying object is capped: world units per step
// along each axis, 10 by default. Its kind is named fly.
var MaxVelocity = manager.MaxVelocity

// Instance is the kind of the objects that are drawn in one batch. It has no data, but it has a
// uid: its row.
var Instance = manager.Instance

// heroQueries returns the queries of the built-in systems whose kinds the world has. The one with
// the most fields comes last.
func (j *job) heroQueries() (queries []Query) {
	if j.Lacks(Position.Kind()) {
		return nil
	}
	for _, q := range [...]Query{UpdateQuery, singly, instanced, MoveQuery, FlyQuery} {
		if _, err := query.RulesOf(j.Arena, q.spec); err == nil {
			queries = append(queries, q)
		}
	}
	return queries
}

// MoveQuery is the query of [MoveAll].
var MoveQuery = NewQuery(Write(Position), Read(Velocity))

// Move adds a velocity to each lane of a position: p += v. It panics if a row is not in use, or if
// the world does not have one of the kinds.
func Move(s State, position, velocity Row) State {
	j := s.use()
	j.checkWritable(Position.Spec())
	kernel.Move(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)})
	j.Manager(Position.Kind().Spec()).TouchRow(uint32(position))
	return s.done()
}

// MoveAll moves every object that has a position and a velocity. It does nothing in a world without
// one of these kinds.
func MoveAll(s State) State {
	if s.look().Lacks(Position.Kind(), Velocity.Kind()) {
		return s.done()
	}
	for b := range MoveQuery.In(s) {
		kernel.Move(Flat[float32](b, Position), Column(b, Velocity))
	}
	return s.done()
}

// FlyQuery is the query of [FlyAll].
var FlyQuery = NewQuery(Write(Position), Read(Velocity, MaxVelocity))

// Fly adds twice a velocity to each lane of a position, or the maximum if the velocity has reached
// it: d = v < max ? v*2 : max; p += d. The velocity is unchanged, and d may exceed the maximum: a
// velocity of 8 with a maximum of 10 gives 16. It panics if a row is not in use, or if the world
// does not have one of the kinds.
func Fly(s State, position, velocity, maxVelocity Row) State {
	j := s.use()
	j.checkWritable(Position.Spec())
	kernel.Fly(inRow(j, Position, position)[:], []float32{*inRow(j, Velocity, velocity)},
		[]float32{*inRow(j, MaxVelocity, maxVelocity)})
	j.Manager(Position.Kind().Spec()).TouchRow(uint32(position))
	return s.done()
}

// FlyAll flies every object that has a position, a velocity and a maximum velocity. It does nothing
// in a world without one of these kinds.
func FlyAll(s State) State {
	if s.look().Lacks(Position.Kind(), Velocity.Kind(), MaxVelocity.Kind()) {
		return s.done()
	}
	for b := range FlyQuery.In(s) {
		kernel.Fly(Flat[float32](b, Position), Column(b, Velocity), Column(b, MaxVelocity))
	}
	return s.done()
}

// UpdateQuery is the query of [Update] in a task.
var UpdateQuery = NewQuery(Write(Position))

// Update doubles every mounted position, p *= 2, in one batch of the manager. In a task it doubles
// those of the task's objects. It panics while a walk that writes positions is open. It does
// nothing in a world without positions.
func Update(s State) State {
	j := s.use()
	m := j.Find(Position.Kind().Spec())
	if m == nil {
		return s.done()
	}
	if j.part.whole == nil {
		j.checkUnheld(Position.Spec())
		manager.PositionsOf(m).Update()
		return s.done()
	}
	for b := range UpdateQuery.In(s) {
		kernel.Scale(Flat[float32](b, Position), 2)
	}
	return s.done()
}

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
			r.DrawOne(b.ID(i).Index(), positions.Bytes(int(b.walk.Row(0, i)), 1))
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
