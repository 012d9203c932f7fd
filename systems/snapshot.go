package systems

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/past"
	"github.com/flatecs/flatecs/systems/internal/seen"
)

const noSnapshot = "systems: this Snapshot is nil, closed, or was not made; make one by " +
	"NewSnapshot"

// ErrOther is the error of a snapshot, or a world, of other counts, kinds, recipes or watchers.
var ErrOther = errors.New("it is of a world with other counts")

// ErrEmpty is the error of a snapshot that holds nothing yet.
var ErrEmpty = errors.New("the snapshot is empty")

// A Snapshot has room for all that a world can be, and holds what it was at one time: every
// component and id, free lists, memories of watchers, ticks, random state, and the commands that
// were recorded and not applied. [Snapshot.Take] and [Restore] copy what was ever used of the
// world, and allocate nothing. Where they can, they copy only what was written since the two were
// equal, of which the world keeps note by ticks: a world whose ticks stand still is copied whole.
// It takes memory for what the world used, however much room that has, until [Snapshot.Close]. A
// Snapshot belongs to one goroutine.
type Snapshot struct {
	arena    *manager.Arena
	commands command.Buffer
	fixtures fixtures // of the world that it was made for
	watchers []watch
	world    *job // views of arena, once State was called
	taken    bool
	base     past.Base
}

// NewSnapshot returns an empty snapshot for s's world, and for every world of the same counts. The
// error wraps [ErrMemory].
func NewSnapshot(s State) (*Snapshot, error) {
	j := s.look()
	arena, err := j.Alike()
	if err != nil {
		return nil, err
	}
	j.past.Ready()
	p := &Snapshot{arena: arena, fixtures: j.fixtures, watchers: j.watchers}
	if p.commands, err = command.New(j.commands.Room()); err != nil {
		arena.Free()
		return nil, err
	}
	return p, nil
}

// Close gives p's memory back. The States that p's State returned may not be used again, nor the
// columns that they handed out. It may be called again. It panics when p is nil.
func (p *Snapshot) Close() {
	switch {
	case p == nil:
		panic(noSnapshot)
	case p.arena == nil:
		return
	case p.world != nil:
		p.world.end()
	default:
		p.arena.Free()
	}
	*p = Snapshot{}
}

// Take makes p what s is, and ends the States that p's State returned. Where the two were equal
// before, it copies what has a stamp since: what was written through a [View], or through what
// [Edit] handed out before the last tick, and was not told to Touch of package tool, is left out,
// and p is not what s is. Under -tags ecsdebug Take finds such a write. The values of a
// [layout.Values] kind are copied; what they point to is shared. The error wraps [ErrWalking], or
// [ErrOther] when p was made for another world; then p is as it was.
func (p *Snapshot) Take(s State) error {
	j := s.look()
	p.made()
	switch {
	case j.fixed():
		return ErrWalking
	case !p.fits(j):
		return fmt.Errorf("systems: snapshot: %w; make one of this world by NewSnapshot", ErrOther)
	}
	p.arena.CopyFrom(j.Arena, j.past.Since(p.base, *j.Tick, *p.arena.Tick))
	past.Check(j.Arena, p.arena)
	p.base = j.past.Now(*j.Tick)
	p.commands.CopyFrom(&j.commands)
	if p.taken = true; p.world != nil {
		p.world.guard.Turn++       // what State returned is over
		p.world.seen = seen.List{} // what was seen is another time's
	}
	return nil
}

// fits reports whether what is in the world can be in p, and the other way round.
func (p *Snapshot) fits(j *job) bool {
	return p.arena.Like(j.Arena) && slices.Equal(p.fixtures.counts.Recipes, j.counts.Recipes)
}

// Restore makes the world what it was when p was taken: from there the same calls lead to the same
// bytes and ids as they did then. Who listens to a watcher still does. A snapshot may be restored
// any number of times, also in another world of the same counts. The error wraps [ErrWalking],
// [ErrEmpty], or [ErrOther]; then the world is as it was.
func Restore(s State, p *Snapshot) (State, error) {
	j := s.use()
	switch {
	case j.fixed():
		return s, ErrWalking
	case !p.made().taken:
		return s, fmt.Errorf("systems: restore: %w; take it first", ErrEmpty)
	case !p.fits(j):
		return s, fmt.Errorf("systems: restore: %w; restore one that was taken of such a world",
			ErrOther)
	}
	since := j.past.Since(p.base, *j.Tick, *p.arena.Tick)
	j.CopyFrom(p.arena, since)
	past.Check(j.Arena, p.arena)
	j.past.Cut(since)
	p.base = j.past.Now(*j.Tick)
	j.commands.CopyFrom(&p.commands)
	return s.done(), nil
}

// State returns what p holds as a world to look at: by walks that read, [Get], [Digest],
// [Equal] and the like. It is that world until p is taken again; do not change or close
// it. The first call allocates. It panics while p is empty.
func (p *Snapshot) State() State {
	if !p.made().taken {
		panic("systems: this snapshot is empty; take it first")
	}
	if p.world == nil {
		p.world = newJob(p.arena)
		p.world.refurnish(&p.fixtures)
		p.world.copyWatchers(p.watchers)
		_ = p.world.addRecipes() // they are the world's own
		p.world.guard.Frozen = true
	}
	p.world.commands = p.commands.Frozen(snapshotOnly)
	return newState(p.world)
}

// Digest is [Digest] of what p holds; it allocates nothing.
func (p *Snapshot) Digest() uint64 { return p.made().arena.Digest() }

// Digest returns a hash of everything that decides the world's future, as far as it was ever used:
// worlds with the same digest are the same, and do the same, to one in 2⁶⁴. It is the same on every
// machine. Worlds of other counts may have other digests, see [Resized]. It does not see commands
// that were not applied, nor the values of a [layout.Values] kind. It is xxh3 of each part of the
// truth, seeded with that of the part before.
func Digest(s State) uint64 { return s.look().Digest() }

// Equal reports whether all that decides the future is the same in two worlds of the same counts,
// byte by byte, but for what [Digest] does not see. Worlds of other counts are not equal.
func Equal(a, b State) bool {
	x, y := a.look(), b.look()
	return x.Like(y.Arena) && x.Equal(y.Arena)
}

// Resized returns the same world in other counts, in memory of its own; s stays as it is. Every
// object keeps its id and every component its row, so what was ever used must have room: the error
// wraps [ErrFull] or [ErrTooMany] where it has not, and [ErrOther] when c lacks a kind of the world
// that is in use, or has other recipes, watchers or Counts.InOrder, beside the errors of
// [CreateState]. A kind that is new is on no object. Recorded commands are copied.
//
// [Digest] changes where c has other kinds, or room for more objects: ids are set aside in blocks
// of 64, and the last block becomes whole. Players who compare digests use the same counts.
func Resized(s State, c Counts) (State, error) {
	from := s.look()
	if from.fixed() {
		return State{}, ErrWalking
	}
	s, err := CreateState(c)
	if err != nil {
		return State{}, err
	}
	to := s.use()
	if err = to.sameRules(from); err == nil {
		err = to.Adopt(from.Arena)
	}
	if err != nil {
		Close(s)
		return State{}, err
	}
	to.commands.CopyFrom(&from.commands)
	return s, nil
}

// sameRules returns nil when two worlds have the same recipes, watchers, events and order of ids.
func (j *job) sameRules(from *job) error {
	var what string
	switch {
	case !slices.Equal(j.counts.Recipes, from.counts.Recipes):
		what = "Recipes"
	case !j.SameWatchers(from.Arena):
		what = "Watchers"
	case !slices.EqualFunc(j.counts.Events, from.counts.Events, sameEvents):
		what = "Events"
	case j.Objects.Count.InOrder != from.Objects.Count.InOrder:
		what = "InOrder"
	default:
		return nil
	}
	return fmt.Errorf("systems: resize: %w: Counts.%s; give the same ones", ErrOther, what)
}

func sameEvents(a, b EventCount) bool {
	return a.events == b.events && a.capacity == b.capacity && slices.Equal(a.readers, b.readers)
}

// made returns p. It panics when p is nil, closed, or was not made.
func (p *Snapshot) made() *Snapshot {
	if p == nil || p.arena == nil {
		panic(noSnapshot)
	}
	return p
}
