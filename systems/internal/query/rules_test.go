package query

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

var ruled = []layout.Kind{
	layout.NewMark("ruled0"), layout.NewMark("ruled1"), layout.NewMark("ruled2"),
	layout.NewMark("ruled3"),
}

// numbers are those of a world that has all kinds of ruled.
type numbers struct{}

func (numbers) Slot(k *layout.KindSpec) int {
	for n, kind := range ruled {
		if kind.Spec() == k {
			return n
		}
	}
	return -1
}

// randomTerms returns terms, and whether an object with a set of kinds matches each.
func randomTerms(r *rand.Rand) (terms []Term, match func(set int) bool) {
	var rules []func(set int) bool
	for range r.IntN(4) {
		mode := []Mode{With, Without, Any, Only, Changed}[r.IntN(5)]
		var list []layout.AnyKind
		named := 0
		for n, k := range ruled {
			if r.IntN(2) == 0 {
				list, named = append(list, k), named|1<<n
			}
		}
		if named == 0 {
			continue
		}
		terms = append(terms, *TermOfKinds(mode, list))
		switch mode {
		case With:
			rules = append(rules, func(set int) bool { return set&named == named })
		case Without:
			rules = append(rules, func(set int) bool { return set&named == 0 })
		case Any:
			rules = append(rules, func(set int) bool { return set&named != 0 })
		case Only:
			rules = append(rules, func(set int) bool { return set == named })
		default:
		}
	}
	return terms, func(set int) bool {
		for _, rule := range rules {
			if !rule(set) {
				return false
			}
		}
		return true
	}
}

// TestRulesAgainstSets: a query that is refused matches no set of kinds, and queries of one key, or
// of one text, match the same sets.
func TestRulesAgainstSets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	keys, refused := map[string]int{}, 0
	for range 3000 {
		terms, match := randomTerms(r)
		q := Declare(terms)
		assert.Same(t, q, Declare(terms), "of the same terms there is one")
		rules, err := RulesOf(numbers{}, q)
		require.NoError(t, err)
		sets := 0
		for set := range 16 {
			if match(set) {
				sets |= 1 << set
			}
		}
		if rules.Possible() != nil {
			refused++
			require.Zero(t, sets, "%v", q)
		}
		name := func(n int) string { return ruled[n].String() }
		for _, key := range []string{rules.Key(), rules.Text(name)} {
			known, ok := keys[key]
			require.True(t, !ok || known == sets, "%v: %s", q, key)
			keys[key] = sets
		}
	}
	assert.Greater(t, refused, 100)
}

// TestPlansMatchSets: a plan, and a match alone, find the objects whose sets of kinds the terms say,
// of one object for each set; and the rules name the kinds on which that depends.
func TestPlansMatchSets(t *testing.T) {
	var counts []layout.Count
	for _, k := range ruled {
		counts = append(counts, k.Count(0))
	}
	a, err := manager.NewArena(manager.Sizes{Objects: 16, Kinds: counts})
	require.NoError(t, err)
	defer a.Free()
	for set := range uint32(16) {
		_, err := a.Objects.Create(0)
		require.NoError(t, err)
		for k := range ruled {
			if set>>k&1 != 0 {
				_, err := a.Managers[k].Add(set)
				require.NoError(t, err)
			}
		}
	}
	r, world, plans := rand.New(rand.NewPCG(6, 7)), &kind.Table{Arena: a, OnObjects: len(ruled)}, &Plans{}
	for range 2000 {
		terms, match := randomTerms(r)
		q := Declare(terms)
		rules, err := RulesOf(a, q)
		require.NoError(t, err)
		if rules.Possible() != nil {
			continue
		}
		var want uint64
		depends := 0
		for set := range 16 {
			for k := range ruled {
				if match(set) != match(set^1<<k) {
					depends |= 1 << k
				}
			}
			if match(set) {
				want |= 1 << set
			}
		}
		p, alone := plans.Of(world, q), MatchOf(world, q)
		require.Equal(t, want, p.Match.Block(0), "%v", q)
		require.Equal(t, want, alone.Block(0), "%v", q)
		names := rules.Kinds(len(ruled))
		for k := range ruled {
			require.True(t, depends>>k&1 == 0 || names.Has(k), "%v depends on kind %d", q, k)
		}
	}
}
