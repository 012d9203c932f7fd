package systems

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// christen names an object.
func christen(tb testing.TB, s State, id GameObject, name string) State {
	tb.Helper()
	return sure(SetName(s, id, name))
}

// createNamed creates an object with a name.
func createNamed(s State, name string) (State, GameObject, error) {
	s, id, err := Create(s)
	if err == nil {
		s, err = SetName(s, id, name)
	}
	return s, id, err
}

// A refusal is something that names do not allow.
type refusal func(State) error

func rename(id GameObject, name string) refusal {
	return func(s State) error { _, err := SetName(s, id, name); return err }
}

func unname(id GameObject) refusal {
	return func(s State) error { _, err := Remove(s, id, NameKind); return err }
}

func askName(id GameObject) refusal {
	return func(s State) error { _, err := NameOf(s, id); return err }
}

func TestNameMisuse(t *testing.T) {
	s, ids := fullWorld(t)
	bare := sure(CreateState(Counts{Kinds: layout.Kinds(Position.Count(2))}))
	bare, mute := made(Create(bare))
	s = sure(Dispose(s, ids[9]))
	s = christen(t, s, ids[0], "zero")
	for _, c := range []struct {
		name string
		s    State
		run  refusal
		want error
		text string
	}{
		{"too long", s, rename(ids[0], strings.Repeat("x", 64)), ErrName, "at most 63 bytes"},
		{"too long", s, rename(ids[0], strings.Repeat("x", 64)), ErrName, "name of game object 0"},
		{"too long", s, rename(ids[0], strings.Repeat("é", 32)), ErrName, "has 64 bytes"},
		{"no UTF-8", s, rename(ids[0], "a\xff"), ErrName, `"a\xff" is not UTF-8`},
		{"dead", s, rename(ids[9], "x"), ErrDead, "game object 9"},
		{"of nobody", s, rename(0, "x"), ErrDead, ""},
		{"out of range", s, rename(ids[0]+100, "x"), ErrOutOfRange, "This world has 100"},
		{"dead", s, unname(ids[9]), ErrDead, ""},
		{"no name to take away", s, unname(ids[1]), ErrRemove, "name of game object 1"},
		{"no name", s, askName(ids[1]), ErrAbsent, "name of game object 1"},
		{"dead", s, askName(ids[9]), ErrDead, ""},
		{"no names", bare, rename(mute, "x"), ErrNoKind, "Set Counts.Names"},
		{"no names", bare, unname(mute), ErrNoKind, "Set Counts.Names"},
		{"no names", bare, askName(mute), ErrNoKind, "Set Counts.Names"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := bytes.Clone(Bytes(c.s))
			err := c.run(c.s)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
			require.Equal(t, before, Bytes(c.s))
		})
	}
	panicsWith(t, func() { _ = slices.Collect(Named(bare, "x")) }, "no names", "Counts.Names")
	_, err := CreateState(Counts{Names: -1})
	require.ErrorIs(t, err, ErrCount)
	counts := fullCounts()
	counts.Kinds = append(counts.Kinds, NameKind.Count(3))
	for _, counts.Names = range []int{0, 3} {
		_, err = CreateState(counts)
		require.ErrorIs(t, err, ErrKindTwice)
		require.ErrorContains(t, err, "Set Counts.Names")
	}
	whole(t, s)
}

// A new name is in a snapshot that is taken again, of a world that is not copied as a whole.
func TestNewNamesAreStamped(t *testing.T) {
	s, id := made(createNamed(sure(CreateState(Counts{Names: 9000})), "a"))
	s = Advance(s)
	p := taken(s)
	s = christen(t, s, id, "b")
	require.NoError(t, p.Take(s))
	assert.Equal(t, Digest(s), p.Digest())
}

func TestAllocsOfNames(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{5, 3, 1} {
		s = christen(t, s, ids[i], "a")
	}
	buffer := make([]byte, 0, MaxName)
	found := 0
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		s, _ = Remove(s, ids[5], NameKind)
		s, _ = SetName(s, ids[5], "a")
		s, _ = SetName(s, ids[3], "a")
		buffer, _ = AppendName(buffer[:0], s, ids[3])
		for range Named(s, "a") {
			for range Named(s, "a") {
				found++
			}
		}
		s, _, _ = createNamed(s, "c")
		for id := range Named(s, "c") {
			s, _ = Dispose(s, id)
		}
	}))
	assert.Equal(t, "a", string(buffer))
	assert.NotZero(t, found)
}

func TestNamedWalks(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{5, 3, 1, 8, 6} {
		s = christen(t, s, ids[i], "a")
	}
	s = sure(Remove(s, ids[5], NameKind))
	s = christen(t, s, ids[5], "a") // its row is the first again, and its turn the last
	order := []GameObject{ids[3], ids[1], ids[8], ids[6], ids[5]}
	var want, got [][2]GameObject
	for _, a := range order {
		for _, b := range order {
			want = append(want, [2]GameObject{a, b})
		}
	}
	for a := range Named(s, "a") {
		for b := range Named(s, "a") {
			got = append(got, [2]GameObject{a, b})
		}
		for range Named(s, "a") {
			break
		}
	}
	assert.Equal(t, want, got)

	var turns []GameObject
	for id := range Named(s, "a") {
		turns = append(turns, id)
		switch id {
		case ids[3]:
			s = sure(Dispose(s, ids[1]))
			s = christen(t, s, ids[8], "b")
			s = christen(t, s, ids[2], "a")
		case ids[6]:
			s = christen(t, s, ids[8], "a")
		}
	}
	assert.Equal(t, []GameObject{ids[3], ids[6], ids[5]}, turns)
	whole(t, s)
}
