package query

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

var (
	planX    = layout.NewField[float32]("x")
	planY    = layout.NewField[float32]("y")
	planAt   = layout.NewKind("planAt", planX, planY)
	planPace = layout.NewComponent("planPace", uint64(1))
	planHot  = layout.NewMark("planHot")

	fields = []layout.AnyField{planX, planY, planPace}
)

func table(t *testing.T) *kind.Table {
	t.Helper()
	a, err := manager.NewArena(manager.Sizes{Objects: 100, Kinds: []layout.Count{
		planAt.Count(100), planPace.Kind().Count(10), planHot.Count(0),
	}})
	require.NoError(t, err)
	t.Cleanup(a.Free)
	return &kind.Table{Arena: a, OnObjects: 3}
}

// A use is how one field of a random query is used.
type use int

const (
	not use = iota
	reads
	writes
	changes // of its kind, and not read
)

// asked returns the plan of a query that uses fields so.
func asked(plans *Plans, t *kind.Table, uses []use) *Plan {
	var terms []Term
	for i, u := range uses {
		switch u {
		case reads:
			terms = append(terms, *TermOfFields(Read, []layout.Access{fields[i].(layout.Access)}))
		case writes:
			terms = append(terms, *TermOfFields(Write, []layout.Access{fields[i].(layout.Access)}))
		case changes:
			terms = append(terms, *TermOfKinds(Changed,
				[]layout.AnyKind{fields[i].Spec().Kind.Handle()}))
		case not:
		}
	}
	return plans.Of(t, Declare(terms))
}

// uses returns how a plan with such a query uses a field: that of a changed kind is read.
func usesOf(uses []use, i int) use {
	if uses[i] == writes {
		return writes
	}
	for j, u := range uses {
		if u == changes && fields[j].Spec().Kind == fields[i].Spec().Kind || j == i && u == reads {
			return reads
		}
	}
	return not
}

// TestPlansAgainstUses: all pairs of queries over three fields of two kinds.
func TestPlansAgainstUses(t *testing.T) {
	world, plans := table(t), &Plans{}
	var all [][]use
	for n := range 64 {
		all = append(all, []use{use(n % 4), use(n / 4 % 4), use(n / 16)})
	}
	for _, a := range all {
		p := asked(plans, world, a)
		assert.Same(t, p, asked(plans, world, a), "a plan is made once")
		assert.Equal(t, slices.Contains(a, writes), p.Writes())
		for i, f := range fields {
			assert.Equal(t, a[i] == writes, p.WritesField(f.Spec()))
			assert.Equal(t, a[i] == reads || a[i] == writes, p.Asks(f.Spec()))
			assert.Equal(t, usesOf(a, i) != not, p.Uses(f.Spec()), "%v of %v", f, a)
			if p.Asks(f.Spec()) {
				c := &p.Columns[p.ColumnOf(f.Spec())]
				assert.Same(t, world.Manager(f.Spec().Kind), p.Terms[c.Term])
				assert.Same(t, &p.Terms[c.Term].Data.Columns[f.Spec().Index], c.Rows)
				assert.Equal(t, a[i] == writes, p.Kinds&MaskOf(f.Spec().Kind) != 0 && c.Mode == Write)
			} else {
				assert.PanicsWithValue(t, Unasked(f.Spec()), func() { p.ColumnOf(f.Spec()) })
			}
		}
		for _, b := range all {
			q, meet := asked(plans, world, b), false
			for i := range fields {
				x, y := usesOf(a, i), usesOf(b, i)
				meet = meet || x == writes && y != not || y == writes && x != not
			}
			f := Meeting(p, q)
			assert.Equal(t, meet, f != nil, "%v and %v", a, b)
			if f != nil {
				assert.True(t, p.Uses(f) && q.Uses(f) && (p.WritesField(f) || q.WritesField(f)))
			}
		}
	}
}

// TestCopiesLieApart: the copies of all columns of a plan do not overlap in scratch, in any order.
func TestCopiesLieApart(t *testing.T) {
	world, plans := table(t), &Plans{}
	p := asked(plans, world, []use{reads, writes, writes})
	at := 0
	for _, c := range p.Columns {
		assert.Equal(t, at, c.Copy)
		at += (min(BatchSize, p.Terms[c.Term].Rows.Cap())*c.Rows.Stride + 63) &^ 63
	}
	assert.Equal(t, at, p.Scratch)
}

// TestWrittenAgainstAMap: which task writes which field, and which tasks conflict.
func TestWrittenAgainstAMap(t *testing.T) {
	world, plans, r := table(t), &Plans{}, rand.New(rand.NewPCG(3, 4))
	for range 300 {
		w := MakeWritten(1)
		by := make([][]int, len(fields))
		lists := map[int][][]use{}
		for range r.IntN(5) {
			uses := []use{use(r.IntN(4)), use(r.IntN(4)), use(r.IntN(4))}
			who := r.IntN(3)
			w.Add(asked(plans, world, uses), who)
			lists[who] = append(lists[who], uses)
			for i, u := range uses {
				if u == writes && !slices.Contains(by[i], who) {
					by[i] = append(by[i], who)
				}
			}
		}
		for i, f := range fields {
			who, ok := w.By(f.Spec())
			want := Several
			if len(by[i]) == 1 {
				want = by[i][0]
			}
			require.Equal(t, len(by[i]) > 0, ok)
			if ok {
				require.Equal(t, want, who)
			}
			others := slices.ContainsFunc(by[i], func(int) bool { return true })
			require.True(t, !others || w.Kind(f.Spec().Kind))
		}
		for who, queries := range lists {
			for _, uses := range queries {
				meets := false
				for i := range fields {
					meets = meets || usesOf(uses, i) != not &&
						slices.ContainsFunc(by[i], func(x int) bool { return x != who })
				}
				require.Equal(t, meets, w.Meets(asked(plans, world, uses), who), "%v of %d", uses, who)
			}
		}
		w.Clear()
		_, ok := w.By(planX.Spec())
		require.False(t, ok)
	}
}

var ruled = []layout.Kind{
	layout.NewMark("ruled0"), layout.NewMark("ruled1"), layout.NewMark("ruled2"),
	layout.NewMark("ruled3"),
}

// numbers are the numbers of a world with all kinds of ruled.
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

// TestPlansMatchSets: a plan, and a match alone, find the objects whose sets of kinds satisfy the
// terms, with one object for each set; and the rules name the kinds on which this depends.
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
