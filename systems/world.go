package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A world is a view of a world's bytes, with the data derived from it once. Tasks have a copy.
type world struct {
	arena    *manager.Arena
	kinds    kind.Table
	pools    pools
	plans    *query.Plans
	kin      *kin.World // nil: no relations
	orders   *index.World
	fixtures *fixtures
	recorded *command.Buffer // of the whole
}

// resolve finds the world's relations, and the kinds of its recipes.
func (w *world) resolve() (err error) {
	if w.kin, err = kin.New(w.arena); err != nil {
		return err
	}
	w.kinds.Relations = w.kin
	for i, r := range w.fixtures.counts.Recipes {
		spec := r.declared()
		p, err := structure.NewPool(w.arena, i, spec.name, spec.kinds, spec.values)
		if err != nil {
			return placed("recipe "+spec.name, err, "")
		}
		w.pools.numbered = kind.Grow(w.pools.numbered, spec.number)
		w.pools.numbered[spec.number] = p
		w.pools.counted = append(w.pools.counted, p)
	}
	return nil
}

// alive returns nil if id names a live object.
func (w *world) alive(id gameobject.ID) error {
	if w.arena.Objects.Alive(id) {
		return nil
	}
	return w.refuse(id)
}

//go:noinline
func (w *world) refuse(id gameobject.ID) error {
	err := manager.RefuseID(w.arena, w.arena.Objects.Check(id), id)
	if statesChecked && id.Recorded() && id.Origin() != gameobject.Members { // a release is small
		return &placedError{prefix + fateOf(w.recorded, id), err}
	}
	return err
}

// component returns the manager of a kind. id must be alive.
func (w *world) component(id GameObject, k *layout.KindSpec) (*manager.Manager, error) {
	if !w.arena.Objects.Alive(id) {
		return nil, w.refuse(id)
	}
	m := w.arena.Find(k)
	if m == nil {
		return nil, kind.Missing(k, id)
	}
	return m, nil
}

// startLists takes the row of free runs of foreign lists into use. It is on no object, although its
// kind is one of the kinds of objects.
func (w *world) startLists() {
	for i := range w.arena.Managers[:w.kinds.OnObjects] {
		if m := &w.arena.Managers[i]; m.Kind.Of != nil && m.Kind.Of.List.Free == m.Kind {
			_, _ = m.Create() // there is room
		}
	}
}

// always returns the managers whose rows are always in use: the fixtures, except the last values of
// watchers.
func (w *world) always() []manager.Manager {
	end := w.kinds.OnObjects + w.fixtures.resources
	return w.arena.Managers[w.kinds.OnObjects : end+2*len(w.fixtures.counts.Events)]
}

// CreateState allocates a world and sets its columns to the defaults. The error wraps [ErrCount],
// [ErrKinds], [ErrKindTwice], [ErrNoKind], or [ErrMemory].
func CreateState(c Counts) (State, error) {
	return watched(c.create(manager.NewArena, (*job).useFixtures))
}

// create returns a world over an arena, with its fixtures.
func (c Counts) create(
	reserve func(manager.Sizes) (*manager.Arena, error), fixtures func(*job, *Counts),
) (State, error) {
	c = c.Complete()
	sizes, err := c.sizes()
	if err != nil {
		return State{}, err
	}
	arena, err := reserve(sizes)
	if err != nil {
		return State{}, err
	}
	if c.Committed > 0 {
		manager.CommitFor(arena, c.Committed)
	}
	j := newJob(arena)
	fixtures(j, &c)
	if err := j.equip(&c); err != nil {
		j.world.kin.Free()
		arena.Free()
		return State{}, err
	}
	return newState(j), nil
}

// watched starts the comparison of the world of s with its stamps, under -tags ecsdebug.
func watched(s State, err error) (State, error) {
	if err == nil {
		s.job.past.Watch(s.job.world.arena)
	}
	return s, err
}

// Close releases the memory of a world. Do not use its States, columns and bytes afterwards: in a
// world of more than 4 MB, reading them crashes the program, or shows another world's data. On
// Linux, except with -tags ecsdebug, Close keeps the zeroed memory of at most 16 worlds, 64 MB in
// all, for new worlds of the same size. It panics while a walk is open.
func Close(s State) {
	if s.job != nil {
		s.job.lent = manager.Lent{}                   // no longer relevant
		if s.job.guard.readOnly == any(ErrReadOnly) { // Snapshot.Close closes the others
			s.look().guard.readOnly = nil
		}
	}
	j := s.use()
	j.mustBeStill()
	j.end()
}

// Discard closes a world as [Recovered] and [Close] would, without checking the bytes. It does
// nothing for the zero State and for a closed world. It panics for the State of a snapshot.
func Discard(s State) {
	switch {
	case s.job == nil || s.job.guard.Turn == ended:
		return
	case s.job.guard.readOnly != nil:
		panic("flatecs: the State of a snapshot cannot be discarded; close the snapshot")
	}
	s.job.lent = manager.Lent{}
	s.job.walks.Abandon()
	s.job.end()
}

// Used returns how many bytes of memory the world takes at most: the rows of counted kinds, and
// everything ever used, in whole pages of 4 KB. A copy takes as much. The rest of its [Bytes] are
// reserved addresses only.
func Used(s State) int { return s.look().world.arena.Resident() }

// Bytes returns the bytes of the world, in place, for reading. Equal worlds may differ in unused
// bytes: compare by [Equal].
func Bytes(s State) []byte { return s.look().world.arena.Bytes }

// CountsOf returns the counts that s was created with.
func CountsOf(s State) Counts {
	j := s.look()
	c := j.world.fixtures.counts.Clone()
	if m := j.world.arena.Find(randomness.kind.Spec()); m != nil {
		c.Random, c.Seed = true, *inRow(m, randomSeed, 0) // SetSeed or a save may have changed it
	}
	return c
}

// Tick returns the number of the current step, which is 1 in a new world. Writes are stamped with
// it.
func Tick(s State) uint64 { return *s.look().world.arena.Tick }

// Advance starts the next step. [Query.Since] with the tick of a step finds writes after that step.
func Advance(s State) State {
	j := s.use()
	j.mustBeOutside("the next step is begun in a task; begin it before the tasks or after them")
	*j.world.arena.Tick = min(*j.world.arena.Tick+1, MaxTick)
	if manager.LendsWatched {
		j.world.arena.CheckFreed()
		compare(j)
	}
	return s.done()
}

// Resimulating reports whether the current step repeats an earlier one with corrected inputs; see
// package systems/tool. Leave out effects that cannot be undone, such as sounds and particles, but
// do not let it affect the world itself. A task sees the value of its world.
func Resimulating(s State) bool { return s.look().root().again }

// Must returns value, or panics with an error that wraps err. Use it at the start of a program, and
// for calls that cannot fail with the world's counts:
//
//	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Position, Velocity)}))
func Must[T any](value T, err error) T {
	if err != nil {
		failed(err)
	}
	return value
}

// failed panics with the error of [Must]. It is separate so that Must is inlined.
func failed(err error) {
	panic(placed("Must", err, "; where that can happen, take the error instead"))
}

// Must2 is [Must] for a call that also returns an id or a row:
//
//	state, id := world.Must2(world.Spawn(state, boat))
func Must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		failed(err)
	}
	return a, b
}

// verifyFixtures checks the fixtures, names and relations of a world's bytes.
func (w *world) verifyFixtures() error {
	for i := range w.always() {
		if m := &w.always()[i]; m.Live() != m.Rows.Cap() || m.Mounted() != 0 {
			return fmt.Errorf("flatecs: %s: %d rows in use and %d on objects, of %d; "+
				"give the same count as before", m.Kind.Name, m.Live(), m.Mounted(), m.Rows.Cap())
		}
	}
	if m := w.arena.Find(NameKind.Spec()); m != nil {
		if err := names.Verify(m); err != nil {
			return err
		}
	}
	return w.kin.Verify(w.recorded.Births.Keeps)
}

// CreateStateIn is [CreateState] in the bytes b, which must be zeroed, aligned to 64 bytes, and as
// many as a world of the counts takes. The world uses b until [Close], which does not change it.
// The error may also wrap [ErrBytes], or say that a kind holds Go values.
func CreateStateIn(c Counts, b []byte) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	in := func(sizes manager.Sizes) (*manager.Arena, error) { return manager.ArenaIn(sizes, b) }
	return watched(c.create(in, (*job).useFixtures))
}

// StateOver returns a world in place over b, the bytes of a world of the same counts. It writes
// nothing, and checks only the number of bytes. If readOnly is true, calls that write panic with an
// error that wraps [ErrReadOnly]. It returns the errors of [CreateStateIn].
func StateOver(c Counts, b []byte, readOnly bool) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	over := func(sizes manager.Sizes) (*manager.Arena, error) {
		for i := range sizes.Kinds { // foreign kinds, which were read from the bytes
			k := sizes.Kinds[i].Kind.Spec()
			if k != nil && k.Place > 0 && k.Name == GlobalKind.Spec().Name {
				sizes.Keyed = k
			}
		}
		return manager.ArenaOver(sizes, b)
	}
	s, err := c.create(over, (*job).findFixtures)
	if err == nil && readOnly {
		s.job.records.commands = s.job.records.commands.Frozen(borrowedOnly)
		s.job.guard.readOnly = ErrReadOnly
	}
	return s, err
}

// Unwritten returns a world whose memory is only reserved, to look at the parts of its bytes. Do
// nothing else with it, except [Close] it. It returns the errors of [CreateState].
func Unwritten(c Counts) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	s, err := c.create(manager.Unwritten, (*job).findFixtures)
	if err == nil {
		s.job.guard.readOnly = ErrReadOnly
	}
	return s, err
}

// Anew returns a new State of a read-only world after another program changed its bytes, and
// invalidates earlier States. For other worlds, and for the State of a snapshot, it returns s.
func Anew(s State) State {
	j := s.look()
	if j.guard.readOnly != any(ErrReadOnly) {
		return s
	}
	j.arrive(0)
	return s.reshaped()
}
