package index_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

// names are texts of which some begin alike, in order.
var names = []string{
	"", "\x00", "A", "Abe", "Abel", "Zoe", "a", "player", "player 1", "player 10", "player 11",
	"player 2", "player 2" + strings.Repeat("!", 200), "player 3", "\u00e9mile", "\U0001f40c",
}

// checkTexts compares what an index of names says of a world with all names, sorted.
func checkTexts(t *testing.T, s world.State) {
	t.Helper()
	x := index.OfText(name)
	var all []owner[string]
	for id := range world.GameObjects(s) {
		if text, err := list.Text(s, id, name); err == nil {
			all = append(all, owner[string]{id, text})
		}
	}
	slices.SortStableFunc(all, func(a, b owner[string]) int { return cmp.Compare(a.value, b.value) })
	between := func(low, high string) (ids []world.GameObject) {
		for _, o := range all {
			if low <= o.value && o.value <= high {
				ids = append(ids, o.id)
			}
		}
		return ids
	}
	for i, text := range names {
		want := between(text, text)
		id, ok := x.One(s, text)
		if !same(x.Find(s, text), want) || ok != (len(want) > 0) || ok && id != want[0] {
			t.Fatalf("%q: %v, first %v; want %v", text, slices.Collect(x.Find(s, text)), id, want)
		}
		if high := names[min(i+i%7, len(names)-1)]; !same(x.Between(s, text, high), between(text, high)) {
			t.Fatalf("from %q to %q: %v; want %v", text, high,
				slices.Collect(x.Between(s, text, high)), between(text, high))
		}
	}
	var ids []world.GameObject
	for b := range x.Sorted(s, world.NewQuery(world.With(name))) {
		ids = b.AppendIDs(ids)
	}
	if !slices.Equal(between("", "\U0010ffff"), ids) {
		t.Fatalf("sorted: %v; want %v", ids, all)
	}
}

// TestTextsInLoops: loops over an index of texts may change the world; one that stays is not met
// again, one that moves ahead is.
func TestTextsInLoops(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	var ids []world.GameObject
	for _, text := range []string{"player 1", "player 2", "player 10", "player 1"} {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, name))
		s = world.Must(list.SetText(s, id, name, text))
		ids = append(ids, id)
	}
	x := index.OfText(name)
	var seen []world.GameObject
	for id := range x.Between(s, "player", "player 3") {
		seen = append(seen, id)
		switch len(seen) {
		case 1: // moves ahead
			s = world.Must(list.SetText(s, id, name, "player 3"))
		case 2: // another one comes behind it
			s = world.Must(list.SetText(s, ids[1], name, "player 11"))
		}
	}
	require.Equal(t, []world.GameObject{ids[0], ids[3], ids[2], ids[1], ids[0]}, seen)
	seen = nil
	for id := range x.Find(s, "player 3") {
		seen = append(seen, id)
		s = world.Must(list.SetText(s, ids[1], name, "player 3"))
	}
	require.Equal(t, ids[:2], seen)
	for id := range x.Between(s, "", "z") {
		s = world.Must(world.Dispose(s, id))
	}
	require.Zero(t, world.Len(s))
}

// TestTextsRefuse: what is no text, and walks that write it.
func TestTextsRefuse(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 3, nil))
	worldtest.PanicsWith(t, func() { index.OfText(layout.Text{}) }, "zero")
	worldtest.PanicsWith(t, func() { systems.OrderedByText(s, team.Spec()) }, "index team", "no text")
	unknown := index.OfText(layout.NewText("index no name"))
	worldtest.PanicsWith(t, func() { unknown.One(s, "") }, "no kind", "index no name", "Counts.Kinds")
	for range world.NewQuery(world.Write(name)).In(s) {
		worldtest.PanicsWith(t, func() { index.OfText(name).One(s, "") }, "index name", "walk")
	}
	worldtest.PanicsWith(t, func() { systems.OrderedTexts{}.Walk(world.Query{}, nil) }, "zero OrderedTexts")
}

// TestTextAllocs: One and SetText do not allocate.
func TestTextAllocs(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 100, nil))
	s, id := world.Must2(world.CreateWith(s, name))
	x, found := index.OfText(name), 0
	step := func() {
		s = world.Must(list.SetText(s, id, name, names[5+found%4]))
		if _, ok := x.One(s, names[5+found%4]); ok {
			found++
		}
	}
	for range 8 {
		step()
	}
	assert.Zero(t, testing.AllocsPerRun(100, step))
}
