package systems

import (
	"fmt"
	"runtime"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Tools are the basis of package systems/tool: a world's arena, and operations that bypass the
// systems. Programs call package tool instead.
type Tools struct {
	Arena *manager.Arena
	state State
}

// ToolsOf returns the tools for a world.
func ToolsOf(s State) Tools { return Tools{s.look().world.arena, s} }

// ArenaOf returns the arena of a world: its bytes and managers.
func ArenaOf(s State) *manager.Arena { return s.look().world.arena }

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
func (t Tools) Walking() bool { return t.state.look().fixed() }

// Verify checks the managers, fixtures, names and relations. A step may trust data that another
// step checks, so it reports an index outside of the bytes as an error, too.
func (t Tools) Verify() (err error) {
	j := t.state.look()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("flatecs: the world's bytes lead outside of them: %w", p)
		default:
			panic(p)
		}
	}()
	if err := t.Arena.Verify(); err != nil {
		return err
	}
	return j.world.verifyFixtures()
}

// Unapplied returns the number of commands that are recorded and not applied.
func (t Tools) Unapplied() int { return t.state.look().records.commands.Recorded() }

// Living returns nil if id names a live object. The error wraps [ErrDead] or [ErrOutOfRange].
func (t Tools) Living(id GameObject) error { return t.state.look().world.alive(id) }

// OnObjects returns the number of kinds that objects can have. Managers from that index on hold
// data not attached to objects.
func (t Tools) OnObjects() int { return t.state.look().world.kinds.OnObjects }

// Rules returns a description of each watcher: its name, and its rules with the names of kinds.
// Unnamed watchers of equal rules have equal descriptions.
func (t Tools) Rules() []string { return calledIn(t.state.look()) }

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
func (t Tools) Names() (sum uint64) {
	j := t.state.look()
	add := func(text string) { sum = xxh3.HashStringSeed(text, sum) }
	sizes := t.Arena.Sizes()
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
func (t Tools) Renewed(keep func(p *manager.Part) int) (State, error) {
	j := t.state.use()
	if keep == nil {
		panic("flatecs: Renewed with a nil function; pass one that returns 0 where nothing is kept")
	}
	if j.fixed() {
		return t.state, whileWalking(j)
	}
	j.world.arena.Empty(keep)
	j.arrive(0)
	j.records.commands.Empty()
	j.useFixtures(&j.world.fixtures.counts)
	return t.state.reshaped(), nil
}

// Derived rebuilds all derived parts from the truth. The error wraps [ErrWalking], or names the
// first inconsistency.
func (t Tools) Derived() (State, error) {
	j := t.state.use()
	if j.fixed() {
		return t.state, whileWalking(j)
	}
	j.arrive(0)
	if err := j.world.arena.Rebuild(); err != nil {
		return t.state, err
	}
	if err := j.world.verifyFixtures(); err != nil {
		return t.state, err
	}
	return t.state.reshaped(), nil
}

// Resimulate sets whether the next steps repeat earlier ones; see [Resimulating]. It panics in a
// task.
func (t Tools) Resimulate(on bool) State {
	j := t.state.use()
	j.mustBeOutside("whether the world resimulates is set in a task; set it outside")
	j.again = on
	return t.state.done()
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

// Changing is [ToolsOf] for a change of structure by the managers, which ends with [Tools.Changed].
// It panics in a walk, and in a task.
func Changing(s State) Tools {
	j := s.use()
	j.mustBeStill()
	return Tools{j.world.arena, s}
}

// Changed returns the State after a change that began with [Changing].
func (t Tools) Changed() State {
	t.state.use()
	return t.state.reshaped()
}

// Name gives an object a name, or a suspended name. Call it between [Changing] and [Tools.Changed].
// It panics if the object is dead, or cannot get the name.
func (t Tools) Name(id GameObject, name []byte, suspended bool) {
	j := t.state.use()
	m, err := j.world.namesFor(id)
	if err == nil {
		err = names.Check(m, id, name)
	}
	if err != nil {
		panic(err.Error())
	}
	names.Set(m, j.world.arena.Find(names.Order.Spec()), id.Index(), name)
	if suspended {
		_ = m.Suspend(id.Index()) // the object has it
	}
}
