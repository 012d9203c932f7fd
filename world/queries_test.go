package world_test

import (
	"fmt"
	"slices"
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

// everyMix creates an object for every set of the five kinds: object i has kind k when bit k of i
// is 1.
func everyMix() (s world.State, ids []world.GameObject) {
	s, ids = worldtest.Create(worldA(1<<len(aKinds)), 1<<len(aKinds))
	for i, id := range ids {
		for n, k := range aKinds {
			if i>>n&1 == 1 {
				s = world.Must(world.Add(s, id, k))
			}
		}
	}
	return s, ids
}

// matching returns the objects that q finds, and checks that every way of asking agrees.
func matching(t *testing.T, s world.State, q world.Query) []world.GameObject {
	t.Helper()
	found := slices.Collect(q.Objects(s))
	for id := range world.GameObjects(s) {
		require.Equal(t, slices.Contains(found, id), q.Matches(s, id))
	}
	require.Equal(t, len(found), q.Count(s))
	first, ok := q.First(s)
	require.Equal(t, len(found) > 0, ok)
	if ok {
		require.Equal(t, found[0], first)
	}
	return found
}

func TestSeed_A5_Rules(t *testing.T) {
	s, ids := everyMix()
	a, b, x, c := 1, 2, 4, 16
	for _, r := range []struct {
		rule world.Term
		key  string
		has  func(mix int) bool
	}{
		{world.With(aA), "allOf:0", func(mix int) bool { return mix&a != 0 }},
		{world.With(aC, aX, aA), "allOf:0-2-4", func(mix int) bool { return mix&(a|x|c) == a|x|c }},
		{world.With(aB, aA, aB, aB), "allOf:0-1", func(mix int) bool { return mix&(a|b) == a|b }},
		{world.Any(aC, aX, aC), "anyOf:2-4", func(mix int) bool { return mix&(x|c) != 0 }},
		{world.Any(), "anyOf:", func(int) bool { return false }},
		{world.Without(aC, aX, aX), "excludeOf:2-4", func(mix int) bool { return mix&(x|c) == 0 }},
		{world.Without(), "allOf:", func(int) bool { return true }},
	} {
		q := world.NewQuery(r.rule)
		t.Run(r.key, func(t *testing.T) {
			assert.Equal(t, r.key, world.Must(q.Key(s)), "duplicates dropped, numbers ascending")
			found := matching(t, s, q)
			for mix, id := range ids {
				assert.Equal(t, r.has(mix), slices.Contains(found, id), "%05b", mix)
			}
		})
	}
}

// Read and written fields count as allOf; optional fields and the way of walking do not affect
// which objects match.
func TestSeed_A6_MatchersChain(t *testing.T) {
	s, ids := everyMix()
	first := world.NewQuery(world.With(aB, aA))
	q := first.And(world.Without(aC, aX))
	assert.Equal(t, "allOf:0-1 && excludeOf:2-4", world.Must(q.Key(s)))
	assert.Equal(t, "allOf:0-1", world.Must(first.Key(s)), "what is made of one leaves it as it was")
	assert.Equal(t, []world.GameObject{ids[0b00011], ids[0b01011]}, matching(t, s, q),
		"all must hold")
	q = q.And(world.Any(aY))
	assert.Equal(t, mask.New(0, 1, 2, 3, 4), world.Must(q.Kinds(s)))
	q = q.And(world.Only(aA, aB, aY), world.Any(aC, aY), world.Any(aY))
	assert.Equal(t, "allOf:0-1 && anyOf:3 && anyOf:3-4 && onlyOf:0-1-3 && excludeOf:2-4",
		world.Must(q.Key(s)))
	assert.Equal(t, ids[0b01011:0b01011+1], matching(t, s, q))
	worldtest.PanicsWith(t, func() { q.And(world.Without(aY)).Count(s) }, "its terms contradict each other")

	columns := world.NewQuery(
		world.Write(heroes.Position), world.Read(aValue, heroes.Velocity), world.Optional(heroes.MaxVelocity),
		world.Without(aX), world.RowWise(), world.Changed(aA))
	assert.Equal(t, "allOf:0-5-6 && excludeOf:2", world.Must(columns.Key(s)))
	assert.Equal(t, ids[:1], matching(t, s, world.NewQuery(world.Only())), "the bare one")
	worldtest.PanicsWith(t, func() { world.NewQuery(world.With(aUnknown)).Count(s) },
		"this world has no kind unknown", "Name it in Counts.Kinds")
}

// Kinds that are counted later are others too, however many there are.
func TestOnlyExcludesEveryOtherKind(t *testing.T) {
	marks := make([]layout.Count, 150)
	for i := range marks {
		marks[i] = layout.NewMark(fmt.Sprint("mark ", i)).Count(0)
	}
	s, ids := worldtest.Create(world.Must(world.CreateState(world.Counts{GameObjects: 160, Kinds: marks})), 160)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, marks[0].Kind))
	}
	only := world.NewQuery(world.Only(marks[0].Kind))
	assert.Equal(t, ids, matching(t, s, only))
	assert.Equal(t, 150, world.Must(only.Kinds(s)).Len())
	s = world.Must(world.Add(s, ids[70], marks[149].Kind))
	assert.Equal(t, slices.Concat(ids[:70], ids[71:]), matching(t, s, only))
}

// Two of the document's three indexes; the third goes from names to entities.
func TestSeed_E2_Indexes(t *testing.T) {
	s, a := with(worldA(3), aC, aA, aX)
	s, b := with(s)
	assert.Equal(t, []string{"A", "X", "C"}, world.Must(tool.KindsOf(s, a)), "entity → components")
	assert.Empty(t, world.Must(tool.KindsOf(s, b)))
	haveA := world.NewQuery(world.With(aA))
	assert.Equal(t, []world.GameObject{a}, matching(t, s, haveA), "component → entities")

	s = world.Must(world.Remove(s, a, aA))
	s = world.Must(addKinds(s, b, aA, aC))
	assert.Equal(t, []string{"X", "C"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, []world.GameObject{b}, matching(t, s, haveA))
	s = world.Must(world.Dispose(s, b))
	assert.Empty(t, matching(t, s, haveA))
	_, err := tool.KindsOf(s, b)
	require.ErrorIs(t, err, world.ErrDead)
}

func TestSeed_E3_EntityWithAllItsComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Kinds: []layout.Count{
		aA.Count(3), aB.Count(1), aX.Count(0),
	}}))
	s, a := world.Must2(world.CreateWith(s, aX, aB, aA))
	assert.Equal(t, []string{"A", "B", "X"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, a, aValue)))
	for err, kinds := range map[error][]layout.AnyKind{
		world.ErrTwice: {aX, aA, aX}, world.ErrFull: {aX, aA, aB}, world.ErrNoKind: {aA, aUnknown},
	} {
		s = refuses(t, s, err, func(s world.State) (world.State, error) {
			s, id, err := world.CreateWith(s, kinds...)
			assert.Zero(t, id)
			return s, err
		})
	}
}

// The document's view(types…) is a query and a walk.
func TestSeed_E4_View(t *testing.T) {
	s, ids := everyMix()
	for mix, id := range ids {
		s, _ = world.Set(s, id, aValue, [2]float32{float32(mix), float32(-mix)})
	}
	view := world.NewQuery(world.Read(aValue), world.With(aX, aC))
	var seen []world.GameObject
	for b := range view.In(s) {
		values := world.Column(b, aValue)
		for i := range b.Len() {
			seen = append(seen, b.ID(i))
			mix := slices.Index(ids, b.ID(i))
			want := [2]float32{float32(mix), float32(-mix)}
			assert.Equal(t, want, values[i], "with its components")
		}
	}
	assert.Equal(t, []world.GameObject{ids[21], ids[23], ids[29], ids[31]}, seen,
		"that has all of them")
	assert.Equal(t, seen, matching(t, s, view))
	for range view.Of(s, ids[20]) {
		t.Error("it has X and C, and no A")
	}
}

// A call that an open walk forbids names itself, the query, and what to call instead.
func TestCallsInAWalkAreNamed(t *testing.T) {
	if !worldtest.StatesChecked {
		t.Skip("a release, which is small, names neither")
	}
	k := layout.NewComponent[float32]("walked")
	r := world.NewRecipe("walked", k)
	s, id, _ := world.Spawn(world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{r}})), r)
	for range world.NewQuery(world.Write(k)).In(s) {
		_, disposed := world.Dispose(s, id)
		_, got := world.Get(s, id, k)
		require.EqualError(t, disposed, "flatecs: Dispose while NewQuery(Write(walked)) is walked; "+
			"call Dispose of the batch or of Record(s), then Apply")
		require.EqualError(t, got, "flatecs: Get: walked is written by this walk; "+
			"use world.Column(b, walked), or for another object read it before the walk")
	}
}
