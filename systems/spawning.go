package systems

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// spawnWith is [Spawn] with first values.
func (s State) spawnWith(p *structure.Pool, values []layout.FieldValue) (State, GameObject, error) {
	j := s.job
	for i := range values {
		p.PlaceOf(&values[i], "add it and set the field after Spawn")
	}
	if err := j.spawnable(p, values); err != nil {
		return s, gameobject.Nobody, err
	}
	id, ok := p.Spawn(j.Arena)
	if !ok {
		return s, gameobject.Nobody, j.Refuse(ErrTooMany, id)
	}
	for i := range values {
		j.setFirst(id.Index(), &values[i])
	}
	return s.reshaped(), id, nil
}

// spawnable returns an error if an object of a pool cannot be spawned with values.
func (j *job) spawnable(p *structure.Pool, values []layout.FieldValue) error {
	if j.fixed() {
		return ErrWalking
	}
	for i := 0; p.Relates && i < len(values); i++ {
		f := values[i].Field
		if f.Relation == nil {
			continue
		}
		to := kin.ReferenceOf(&values[i])
		if to != gameobject.Nobody && !j.Objects.Alive(to) {
			return placed(f.String()+" of a new game object", j.refuse(to), "")
		}
	}
	if p.HasRoom(j.Arena) {
		return nil
	}
	return p.CheckRoom(j.Arena, 1)
}

// setFirst sets a field of an object that was just spawned: its rows carry the stamp of this step,
// and nothing is below it that a reference could close a ring with.
func (j *job) setFirst(object uint32, v *layout.FieldValue) {
	f := v.Field
	m := j.Find(f.Kind)
	row, _ := m.RowOf(object)
	if f.Relation != nil {
		j.kin.Of(f.Relation).Write(object, uint32(row), kin.ReferenceOf(v))
		return
	}
	m.Columns[f.Index].Set(int(row), v.Bytes())
}

// A spawning is a [SpawnN] of objects that have relations. What fill writes to their references is
// taken out of the columns when it returns, and written after the batch, checked: nothing derives
// lists from what is not.
type spawning struct {
	*job
	made  []madeBlock
	given []given // by the batch that was filled
	err   error
}

// A madeBlock is new objects of a block, a bit each.
type madeBlock struct {
	objects uint64
	block   uint32
}

// A given is a reference that fill wrote.
type given struct {
	relation *kin.Lists
	from, to GameObject
}

// spawnReferring is SpawnN for a recipe with relations, when there is room.
func (j *job) spawnReferring(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	p := spawning{job: j, made: j.made[:0], given: j.given[:0]}
	p.spawn(r, n, fill)
	j.made, j.given = p.made[:0], p.given[:0]
	if p.err == nil {
		return s.reshaped(), nil
	}
	j.kin.Begin()
	for _, b := range p.made {
		j.kin.AddBlock(b.block, b.objects)
	}
	_ = j.kin.Dispose() // those that refer to them are among them
	return s, p.err
}

func (p *spawning) spawn(r Recipe, n int, fill func(Batch)) {
	w := p.open(r.spec.fields)
	defer w.Close()
	show := func(w *walk.Walk) bool {
		p.show(batchOf(w, p.job), fill)
		return true
	}
	p.pool(r).SpawnMany(p.Arena, n, func(block uint32, x uint64, _ bool) {
		p.made = append(p.made, madeBlock{x, block})
		w.Collect(block, x, show)
		p.write()
	})
	w.Flush(show)
	p.write()
}

// show has a batch filled, unless a reference was refused before.
func (p *spawning) show(b Batch, fill func(Batch)) {
	if p.err == nil {
		defer p.take(b) // also if fill panics
		fill(b)
	}
}

// take takes the references of a batch out of its columns.
func (p *spawning) take(b Batch) {
	for l := range p.kin.All {
		f := l.Handle()
		if !b.walk.Asks(f.Spec()) {
			continue
		}
		for i, to := range Column(b, f) {
			if to != gameobject.Nobody {
				p.given = append(p.given, given{l, b.ID(i), to})
				Column(b, f)[i] = gameobject.Nobody
			}
		}
	}
}

// write writes the references that were taken.
func (p *spawning) write() {
	for i := range p.given {
		g := &p.given[i]
		if row, ok := g.relation.RowOf(g.from.Index()); ok && p.err == nil {
			p.err = p.refer(g.relation, g.from, row, g.to)
		}
	}
	p.given = p.given[:0]
}
