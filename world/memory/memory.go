package memory

import (
	"bytes"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// SizeOf returns the number of bytes that worlds of these counts take, including the head. It
// returns the errors of [world.CreateState], or an error that wraps [ErrBytes] if a kind holds Go
// values.
func SizeOf(c world.Counts) (int, error) {
	head, size, err := headOf(c)
	return len(head) + size, err
}

// Make returns n zeroed and aligned bytes of Go's heap, or nil if n is negative or too large.
func Make(n int) []byte { return tool.Bytes(n) }

// Fingerprint returns the fingerprint of the worlds of these counts. It returns the errors of
// [SizeOf].
func Fingerprint(c world.Counts) (uint64, error) {
	head, _, err := headOf(c)
	if err != nil {
		return 0, err
	}
	return little.Uint64(head[atFingerprint:]), nil
}

// CreateState is [world.CreateState] in b: zeroed bytes, [SizeOf] of them. The error may also wrap
// [ErrBytes] or [ErrUsed]; then b is unchanged.
func CreateState(c world.Counts, b []byte) (world.State, error) {
	head, size, err := headOf(c)
	if err != nil {
		return world.State{}, err
	}
	if err := room(b, len(head)+size); err != nil {
		return world.State{}, err
	}
	s, err := systems.CreateStateIn(c, b[len(head):])
	if err == nil {
		copy(b, head)
	}
	return s, err
}

// NewSnapshot is [world.NewSnapshot] in b, like [CreateState]. Recorded commands are not in the
// bytes. Until the first Take, b holds no world, and opening it returns an error.
func NewSnapshot(s world.State, b []byte) (*world.Snapshot, error) {
	head, err := headOfState(s)
	if err != nil {
		return nil, err
	}
	if err := room(b, len(head)+len(world.Bytes(s))); err != nil {
		return nil, err
	}
	p, err := systems.NewSnapshotIn(s, b[len(head):])
	if err == nil {
		copy(b, head)
	}
	return p, err
}

// room returns nil if b has room for a world of size bytes, and does not hold a world.
func room(b []byte, size int) error {
	switch {
	case len(b) < size:
		return wrap(ErrBytes, "%d are handed in; hand in %d, as SizeOf says", len(b), size)
	case !bytes.Equal(b[:fixed], make([]byte, fixed)):
		return wrap(ErrUsed, "hand in zeroed bytes, or Attach, Open or Copy what is there")
	}
	return nil
}

// Attach returns the world in b, in place and for reading only: by reading walks, [world.Get],
// [world.Digest] and others. Calls that write panic with [ErrReadOnly]; b may be mapped read-only.
// It returns the errors of [SizeOf], or an error that wraps [ErrFormat], [ErrVersion], [ErrBytes],
// or [ErrOther] if the world was created with other counts. The order of kinds, recipes and
// watchers in the counts matters. The error names the first two kinds that differ, and their
// number.
func Attach(c world.Counts, b []byte) (world.State, error) { return over(c, b, true) }

// Open returns the world in b, in place, for reading and writing. It returns the errors of
// [Attach].
func Open(c world.Counts, b []byte) (world.State, error) { return over(c, b, false) }

// Copy returns a copy of the world in b, which may be any bytes: Copy checks everything, as Load
// does, and the copy has its own memory. If b changes during the call, Copy returns an error or a
// valid mixture of frames. It returns the errors of [Attach], or an error that names the first
// inconsistency.
func Copy(c world.Counts, b []byte) (world.State, error) {
	from, err := over(c, b, true)
	if err != nil {
		return world.State{}, err
	}
	defer world.Close(from)
	return world.Resized(from, c)
}

func over(c world.Counts, b []byte, readOnly bool) (world.State, error) {
	head, size, err := headOf(c)
	if err != nil {
		return world.State{}, err
	}
	if err := checkHead(b, head, c); err != nil {
		return world.State{}, err
	}
	return overHead(c, b, len(head), size, readOnly)
}

// overHead is over for bytes whose head was checked.
func overHead(c world.Counts, b []byte, head, size int, readOnly bool) (world.State, error) {
	if len(b)-head < size {
		return world.State{}, wrap(ErrBytes, "%d, and the head says %d", len(b), head+size)
	}
	s, err := systems.StateOver(c, b[head:][:size], readOnly)
	if err != nil {
		return s, err
	}
	if err := tool.CheckCounters(s); err != nil {
		world.Close(s)
		return world.State{}, wrap(ErrFormat, "%v", err)
	}
	if a := systems.ArenaOf(s); !readOnly {
		a.Equip() // the previous program may have had other kinds in its recipes
		a.Fill()  // columns that snapshots never used hold zeros
	}
	return s, nil
}

// checkHead returns nil if b begins with head, the head of the counts.
func checkHead(b, head []byte, c world.Counts) error {
	if err := checkFixed(b); err != nil {
		return err
	}
	if len(b) >= len(head) && bytes.Equal(b[:len(head)], head) {
		return nil
	}
	return other(b, head, c)
}
