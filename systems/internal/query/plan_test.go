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

// TestCopiesLieApart: those of all columns of a plan, in scratch, whatever their order.
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

// TestWrittenAgainstAMap: who writes what, and who meets whom.
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
