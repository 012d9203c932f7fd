package systems

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// lived returns a world with a bit of everything, and the ids of its objects.
func lived(t *testing.T, objects, steps int) *model {
	t.Helper()
	m := newModel(modelCounts{objects: objects, rows: objects}, 7)
	require.NoError(t, m.live(11, steps, changes))
	return m
}

// TestEveryTruthByteIsInTheDigest: a change of any byte of the truth is seen by all three, and one
// of a derived byte by none.
func TestEveryTruthByteIsInTheDigest(t *testing.T) {
	OneGoroutine(t)
	s := lived(t, 400, 200).s
	require.Less(t, Len(s), 400)
	p := taken(s)
	digest := Digest(s)
	parts := ArenaOf(s).Parts()
	for i := range parts {
		part := &parts[i]
		used := ArenaOf(s).Used(part)
		if part.Name == "counters" {
			used = used[16:] // those before say how much is used
		}
		for at := range used {
			used[at] ^= 1 << (at & 7)
			differs := Digest(s) != digest
			d, found, err := firstDifference(s, p.State())
			require.NoError(t, err)
			if differs != part.Truth || Equal(s, p.State()) == part.Truth || found != part.Truth ||
				found && (d.Part == "" || d.Values[0] == d.Values[1]) {
				t.Fatalf("byte %d of %s.%s: %v, %v", at, part.Owner, part.Name, differs, d)
			}
			used[at] ^= 1 << (at & 7)
		}
	}
}

func TestSnapshotRefuses(t *testing.T) {
	counts := Counts{Kinds: layout.Kinds(Position.Count(10), Velocity.Count(10))}
	s := sure(CreateState(counts))
	counts.Kinds = layout.Kinds(Position.Count(11), Velocity.Count(10))
	other := sure(CreateState(counts))
	p := sure(NewSnapshot(s))

	_, err := Restore(s, p)
	require.ErrorIs(t, err, ErrEmpty)
	assert.PanicsWithValue(t, "flatecs: this snapshot is empty; take it first", func() { p.State() })
	require.NoError(t, p.Take(s))
	require.ErrorIs(t, p.Take(other), ErrOther)
	_, err = Restore(other, p)
	require.ErrorIs(t, err, ErrOther)
	_, _, err = firstDifference(s, other)
	require.ErrorIs(t, err, ErrOther)
	assert.False(t, Equal(s, other))

	s, id := made(Create(s))
	s = sure(Add(s, id, Position.Kind()))
	for range NewQuery(Read(Position)).In(s) {
		require.ErrorIs(t, p.Take(s), ErrWalking)
		_, err = Restore(s, p)
		require.ErrorIs(t, err, ErrWalking)
	}
	assert.True(t, Alive(s, id), "the world is as it was")
	s = sure(Restore(s, p))
	assert.False(t, Alive(s, id))
}

func TestResizedRefuses(t *testing.T) {
	values := layout.NewValues("resized", 5)
	rings := NewEvents("resized rings")
	counts := Counts{
		Kinds:    layout.Kinds(kindA.Count(8), values.Count(3), Position.Count(8)),
		Recipes:  []Recipe{NewRecipe("resized", Position)},
		Watchers: []Watcher{NewWatcher(NewQuery(With(Position)))},
		Events:   []EventCount{rings.Count(1, rings.NewReader("resized"))},
	}
	s := sure(CreateState(counts))
	s, _ = rings.Send(s)
	for range 8 {
		var id GameObject
		s, id = made(Create(s))
		s = sure(Add(s, id, kindA))
	}
	before := bytes.Clone(Bytes(s))
	for _, c := range []struct {
		name   string
		change func(*Counts)
		want   error
	}{
		{"objects", func(c *Counts) { c.GameObjects = 7 }, ErrTooMany},
		{"rows", func(c *Counts) {
			c.GameObjects = 8
			c.Kinds = []layout.Count{kindA.Count(7)}
		}, ErrFull},
		{"kinds", func(c *Counts) { c.GameObjects, c.Kinds = 8, nil }, ErrNoKind},
		{"recipes", func(c *Counts) { c.Recipes = nil }, ErrOther},
		{"watchers", func(c *Counts) { c.Watchers = nil }, ErrOther},
		{"readers", func(c *Counts) { c.Events = []EventCount{rings.Count(1)} }, ErrOther},
		{"order", func(c *Counts) { c.InOrder = true }, ErrOther},
		{"count", func(c *Counts) { c.Kinds = layout.Kinds(kindA.Count(-1)) }, ErrCount},
		{"events", func(c *Counts) { c.Events = nil }, ErrOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := counts
			c.change(&asked)
			_, err := Resized(s, asked)
			require.ErrorIs(t, err, c.want)
		})
	}
	assert.True(t, bytes.Equal(before, Bytes(s)))
	smaller := counts
	smaller.GameObjects, smaller.Kinds = 8, layout.Kinds(kindA.Count(8))
	s, err := Resized(s, smaller)
	require.NoError(t, err, "kinds that nobody has may go")
	assert.Equal(t, 8, Len(s))
}

// A count that is too low is named, and how high it has to be: ids and rows stay.
func TestResizedNamesTheCountThatIsShort(t *testing.T) {
	odd, free := layout.NewKind("short of rows"), layout.NewKind("unused")
	bag, idle := layout.NewList[uint32]("short of room"), layout.NewList[uint32]("idle")
	box := NewResource("box", layout.NewField[uint32]("content"))
	full := Counts{
		GameObjects: 64, Names: 10, Resources: []ResourceKind{box},
		Kinds: layout.Kinds(odd.Count(20), bag.Count(1, 200), idle.Count(1, 1), free.Count(1)),
	}
	s := sure(CreateState(full))
	ids := make([]GameObject, 60)
	for i := range ids {
		s, ids[i] = made(Create(s))
		if i >= 40 {
			s = sure(Add(s, ids[i], odd))
		}
	}
	less := func(change func(*Counts)) error {
		c := full
		change(&c)
		to, err := Resized(s, c)
		if err == nil {
			Close(to)
		}
		return err
	}
	require.NoError(t, less(func(c *Counts) { c.Names = 0 }), "nobody has a name")
	s = sure(Add(s, ids[0], bag))
	s = sure(SpliceList(s, ids[0], bag.Spec(), 0, -1, bag.Bytes(make([]uint32, 190))))
	for i := range 8 {
		s = sure(SetName(s, ids[59-i], string(rune('a'+i))))
	}
	for _, id := range ids[1:52] {
		s = sure(Dispose(s, id))
	}
	kinds := func(list ...layout.Countable) func(*Counts) {
		return func(c *Counts) { c.Kinds = layout.Kinds(list...) }
	}
	for want, change := range map[string]func(*Counts){
		"game object: 9 in use, among the first 64, keep their numbers, and there is room for " +
			"20: Too many entities in existence. Raise Counts.GameObjects to 64 or more": func(c *Counts) { c.GameObjects = 20 },
		"short of rows: 8 in use, among the first 20, keep their numbers, and there is room for " +
			"9: Too many components in existence. Raise its Count in Counts.Kinds to 20 or more": kinds(odd.Count(9), bag),
		"short of rows: 8 in use, and the new world has none: Component not registered before use. Add its Count in " +
			"Counts.Kinds": kinds(bag),
		"Raise the elements in the Count of short of room": kinds(odd, bag.Count(1, 20)),
		"name: 8 in use, among the first 8, keep their numbers, and there is room for 3: Too many components in existence. " +
			"Raise Counts.Names to 8 or more": func(c *Counts) { c.Names = 3 },
		"name: 8 in use, and the new world has none: Component not registered before use. Add " +
			"Counts.Names": func(c *Counts) { c.Names = 0 },
		"box: 1 in use, and the new world has none: Component not registered before use. Add it to " +
			"Counts.Resources": func(c *Counts) { c.Resources = nil },
	} {
		require.ErrorContains(t, less(change), want)
	}
	require.NoError(t, less(kinds(odd, bag)), "lists that nobody has go with their kind")
}

func TestAllocsSnapshot(t *testing.T) {
	s := lived(t, 500, 500).s
	p := sure(NewSnapshot(s))
	var sum uint64
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		_ = p.Take(s)
		s, _ = Restore(s, p)
		sum ^= Digest(s)
		_ = Equal(s, s)
	}))
}
