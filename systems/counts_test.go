package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	namedField = layout.NewComponent[int32]("named field")
	namedMark  = layout.NewMark("named mark")
	namedPair  = layout.NewKind("named pair",
		layout.NewField[uint8]("left"), layout.NewField[uint64]("right"))
	namedSeat   = layout.NewRelation("named seat", layout.Relation{})
	namedScore  = layout.NewField[int64]("score")
	namedScores = NewResource("named scores", namedScore)
	namedKinds  = []Kind{namedField.Kind(), namedMark, namedPair, namedSeat.Kind()}
)

// TestCompleteAgainstModel: kinds that lists name are those that are listed, in the order of first
// appearance; and a world of complete counts is the same, byte for byte.
func TestCompleteAgainstModel(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 24))
	some := func() []Kind {
		list := slices.Clone(namedKinds)
		random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		return list[:random.IntN(len(list)+1)]
	}
	for range 300 {
		c := Counts{GameObjects: 1 + random.IntN(100)}
		for _, k := range some() {
			c.Kinds = append(c.Kinds, k.Counted())
		}
		if len(c.Kinds) > 0 && !c.Kinds[0].Kind.Spec().Mark {
			c.Kinds[0] = c.Kinds[0].Kind.Count(3)
		}
		want := slices.Clone(c.Kinds)
		name := func(k Kind) {
			if !slices.ContainsFunc(want, func(c layout.Count) bool { return c.Kind == k }) {
				want = append(want, k.Counted())
			}
		}
		for _, kinds := range [][]Kind{some(), some()} {
			var list []layout.AnyKind
			for _, k := range kinds {
				list = append(list, k)
				name(k)
			}
			c.Recipes = append(c.Recipes, NewRecipe(fmt.Sprint("named ", len(c.Recipes)), list...))
		}
		if random.IntN(2) == 0 {
			c.Resources = []ResourceKind{namedScores}
		}
		queries := [2]Query{}
		for i := range queries {
			var terms []Term
			for _, k := range some() {
				needs := []func() Term{
					func() Term { return With(k) },
					func() Term { return Changed(k) },
					func() Term { return Without(k) },
					func() Term { return Any(k) },
				}
				at := random.IntN(len(needs))
				if terms = append(terms, needs[at]()); at == 0 {
					name(k)
				}
			}
			queries[i] = NewQuery(terms...)
		}
		c.Queries, c.Watchers = queries[:1], []Watcher{NewWatcher(queries[1])}
		require.Equal(t, want, c.Complete().Kinds)
		require.Equal(t, want, c.Complete().Complete().Kinds)

		s, full := sure(CreateState(c)), sure(CreateState(c.Complete()))
		assert.True(t, Equal(s, full))
		assert.Equal(t, want, CountsOf(s).Kinds)
		Close(s)
		Close(full)
	}
}

// TestCompleteLeavesOutWhatIsNotOnObjects: names, resources and events have counts of their own.
func TestCompleteLeavesOutWhatIsNotOnObjects(t *testing.T) {
	c := Counts{
		Names: 4, Resources: []ResourceKind{namedScores},
		Queries: []Query{NewQuery(With(NameKind), Read(namedScore))},
	}
	assert.Empty(t, c.Complete().Kinds)
	_, err := CreateState(c)
	require.ErrorContains(t, err, "named scores is on no object; reach a resource of Counts.Resources "+
		"by Resource and SetResource, and events by Send and Receive")
	assert.PanicsWithValue(t, "flatecs: field loose belongs to no kind; give it to layout.NewKind",
		func() {
			_ = Counts{Queries: []Query{NewQuery(Read(layout.NewField[int32]("loose")))}}.Complete()
		})
}
