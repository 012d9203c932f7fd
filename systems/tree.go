package systems

import (
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
	Name     string              // in texts, and for those who look for it; the object gets none
	Recipe   Recipe              // the zero Recipe: the object has Kinds alone
	Kinds    []layout.AnyKind    // further kinds and marks, which the recipe does not have
	Values   []layout.FieldValue // other first values than the recipe's
	Children []Tree
}

// Member stands for member n of a [Tree] in the values of its members: 0 is the first object, then
// come each child and those below it, in order. [SpawnTree] replaces it by the object.
func Member(n int) GameObject { return kin.Member(n) }

// SpawnTree spawns a tree: a new object for each of its members. Each child refers to its parent by
// a relation. values are further first values of the first object. It spawns all or none: the error
// wraps [ErrTooMany], [ErrFull], [ErrWalking], or [ErrDead] for a value that refers to a dead
// object by a relation. It panics if the world does not know a recipe or a kind, if a member is
// given a kind twice, lacks the relation or the kind of a value, and if values close a ring.
func SpawnTree(
	s State, relation layout.Field[GameObject], t Tree, values ...layout.FieldValue,
) (State, GameObject, error) {
	j := s.use()
	l := j.relation(relation)
	if j.fixed() {
		return s, gameobject.Nobody, ErrWalking
	}
	root, err := j.kin.Plant(l, j.seedsOf(&t), values)
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.done(), root, nil
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
// first object. It panics like [Commands.Spawn]; references are checked by [Apply].
func (c Commands) SpawnTree(
	relation layout.Field[GameObject], t Tree, values ...layout.FieldValue,
) (first GameObject) {
	j := c.open()
	j.relation(relation) // panics if the world does not have it
	seeds := j.seedsOf(&t)
	for i := range seeds {
		r := seedRecord{job: j, seed: &seeds[i], id: j.commands.NewID()}
		if i == 0 {
			first, r.more = r.id, values
		}
		r.first = first
		if p := seeds[i].Parent; p >= 0 {
			r.parent = [1]layout.FieldValue{relation.Value(kin.Member(p))}
		}
		r.record()
	}
	return first
}

// A seedRecord is the recorded creation of one object of a tree.
type seedRecord struct {
	*job
	seed      *kin.Seed
	id, first GameObject // of the object, and of the tree's first one
	parent    [1]layout.FieldValue
	more      []layout.FieldValue
}

// record records the creation with the values of the recipe's kinds, then the further kinds with
// theirs.
func (r *seedRecord) record() {
	if p := r.seed.Pool; p != nil {
		r.commands.Record(command.Spawn, p.Place, r.id, false)
	} else {
		r.commands.Record(command.Create, 0, r.id, false)
	}
	r.recordValues(command.Fill)
	for _, m := range r.seed.More {
		r.job.record(command.Add, r.id, m.Kind.Handle())
	}
	if len(r.seed.More) > 0 {
		r.recordValues(command.Put)
	}
}

// recordValues records the values that an operation sets: those of the recipe's kinds by Fill, the
// others by Put.
func (r *seedRecord) recordValues(op command.Op) {
	if r.seed.Parent >= 0 {
		r.recordEach(op, r.parent[:])
	}
	r.recordEach(op, r.seed.Values)
	r.recordEach(op, r.more)
}

func (r *seedRecord) recordEach(op command.Op, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		if r.seed.CheckFills(v) != (op == command.Fill) {
			continue
		}
		data := r.recordField(op, r.id, v.Field)
		copy(data, v.Bytes())
		for member := range kin.Members(data, v.Field.Refs) {
			*member = gameobject.MakeRecorded(r.first.Index()+member.Index(), r.first.Origin())
		}
	}
}
