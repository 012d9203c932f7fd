package index_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

func TestWhatHasNoOrderIsRefused(t *testing.T) {
	half := layout.NewComponent[float16.Float16]("index half")
	worldtest.PanicsWith(t, func() { index.New(half) }, "index half", "float16")
	worldtest.PanicsWith(t, func() { index.New(layout.Field[uint8]{}) }, "zero Field")
	s := world.Must(world.CreateState(livesCounts(true)))
	defer world.Close(s)
	pair := layout.NewComponent[[2]int8]("index pair")
	worldtest.PanicsWith(t, func() { systems.OrderedBy(s, pair.Spec()) }, "no kind index pair")
	unknown := index.New(layout.NewComponent[uint8]("index unknown"))
	worldtest.PanicsWith(t, func() { unknown.Count(s, 1) }, "no kind index unknown", "Counts.Kinds")
	rowWise := world.NewQuery(world.Read(team), world.RowWise())
	worldtest.PanicsWith(t, func() {
		for range index.New(team).Sorted(s, rowWise) {
			continue
		}
	}, "RowWise")
}

// TestWalksThatWriteTheField: a walk that writes the field has it for itself; one in order may be it.
func TestWalksThatWriteTheField(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 300, func(b world.Batch) {
		for i := range world.Column(b, team) {
			world.Column(b, team)[i] = int8(i%7) - 3
		}
	}))
	byTeam, writing := index.New(team), world.NewQuery(world.Write(team))
	for range writing.In(s) {
		worldtest.PanicsWith(t, func() { byTeam.Count(s, 1) }, "index team", "written by this walk")
	}
	var before []int8
	for b := range byTeam.Sorted(s, writing) {
		before = append(before, world.Column(b, team)...)
		for i := range world.Column(b, team) {
			world.Column(b, team)[i] *= -1
		}
	}
	require.Len(t, before, 300)
	require.IsNonDecreasing(t, before)
	check(t, s, team, -3, -1, 0, 3)
}

// TestTasksAsk: tasks ask side by side, unless some of the call may write the kind.
func TestTasksAsk(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 500, nil))
	byTeam, w := index.New(team), systems.NewWorkers(3)
	defer w.Close()
	found := make([]int, 8)
	var tasks []systems.Task
	for i := range found {
		tasks = append(tasks, systems.Task{Run: []func(world.State) world.State{
			func(s world.State) world.State {
				for range byTeam.Find(s, -1) {
					found[i]++
				}
				for b := range byTeam.Sorted(s, world.NewQuery(world.Read(team))) {
					found[i] += b.Len()
				}
				return s
			},
		}, Queries: []world.Query{world.NewQuery(world.Read(team))}})
	}
	s = systems.RunTasks(s, w, tasks)
	for _, n := range found {
		assert.Equal(t, 1000, n)
	}
	ask := func(s world.State) world.State {
		byTeam.Count(s, 1)
		return s
	}
	var caused error
	func() {
		defer func() { caused, _ = recover().(error) }()
		s = systems.RunTasks(s, nil, []systems.Task{
			{Run: []func(world.State) world.State{ask}},
			{Queries: []world.Query{world.NewQuery(world.Write(team))}},
		})
	}()
	require.ErrorContains(t, caused, "index team")
	func() {
		defer func() { caused, _ = recover().(error) }()
		systems.RunTasks(s, nil, []systems.Task{
			{
				Run: []func(world.State) world.State{func(s world.State) world.State {
					for range byTeam.Sorted(s, world.NewQuery(world.Read(team))) {
						continue
					}
					return s
				}},
				Queries: []world.Query{world.NewQuery(world.Read(team))}, End: 2,
			},
		})
	}()
	require.ErrorContains(t, caused, "on some of the objects")
}

// TestAllocs: questions, settling included, do not allocate, but the first one.
func TestAllocs(t *testing.T) {
	s := world.Must(world.CreateState(livesCounts(true)))
	defer func() { world.Close(s) }()
	s = world.Must(world.SpawnN(s, recruit, 500, nil))
	byTeam, n := index.New(team), int8(0)
	writing := world.NewQuery(world.Write(team))
	step := func() {
		id, _ := byTeam.One(s, -1)
		for id := range byTeam.Find(s, n) {
			n = int8(id.Index())
		}
		n++
		s, _ = world.Set(s, id, team, n)
		if n%16 == 0 {
			for range writing.In(s) {
				break
			}
		}
	}
	step()
	assert.Zero(t, testing.AllocsPerRun(200, step))
}

var crowd = layout.NewComponent[uint16]("index crowd")

// crowds is a world of many objects and its model: the value of each object, from the first on.
type crowds struct {
	s      world.State
	ids    []world.GameObject
	values []uint16
	r      *rand.Rand
}

// value draws a value: of a few that very many have, of some that about nine have, or of one's own.
func (c *crowds) value() uint16 {
	switch c.r.IntN(3) {
	case 0:
		return uint16(c.r.IntN(3))
	case 1:
		return 100 + uint16(c.r.IntN(max(1, len(c.ids)/27)))
	default:
		return 10_000 + uint16(c.r.IntN(len(c.ids)))
	}
}

// first returns the place of the first object of a value, or -1.
func (c *crowds) first(v uint16) int { return slices.Index(c.values, v) }

// all returns the objects of a value.
func (c *crowds) all(v uint16) (ids []world.GameObject) {
	for i, w := range c.values {
		if v == w {
			ids = append(ids, c.ids[i])
		}
	}
	return ids
}

// set sets the value of an object: of the first one of a value, or of any.
func (c *crowds) set(first bool) {
	i := c.r.IntN(len(c.ids))
	if v := c.value(); first && c.first(v) >= 0 {
		i = c.first(v)
	}
	c.values[i] = c.value()
	c.s = world.Must(world.Set(c.s, c.ids[i], crowd, c.values[i]))
}

// newCrowds returns n objects with values that value draws.
func newCrowds(n int) *crowds {
	recipe := world.NewRecipe("index crowds", crowd)
	c := &crowds{r: rand.New(rand.NewPCG(5, 5)), values: make([]uint16, n)}
	c.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(crowd), Recipes: []world.Recipe{recipe},
	}))
	c.s = world.Must(world.SpawnN(c.s, recipe, n, func(b world.Batch) { c.ids = b.AppendIDs(c.ids) }))
	for i := range c.ids {
		c.values[i] = c.value()
		c.s = world.Must(world.Set(c.s, c.ids[i], crowd, c.values[i]))
	}
	return c
}

// TestCrowds: values that many, some and few objects have, and questions by value alone, by order
// alone, or by both, in long phases.
func TestCrowds(t *testing.T) {
	worldtest.OneGoroutine(t)
	phases := 40
	if worldtest.AtLength() {
		phases = 250
	}
	for _, n := range []int{40, 30_000} {
		c := newCrowds(n)
		c.live(t, phases)
		world.Close(c.s)
	}
}

// live compares an index with the model in phases.
func (c *crowds) live(t *testing.T, phases int) {
	t.Helper()
	byCrowd := index.New(crowd)
	for phase := range phases {
		asked, first, few := phase%3, c.r.IntN(2) == 0, 1<<c.r.IntN(9)
		for range 25 {
			for range 1 + c.r.IntN(few) {
				c.set(first)
			}
			v := c.value()
			if asked != 0 {
				id, ok := byCrowd.One(c.s, v)
				i := c.first(v)
				require.Equal(t, i >= 0, ok)
				require.True(t, i < 0 || c.ids[i] == id, "%d: %v", v, id)
				require.True(t, same(byCrowd.Find(c.s, v), c.all(v)), "%d", v)
			}
			if asked != 1 {
				low := c.value()
				require.True(t, same(byCrowd.Between(c.s, low, low), c.all(low)), "%d", low)
			}
		}
		check(t, c.s, crowd, 0, 2, 101, 102, 10_001)
	}
}

// names are texts, some with equal beginnings, in order.
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

// TestTextsRefuse: fields that are not texts, and walks that write the text.
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
