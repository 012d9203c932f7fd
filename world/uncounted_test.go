package world_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// The heroes' kinds are in a world that counts them, and nowhere else.
func TestAWorldHasTheHeroesKindsThatItCounts(t *testing.T) {
	bare := world.Must(world.CreateState(world.Counts{GameObjects: 64}))
	assert.Empty(t, tool.KindNames(bare))
	assert.Empty(t, tool.KindUses(bare))
	for _, p := range tool.Parts(bare) {
		assert.Nil(t, p.Kind, p)
	}
	some := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(heroes.Velocity.Count(64), heroes.Instance),
	}))
	assert.Equal(t, []string{"velocity", "instance"}, tool.KindNames(some))
	assert.Equal(t, 64, tool.Cap(some, heroes.Instance), "room for every object")
	assert.Greater(t, len(world.Bytes(some))-len(world.Bytes(bare)), 64*4)
}

// Systems whose kinds a world does not count have nothing to do there, and change no byte of it.
func TestHeroSystemsWithoutTheirKindsDoNothing(t *testing.T) {
	counts := map[string][]layout.Count{
		"none":              nil,
		"positions":         layout.Kinds(heroes.Position.Count(4)),
		"all but positions": layout.Kinds(heroes.Velocity.Count(4), heroes.MaxVelocity, heroes.Instance),
	}
	for name, kinds := range counts {
		t.Run(name, func(t *testing.T) {
			s := world.Must(world.CreateState(world.Counts{GameObjects: 4, Kinds: kinds}))
			s, ids := worldtest.Create(s, 2)
			positions := len(kinds) == 1
			if positions {
				s = world.Must(world.Add(s, ids[1], heroes.Position))
				s = world.Must(world.Set(s, ids[1], heroes.Position, [3]float32{1, 2, 3}))
			}
			before, r := bytes.Clone(world.Bytes(s)), &worldtest.Recorder{}
			s = heroes.RenderInstances(heroes.FlyAll(heroes.MoveAll(s)), r)
			assert.Empty(t, r.Calls)
			s = heroes.RenderOneByOne(s, r)
			assert.True(t, bytes.Equal(before, world.Bytes(s)))
			s = heroes.Update(s)
			if positions {
				assert.Equal(t, []uint32{1}, r.Ones, "without the kind it has no mark")
				assert.Equal(t, [3]float32{2, 4, 6}, world.Must(world.Get(s, ids[1], heroes.Position)))
				return
			}
			assert.Empty(t, r.Ones)
			assert.True(t, bytes.Equal(before, world.Bytes(s)))
			want := "this world has no kind velocity; name it in Counts.Kinds"
			if kinds != nil {
				want = "row 0 of velocity is not in use"
			}
			worldtest.PanicsWith(t, func() { heroes.Move(s, 0, 0) }, want)
		})
	}
}

// A kind that a world does not count is on no object.
func TestUncountedKindsAreOnNoObject(t *testing.T) {
	s, ids := worldtest.Create(worldA(70), 70)
	for i, id := range ids {
		s = world.Must(world.Add(s, id, aA))
		if i%2 == 0 {
			s = world.Must(world.Add(s, id, aX))
		}
	}
	count := func(terms ...world.Term) int { return world.NewQuery(terms...).Count(s) }
	assert.Equal(t, 70, count(world.Without(absentKind)))
	assert.Equal(t, 35, count(world.Without(absentMark, aX)))
	assert.Zero(t, count(world.Any(absentKind)))
	assert.Equal(t, 35, count(world.Any(absentKind, aX)))
	assert.Equal(t, 70, count(world.Read(aValue), world.Optional(absentField)))
	assert.Equal(t, 70, count(world.Optional(absentKind, absentField)))
	for _, q := range []world.Query{
		world.NewQuery(world.Write(aValue), world.Optional(absentField)),
		world.NewQuery(world.Write(aValue), world.Optional(absentField), world.RowWise()),
		world.NewQuery(world.Optional(absentField)),
	} {
		n := 0
		for b := range q.In(s) {
			n += b.Len()
			assert.Nil(t, world.Column(b, absentField))
		}
		assert.Equal(t, 70, n, q)
	}
	q := world.NewQuery(world.Any(absentKind, aX), world.Without(absentMark), world.Optional(absentField))
	assert.Equal(t, "anyOf:2", world.Must(q.Key(s)), "by the kinds that there are")
	assert.Equal(t, mask.New(2), world.Must(q.Kinds(s)))
	assert.Equal(t, "anyOf:", world.Must(world.NewQuery(world.Any(absentKind)).Key(s)))
}

func TestUncountedKindsDoNotChange(t *testing.T) {
	s, ids := worldtest.Create(worldA(3), 3)
	s = world.Must(world.Add(s, ids[0], aA))
	tick := world.Tick(s)
	s = world.Advance(s)
	s = world.Must(world.Set(s, ids[0], aValue, [2]float32{3}))
	since := func(terms ...world.Term) (n int) {
		for b := range world.NewQuery(terms...).Since(s, tick) {
			n += b.Len()
		}
		return n
	}
	assert.Zero(t, since(world.Changed(absentKind)))
	assert.Equal(t, 1, since(world.Changed(absentKind, aA)))
}

// A watcher and a snapshot of a world that has none of the kinds that its rules leave out.
func TestWatchersOfUncountedKinds(t *testing.T) {
	w := world.NewWatcher(world.NewQuery(world.With(aX), world.Without(absentKind)))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, Kinds: layout.Kinds(aX), Watchers: []world.Watcher{w},
	}))
	s, ids := worldtest.Create(s, 3)
	s = world.Must(world.Add(s, ids[1], aX))
	s = w.Look(s)
	assert.Equal(t, 1, w.Count(s))
	require.NoError(t, tool.Verify(s))
}

// Terms and lists take fields and kinds alike, and queries of the same kinds are one.
func TestListsTakeFieldsAndKinds(t *testing.T) {
	p := heroes.Position.Kind()
	for _, same := range [][2]world.Term{
		{world.With(heroes.Position, aX), world.With(p, aX)},
		{world.Without(heroes.Position), world.Without(p)},
		{world.Any(misuseNames, heroes.Position), world.Any(misuseNames.Kind(), p)},
		{world.Only(heroes.Position), world.Only(p)},
		{world.Changed(heroes.Position), world.Changed(p)},
	} {
		assert.Equal(t, world.NewQuery(same[0]), world.NewQuery(same[1]), "%v", same[0])
	}
	r := world.NewRecipe("fields and kinds", heroes.Position, misuseNames, aX)
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, Kinds: layout.Kinds(heroes.Position, misuseNames, aX, aA),
		Recipes: []world.Recipe{r},
	}))
	s, spawned := world.Must2(world.Spawn(s, r))
	s, id := world.Must2(world.CreateWith(s, heroes.Position, misuseNames, aX))
	assert.Equal(t, world.Must(tool.KindsOf(s, spawned)), world.Must(tool.KindsOf(s, id)))
	s = world.Must(world.Add(s, id, aA))
	assert.True(t, world.Has(s, id, aA))
	s = world.Must(world.Remove(s, id, heroes.Position, misuseNames, aX, aA))
	assert.Empty(t, world.Must(tool.KindsOf(s, id)))
}

type brokenKind struct{}

func (brokenKind) Kind() layout.Kind { panic("broken; mend it") }

func TestListsPassOnWhatAKindPanicsWith(t *testing.T) {
	assert.PanicsWithValue(t, "broken; mend it", func() { world.With(aA, brokenKind{}) })
}

// The heroes' kinds may have room for every object, and are moved, drawn and copied like counted
// ones.
func TestHeroesInFreeRoom(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position, heroes.Velocity, heroes.MaxVelocity, heroes.Instance,
	)}))
	defer func() { world.Close(s) }()
	var id world.GameObject
	for range 100 {
		s, id = world.Must2(world.CreateWith(s, heroes.Position, heroes.Velocity, heroes.Instance))
	}
	s = world.Must(world.Add(s, id, heroes.MaxVelocity))
	s = heroes.Update(heroes.FlyAll(heroes.MoveAll(s)))
	assert.Equal(t, [3]float32{6, 6, 6}, world.Must(world.Get(s, id, heroes.Position)))
	r := &worldtest.Recorder{}
	s = heroes.RenderInstances(heroes.RenderOneByOne(s, r), r)
	assert.Empty(t, r.Ones)
	require.Len(t, r.Calls, 1)
	assert.Len(t, r.Calls[0], 1200)
	require.NoError(t, tool.Verify(s))
}
