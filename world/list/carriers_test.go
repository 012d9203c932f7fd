package list_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// full returns a world with lists of several objects.
func full(t *testing.T) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(counts(100, 1000)))
	var ids []world.GameObject
	for i := range 20 {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, hero))
		ids = append(ids, id)
		for k := range i {
			s = world.Must(list.Append(s, id, bag, item{What: uint32(i), Count: uint16(k)}))
			s = world.Must(list.Append(s, id, seen, ids[k]))
		}
	}
	s = world.Must(list.Append(s, 0, best, 3, 1, 4))
	return s, ids
}

func written(t *testing.T, s world.State) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	return file.Bytes()
}

func read(b []byte, c world.Counts, o save.Options) (world.State, save.Report, error) {
	return save.Read(bytes.NewReader(b), int64(len(b)), c, o)
}

func TestFilesWithAndWithoutLists(t *testing.T) {
	s, _ := full(t)
	b := written(t, s)
	few := counts(100, 1000)
	few.Kinds[0] = bag.Count(20, 1)
	_, _, err := read(b, few, save.Options{})
	require.ErrorIs(t, err, world.ErrFull)
	require.ErrorContains(t, err, "Raise the elements in the Count of the list")
	without := counts(100, 1000)
	without.Kinds, without.Recipes, without.Queries = without.Kinds[1:],
		[]world.Recipe{world.NewRecipe("hero", mind)}, nil
	kept, report := world.Must2(read(b, without, save.Options{DropFields: true}))
	assert.Equal(t, []string{"bag", "free runs of bag", "elements of bag"}, report.Kept)
	require.NoError(t, tool.Verify(kept))
	back, report := world.Must2(read(b, without, save.Options{
		Migrations: []save.Migration{save.Drop("bag")},
	}))
	assert.Equal(t, []string{"bag", "free runs of bag", "elements of bag"}, report.Dropped)
	require.NoError(t, tool.Verify(back))

	again, _, err := read(written(t, back), counts(100, 1000), save.Options{})
	require.NoError(t, err, "a list that the file lacks is empty")
	require.NoError(t, tool.Verify(again))

	spare := world.Must(world.CreateState(counts(100, 1000)))
	b2 := written(t, back)
	spare, _ = world.Must2(save.Reread(bytes.NewReader(b2), int64(len(b2)), spare, save.Options{}))
	require.NoError(t, tool.Verify(spare))
}

// TestElementsThatHaveChanged: parts are found by their names, for any number of elements in a row.
func TestElementsThatHaveChanged(t *testing.T) {
	type narrow struct {
		Count uint16
		Grade uint8
		Rare  bool
	}
	type wide struct {
		Owner world.GameObject
		What  uint32
		Grade uint8
		Rare  bool
		Count uint16
		Price [9]uint64
	}
	s, ids := full(t)
	b := written(t, s)
	c := counts(100, 1000)
	wides := layout.NewList[wide]("bag")
	c.Kinds[0] = wides.Count(100, 1000)
	c.Recipes, c.Queries = []world.Recipe{world.NewRecipe("hero", wides, mind)}, nil
	few := c
	few.Kinds = slices.Clone(c.Kinds)
	few.Kinds[0] = wides.Count(100, 1)
	_, _, err := read(b, few, save.Options{})
	require.ErrorIs(t, err, world.ErrFull)
	require.ErrorContains(t, err, "Raise the elements")
	back, report := world.Must2(read(b, c, save.Options{}))
	assert.Equal(t, []string{"bag.Owner", "bag.Price"}, report.New)
	require.NoError(t, tool.Verify(back))
	for i, id := range ids {
		got := world.Must(list.Of(back, id, wides))
		require.Len(t, got, i)
		for k := range got {
			require.Equal(t, wide{What: uint32(i), Count: uint16(k)}, got[k])
		}
		require.Equal(t, world.Must(list.Of(s, id, seen)), world.Must(list.Of(back, id, seen)))
	}

	narrows := layout.NewList[narrow]("bag")
	c.Kinds[0] = narrows.Count(100, 1000)
	c.Recipes = []world.Recipe{world.NewRecipe("hero", narrows, mind)}
	b = written(t, back)
	_, _, err = read(b, c, save.Options{})
	require.ErrorIs(t, err, save.ErrMigration)
	require.ErrorContains(t, err, `Drop("bag.bag.Owner")`)
	for _, drop := range []save.Options{
		{DropFields: true},
		{Migrations: []save.Migration{
			save.Drop("bag.bag.Owner"), save.Drop("bag.bag.What"), save.Drop("bag.bag.Price"),
		}},
	} {
		spare := world.Must(world.CreateState(c))
		spare, report = world.Must2(save.Reread(bytes.NewReader(b), int64(len(b)), spare, drop))
		assert.Equal(t, []string{"bag.Owner", "bag.What", "bag.Price"}, report.Dropped)
		require.NoError(t, tool.Verify(spare))
		require.Equal(t, narrow{Count: 6}, world.Must(list.Of(spare, ids[9], narrows))[6])
	}
}

func TestListsOfOtherElements(t *testing.T) {
	s, _ := full(t)
	b := written(t, s)
	c := counts(100, 1000)
	c.Recipes, c.Queries = []world.Recipe{world.NewRecipe("hero", mind)}, nil
	c.Kinds[0] = layout.NewList[[2]uint32]("bag").Count(100, 1000)
	_, _, err := read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrMigration)
	require.ErrorContains(t, err, "the elements of bag are ")

	c.Kinds[0] = layout.NewText("bag").Count(100, 1000)
	_, _, err = read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrSchema)
	require.ErrorContains(t, err, "bag is a text in one of the file and the program")

	plain := layout.NewKind("bag", layout.NewField[layout.Run]("bag"))
	c.Kinds[0] = plain.Count(100)
	_, _, err = read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrSchema)
	require.ErrorContains(t, err, "bag is a list in the file and not in the program")
}
