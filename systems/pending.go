package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

// A pending change is one that is asked for object after object of a block, in their order. It is
// carried out for all of them at once, before the next call that is not of its like: until then
// only the registry knows of it. The bytes come out as if it had been carried out one by one.
type pending struct {
	change  change
	block   uint32
	objects uint64           // of the block, a bit each; none: nothing is pending
	pool    *pool            // of what is spawned
	manager *manager.Manager // of what is added or removed
}

type change uint8

const (
	spawning change = iota + 1
	disposing
	adding
	removing
)

// use returns the world, with nothing pending.
func (s State) use() *job {
	j := s.world()
	j.seen.check()
	if j.pending.objects != 0 {
		j.settle()
	}
	return j
}

// settle carries out what is pending.
//
//go:noinline
func (j *job) settle() {
	p := &j.pending
	x := p.objects
	if p.objects = 0; x&(x-1) == 0 {
		j.carryOut(p.block<<6 + uint32(bits.TrailingZeros64(x)))
		p.change = 0 // it was alone: so may be the next
		return
	}
	switch p.change {
	case spawning:
		p.pool.add(p.block, x)
	case disposing:
		j.strip(p.block, x)
	case adding:
		p.manager.AddBlock(p.block, x)
	case removing:
		p.manager.DropBlock(p.block, x)
	}
}

// carryOut carries the change out for one object.
func (j *job) carryOut(object uint32) {
	switch p := &j.pending; p.change {
	case spawning:
		for _, m := range p.pool.managers {
			_, _ = m.Add(object) // its row is kept
		}
		p.pool.fill(object>>6, 1<<(object&63))
	case disposing:
		for m := range j.Among(object >> 6) {
			m.Drop(object)
		}
	case adding:
		_, _ = p.manager.Add(object) // at home
	case removing:
		p.manager.Drop(object)
	}
}

// joins reports whether a change of an object goes on with what is pending, or was done last.
func (p *pending) joins(c change, m *manager.Manager, object uint32) bool {
	return p.change == c && p.manager == m && p.block == object>>6 &&
		p.objects < 1<<(object&63)
}

// begin makes a change of the objects of a block the one that is pending, of no object yet.
func (j *job) begin(c change, p *pool, m *manager.Manager, block uint32) {
	if j.pending.objects != 0 {
		j.settle()
	}
	q := &j.pending
	q.change, q.block, q.pool, q.manager = c, block, p, m
}

// spawnAtHome is Spawn for a pool whose next object has rows that are kept for it.
func (j *job) spawnAtHome(p *pool) (id GameObject, ok bool) {
	i, ok := j.Objects.Lead(p.number)
	if !ok || j.fixed() {
		return gameobject.Nobody, false
	}
	if q := &j.pending; q.objects == 0 || q.pool != p || !q.joins(spawning, nil, i) {
		if j.begin(spawning, p, nil, i>>6); !p.kept(i>>6, ^j.Objects.Words()[i>>6]) {
			return gameobject.Nobody, false
		}
	}
	j.pending.objects |= 1 << (i & 63)
	return j.Objects.Revive(p.number, i), true
}

// create creates an object, whose index may be that of one whose disposal is pending.
func (j *job) create() (GameObject, error) {
	if j.pending.objects != 0 && j.pending.change == disposing {
		j.settle()
	}
	id, err := j.Objects.Create()
	if err != nil {
		return gameobject.Nobody, j.Refuse(err, id)
	}
	return id, nil
}

// dispose disposes an object and all that it has. The first of several is stripped at once, and so
// is the first that gets a component, or loses it: most are alone.
func (j *job) dispose(object uint32) {
	if p := &j.pending; p.joins(disposing, nil, object) {
		p.objects |= 1 << (object & 63)
	} else {
		j.begin(disposing, nil, nil, object>>6)
		j.carryOut(object)
	}
	j.Objects.Dispose(object)
}

// add gives an object a component.
func (j *job) add(m *manager.Manager, object uint32) (Row, error) {
	if j.pending.joins(adding, m, object) {
		if row, ok := m.Home(object); ok {
			j.pending.objects |= 1 << (object & 63)
			return row, nil
		}
	}
	j.begin(adding, nil, m, object>>6)
	return m.Add(object)
}

// remove takes an object's component.
func (j *job) remove(m *manager.Manager, object uint32) error {
	if j.pending.joins(removing, m, object) && m.Has(object) {
		j.pending.objects |= 1 << (object & 63)
		return nil
	}
	j.begin(removing, nil, m, object>>6)
	return m.Remove(object)
}

// add gives the objects x of a block all that the recipe says. There is room.
func (p *pool) add(block uint32, x uint64) {
	for _, m := range p.managers {
		m.AddBlock(block, x)
	}
	p.fill(block, x)
}

// kept reports whether rows are kept for the objects x of a block, wherever they need any.
func (p *pool) kept(block uint32, x uint64) bool {
	for _, m := range p.managers {
		if !m.Kept(block, x) {
			return false
		}
	}
	return true
}

// strip takes all that the objects x of a block have. It asks only the managers of kinds that some
// object of the block has.
func (j *job) strip(block uint32, x uint64) {
	for m := range j.Among(block) {
		m.DisposeBlock(block, x)
	}
}
