package systems

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// With returns a copy of r with initial values that replace the defaults, and with initial elements
// of lists. The copy has r's name, and a world has one recipe per name: to use two in one world,
// call NewRecipe for each. It panics if r does not have the kind of a field.
func (r Recipe) With(values ...layout.FieldValue) Recipe {
	s := r.declared()
	all := slices.Clone(s.values)
	for i := range values {
		v := values[i].Clone() // panics for the zero value
		if v.Field.Relation != nil {
			panic(fmt.Sprintf("flatecs: recipe %s sets the reference %s; "+
				"give it to Spawn, or call Set",
				layout.Quoted(s.name), v.Field))
		}
		if k := v.Field.Kind; k == nil || !slices.Contains(s.kinds, k.Handle()) {
			panic(fmt.Sprintf("flatecs: recipe %s sets field %s; add its kind to the recipe",
				layout.Quoted(s.name), v.Field))
		}
		all = append(all, v)
	}
	return newRecipe(s.name, s.kinds, all)
}

// checkReferred returns an error if first values refer to an object that does not exist.
func (w *world) checkReferred(values []layout.FieldValue) error {
	for i := range values {
		f := values[i].Field
		if f.Relation == nil {
			continue
		}
		to := kin.ReferenceOf(&values[i])
		if to != gameobject.Nobody && !w.arena.Objects.Alive(to) {
			return placed(f.String()+" of a new game object", w.refuse(to), "")
		}
	}
	return nil
}

// referFirst writes the references among first values. They cannot close a ring, because nothing is
// below a new object.
func (w *world) referFirst(object uint32, values []layout.FieldValue) {
	for i := range values {
		if f := values[i].Field; f.Relation != nil {
			row, _ := w.arena.Find(f.Kind).RowOf(object)
			w.kin.Of(f.Relation).Write(object, uint32(row), kin.ReferenceOf(&values[i]))
		}
	}
}

// A spawning is a [SpawnN] with a function. When fill returns, the references that it wrote to
// relations are taken out of the columns; they are checked and written after the batch. So derived
// lists never include unchecked references.
type spawning struct {
	job   *job
	made  []madeBlock
	given []filled // by the current batch
	err   error
}

// A madeBlock is the new objects of a block, a bit each.
type madeBlock struct {
	objects uint64
	block   uint32
}

// A filled is a reference that fill wrote.
type filled struct {
	relation *kin.Lists
	from, to GameObject
}

// spawnFilled is SpawnN with fill. The caller has checked the room.
func spawnFilled(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	j := s.job
	p := spawning{job: j, made: j.made[:0], given: j.given[:0]}
	whole := false // all objects are spawned and filled
	defer func() { p.end(whole) }()
	p.spawn(r, n, fill)
	if whole = p.err == nil; whole {
		return s.reshaped(), nil
	}
	return s, p.err
}

// end disposes the new objects unless they are whole: if a reference was refused, or fill did not
// return.
func (p *spawning) end(whole bool) {
	j := p.job
	j.made, j.given = p.made[:0], p.given[:0]
	if whole {
		return
	}
	j.walks.Abandon() // walks that fill began
	if kin := j.world.kin; kin != nil {
		kin.Begin()
		for _, b := range p.made {
			kin.AddBlock(b.block, b.objects)
		}
		_ = kin.Dispose() // includes the objects that refer to them
		return
	}
	for _, b := range slices.Backward(p.made) {
		structure.DisposeBlock(j.world.arena, b.block, b.objects)
	}
}

func (p *spawning) spawn(r Recipe, n int, fill func(Batch)) {
	w := p.job.open(r.spec.fields)
	defer w.Close()
	show := func(b *walk.Batch) bool {
		p.show(batchOf(b, p.job), fill)
		return true
	}
	made := func(block uint32, x uint64, _ bool) {
		p.made = append(p.made, madeBlock{x, block})
		w.Collect(block, x, show)
		p.write()
	}
	p.job.world.pools.of(r).SpawnN(p.job.world.arena, n, true, made)
	w.Flush(show)
	p.write()
}

// show calls fill with a batch, unless a reference was refused before.
func (p *spawning) show(b Batch, fill func(Batch)) {
	switch {
	case p.err != nil:
	case p.job.world.kin != nil:
		defer p.take(b) // also if fill panics
		fill(b)
	default:
		fill(b)
	}
}

// take takes the references of a batch out of its columns.
func (p *spawning) take(b Batch) {
	for l := range p.job.world.kin.All {
		f := l.Handle()
		if !b.batch.Plan.Asks(f.Spec()) {
			continue
		}
		for i, to := range Column(b, f) {
			if to != gameobject.Nobody {
				p.given = append(p.given, filled{l, b.ID(i), to})
				Column(b, f)[i] = gameobject.Nobody
			}
		}
	}
}

// write writes the references that take took.
func (p *spawning) write() {
	for i := range p.given {
		g := &p.given[i]
		if row, ok := g.relation.M.RowOf(g.from.Index()); ok && p.err == nil {
			p.err = p.job.world.refer(g.relation, g.from, row, g.to)
		}
	}
	p.given = p.given[:0]
}

// SpawnTree records the creation of a tree; see the function [SpawnTree]. It returns the id of the
// first object; the id of member n (see [Member]) is first + GameObject(n). It panics like the
// function, and if the world does not have the relation. Each member is created by several
// commands: a Spawn, Add and Put for further kinds, and for lists a Replace and an Append of each
// element. [Apply] refuses a command if there is no room, or if it refers by a relation to an
// object that is dead or was refused, so no object is created below a refused member. It refuses a
// tree in which a member is below itself.
func (c Commands) SpawnTree(
	relation layout.Field[GameObject], t Tree, values ...layout.FieldValue,
) (first GameObject) {
	j := c.open()
	l, err := j.world.listsOf(relation)
	if err != nil && len(t.Children) > 0 {
		panic(err.Error())
	}
	seeds := j.planting.seedsOf(&j.world, &t)
	kin.CheckSeeds(l, seeds, values)
	tree, member, ringed := kin.RingAmong(l, seeds, values)
	for i := range seeds {
		next := j.records.commands.Births.NextID()
		r := seedRecord{records: &j.records, seed: &seeds[i], id: next}
		if i == 0 {
			first = r.id
		}
		r.first = first
		if p := seeds[i].Parent; p >= 0 {
			r.parent[0] = j.records.parentValue(relation.Spec(), kin.Member(p))
		}
		if ringed {
			r.recordRinged(j.world.kinds.Place(tree.Kind), member)
		} else {
			r.record(values)
			values = nil // they belong to the first member
		}
	}
	return first
}

// parentValue returns a value of a reference, valid until the next call.
func (r *records) parentValue(f *layout.FieldSpec, to GameObject) layout.FieldValue {
	if r.parent.Field != f {
		r.parent = f.DefaultValue()
	}
	binary.LittleEndian.PutUint64(r.parent.Bytes(), uint64(to))
	return r.parent
}

// A seedRecord is the recorded creation of one member of a tree.
type seedRecord struct {
	records   *records
	seed      *kin.Seed
	id, first GameObject // of the object, and of the tree's first one
	parent    [1]layout.FieldValue
}

// A pass is an operation on the values of a member of a tree.
type pass int

const (
	describes pass = iota // names the fields of the recipe's kinds
	fills                 // writes their values
	puts                  // records a Put of the other fields
)

// record records the creation with the values of the recipe's kinds, then the further kinds with
// their values. more is a parameter, because in r it would escape to the heap.
func (r *seedRecord) record(more []layout.FieldValue) {
	if p := r.seed.Pool; p == nil {
		r.records.commands.Record(command.Create, 0, r.records.commands.Births.NewID(), false)
	} else {
		r.records.commands.Describe(p)
		r.values(describes, more)
		r.records.unfilled = r.records.commands.SpawnDescribed()
		r.values(fills, more)
	}
	for _, m := range r.seed.More {
		r.records.record(command.Add, r.id, m.Kind.Handle())
	}
	r.values(puts, more)
}

// recordRinged records a creation that is refused.
func (r *seedRecord) recordRinged(tree int, member uint32) {
	op, recipe := command.Create, 0
	if r.seed.Pool != nil {
		op, recipe = command.Spawn, r.seed.Pool.Place
	}
	r.records.commands.RecordRinged(op, recipe, r.records.commands.Births.NewID(), tree, member)
}

// values visits the values of the member: its parent, its own values, and more.
func (r *seedRecord) values(p pass, more []layout.FieldValue) {
	if r.seed.Parent >= 0 {
		r.each(p, r.parent[:], r.seed.Values, more)
	}
	r.each(p, r.seed.Values, more, nil)
	r.each(p, more, nil, nil)
}

// each visits values, which next follow. It skips all but the last value of a reference: an earlier
// one might seem to close a ring.
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
			(setsField(values[i+1:], f) || setsField(next, f) || setsField(last, f)) {
			continue
		}
		switch p {
		case describes:
			r.records.commands.DescribeField(v)
		case fills:
			r.write(r.records.unfilled, v)
			r.records.unfilled = r.records.unfilled[v.Field.Stride:]
		case puts:
			r.write(r.records.recordField(command.Put, r.id, v.Field), v)
		}
	}
}

// write writes a value to the start of dst, and replaces the ids of the tree's members.
func (r *seedRecord) write(dst []byte, v *layout.FieldValue) {
	r.copy(dst, v.Bytes(), v.Field)
}

// putList records the clearing of a list and the appending of elements.
func (r *seedRecord) putList(v *layout.FieldValue) {
	f, one := v.Field, v.Field.List.Element
	r.records.recordField(command.Replace, r.id, f)
	for b := v.Elements(); len(b) > 0; b = b[one.Stride:] {
		r.copy(r.records.recordAppend(r.id, f), b[:one.Stride], one)
	}
}

// copy copies a value to the start of dst, and replaces the ids of the tree's members.
func (r *seedRecord) copy(dst, value []byte, of *layout.FieldSpec) {
	copy(dst, value)
	for member := range kin.Members(dst, of.Refs) {
		*member = gameobject.MakeRecorded(r.first.Index()+member.Index(), r.first.Origin())
	}
}

// setsField reports whether one of values sets a field.
func setsField(values []layout.FieldValue, f *layout.FieldSpec) bool {
	for i := range values {
		if values[i].Field == f {
			return true
		}
	}
	return false
}
