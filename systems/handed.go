package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/seen"
)

// CreateStateIn is [CreateState] in bytes that are handed in: as many as [Size] says of such a
// world, zeroed, and from a multiple of 64 on. The world is theirs until [Close], which leaves them
// as they are. The error may also wrap [ErrBytes], or say that a kind holds Go values.
func CreateStateIn(c Counts, b []byte) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	in := func(sizes manager.Sizes) (*manager.Arena, error) { return manager.ArenaIn(sizes, b) }
	return c.create(in, (*job).furnish)
}

// StateOver returns a world whose bytes are those of a world of the same counts, in place: nothing
// is written, and nothing checked but their number. Of a world that is only read, calls that write
// panic around [ErrReadOnly]. The error is that of [CreateStateIn].
func StateOver(c Counts, b []byte, readOnly bool) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	over := func(sizes manager.Sizes) (*manager.Arena, error) {
		for i := range sizes.Kinds { // foreign kinds: they were read from the bytes
			k := sizes.Kinds[i].Kind.Spec()
			if k != nil && k.Place > 0 && k.Name == GlobalKind.Spec().Name {
				sizes.Keyed = k
			}
		}
		return manager.ArenaOver(sizes, b)
	}
	s, err := c.create(over, (*job).refind)
	if err == nil && readOnly {
		s.job.commands = s.job.commands.Frozen(borrowedOnly)
		s.job.guard.Frozen, s.job.guard.Borrowed = true, true
	}
	return s, err
}

// Unwritten returns a world that is only good for its shape, the parts of its bytes, and [Close]:
// its memory is addresses alone. The error is that of [CreateState].
func Unwritten(c Counts) (State, error) {
	if err := c.flat(); err != nil {
		return State{}, err
	}
	s, err := c.create(manager.Unwritten, (*job).refind)
	if err == nil {
		s.job.guard.Frozen, s.job.guard.Borrowed = true, true
	}
	return s, err
}

// NewSnapshotIn is [NewSnapshot] in bytes that are handed in, as for [CreateStateIn]. Its commands
// lie beside them. [Snapshot.Close] leaves them as they are.
func NewSnapshotIn(s State, b []byte) (*Snapshot, error) {
	if err := s.look().counts.flat(); err != nil {
		return nil, err
	}
	return newSnapshot(s, func(a *manager.Arena) (*manager.Arena, error) { return a.AlikeIn(b) })
}

// Anew returns the State of a read-only world whose bytes are of another time by now, and
// invalidates those before. Of a world that is written, and of a snapshot's, it returns s.
func Anew(s State) State {
	j := s.look()
	if !j.guard.Borrowed {
		return s
	}
	j.past.Cut(0)
	j.Overwritten()
	j.seen = seen.List{}
	return s.done()
}

// flat returns nil if a world of these counts has no data beside its bytes.
func (c *Counts) flat() error {
	for _, k := range c.Kinds {
		if spec := k.Kind.Spec(); spec != nil && spec.Values != nil {
			return fmt.Errorf("flatecs: %s: %w: it holds Go values, which are no bytes; declare "+
				"its fields, or save the world with a Codec", layout.Quoted(spec.Name), ErrBytes)
		}
	}
	return nil
}

// refind is furnish for bytes that are a world's already.
func (j *job) refind(c *Counts) {
	j.counts, j.OnObjects, j.resources = c.Clone(), c.onObjects(), len(c.resources())
	j.addEvents()
	j.searches = names.NewLists(c.Names)
}
