package list_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
)

// A carrier makes another world of a model's: as Resized makes it, to the bit, unless it changes it.
type carrier struct {
	name    string
	grows   bool // into a world of more objects, too
	changes bool
	carry   func(m *model, c world.Counts) world.State
}

// carriers are the ways in which a world with lists becomes another one. The model goes on in that.
var carriers = []carrier{
	{"a copy", false, false, func(m *model, _ world.Counts) world.State {
		return world.Must(world.Clone(m.state))
	}},
	{"other counts", true, false, func(m *model, c world.Counts) world.State {
		return world.Must(world.Resized(m.state, c))
	}},
	{"a file", true, false, func(m *model, c world.Counts) world.State {
		s, _ := world.Must2(read(written(m.t, m.state), c, save.Options{}))
		return s
	}},
	{"a file, into a world that lived", true, false, func(m *model, c world.Counts) world.State {
		spare := world.Must(world.SpawnN(world.Must(world.CreateState(c)), armed, 3, nil))
		b := written(m.t, m.state)
		s, _ := world.Must2(save.Reread(bytes.NewReader(b), int64(len(b)), spare, save.Options{}))
		return s
	}},
	{"memory", false, false, func(m *model, c world.Counts) world.State {
		n := world.Must(memory.SizeOf(c))
		if n > 1<<25 { // of a free world
			return world.Must(world.Clone(m.state))
		}
		b := memory.Make(n)
		p := world.Must(memory.NewSnapshot(m.state, b))
		require.NoError(m.t, p.Take(m.state))
		p.Close()
		head := world.Must(memory.Read(b))
		seen := world.Must(head.Attach(b))
		m.sameTexts(seen)
		world.Close(seen)
		return world.Must(memory.Copy(c, b))
	}},
	{"a delta", false, false, func(m *model, c world.Counts) world.State {
		base := world.Must(world.CreateState(c))
		return world.Must(delta.Apply(base, world.Must(delta.Append(nil, base, m.state))))
	}},
	{"a program that knows no lists", true, true, (*model).abroad},
}

// sameTexts checks that a program that knows no kinds reads the lists.
func (m *model) sameTexts(s world.State) {
	require.NoError(m.t, tool.Verify(s))
	for id := range m.lives {
		for _, field := range []string{"bag", "mind.seen", "mind.marks", "title"} {
			want, err := tool.Get(m.state, id, field)
			got, other := tool.Get(s, id, field)
			require.Equal(m.t, err == nil, other == nil)
			require.Equal(m.t, want, got)
		}
	}
}

// abroad returns what a program that knows no kinds saves: it keeps their lists, while it disposes
// objects and cuts bags.
func (m *model) abroad(c world.Counts) world.State {
	none := world.Counts{GameObjects: c.GameObjects}
	s, report := world.Must2(read(written(m.t, m.state), none, save.Options{}))
	assert.Subset(m.t, report.Kept, []string{"bag", "elements of bag", "free runs of bag"})
	m.sameTexts(s)
	for range 3 {
		id, l := m.any()
		if l == nil || !l.hasBag {
			continue
		}
		if m.r.IntN(2) == 0 {
			s = world.Must(world.Dispose(s, id))
			delete(m.lives, id)
			continue
		}
		l.bag = l.bag[:len(l.bag)/2]
		s = world.Must(tool.Set(s, id, "bag", tool.Text(bag.Spec(), bag.Bytes(l.bag))))
	}
	require.NoError(m.t, tool.Verify(s))
	back, _ := world.Must2(read(written(m.t, s), c, save.Options{}))
	world.Close(s)
	return back
}

// carry goes on in the world that a carrier makes, and forgets the past.
func (m *model) carry(past *saved, by carrier, c *world.Counts) {
	if by.grows {
		c.GameObjects += 64
	}
	twin := by.carry(m, *c)
	if !by.changes {
		want := world.Must(world.Resized(m.state, *c))
		first, _ := world.Must2(tool.FirstDifference(want, twin))
		require.Equal(m.t, world.Digest(want), world.Digest(twin), "%s: %v", by.name, first)
		world.Close(want)
	}
	world.Close(m.state)
	m.state = twin
	m.check()
	past.snapshot.Close()
	past.snapshot = world.Must(world.NewSnapshot(m.state))
	m.save(past)
}

// TestMemoryNamesLists: a head says where lists, their elements and their free runs lie.
func TestMemoryNamesLists(t *testing.T) {
	c := counts(80, 4000)
	b := memory.Make(world.Must(memory.SizeOf(c)))
	world.Close(world.Must(memory.CreateState(c, b)))
	parts := map[string]bool{}
	for _, p := range world.Must(memory.Read(b)).Parts {
		parts[p.Owner+"."+p.Name+"."+p.Lanes] = true
	}
	assert.Contains(t, parts, "bag.bag.First")
	assert.Contains(t, parts, "elements of bag.elements.[7].Count")
	assert.Contains(t, parts, "elements of title.text.")
	assert.Contains(t, parts, "free runs of mind.seen.first.")
}

// TestCountsOfKeptLists: what a program kept of lists makes a world of its own.
func TestCountsOfKeptLists(t *testing.T) {
	s, _ := full(t)
	_, report := world.Must2(read(written(t, s), world.Counts{GameObjects: 80}, save.Options{}))
	fresh := world.Must(world.CreateState(report.Counts))
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
