package systems

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// A Tree is an object to be spawned, with its children, and theirs.
type Tree struct {
	Name     string              // in texts of trees; it names no object: SetName does
	Recipe   Recipe              // the zero Recipe: the object has Kinds alone
	Kinds    []layout.AnyKind    // further kinds and marks, which the recipe does not have
	Values   []layout.FieldValue // other first values than the recipe's, and elements of lists
	Children []Tree
}

// Member stands for member n of a [Tree] in the values of its members: 0 is the first object, then
// come each child and those below it, in order. [SpawnTree] replaces it by the object.
func Member(n int) GameObject { return kin.Member(n) }

// SpawnTree spawns a tree: a new object for each of its members, whose ids it appends to dst in the
// order of their numbers (see [Member]). Each child refers to its parent by a relation, which the
// world and a single object need not have. values are further first values of the first object. It
// spawns all or none: the error wraps [ErrTooMany], [ErrFull], [ErrWalking], [ErrDead] for a value
// that refers to a dead object by a relation, or [ErrRing] for values by which a member is below
// itself. It panics if the world does not know a recipe or a kind, if a member is given a kind
// twice, or lacks the relation or the kind of a value.
func SpawnTree(
	dst []GameObject, s State, relation layout.Field[GameObject], t Tree,
	values ...layout.FieldValue,
) (State, []GameObject, error) {
	j := s.use()
	l := j.relationOf(relation, &t)
	if j.fixed() {
		return s, dst, ErrWalking
	}
	dst, err := kin.Plot{Arena: j.Arena, Kin: j.kin, Lists: l, Beside: &j.planting}.Plant(
		dst, j.seedsOf(&t), values)
	if err != nil {
		return s, dst, err
	}
	return s.reshaped(), dst, nil
}

// relationOf is relation for a tree; nil is for a single object in a world that does not have it.
func (j *job) relationOf(f layout.Field[GameObject], t *Tree) *kin.Lists {
	if r := f.Spec().Relation; r != nil && len(t.Children) == 0 {
		return j.kin.Of(r)
	}
	return j.relation(f)
}

// seedsOf lists the members of a tree.
func (j *job) seedsOf(t *Tree) []kin.Seed {
	j.seeds, j.further = j.seeds[:0], j.further[:0]
	j.listSeeds(t, -1)
	return j.seeds
}

// listSeeds appends the members of a tree to the seeds.
func (j *job) listSeeds(t *Tree, parent int) {
	at, first := len(j.seeds), len(j.further)
	seed := kin.Seed{Values: t.Values, Parent: parent}
	if t.Recipe.spec != nil {
		seed.Pool = j.pool(t.Recipe)
	}
	var few [16]Kind
	for i, k := range kind.Append(few[:0], "the Kinds of a Tree", t.Kinds) {
		m := j.Manager(k.Spec())
		if slices.Contains(j.further[first:], m) || seed.Pool != nil && seed.Pool.Has(m) {
			panic(fmt.Sprintf("flatecs: a member of a tree has kind %s twice; leave out number %d "+
				"of its Kinds", layout.Quoted(m.Kind.Name), i))
		}
		j.further = append(j.further, m)
	}
	seed.More = j.further[first:len(j.further):len(j.further)]
	j.seeds = append(j.seeds, seed)
	for i := range t.Children {
		j.listSeeds(&t.Children[i], at)
	}
}

// SpawnTree records the creation of a tree; see the function [SpawnTree]. It returns the id of the
// first object. The other ids follow it: that of member n (see [Member]) is first + GameObject(n).
// It panics where the function does. Each member is created by commands of its own: a Spawn, and
// Add and Put of further kinds, and for lists a Replace and an Append of each element. [Apply]
// refuses each of them that has no room, or refers by a relation to an object that is dead or was
// refused, so that nothing is left below a member that is refused; and all of a tree in which a
// member is below itself.
func (c Commands) SpawnTree(
	relation layout.Field[GameObject], t Tree, values ...layout.FieldValue,
) (first GameObject) {
	j := c.open()
	l := j.relationOf(relation, &t) // panics if the world does not have it
	seeds := j.seedsOf(&t)
	kin.CheckSeeds(l, seeds, values)
	tree, member, ringed := kin.RingAmong(l, seeds, values)
	for i := range seeds {
		r := seedRecord{job: j, seed: &seeds[i], id: j.commands.NextID()}
		if i == 0 {
			first = r.id
		}
		r.first = first
		if p := seeds[i].Parent; p >= 0 {
			r.parent[0] = j.parentValue(relation.Spec(), kin.Member(p))
		}
		if ringed {
			r.recordRinged(j.Place(tree.Kind), member)
		} else {
			r.record(values)
			values = nil // they are of the first
		}
	}
	return first
}

// parentValue returns a value of a reference, valid until the next call.
func (j *job) parentValue(f *layout.FieldSpec, to GameObject) layout.FieldValue {
	if j.parent.Field != f {
		j.parent = f.DefaultValue()
	}
	binary.LittleEndian.PutUint64(j.parent.Bytes(), uint64(to))
	return j.parent
}

// A seedRecord is the recorded creation of one object of a tree.
type seedRecord struct {
	*job
	seed      *kin.Seed
	id, first GameObject // of the object, and of the tree's first one
	parent    [1]layout.FieldValue
}

// A pass is what is done with the values of an object of a tree.
type pass int

const (
	describes pass = iota // names the fields of the recipe's kinds
	fills                 // writes their values
	puts                  // records a Put of the other fields
)

// record records the creation with the values of the recipe's kinds, then the further kinds with
// theirs. In r, more would move to the heap.
func (r *seedRecord) record(more []layout.FieldValue) {
	if p := r.seed.Pool; p == nil {
		r.commands.Record(command.Create, 0, r.commands.NewID(), false)
	} else {
		r.commands.Describe(p)
		r.values(describes, more)
		r.unfilled = r.commands.SpawnDescribed()
		r.values(fills, more)
	}
	for _, m := range r.seed.More {
		r.job.record(command.Add, r.id, m.Kind.Handle())
	}
	r.values(puts, more)
}

// recordRinged records a creation that is refused.
func (r *seedRecord) recordRinged(tree int, member uint32) {
	op, recipe := command.Create, 0
	if r.seed.Pool != nil {
		op, recipe = command.Spawn, r.seed.Pool.Place
	}
	r.commands.RecordRinged(op, recipe, r.commands.NewID(), tree, member)
}

// values goes through the values of the object: its parent, its own, and more.
func (r *seedRecord) values(p pass, more []layout.FieldValue) {
	if r.seed.Parent >= 0 {
		r.each(p, r.parent[:], r.seed.Values, more)
	}
	r.each(p, r.seed.Values, more, nil)
	r.each(p, more, nil, nil)
}

// each goes through values, behind which others come. Of a reference only the last one counts:
// those before it might close a ring that is none.
func (r *seedRecord) each(p pass, values, next, last []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		list := v.Field.List != nil
		if (r.seed.CheckFills(v) && !list) == (p == puts) {
			continue
		}
		if list {
			r.putList(v)
			continue
		}
		if f := v.Field; f.Relation != nil &&
			(sets(values[i+1:], f) || sets(next, f) || sets(last, f)) {
			continue
		}
		switch p {
		case describes:
			r.commands.DescribeField(v)
		case fills:
			r.write(r.unfilled, v)
			r.unfilled = r.unfilled[v.Field.Stride:]
		case puts:
			r.write(r.recordField(command.Put, r.id, v.Field), v)
		}
	}
}

// write writes a value to the start of dst, with the ids that stand for members of the tree.
func (r *seedRecord) write(dst []byte, v *layout.FieldValue) {
	r.copy(dst, v.Bytes(), v.Field)
}

// putList records that a list is emptied, and then given elements.
func (r *seedRecord) putList(v *layout.FieldValue) {
	f, one := v.Field, v.Field.List.Element
	r.recordField(command.Replace, r.id, f)
	for b := v.Elements(); len(b) > 0; b = b[one.Stride:] {
		r.copy(r.recordAppend(r.id, f), b[:one.Stride], one)
	}
}

// copy copies a value to the start of dst, with the ids that stand for members of the tree.
func (r *seedRecord) copy(dst, value []byte, of *layout.FieldSpec) {
	copy(dst, value)
	for member := range kin.Members(dst, of.Refs) {
		*member = gameobject.MakeRecorded(r.first.Index()+member.Index(), r.first.Origin())
	}
}

// sets reports whether one of values is of a field.
func sets(values []layout.FieldValue, f *layout.FieldSpec) bool {
	for i := range values {
		if values[i].Field == f {
			return true
		}
	}
	return false
}
