package systems

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// TestReadingWritesNothing: not a byte, and no stamp.
func TestReadingWritesNothing(t *testing.T) {
	s, ids := mixed(t, 200)
	s = Advance(s)
	before := bytes.Clone(Bytes(s))
	reader := ReaderOf(s, fieldA)
	for _, id := range ids {
		_, _ = Get(s, id, fieldA)
		_, _ = Get(s, id, fieldB)
		reader.Get(id)
	}
	for row := range Row(managed(s, kindA).Rows.High()) {
		GetRow(s, fieldA, row)
	}
	View(s, fieldA)
	require.Equal(t, before, Bytes(s))
}

// TestWritingIsStamped: what Set, Edit, SetRow and a Writer write is found by its tick.
func TestWritingIsStamped(t *testing.T) {
	at := [3]float32{7, 8, 9}
	for name, write := range map[string]func(State, GameObject) State{
		"Set": func(s State, id GameObject) State { return sure(Set(s, id, fieldA, at)) },
		"Edit": func(s State, id GameObject) State {
			s, p := made(Edit(s, id, fieldA))
			*p = at
			return s
		},
		"SetRow": func(s State, id GameObject) State {
			return SetRow(s, fieldA, sure(RowOf(s, id, kindA)), at)
		},
		"WriterOf": func(s State, id GameObject) State {
			w := WriterOf(s, fieldA)
			*w.At(id) = at
			return s
		},
	} {
		s, ids := mixed(t, 200)
		tick := Tick(s)
		s = write(Advance(s), ids[70])
		assert.Equal(t, at, sure(Get(s, ids[70], fieldA)), name)
		assert.Equal(t, at, GetRow(s, fieldA, sure(RowOf(s, ids[70], kindA))), name)
		var found []GameObject
		for b := range NewQuery(Read(fieldA), Changed(kindA)).Since(s, tick) {
			found = b.AppendIDs(found)
		}
		assert.Contains(t, found, ids[70], name)
		assert.Less(t, len(found), 130, name)
	}
}

// TestValueRefused: the dead, foreign ones, absent kinds and kinds that the world does not have are
// refused by an error, and nothing is written.
func TestValueRefused(t *testing.T) {
	s, ids := mixed(t, 100)
	s = sure(Dispose(s, ids[3]))
	s = sure(Remove(s, ids[4], kindA))
	before := bytes.Clone(Bytes(s))
	other := layout.NewComponent[uint8]("other")
	refuses(t, s, ids[3], fieldA, ErrDead)
	refuses(t, s, gameobject.Nobody, fieldA, ErrDead)
	refuses(t, s, gameobject.MakeID(1<<20, 1), fieldA, ErrOutOfRange)
	refuses(t, s, ids[4], fieldA, ErrAbsent)
	refuses(t, s, ids[5], other, ErrNoKind)
	reader := ReaderOf(s, fieldA)
	writer := WriterOf(s, fieldA)
	for _, id := range []GameObject{ids[3], ids[4], gameobject.Nobody, gameobject.MakeID(1<<20, 1)} {
		_, ok := reader.Get(id)
		assert.False(t, ok)
		assert.Nil(t, writer.At(id))
	}
	assert.Equal(t, before, Bytes(s))
	mustPanic(t, "GetRow", func() { GetRow(s, fieldA, Row(managed(s, kindA).Rows.High())) })
	mustPanic(t, "SetRow", func() { _ = SetRow(s, fieldA, Row(managed(s, kindA).Rows.High()), [3]float32{}) })
}

func refuses[T any](t *testing.T, s State, id GameObject, f layout.Field[T], want error) {
	t.Helper()
	var value T
	_, err := Get(s, id, f)
	require.ErrorIs(t, err, want)
	_, err = Set(s, id, f, value)
	require.ErrorIs(t, err, want)
	_, p, err := Edit(s, id, f)
	require.ErrorIs(t, err, want)
	require.Nil(t, p)
}
