package systems

import (
	"fmt"
	"maps"
	"runtime"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEqualTermsAreOneQuery(t *testing.T) {
	terms := func() []Term { return []Term{Write(fieldA), Read(kindC), Without(markX, markY)} }
	q := NewQuery(terms()...)
	assert.Equal(t, q, NewQuery(terms()...))
	assert.Equal(t, q, NewQuery(Write(fieldA)).And(terms()[1:]...))
	assert.Equal(t, NewQuery(), NewQuery().And())
	for _, other := range [][]Term{
		terms()[:2],
		{Read(fieldA), Read(kindC), Without(markX, markY)},
		{Write(fieldA), Read(kindC), Without(markX)},
		{Write(fieldA), Read(kindC), Without(markY, markX)},
		append(terms(), RowWise()),
	} {
		assert.NotEqual(t, q, NewQuery(other...))
	}
	assert.Equal(t, "NewQuery(Write(A.a), Read(C), Without(X, Y))", q.String())
	assert.Equal(t, "the zero Query", Query{}.String())
}

// TestDisabledIsARuleWhereItIsCounted: in other worlds a plan has no rule more.
func TestDisabledIsARuleWhereItIsCounted(t *testing.T) {
	q := NewQuery(Write(fieldA), Without(markX))
	for _, counted := range []bool{false, true} {
		kinds := layout.Kinds(kindA, markX)
		if counted {
			kinds = append(kinds, layout.Disabled.Counted())
		}
		s := closedLater(t, sure(CreateState(Counts{GameObjects: 5, Kinds: kinds})))
		j := s.look()
		if p := j.planOf(q); counted {
			assert.Len(t, p.Match.None, 2)
		} else {
			assert.Len(t, p.Match.None, 1)
		}
	}
}

// TestQueriesKeepNothing: a query that is made where it is used costs no memory that stays.
func TestQueriesKeepNothing(t *testing.T) {
	s, _ := mixed(t, 10)
	n := 200_000
	if !atLength() {
		n = 10_000
	}
	use := func() int { return readA.And(Without(markX), With(kindC)).Count(s) }
	want := use()
	before := heapBytes()
	for range n {
		if use() != want {
			t.Fatal("it counts otherwise")
		}
	}
	assert.Less(t, heapBytes(), before+64<<10)
}

// heapBytes returns the bytes that the program holds.
func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestTermsThatContradict(t *testing.T) {
	s, _ := mixed(t, 10)
	for _, c := range []struct {
		name  string
		terms []Term
	}{
		{"read and without", []Term{Read(fieldA), Without(kindB, kindA)}},
		{"with and without", []Term{With(markX), Without(markX)}},
		{"only and without", []Term{Only(kindA), Without(kindA)}},
		{"only and with", []Term{Only(kindA, kindB), With(markX)}},
		{"two only", []Term{Only(kindA, kindB), Only(kindB)}},
		{"any and without", []Term{Any(kindA, markX), Without(markX, kindA)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := NewQuery(c.terms...)
			text := "flatecs: " + q.String() + ": its terms contradict each other; leave one out"
			assert.PanicsWithValue(t, text, func() { q.Count(s) })
			assert.PanicsWithValue(t, text, func() { q.Count(s) }, "and again")
			counts := CountsOf(s)
			counts.Queries = []Query{readA, q}
			_, err := CreateState(counts)
			require.EqualError(t, err, text)
			assert.ErrorIs(t, err, query.ErrContradiction)
		})
	}
	for _, q := range []Query{
		NewQuery(Any()), NewQuery(Only(kindA, kindB), Only(kindB, kindA)), NewQuery(Any(kindA, markX), Without(markX)),
		NewQuery(Only(kindA), Read(fieldA), With(kindA)),
	} {
		assert.NotPanics(t, func() { q.Count(s) })
	}
	clash := NewQuery(Read(fieldA), Write(fieldA))
	assert.PanicsWithValue(t, "flatecs: "+clash.String()+": field A.a is asked for by Read and by Write; keep one",
		func() { clash.Count(s) })
}

func TestAFieldAskedForTwiceIsOnce(t *testing.T) {
	s, _ := mixed(t, 10)
	q := NewQuery(Read(fieldA), Read(fieldA, kindA), Write(fieldC), Write(fieldC))
	for b := range q.In(s) {
		assert.Len(t, Column(b, fieldA), b.Len())
		fields := maps.Collect(b.batch.Plan.Fields())
		assert.Equal(t, map[*layout.FieldSpec]query.Mode{
			fieldA.Spec(): query.Read, fieldC.Spec(): query.Write,
		}, fields)
	}
}

func TestCountedQueriesBringTheirKinds(t *testing.T) {
	s, err := CreateState(Counts{GameObjects: 4, Queries: []Query{NewQuery(With(otherKind))}})
	require.NoError(t, err)
	assert.Equal(t, layout.Kinds(otherKind), CountsOf(s).Kinds)
	Close(s)
	_, err = CreateState(Counts{GameObjects: 4, Queries: []Query{NewQuery(With(NameKind))}})
	require.ErrorIs(t, err, ErrNoKind, "names have a count of their own")
	require.ErrorContains(t, err, "NewQuery(With(name)): ")
	require.Panics(t, func() { _, _ = CreateState(Counts{Queries: []Query{{}}}) })
}

var (
	firstOuter = NewQuery(Write(fieldA, fieldC), Without(markX))
	firstInner = NewQuery(Read(kindB), With(kindA))
	firstWatch = NewWatcher(NewQuery(With(kindA)))
	firstMade  = NewRecipe("first", kindA, kindC)
)

// TestAllocsOfTheFirst: what is named in Counts allocates nothing, the first time included.
func TestAllocsOfTheFirst(t *testing.T) {
	const worlds = 6
	outer := Task{Run: []func(State) State{func(s State) State {
		for b := range firstOuter.In(s) {
			Column(b, fieldC)[0][0]++
			b.Dispose(0)
		}
		return s
	}}, Queries: []Query{firstOuter}}
	tasks := []Task{outer, {Run: outer.Run, Queries: outer.Queries, First: 1}}
	tasks[0].End = 1
	for name, use := range map[string]func(s State) State{
		"walk": func(s State) State {
			for b := range firstOuter.In(s) {
				Column(b, fieldA)[0][0]++
				for c := range firstInner.In(s) {
					Column(c, fieldB2)
				}
			}
			return s
		},
		"count": func(s State) State {
			firstOuter.Count(s)
			firstInner.First(s)
			return s
		},
		"record": func(s State) State {
			c := Record(s)
			id := c.Spawn(firstMade)
			c.Add(id, markX)
			s, _ = Apply(s)
			return s
		},
		"tasks": func(s State) State { return RunTasks(s, nil, tasks) },
		"look":  firstWatch.Look,
	} {
		t.Run(name, func(t *testing.T) {
			var list []State
			for range worlds {
				s := sure(CreateState(Counts{
					GameObjects: 300, Recipes: []Recipe{firstMade}, Watchers: []Watcher{firstWatch},
					Kinds: []layout.Count{
						kindA.Count(300), kindB.Count(300), kindC.Count(300), markX.Count(0),
					},
					Queries: []Query{firstOuter, firstInner}, Commands: 16, Tasks: 2,
				}))
				for i := range 100 { // strewn rows
					s = changed(CreateWith(s, []layout.AnyKind{kindA, kindC, kindB}[:1+i%3]...))
				}
				list = append(list, s)
			}
			assert.Zero(t, testing.AllocsPerRun(worlds-1, func() {
				_ = use(list[0])
				list = list[1:]
			}))
		})
	}
}

// TestReadersSideBySide: several goroutines may read a world while nobody writes, and make plans.
func TestReadersSideBySide(t *testing.T) {
	s, ids := mixed(t, 300)
	digest := Digest(s)
	var group sync.WaitGroup
	found := make([]string, 8)
	for g := range found {
		group.Go(func() {
			reader := ReaderOf(s, fieldA)
			for i := range 200 {
				id := ids[i%len(ids)]
				q := NewQuery(Read(fieldA), Without(tried[1+i%4]))
				first, _ := q.First(s)
				mask := sure(maskOf(s, id))
				value, has := reader.Get(id)
				found[g] = fmt.Sprint(found[g], Has(s, id, tried[i%5]), q.Count(s), first, q.Matches(s, id),
					Len(s), Alive(s, id), value, has, mask, Digest(s) == digest)
				for range GameObjects(s) {
					break
				}
			}
		})
	}
	group.Wait()
	for _, f := range found {
		assert.Equal(t, found[0], f)
	}
}

// What a query cannot ask for is refused where it is declared, not where it is walked first.
func TestNewQueryRefusesFieldsOfMarks(t *testing.T) {
	mark := layout.NewMark("mark that is asked for")
	for name, term := range map[string]func(...layout.Access) Term{
		"Read": Read, "Write": Write, "Optional": Optional,
	} {
		panicsWith(t, func() { NewQuery(Read(Position), term(mark)) }, name+": kind mark that is", "by With")
		panicsWith(t, func() { NewQuery(Read(Position)).And(term(mark)) }, name+": kind mark that is", "by With")
	}
	NewQuery(Read(Position), Optional(layout.Disabled))
}
