package command

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A run is the head of consecutive spawns of one recipe with values for the same fields. It is
// followed by setters, one per field, and then by the values, without gaps:
//
//	run 24 bytes │ setter 4 bytes … │ values of spawn 0 │ values of spawn 1 │ …
//
// It fills as many commands as it needs.
type run struct {
	op     Op
	_      bool   // set in the creation of a tree with a ring, which is not a run
	recipe uint16 // its place
	fields uint16 // number of setters
	gaps   uint16 // 1: it was kept; spawns whose result is their own id are still to do
	first  gameobject.ID
	count  uint32 // spawns, whose ids follow first
	size   uint32 // bytes of the values of one spawn
	_      [commandSize - runSize]byte
}

const (
	runSize    = 24 // bytes of a run before its setters
	setterSize = 4
)

// A setter is a field that the spawns of a run set.
type setter struct {
	place uint16 // index of its manager
	field uint16 // of the kind
}

// A shape is the recipe and the fields that the spawns of a run share.
type shape struct {
	pool    *structure.Pool // of the recipe
	fields  []*layout.FieldSpec
	setters []setter // of fields
	size    int      // of the values of one spawn, in bytes
}

// An openRun is the last recorded run, to which spawns may be added.
type openRun struct {
	shape int // its number among the shapes
	at    int // index of the run
	next  int // offset of the next values, in bytes
	left  int // spawns for which there is room; 0: the run has ended
}

// Shapes that a buffer knows: the shape of trees, and recent shapes.
const (
	ofTrees = iota
	ofLate
	shapes = ofLate + 4
)

// Spawn appends the creation of an object of a pool with values, and returns its recorded id. It
// panics before recording if the pool does not have the kind of a value.
//
// The loop is spawnElse's without its calls, so that its variables are in registers: hot path.
func (b *Buffer) Spawn(p *structure.Pool, values []layout.FieldValue) gameobject.ID {
	s := &b.shapes[b.last.shape]
	if s.pool != p || len(s.fields) != len(values) || b.last.left == 0 {
		return b.spawnElse(p, values)
	}
	at, fields, base := b.last.next, s.fields[:len(values)], b.base
	for i := range values {
		v := &values[i]
		if v.Field != fields[i] {
			return b.spawnElse(p, values)
		}
		value := v.Bytes() // panics for the zero value
		switch len(value) {
		case 4:
			*buffer.AtByte[[4]byte](base, at) = [4]byte(value)
		case 8:
			*buffer.AtByte[[8]byte](base, at) = [8]byte(value)
		case 12:
			*buffer.AtByte[[12]byte](base, at) = [12]byte(value)
		case 16:
			*buffer.AtByte[[16]byte](base, at) = [16]byte(value)
		default:
			return b.spawnElse(p, values)
		}
		at += len(value)
	}
	return b.count(at)
}

// spawnElse is Spawn for the first spawn of a run, and for values of any size.
//
//go:noinline
func (b *Buffer) spawnElse(p *structure.Pool, values []layout.FieldValue) gameobject.ID {
	n := ofLate + (p.Place+len(values))&3
	s := &b.shapes[n]
	known := s.pool == p && slices.EqualFunc(s.fields, values, isOf)
	if !known {
		b.describe(n, p, values)
	}
	if !known || b.last.shape != n || b.last.left == 0 {
		b.open(n)
	}
	at := b.last.next
	for i := range values {
		value := values[i].Bytes() // panics for the zero value
		copy(buffer.Span[byte](b.base, at, len(value)), value)
		at += len(value)
	}
	return b.count(at)
}

// isOf reports whether a value is of a field.
func isOf(f *layout.FieldSpec, v layout.FieldValue) bool { return v.Field == f }

// describe makes shape n the shape of spawns of a pool with values. It panics if the pool does not
// have the kind of a value.
//
//go:noinline
func (b *Buffer) describe(n int, p *structure.Pool, values []layout.FieldValue) {
	s := b.empty(n, nil)
	for i := range values {
		s.add(p, &values[i])
	}
	s.pool = p
}

// empty makes shape n the shape of spawns of a pool without values, and ends the run.
//
//go:noinline
func (b *Buffer) empty(n int, p *structure.Pool) *shape {
	b.last.left = 0
	s := &b.shapes[n]
	*s = shape{pool: p, fields: s.fields[:0], setters: s.setters[:0]}
	return s
}

// add adds the field of a value.
func (s *shape) add(p *structure.Pool, v *layout.FieldValue) {
	_ = v.Bytes() // panics for the zero value
	place, f := p.PlaceOf(v.Field, "record a Put")
	s.fields = append(s.fields, f)
	s.setters = append(s.setters, setter{uint16(place), uint16(f.Index)})
	s.size += f.Stride
}

// Describe begins a spawn of a pool whose values are not in one list: call DescribeField for each,
// and then SpawnDescribed.
func (b *Buffer) Describe(p *structure.Pool) { b.empty(ofTrees, p) }

// DescribeField adds the field of a value. The pool must have its kind.
func (b *Buffer) DescribeField(v *layout.FieldValue) {
	s := &b.shapes[ofTrees]
	s.add(s.pool, v)
}

// SpawnDescribed appends the described spawn, and returns the bytes for its values, in order.
func (b *Buffer) SpawnDescribed() []byte {
	size := b.shapes[ofTrees].size
	b.open(ofTrees)
	at := b.last.next
	b.count(at + size)
	return buffer.Span[byte](b.base, at, size)
}

// count adds a spawn to the last run, whose values end at an offset, and returns its recorded id.
func (b *Buffer) count(end int) gameobject.ID {
	r := &b.last
	r.next, r.left = end, r.left-1
	b.used = commandsOf(end)
	b.run(r.at).count++
	return b.Births.NewID()
}

// open appends an empty run of shape n, and makes room for a spawn. It panics if there are too many
// creations.
func (b *Buffer) open(n int) {
	s := &b.shapes[n]
	head := runSize + setterSize*len(s.setters)
	at := b.next(commandsOf(head) - 1)
	next, left := at*commandSize+head, manager.MaxRows-int(b.Births.here.recorded)
	if left == 0 {
		b.grow(manager.MaxRows)
	}
	if end := commandsOf(next + s.size); end > len(b.commands) {
		b.grow(end - b.used)
	}
	if s.size > 0 {
		left = min(left, (len(b.commands)*commandSize-next)/s.size)
	}
	*b.run(at) = run{
		op: Spawn, recipe: uint16(s.pool.Place), fields: uint16(len(s.setters)),
		first: b.Births.NextID(), size: uint32(s.size),
	}
	copy(b.setters(at), s.setters)
	b.last = openRun{n, at, next, left}
}

// commandsOf returns the number of commands that size bytes fill.
func commandsOf(size int) int { return int((uint(size) + commandSize - 1) / commandSize) }

// isRun reports whether the command at an index is a run.
func (b *Buffer) isRun(at int) bool { return b.commands[at].op == Spawn && !b.commands[at].known }

// run returns the run at an index.
func (b *Buffer) run(at int) *run { return buffer.At[run](b.base, at) }

// commands returns the number of commands that the run fills.
func (r *run) commands() int { return commandsOf(r.values() + int(r.count)*int(r.size)) }

// values returns the offset of the values from the start of the run, in bytes.
func (r *run) values() int { return runSize + setterSize*int(r.fields) }

// setters returns the setters of the run at an index.
func (b *Buffer) setters(at int) []setter {
	const per = commandSize / setterSize
	return buffer.Span[setter](b.base, at*per+runSize/setterSize, int(b.run(at).fields))
}
