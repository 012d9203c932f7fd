package systems

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
)

const noSnapshot = "flatecs: this Snapshot is nil, closed, or was not made; make one by " +
	"NewSnapshot"

// ErrEmpty is the error for a snapshot that was never taken.
var ErrEmpty = errors.New("the snapshot is empty")

// A Snapshot holds one state of a world: every component and id, free lists, watchers, ticks, the
// random state, and recorded commands. [Snapshot.Take] and [Restore] copy the used bytes of the
// world without allocating. If snapshot and world were equal before, they copy only rows written
// since, by their ticks: in a world that never calls [Advance] they copy everything. Until
// [Snapshot.Close], a snapshot takes as much memory as the world used, not its capacity. A Snapshot
// belongs to one goroutine.
type Snapshot struct {
	arena    *manager.Arena
	commands command.Buffer
	fixtures fixtures // of the world for which it was created
	watchers watches
	view     *job // of arena; created by State
	taken    bool
	base     manager.Base
}

// NewSnapshot returns an empty snapshot for the world of s, and for every world with the same
// counts. The error wraps [ErrMemory].
func NewSnapshot(s State) (*Snapshot, error) { return newSnapshot(s, (*manager.Arena).Alike) }

// NewSnapshotIn is [NewSnapshot] in the bytes b, for which the rules of [CreateStateIn] hold.
// Recorded commands are outside b. [Snapshot.Close] does not change b.
func NewSnapshotIn(s State, b []byte) (*Snapshot, error) {
	if err := s.look().world.fixtures.counts.flat(); err != nil {
		return nil, err
	}
	return newSnapshot(s, func(a *manager.Arena) (*manager.Arena, error) { return a.AlikeIn(b) })
}

func newSnapshot(
	s State, reserve func(*manager.Arena) (*manager.Arena, error),
) (*Snapshot, error) {
	j := s.look()
	arena, err := reserve(j.world.arena)
	if err != nil {
		return nil, err
	}
	j.past.Ready()
	p := &Snapshot{arena: arena, fixtures: *j.world.fixtures, watchers: j.watchers}
	if p.commands, err = command.New(j.records.commands.Room()); err != nil {
		arena.Free()
		return nil, err
	}
	return p, nil
}

// Close releases the memory of p. States that [Snapshot.State] returned, and columns of them, must
// not be used afterwards. Closing twice is allowed. It panics if p is nil.
func (p *Snapshot) Close() {
	switch {
	case p == nil:
		panic(noSnapshot)
	case p.arena == nil:
		return
	case p.view != nil:
		p.view.end()
	default:
		p.arena.Free()
	}
	*p = Snapshot{}
}

// Take makes p equal to s and invalidates the States that [Snapshot.State] returned. If the two
// were equal before, it copies the rows stamped since. It misses writes through a [View], or
// through a pointer of [Edit] from an earlier tick, unless Touch of package tool stamped them;
// builds with -tags ecsdebug detect such writes. Values of a [layout.Values] kind are copied; the
// data that they point to are shared. The error wraps [ErrWalking], or [ErrOther] if p was made for
// another world; then p is unchanged.
func (p *Snapshot) Take(s State) error {
	j := s.look()
	p.mustBeOpen()
	switch {
	case j.fixed():
		return whileWalking(j)
	case !j.world.like(p.arena, &p.fixtures.counts):
		return fmt.Errorf("flatecs: snapshot: %w; make one of this world by NewSnapshot", ErrOther)
	}
	since := j.past.Since(p.base, *j.world.arena.Tick, *p.arena.Tick)
	j.past.CheckStamps(j.world.arena, p.arena, since)
	p.arena.CopyFrom(j.world.arena, since)
	manager.CheckCopy(j.world.arena, p.arena)
	p.base = j.past.Now(*j.world.arena.Tick)
	p.commands.CopyFrom(&j.records.commands)
	if p.taken = true; p.view != nil {
		p.view.guard.Turn++ // invalidates the States that State returned
		p.view.arrive(since)
	}
	return nil
}

// like reports whether a world and another arena of given counts can be copied to each other.
func (w *world) like(a *manager.Arena, c *Counts) bool {
	return w.arena.Like(a) && slices.Equal(w.fixtures.counts.Recipes, c.Recipes)
}

// Restore makes the world equal to p. From there, the same calls lead to the same bytes and ids as
// before. Listeners stay registered. A snapshot may be restored any number of times, also in
// another world of the same counts. The error wraps [ErrWalking], [ErrEmpty], or [ErrOther]; then
// the world is unchanged.
func Restore(s State, p *Snapshot) (State, error) {
	j := s.use()
	switch {
	case j.fixed():
		return s, whileWalking(j)
	case !p.mustBeOpen().taken:
		return s, fmt.Errorf("flatecs: restore: %w; take it first", ErrEmpty)
	case !j.world.like(p.arena, &p.fixtures.counts):
		return s, fmt.Errorf("flatecs: restore: %w; restore one that was taken of such a world",
			ErrOther)
	}
	since := j.past.Since(p.base, *j.world.arena.Tick, *p.arena.Tick)
	j.past.CheckStamps(j.world.arena, p.arena, since)
	j.world.arena.CopyFrom(p.arena, since)
	manager.CheckCopy(j.world.arena, p.arena)
	j.arrive(since)
	p.base = j.past.Now(*j.world.arena.Tick)
	j.records.commands.CopyFrom(&p.commands)
	return s.reshaped(), nil
}

// State returns the contents of p as a read-only world, for walks without Write, [Get], [Digest],
// [Equal] and the like. It is valid until p is taken again or closed; do not change or close it.
// The first call allocates. It panics if p is empty.
func (p *Snapshot) State() State {
	if !p.mustBeOpen().taken {
		panic("flatecs: this snapshot is empty; take it first")
	}
	if p.view == nil {
		j := newJob(p.arena)
		j.findFixtures(&p.fixtures.counts)
		j.watchers = p.watchers.in(p.arena)
		if err := j.world.resolve(); err != nil {
			panic(placed("Snapshot.State", err, ""))
		}
		j.guard.readOnly = snapshotOnly
		p.view = j
	}
	p.view.records.commands = p.commands.Frozen(snapshotOnly)
	return newState(p.view)
}

// Digest is [Digest] of the contents of p. It does not allocate.
func (p *Snapshot) Digest() uint64 { return p.mustBeOpen().arena.Digest() }

// Digest returns a hash of everything that decides the world's future. Worlds with equal digests
// are equal, and develop equally, up to a chance of 2⁻⁶⁴. The digest is the same on every machine.
// Worlds with different counts may have different digests; see [Resized]. It does not include
// recorded commands. For [layout.Values] kinds it includes the ticks of writes, not the values.
func Digest(s State) uint64 { return s.look().world.arena.Digest() }

// Equal reports whether two worlds of the same counts are equal, byte by byte, in everything that
// [Digest] includes. Worlds with different counts are not equal.
func Equal(a, b State) bool {
	x, y := a.look(), b.look()
	return x.world.arena.Like(y.world.arena) && x.world.arena.Equal(y.world.arena)
}

// Resized returns a copy of the world with other counts; s is unchanged. Every object keeps its id
// and every component its row. The lists of c may be longer, and in any order: a new watcher has
// seen no objects, and a new reader begins at the end of its events. A ring of another size keeps
// the newest events, and the others count as missed. The error wraps [ErrFull] or [ErrTooMany] if
// something in use has no room, and [ErrOther] if c lacks a kind that is in use or that recorded
// commands name, a recipe, a watcher, events, or a reader with unread events, or has another
// Counts.InOrder. Resized also returns the errors of [CreateState]. Resized copies recorded
// commands. Random numbers continue as in s; c.Seed is ignored.
//
// [Digest] changes if c has other kinds or room for more objects, because ids are reserved in
// blocks of 64. Players who compare digests must use the same counts.
func Resized(s State, c Counts) (State, error) {
	from := s.look()
	if from.fixed() {
		return State{}, whileWalking(from)
	}
	c.Random = c.Random || CountsOf(s).Random
	s, err := CreateState(c)
	if err != nil {
		return State{}, err
	}
	to := s.use()
	recipes, err := placesIn(to, from)
	if err == nil {
		apart := otherRings(to.world.fixtures, from.world.fixtures)
		err = lacking(&from.world, to.world.arena.Adopt(from.world.arena, recipes, apart))
	}
	to.arrive(0)
	if err == nil {
		adoptEvents(to.world.fixtures, from.world.fixtures)
		err = cmp.Or(to.records.adopt(from, recipes), to.world.verifyFixtures())
	}
	if err != nil {
		Close(s)
		return State{}, err
	}
	return s, nil
}

// lacking names the count that is too low for a copy, in which ids and rows stay the same.
func lacking(from *world, err error) error {
	refused, _ := errors.AsType[*manager.Error](err)
	if refused == nil {
		return err
	}
	objects := from.arena.Objects
	count, live, high := "Counts.GameObjects", objects.Live(), int(objects.Count.High)
	for i := range from.arena.Managers {
		m := &from.arena.Managers[i]
		if m.Kind.Name == refused.Kind && !errors.Is(err, ErrTooMany) {
			count, live, high = countOf(m.Kind, i < from.kinds.OnObjects), m.Live(), m.Rows.High()
		}
	}
	if errors.Is(err, ErrNoKind) {
		return fmt.Errorf("flatecs: resize: %s: %d in use, and the new world has none: %w Add %s",
			layout.Quoted(refused.Kind), live, refused.Err, count)
	}
	return fmt.Errorf("flatecs: resize: %s: %d in use, among the first %d, keep their numbers, "+
		"and there is room for %d: %[6]w Raise %[5]s to %[3]d or more", layout.Quoted(refused.Kind),
		live, high, refused.Count, count, refused.Err)
}

// countOf names the count of a kind.
func countOf(k *layout.KindSpec, onObjects bool) string {
	switch {
	case k.Of != nil:
		return "the elements in the Count of " + layout.Quoted(k.Of.Kind.Name)
	case !onObjects:
		return "it to Counts.Resources"
	}
	apart := map[string]string{"name": "Counts.Names", "global": "Counts.Globals"}
	return cmp.Or(apart[k.Name], "its Count in Counts.Kinds")
}

// adopt copies the recorded commands of a world whose kinds and recipes may be in another order.
// The error wraps [ErrOther] if commands name a kind that r lacks.
func (r *records) adopt(from *job, recipes []uint16) error {
	r.commands.CopyFrom(&from.records.commands)
	place := func(of int) int { return r.kinds.Arena.Slot(from.world.arena.Managers[of].Kind) }
	if lacking := r.commands.Resettle(place, recipes); lacking >= 0 {
		k := from.world.arena.Managers[lacking].Kind
		return fmt.Errorf("flatecs: resize: %w: recorded commands name %s: %w Apply them before, "+
			"or name it in Counts.Kinds", ErrOther, k.Handle(), ErrNoKind)
	}
	return nil
}

// placesIn returns the number, plus 1, of each recipe of another world in this one. The error wraps
// [ErrOther] if the counts lack a recipe, a watcher, events, or a reader with unread events.
func placesIn(j, from *job) (recipes []uint16, err error) {
	refuse := func(format string, args ...any) {
		err = fmt.Errorf("flatecs: resize: %w: %s", ErrOther, fmt.Sprintf(format, args...))
	}
	for _, r := range from.world.fixtures.counts.Recipes {
		same := func(o Recipe) bool { return o.String() == r.String() }
		i := slices.IndexFunc(j.world.fixtures.counts.Recipes, same)
		if recipes = append(recipes, uint16(i+1)); i < 0 {
			refuse("Counts.Recipes lacks %s; add it", layout.Quoted(r.String()))
		}
	}
	has, had := timesOf(calledIn(j)), timesOf(calledIn(from))
	for _, name := range calledIn(from) {
		switch {
		case has[name] == 0:
			refuse("Counts.Watchers lacks the watcher of %s; add it", name)
		case has[name] != had[name]:
			refuse("%d watchers of %s have no name, and Counts.Watchers has %d of them; give each "+
				"a name by Watcher.Named", had[name], name, has[name])
		}
	}
	for _, e := range from.world.fixtures.counts.Events {
		to := j.world.fixtures.eventCount(e.events)
		if to == nil {
			refuse("Counts.Events lacks %s; add its Count", layout.Quoted(e.events.String()))
			continue
		}
		for _, r := range e.readers {
			left, missed := from.world.fixtures.readers[r.spec.number].Unread()
			_, reads := to.cursors.read[r.spec.name]
			if n := left.Len() + missed; n > 0 && !reads {
				refuse("%d events of %s are not read by %s, which Counts.Events lacks; receive "+
					"them, or add the reader", n, layout.Quoted(e.events.String()),
					layout.Quoted(r.spec.name))
			}
		}
	}
	if j.world.arena.Objects.Count.InOrder != from.world.arena.Objects.Count.InOrder {
		refuse("Counts.InOrder; give the same")
	}
	return recipes, err
}

// timesOf returns the number of occurrences of each text in a list.
func timesOf(list []string) map[string]int {
	n := map[string]int{}
	for _, text := range list {
		n[text]++
	}
	return n
}

// mustBeOpen returns p. It panics if p is nil, closed, or was not created by NewSnapshot.
func (p *Snapshot) mustBeOpen() *Snapshot {
	if p == nil || p.arena == nil {
		panic(noSnapshot)
	}
	return p
}

// Clone returns a copy of the world and of its recorded commands; s is unchanged. Both worlds share
// the data that values of a [layout.Values] kind point to. The error wraps [ErrMemory] or
// [ErrWalking].
func Clone(s State) (State, error) { return clone(s, (*manager.Arena).Alike) }

// CloneIn is [Clone] in the bytes b, for which the rules of [CreateStateIn] hold.
func CloneIn(s State, b []byte) (State, error) {
	if err := s.look().world.fixtures.counts.flat(); err != nil {
		return State{}, err
	}
	return clone(s, func(a *manager.Arena) (*manager.Arena, error) { return a.AlikeIn(b) })
}

func clone(s State, reserve func(*manager.Arena) (*manager.Arena, error)) (State, error) {
	from := s.look()
	if from.fixed() {
		return State{}, whileWalking(from)
	}
	arena, err := from.world.arena.Clone(reserve)
	if err != nil {
		return State{}, err
	}
	j := newJob(arena)
	j.findFixtures(&from.world.fixtures.counts)
	j.watchers = from.watchers.in(arena)
	j.arrive(0)
	j.records.commands.CopyFrom(&from.records.commands)
	if err = j.prepare(); err != nil {
		j.world.kin.Free()
		arena.Free()
		return State{}, err
	}
	return watched(newState(j), nil)
}

// RestoreFrom makes the world equal to another one, like [Restore]. It only reads from: several
// goroutines may restore their worlds from one world at once. The error wraps [ErrWalking], of
// either world, or [ErrOther]; then the world is unchanged.
func RestoreFrom(s, from State) (State, error) {
	j, f := s.use(), from.look()
	switch {
	case j.fixed():
		return s, whileWalking(j)
	case f.fixed():
		return s, whileWalking(f)
	case !j.world.like(f.world.arena, &f.world.fixtures.counts):
		return s, fmt.Errorf("flatecs: restore: %w; restore from such a world", ErrOther)
	}
	j.world.arena.CopyFrom(f.world.arena, 0)
	manager.CheckCopy(j.world.arena, f.world.arena)
	j.arrive(0)
	j.records.commands.CopyFrom(&f.records.commands)
	return s.reshaped(), nil
}
