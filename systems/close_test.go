package systems

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// closedLater closes a world when its test is over, whatever has become of the State.
func closedLater(tb testing.TB, s State) State {
	tb.Helper()
	tb.Cleanup(func() {
		if s.job != nil && s.job.guard.Turn != ended {
			s.job.end()
		}
	})
	return s
}

// largeWorld returns a world of more than 4 MB, and an object with an A.
func largeWorld(t *testing.T) (State, GameObject) {
	t.Helper()
	s := sure(CreateState(Counts{Kinds: layout.Kinds(kindA, kindC)}))
	require.Greater(t, len(Bytes(s)), 4<<20)
	s, id := made(CreateWith(s, kindA))
	return s, id
}

// TestHandlesOfClosedWorldsPanic: what is kept of a world knows that its memory is gone.
func TestHandlesOfClosedWorldsPanic(t *testing.T) {
	s, id := largeWorld(t)
	reader := ReaderOf(s, fieldA)
	writer := WriterOf(s, fieldA)
	p := taken(s)
	kept := p.State()
	past := ReaderOf(kept, fieldA)
	Close(s)
	for name, f := range map[string]func(){
		"Reader.Get":     func() { reader.Get(id) },
		"Reader.Has":     func() { reader.Has(id) },
		"Reader.Alive":   func() { reader.Alive(id) },
		"Writer.At":      func() { writer.At(id) },
		"Writer.Must":    func() { writer.Must(id) },
		"State in Get":   func() { _, _ = Get(s, id, fieldA) },
		"State in View":  func() { View(s, fieldA) },
		"State in Bytes": func() { Bytes(s) },
		"State in Close": func() { Close(s) },
	} {
		if statesChecked || !strings.HasPrefix(name, "State") {
			assert.Panics(t, f, name)
		}
	}
	value, ok := past.Get(id)
	assert.True(t, ok, "a snapshot has memory of its own")
	assert.Equal(t, [3]float32{1, 2, 3}, value)
	p.Close()
	p.Close()
	for name, f := range map[string]func(){
		"Reader.Get":      func() { past.Get(id) },
		"State in Get":    func() { _, _ = Get(kept, id, fieldA) },
		"Snapshot.State":  func() { p.State() },
		"Snapshot.Digest": func() { p.Digest() },
		"Snapshot.Take":   func() { s, _ := largeWorld(t); defer Close(s); _ = p.Take(s) },
	} {
		if statesChecked || !strings.HasPrefix(name, "State") {
			assert.Panics(t, f, name)
		}
	}
	assert.PanicsWithValue(t, noReader, func() { past.Get(id) })
	assert.PanicsWithValue(t, noSnapshot, func() { p.Digest() })
}

// TestStatesThatAreOver: each says what became of it; what reads or is refused uses none up.
func TestStatesThatAreOver(t *testing.T) {
	if !statesChecked {
		return
	}
	s, ids := mixed(t, 10)
	_ = sure(Get(s, ids[0], fieldA))
	after, err := Add(s, ids[0], kindA)
	require.ErrorIs(t, err, ErrTwice)
	assert.Equal(t, Len(after), Len(s))
	for _, write := range []func(s State) State{
		Advance,
		func(s State) State { return SetRow(s, fieldA, 0, [3]float32{}) },
		func(s State) State { return sure(Dispose(s, ids[1])) },
		func(s State) State { return changed(Create(s)) },
	} {
		before := s
		s = write(s)
		assert.PanicsWithValue(t, "flatecs: this State is stale: an earlier call invalidated it; "+
			"write state = world.F(state, …)", func() { Len(before) })
	}
	Close(s)
	const closed = "flatecs: this State was closed; use it before Close, or close later"
	assert.PanicsWithValue(t, closed, func() { Alive(s, ids[0]) })
	assert.PanicsWithValue(t, closed, func() { Close(s) })
	assert.PanicsWithValue(t, "flatecs: the zero State is not a world; call CreateState",
		func() { Len(State{}) })
}

// TestWhatDoesNotFitNamesTheRoom: who did not count kinds is told how many objects they stand for.
func TestWhatDoesNotFitNamesTheRoom(t *testing.T) {
	kinds := make([]layout.Countable, 8)
	for i := range kinds {
		kinds[i] = layout.NewKind("huge", layout.NewField[[8191]uint64]("value"))
		if i > 0 {
			kinds[i] = layout.NewKind(string(rune('a'+i)), layout.NewField[[8191]uint64]("value"))
		}
	}
	_, err := CreateState(Counts{GameObjects: manager.MaxRows, Kinds: layout.Kinds(kinds...)})
	require.ErrorIs(t, err, ErrMemory)
	require.ErrorContains(t, err, "room for 1073741760 game objects in each of ")
	require.ErrorContains(t, err, "set Counts.GameObjects, or count the kinds")
}

func TestMustPanicsWithTheError(t *testing.T) {
	s := Must(CreateState(Counts{GameObjects: 1}))
	s, id := made(Create(s))
	s = Must(Dispose(s, id))
	assert.Zero(t, Len(s))

	_, err := Dispose(s, id)
	require.ErrorIs(t, err, ErrDead)
	want := "flatecs: Must: " + strings.TrimPrefix(err.Error(), "flatecs: ") + "; where that can happen, take the error instead"
	assert.PanicsWithError(t, want, func() { Must(Dispose(s, id)) })
}

// TestCountsThatCannotBe: each is refused by the name of what was counted.
func TestCountsThatCannotBe(t *testing.T) {
	_, err := CreateState(Counts{Kinds: layout.Kinds(kindA.Count(1 << 30))})
	require.ErrorIs(t, err, ErrCount)
	require.ErrorContains(t, err, "flatecs: A: ")
	_, err = CreateState(Counts{GameObjects: 1, Walks: walk.Max + 1})
	require.ErrorIs(t, err, ErrCount)

	objects, _, err := Counts{Kinds: layout.Kinds(kindA.Count(3_000_000), kindB)}.Room()
	require.NoError(t, err)
	assert.Equal(t, 3_000_000, objects, "the largest count, beside room without one")
	objects, _, err = Counts{Kinds: layout.Kinds(kindA.Count(3), kindB)}.Room()
	require.NoError(t, err)
	assert.Equal(t, 1<<20, objects)
}
