package list_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

func newModel(t *testing.T, seed uint64) *model {
	t.Helper()
	s, err := world.CreateState(counts(80, 40000))
	require.NoError(t, err)
	return &model{t, rand.New(rand.NewPCG(seed, 2)), s, map[world.GameObject]*life{}, nil}
}

// TestMemoryNamesLists: a program that does not know the kinds reads lists by the head.
func TestMemoryNamesLists(t *testing.T) {
	c := counts(80, 4000)
	b := memory.Make(world.Must(memory.SizeOf(c)))
	s := world.Must(memory.CreateState(c, b))
	m := &model{t, rand.New(rand.NewPCG(7, 2)), s, map[world.GameObject]*life{}, nil}
	for range 300 {
		m.step()
	}
	h := world.Must(memory.Read(b))
	parts := map[string]memory.Part{}
	for _, p := range h.Parts {
		parts[p.Owner+"."+p.Name+"."+p.Lanes] = p
	}
	assert.Contains(t, parts, "bag.bag.First")
	assert.Contains(t, parts, "elements of bag.elements.[7].Count")
	assert.Contains(t, parts, "elements of title.text.")
	assert.Contains(t, parts, "free runs of mind.seen.first.")

	seen := world.Must(h.Attach(b))
	require.NoError(t, tool.Verify(seen))
	assert.Equal(t, world.Digest(m.state), world.Digest(seen))
	for id := range m.lives {
		for _, field := range []string{"bag", "mind.seen", "mind.marks", "title"} {
			want, err := tool.Get(m.state, id, field)
			got, other := tool.Get(seen, id, field)
			assert.Equal(t, err == nil, other == nil)
			assert.Equal(t, want, got)
		}
	}
}

// TestListsOfOtherPrograms: a program that does not know the kinds keeps their lists: it disposes
// and copies objects, and the next one has what is right.
func TestListsOfOtherPrograms(t *testing.T) {
	m := newModel(t, 8)
	for range 400 {
		m.step()
	}
	foreign, report, err := read(written(t, m.state), world.Counts{GameObjects: 80}, save.Options{})
	require.NoError(t, err)
	assert.Subset(t, report.Kept, []string{"bag", "elements of bag", "free runs of bag"})
	require.NoError(t, tool.Verify(foreign))
	for id, l := range m.lives {
		if !l.hasBag || len(m.lives) < 3 {
			continue
		}
		text, err := tool.Get(foreign, id, "bag")
		require.NoError(t, err)
		assert.Equal(t, tool.Text(bag.Spec(), bag.Bytes(l.bag)), text)
		switch m.r.IntN(3) {
		case 0:
			foreign = world.Must(world.Dispose(foreign, id))
			delete(m.lives, id)
		case 1:
			l.bag = l.bag[:len(l.bag)/2]
			text := tool.Text(bag.Spec(), bag.Bytes(l.bag))
			foreign = world.Must(tool.Set(foreign, id, "bag", text))
		}
		require.NoError(t, tool.Verify(foreign))
	}
	again, _, err := read(written(t, foreign), counts(80, 40000), save.Options{})
	require.NoError(t, err)
	m.state = again
	m.check()
	for range 50 {
		m.step()
	}
	m.check()

	// The counts of what was kept make a world of their own.
	fresh, err := world.CreateState(report.Counts)
	require.NoError(t, err)
	require.NoError(t, tool.Verify(fresh))
	var bags layout.Kind
	for _, c := range report.Counts.Kinds {
		if c.Kind.String() == "bag" {
			bags = c.Kind
		}
	}
	fresh, id := world.Must2(world.CreateWith(fresh, bags))
	fresh = world.Must(tool.Set(fresh, id, "bag", "[{What:1 Count:2 Rare:true Grade:3}]"))
	require.NoError(t, tool.Verify(fresh))
}

// TestWhatHasNoLists: watchers and events refuse them by name.
func TestWhatHasNoLists(t *testing.T) {
	for want, do := range map[string]func(){
		"flatecs: a watcher keeps no lists: bag; keep another field, such as " +
			"a count": func() {
			world.NewWatcher(world.NewQuery(world.With(bag))).Keep(bag)
		},
		"flatecs: events shots have no lists: hits; send an event for each element, or the object " +
			"that has the list": func() {
			world.NewEvents("shots", layout.NewListField[uint8]("hits"))
		},
	} {
		assert.PanicsWithValue(t, want, do)
	}
	_, err := list.Of(world.Must(world.CreateState(counts(9, 9))), 5, bag)
	require.Error(t, err)
}
