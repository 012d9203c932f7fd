package systems

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/stretchr/testify/assert"
)

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

var (
	firstOuter = NewQuery(Write(fieldA, fieldC), Without(markX))
	firstInner = NewQuery(Read(kindB), With(kindA))
	firstWatch = NewWatcher(NewQuery(With(kindA)))
	firstMade  = NewRecipe("first", kindA, kindC)
)

// TestAllocsOfTheFirst: queries in Counts allocate nothing, even when first used.
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
			c.Add(c.Spawn(firstMade), markX)
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
				for i := range 100 { // scattered rows
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

// TestReadersSideBySide: several goroutines may read a world and plan queries while none writes.
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
