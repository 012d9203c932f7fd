package world_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		{world.With(), "allOf:", func(int) bool { return true }},
		{world.Any(aX), "anyOf:2", func(mix int) bool { return mix&x != 0 }},
		{world.Any(aC, aX, aC), "anyOf:2-4", func(mix int) bool { return mix&(x|c) != 0 }},
		{world.Any(), "anyOf:", func(int) bool { return false }},
		{world.Without(aX), "excludeOf:2", func(mix int) bool { return mix&x == 0 }},
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

func TestSeed_A5_UnregisteredKindsAreRefused(t *testing.T) {
	s := worldA(1)
	field := layout.NewField[uint8]("field")
	unread := layout.NewKind("never counted", field)
	for name, term := range map[string]world.Term{
		"allOf": world.With(aA, aUnknown), "onlyOf": world.Only(aUnknown),
		"tag": world.With(aUnknownTag), "read": world.Read(field), "write": world.Write(unread),
	} {
		t.Run(name, func(t *testing.T) {
			q := world.NewQuery(world.With(aB), term)
			_, err := q.Key(s)
			require.ErrorIs(t, err, world.ErrNoKind)
			require.ErrorContains(t, err, "Component not registered before use.")
			_, err = q.Kinds(s)
			require.ErrorIs(t, err, world.ErrNoKind)
			worldtest.PanicsWith(t, func() { q.Count(s) },
				"this world has no kind ", "Name it in Counts.Kinds")
		})
	}
	_, err := world.NewQuery(world.With(aUnknown)).Key(s)
	require.ErrorContains(t, err, "unknown: ", "it says which")
	nobodys := layout.NewField[uint8]("nobody's")
	worldtest.PanicsWith(t, func() { _, _ = world.NewQuery(world.Read(nobodys)).Key(s) },
		"nobody's belongs to no kind")
}

func TestSeed_A6_MatchersChain(t *testing.T) {
	s, ids := everyMix()
	q := world.NewQuery(world.With(aB, aA)).And(world.Without(aC, aX))
	assert.Equal(t, "allOf:0-1 && excludeOf:2-4", world.Must(q.Key(s)))
	assert.Equal(t, []world.GameObject{ids[0b00011], ids[0b01011]}, matching(t, s, q),
		"all must hold")

	q = q.And(world.Any(aY))
	assert.Equal(t, "allOf:0-1 && anyOf:3 && excludeOf:2-4", world.Must(q.Key(s)))
	assert.Equal(t, ids[0b01011:0b01011+1], matching(t, s, q))

	q = q.And(world.Only(aA, aB, aY), world.Any(aC, aY), world.Any(aY))
	assert.Equal(t, "allOf:0-1 && anyOf:3 && anyOf:3-4 && onlyOf:0-1-3 && excludeOf:2-4",
		world.Must(q.Key(s)))
	assert.Equal(t, ids[0b01011:0b01011+1], matching(t, s, q))
	worldtest.PanicsWith(t, func() { q.And(world.Without(aY)).Count(s) }, "its terms contradict each other")
}

// What is read and written counts as allOf; what need not be there, and how a walk goes, says
// nothing of who matches.
func TestSeed_A6_KeysOfQueriesWithColumns(t *testing.T) {
	s := worldA(1)
	q := world.NewQuery(
		world.Write(heroes.Position), world.Read(aValue, heroes.Velocity), world.Optional(heroes.MaxVelocity),
		world.Without(aX), world.RowWise(), world.Changed(aA))
	assert.Equal(t, "allOf:0-5-6 && excludeOf:2", world.Must(q.Key(s)))
	assert.Equal(t, "allOf:", world.Must(world.NewQuery().Key(s)))
}

func TestSeed_A6_OnlyOfExcludesEveryOtherKind(t *testing.T) {
	s, ids := everyMix()
	only := world.NewQuery(world.Only(aA, aB))
	assert.Equal(t, "onlyOf:0-1", world.Must(only.Key(s)))
	assert.Equal(t, ids[0b00011:0b00011+1], matching(t, s, only), "allOf, and no other kind or tag")
	assert.Equal(t, ids[:1], matching(t, s, world.NewQuery(world.Only())), "the bare one")

	// Kinds counted later and built-in ones are others too, however many there are.
	counts := []layout.Count{aA.Count(200)}
	for i := range 150 {
		counts = append(counts, layout.NewMark(fmt.Sprint("later ", i)).Count(0))
	}
	s = world.Must(world.CreateState(world.Counts{GameObjects: 200, Kinds: append(counts, heroes.Position.Count(9))}))
	s, ids = worldtest.Create(s, 160)
	onlyA := world.NewQuery(world.Only(aA))
	for _, id := range ids {
		s = world.Must(world.Add(s, id, aA))
	}
	assert.Len(t, matching(t, s, onlyA), 160)
	for i, later := range counts[1:] {
		s = world.Must(world.Add(s, ids[i], later.Kind))
		assert.False(t, onlyA.Matches(s, ids[i]), i)
	}
	s = world.Must(world.Add(s, ids[159], heroes.Position))
	assert.Equal(t, ids[150:159], matching(t, s, onlyA))
}

// matchingIfAny is matching, and nobody for a query that is refused because no object can match.
func matchingIfAny(t *testing.T, s world.State, q world.Query) (ids []world.GameObject) {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			require.ErrorContains(t, fmt.Errorf("%v", fault), "its terms contradict each other")
		}
	}()
	return matching(t, s, q)
}

func TestSeed_A6_EqualRulesHaveEqualKeys(t *testing.T) {
	s, ids := everyMix()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	found := map[string][]world.GameObject{}
	for range 2000 {
		terms, holds := randomTerms(r)
		q := world.NewQuery(terms...)
		key := world.Must(q.Key(s))
		objects := matchingIfAny(t, s, q)
		for mix, id := range ids {
			want, got := true, slices.Contains(objects, id)
			for _, rule := range holds {
				want = want && rule(mix)
			}
			require.Equal(t, want, got, "seed %d: %s of %05b", seed, key, mix)
		}
		if before, ok := found[key]; ok {
			require.Equal(t, before, objects, "seed %d: equal keys, equal objects: %s", seed, key)
		}
		found[key] = objects

		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		if len(terms) > 0 {
			terms = append(terms, terms[r.IntN(len(terms))])
		}
		again := world.NewQuery(terms...)
		require.Equal(t, key, world.Must(again.Key(s)), "seed %d: order and repeats", seed)
		require.Equal(t, key, world.Must(q.And().Key(s)), "a clone")
	}
	assert.Greater(t, len(found), 300)

	// In another world the kinds have other numbers.
	other := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{
		aB.Count(1), aX.Count(0), aA.Count(1),
	}}))
	q := world.NewQuery(world.With(aA, aB), world.Without(aX))
	assert.Equal(t, "allOf:0-1 && excludeOf:2", world.Must(q.Key(s)))
	assert.Equal(t, "allOf:0-2 && excludeOf:1", world.Must(q.Key(other)))
}

// randomTerms returns rules, and what each of them asks of a mix of kinds.
func randomTerms(r *rand.Rand) (terms []world.Term, holds []func(mix int) bool) {
	for range r.IntN(4) {
		var kinds []layout.AnyKind
		set := 0
		for range r.IntN(4) {
			n := r.IntN(len(aKinds))
			kinds, set = append(kinds, aKinds[n]), set|1<<n
		}
		rule := []struct {
			term  func(...layout.AnyKind) world.Term
			holds func(mix int) bool
		}{
			{world.With, func(mix int) bool { return mix&set == set }},
			{world.Any, func(mix int) bool { return mix&set != 0 }},
			{world.Without, func(mix int) bool { return mix&set == 0 }},
			{world.Only, func(mix int) bool { return mix == set }},
		}[r.IntN(4)]
		terms, holds = append(terms, rule.term(kinds...)), append(holds, rule.holds)
	}
	return terms, holds
}

// A matcher lists the kinds it cares about: what an object has of others changes nothing.
func TestSeed_A6_TheKindsThatAMatcherCaresAbout(t *testing.T) {
	s, ids := everyMix()
	q := world.NewQuery(
		world.With(aC), world.Any(aA, aY), world.Without(aB), world.Optional(aValue))
	assert.Equal(t, mask.New(0, 1, 3, 4), world.Must(q.Kinds(s)))
	assert.Empty(t, world.Must(world.NewQuery().Kinds(s)))
	only := world.NewQuery(world.Only(aB))
	assert.Equal(t, 9, world.Must(only.Kinds(s)).Len(), "every kind of the world")

	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		terms, _ := randomTerms(r)
		q := world.NewQuery(terms...)
		kinds := world.Must(q.Kinds(s))
		if matchingIfAny(t, s, q) == nil {
			continue // nobody, whoever asks
		}
		for mix, id := range ids {
			for n := range aKinds {
				if !kinds.Has(n) {
					require.Equal(t, q.Matches(s, id), q.Matches(s, ids[mix^1<<n]), "seed %d", seed)
				}
			}
		}
	}
}

func TestSeed_A6_MatchersCanBeCloned(t *testing.T) {
	s, ids := everyMix()
	q := world.NewQuery(world.With(aA))
	clone := q.And()
	narrower := clone.And(world.Without(aB, aX, aY, aC))
	assert.Equal(t, matching(t, s, q), matching(t, s, clone))
	assert.Equal(t, "allOf:0", world.Must(clone.Key(s)), "what is made of a clone leaves it as it was")
	assert.Equal(t, ids[1:2], matching(t, s, narrower))
}

// The listing's rules that exclude only never hear of objects without components.
func TestSeed_A6_ExcludingFindsBareObjects(t *testing.T) {
	s, ids := worldtest.Create(worldA(2), 2)
	s = world.Must(world.Add(s, ids[1], aX))
	assert.Equal(t, ids[:1], matching(t, s, world.NewQuery(world.Without(aX))))
	assert.Equal(t, ids, matching(t, s, world.NewQuery()))
}

// Two of the document's three indexes; the third goes from names to entities.
func TestSeed_E2_Indexes(t *testing.T) {
	s := worldA(5)
	s, a := with(s, aC, aA, aX)
	s, b := with(s)
	s, c := with(s, aA)
	assert.Equal(t, []string{"A", "X", "C"}, world.Must(tool.KindsOf(s, a)), "entity → components")
	assert.Empty(t, world.Must(tool.KindsOf(s, b)))
	assert.Equal(t, []string{"A"}, world.Must(tool.KindsOf(s, c)))
	assert.Equal(t, mask.New(0, 2, 4), world.Must(tool.MaskOf(s, a)), "by number")

	haveA := world.NewQuery(world.With(aA))
	assert.Equal(t, []world.GameObject{a, c}, matching(t, s, haveA), "component → entities")
	var owners []world.GameObject
	for row := range world.All(s, aA) {
		owner, ok := world.ObjectOf(s, aA, row)
		assert.True(t, ok)
		owners = append(owners, owner)
	}
	assert.Equal(t, []world.GameObject{a, c}, owners, "by row")

	s = world.Must(world.Remove(s, a, aA))
	s = world.Must(addKinds(s, b, aA, aC))
	assert.Equal(t, []string{"X", "C"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, []world.GameObject{b, c}, matching(t, s, haveA))
	s = world.Must(world.Dispose(s, c))
	assert.Equal(t, []world.GameObject{b}, matching(t, s, haveA))
	_, err := tool.KindsOf(s, c)
	require.ErrorIs(t, err, world.ErrDead)
}

func TestSeed_E3_EntityWithAllItsComponents(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Kinds: []layout.Count{
		aA.Count(3), aB.Count(1), aX.Count(0),
	}}))
	s, a := world.Must2(world.CreateWith(s, aX, aB, aA))
	assert.Equal(t, []string{"A", "B", "X"}, world.Must(tool.KindsOf(s, a)))
	assert.Equal(t, [2]float32{7, 8}, world.Must(world.Get(s, a, aValue)))
	s, b := world.Must2(world.Create(s))
	s = world.Must(addKinds(s, b, aA, aX))
	assert.Equal(t, []string{"A", "X"}, world.Must(tool.KindsOf(s, b)), "an entity there is")

	dead := b
	s = world.Must(world.Dispose(s, b))
	for _, c := range []struct {
		name string
		err  error
		try  func(world.State) (world.State, error)
		text string
	}{
		{"an unknown entity", world.ErrDead, func(s world.State) (world.State, error) {
			return addKinds(s, dead, aA, aX)
		}, "game object 1"},
		{"of another world", world.ErrOutOfRange, func(s world.State) (world.State, error) {
			return addKinds(s, a+9, aA)
		}, "game object 9"},
		{"a second component of a kind", world.ErrTwice, func(s world.State) (world.State, error) {
			return addKinds(s, a, aA)
		}, "A of game object 0"},
		{"the same kind twice", world.ErrTwice, func(s world.State) (world.State, error) {
			s, id, err := world.CreateWith(s, aX, aA, aX)
			assert.Zero(t, id)
			return s, err
		}, "X is given twice in one call; give each kind once"},
		{"no room for one", world.ErrFull, func(s world.State) (world.State, error) {
			s, _, err := world.CreateWith(s, aX, aA, aB)
			return s, err
		}, "B: all 1 rows in use"},
		{"an unknown kind", world.ErrNoKind, func(s world.State) (world.State, error) {
			s, _, err := world.CreateWith(s, aA, aUnknown)
			return s, err
		}, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) { s = refuses(t, s, c.err, c.try, c.text) })
	}
	s, _ = with(s, aA)
	s, _ = with(s, aA)
	refuses(t, s, world.ErrTooMany, func(s world.State) (world.State, error) {
		s, _, err := world.CreateWith(s, aX)
		return s, err
	}, "All 3 are in use")
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
