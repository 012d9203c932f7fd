package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// disposeSeveral is [Dispose] for several objects.
func disposeSeveral(s State, ids []GameObject) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	for _, id := range ids {
		if err := j.world.alive(id); err != nil {
			return s, err
		}
	}
	for _, id := range ids {
		if j.world.kin.Targeted(id.Index()) {
			j.world.kin.Begin()
			for _, id := range ids {
				j.world.kin.Add(id.Index(), 0)
			}
			return disposeReferred(s)
		}
	}
	t := structure.Streak{Leaving: j.world.recorded.Leaving}
	for _, id := range ids {
		if j.world.arena.Objects.Alive(id) { // it is no more if it was given twice
			t.Dispose(j.world.arena, id.Index())
		}
	}
	t.CarryOut(j.world.arena)
	j.world.recorded.Leaving = t.Leaving
	return s.reshaped(), nil
}

// disposeReferred disposes the added objects, all or none, and applies the policies of the
// relations by which other objects refer to them.
func disposeReferred(s State) (State, error) {
	if err := s.use().world.kin.Dispose(); err != nil {
		return s, err
	}
	return s.reshaped(), nil
}

// DisposeAll disposes every object that matches a query, or none if one is refused. The error wraps
// [ErrReferred] or [ErrWalking].
func (q Query) DisposeAll(s State) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	p := j.planOf(q)
	for k := range j.walks.Blocks() {
		if x := j.world.kin.TargetedIn(k); x != 0 && x&p.Match.Block(k) != 0 {
			j.world.kin.Begin()
			for k := range j.walks.Blocks() {
				j.world.kin.AddBlock(k, p.Match.Block(k))
			}
			return disposeReferred(s)
		}
	}
	for k := range j.walks.Blocks() {
		structure.DisposeBlock(j.world.arena, k, p.Match.Block(k))
	}
	return s.reshaped(), nil
}

// AddAll adds a component of a kind, or a mark, to every object that matches a query. If one of the
// objects has the kind already, or there is not enough room, it adds none. The error wraps
// [ErrTwice], [ErrFull], [ErrNoKind] or [ErrWalking].
func (q Query) AddAll(s State, k layout.AnyKind) (State, error) {
	j := s.use()
	m, err := j.forMany(k)
	if err != nil {
		return s, err
	}
	p, n := j.planOf(q), 0
	for b := range j.walks.Blocks() {
		x := p.Match.Block(b)
		n += bits.OnesCount64(x &^ m.Blocks.Holds(b))
		if twice := x & m.Blocks.Present(b); twice != 0 {
			id := j.world.arena.Objects.At(b<<6 + uint32(bits.TrailingZeros64(twice)))
			return s, &Error{Err: ErrTwice, Kind: m.Kind.Name, ID: id, Count: m.Rows.Cap()}
		}
	}
	if err := manager.CheckRoom(n, m); err != nil {
		return s, err
	}
	for b := range j.walks.Blocks() {
		if x := p.Match.Block(b) &^ m.Blocks.Present(b); x != 0 {
			m.AddBlock(b, x)
			j.world.kin.Follow(m, b, x, true)
		}
	}
	return s.reshaped(), nil
}

// RemoveAll removes a kind or mark from every object that matches a query and has it. The error
// wraps [ErrNoKind] or [ErrWalking].
func (q Query) RemoveAll(s State, k layout.AnyKind) (State, error) {
	j := s.use()
	m, err := j.forMany(k)
	if err != nil {
		return s, err
	}
	p := j.planOf(q)
	for b := range j.walks.Blocks() {
		if x := p.Match.Block(b) & m.Blocks.Present(b); x != 0 {
			m.DropBlock(b, x)
			j.world.kin.Follow(m, b, x, false)
		}
	}
	return s.reshaped(), nil
}

// forMany returns the manager of a kind, for a change of many objects.
func (j *job) forMany(k layout.AnyKind) (*manager.Manager, error) {
	if j.fixed() {
		return nil, whileWalking(j)
	}
	m := j.world.arena.Find(specOf(k))
	if m == nil || m.Kind.Beside != "" {
		return nil, kind.Missing(specOf(k), gameobject.Nobody)
	}
	return m, nil
}
