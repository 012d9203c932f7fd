package systems

import (
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// An Arena is a world as package systems/tool sees it: its bytes and managers, and operations that
// bypass the systems. Programs call package tool instead.
type Arena struct {
	*manager.Arena
	state State
}

// ArenaOf returns the arena of a world, for package systems/tool.
func ArenaOf(s State) Arena { return Arena{s.look().world.arena, s} }

// RecipeOf returns the kinds of a recipe and its first values, for package systems/tool. Of two
// values for one field the last one applies. Do not change them. It panics if r is the zero Recipe.
func RecipeOf(r Recipe) (kinds []Kind, values []layout.FieldValue) {
	s := r.declared()
	return s.kinds, s.values
}

// FieldsOf returns the fields that a query reads, including optional ones, and the fields that it
// writes, for package systems/tool. It panics if q is the zero Query.
func FieldsOf(q Query) (reads, writes []*layout.FieldSpec) {
	for f, mode := range q.declared().Fields {
		switch mode {
		case query.Write:
			writes = append(writes, f)
		case query.Read, query.Optional:
			reads = append(reads, f)
		}
	}
	return reads, writes
}

// Walking reports whether the structure must not change now: in a walk, or in a task.
func (a Arena) Walking() bool { return a.state.look().fixed() }

// Verify checks the managers, fixtures, names and relations.
func (a Arena) Verify() error {
	j := a.state.look()
	if err := a.Arena.Verify(); err != nil {
		return err
	}
	return j.world.verifyFixtures()
}

// Unapplied returns the number of commands that are recorded and not applied.
func (a Arena) Unapplied() int { return a.state.look().records.commands.Recorded() }

// Living returns nil if id names a live object. The error wraps [ErrDead] or [ErrOutOfRange].
func (a Arena) Living(id GameObject) error { return a.state.look().world.alive(id) }

// Mask sets dst to the numbers of the kinds and marks of an object. If it returns an error, which
// is that of [Arena.Living], dst is unchanged.
func (a Arena) Mask(dst *mask.Mask, id GameObject) error {
	if dst == nil {
		panic("flatecs: a nil *Mask cannot be filled; hand in the address of a mask.Mask")
	}
	if err := a.Living(id); err != nil {
		return err
	}
	dst.Clear()
	for w, x := range a.KindsNear(id.Index()) {
		for ; x != 0; x &= x - 1 {
			if n := w<<6 + bits.TrailingZeros64(x); a.Managers[n].Has(id.Index()) {
				dst.Set(n)
			}
		}
	}
	return nil
}

// OnObjects returns the number of kinds that objects can have. Managers from that index on hold
// data not attached to objects.
func (a Arena) OnObjects() int { return a.state.look().world.kinds.OnObjects }

// Rules returns a description of each watcher: its name, and its rules with the names of kinds.
// Unnamed watchers of equal rules have equal descriptions.
func (a Arena) Rules() []string { return calledIn(a.state.look()) }

func calledIn(j *job) []string {
	rules := make([]string, len(j.world.arena.Watchers))
	for i := range j.watchers {
		if w := &j.watchers[i]; w.Watcher != nil {
			rules[w.slot] = w.called
		}
	}
	return rules
}

// Names returns a hash of the names of the world's kinds, fields, watchers and recipes, in their
// order, and of the types of fields. The bytes of worlds with equal hashes have the same meaning.
func (a Arena) Names() (sum uint64) {
	j := a.state.look()
	add := func(text string) { sum = xxh3.HashStringSeed(text, sum) }
	sizes := a.Sizes()
	for _, k := range sizes.Kinds {
		add(k.Kind.Spec().Name)
		for _, f := range k.Kind.Spec().Fields {
			add(f.Name)
			for i := range f.Parts {
				p := &f.Parts[i]
				add(p.Name)
				add(p.Type)
				sum += uint64(p.Lanes)
			}
		}
	}
	for _, name := range sizes.Watchers {
		add(name)
	}
	for _, p := range j.world.pools.counted {
		add(p.Name)
	}
	return sum
}

// Renewed resets the world to its state after creation, except for the first keep(p) bytes of each
// part p. The error wraps [ErrWalking].
func (a Arena) Renewed(keep func(p *manager.Part) int) (State, error) {
	j := a.state.use()
	if keep == nil {
		panic("flatecs: Renewed with a nil function; pass one that returns 0 where nothing is kept")
	}
	if j.fixed() {
		return a.state, whileWalking(j)
	}
	j.world.arena.Empty(keep)
	j.arrive(0)
	j.records.commands.Empty()
	j.useFixtures(&j.world.fixtures.counts)
	return a.state.reshaped(), nil
}

// Derived rebuilds all derived parts from the truth. The error wraps [ErrWalking], or names the
// first inconsistency.
func (a Arena) Derived() (State, error) {
	j := a.state.use()
	if j.fixed() {
		return a.state, whileWalking(j)
	}
	j.arrive(0)
	if err := j.world.arena.Rebuild(); err != nil {
		return a.state, err
	}
	if err := j.world.verifyFixtures(); err != nil {
		return a.state, err
	}
	return a.state.reshaped(), nil
}

// Resimulate sets whether the next steps repeat earlier ones; see [Resimulating]. It panics in a
// task.
func (a Arena) Resimulate(on bool) State {
	j := a.state.use()
	j.mustBeOutside("whether the world resimulates is set in a task; set it outside")
	j.again = on
	return a.state.done()
}

// Freeze makes calls that write to the world panic, or with on false stops that. It invalidates s.
func Freeze(s State, on bool) State {
	if s.look().guard.readOnly = nil; on {
		s.job.guard.readOnly = snapshotOnly
	}
	return s.done()
}

// Written calls write, which writes rows of a kind in place, for packages of this layer; the debug
// check of [View] does not report it. It panics if the world does not have the kind, in a walk, and
// in a task.
func Written(s State, k Kind, write func(m *manager.Manager)) State {
	var others manager.Lent
	if s.job != nil {
		others = s.job.lent.TakeOthers(k.Spec())
	}
	j := s.use()
	j.mustBeStill()
	if write == nil {
		panic("flatecs: Written with a nil function; pass one that writes rows")
	}
	m := j.world.arena.Find(k.Spec())
	if m == nil {
		panic(j.world.kinds.Unknown(k.Spec()))
	}
	write(m)
	j.lent = others
	return s.done()
}

// Next invalidates s and returns the next State. Systems of this layer call it even if they changed
// nothing.
func Next(s State) State {
	s.look()
	return s.done()
}

// RowsFrom returns the row of object i of b in the columns of a kind, and the number of objects
// from i on whose rows are consecutive, for packages of this layer. It panics like [Batch.Row].
func RowsFrom(b Batch, i int, k Kind) (first Row, n int) { return b.open().RowsFrom(i, k) }

// Changing is [ArenaOf] for a change of structure by the managers, which ends with [Arena.Changed].
// It panics in a walk, and in a task.
func Changing(s State) Arena {
	j := s.use()
	j.mustBeStill()
	return Arena{j.world.arena, s}
}

// Changed returns the State after a change that began with [Changing].
func (a Arena) Changed() State {
	a.state.use()
	return a.state.reshaped()
}

// Name gives an object a name, or a suspended name. Call it between [Changing] and [Arena.Changed].
// It panics if the object is dead, or cannot get the name.
func (a Arena) Name(id GameObject, name []byte, suspended bool) {
	j := a.state.use()
	m, err := j.world.namesFor(id)
	if err == nil {
		err = names.Check(m, id, name)
	}
	if err != nil {
		panic(err.Error())
	}
	names.Set(m, j.world.arena.Find(names.Order.Spec()), id.Index(), name)
	if suspended {
		_ = m.Suspend(id.Index()) // it has it
	}
}
