package systems

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	aimsAt   = layout.NewRelation("aimsAt", layout.Relation{Disposed: layout.Clear})
	hangsOn  = layout.NewRelation("hangsOn", layout.Relation{Disposed: layout.Cascade})
	standsOn = layout.NewRelation("standsOn", layout.Relation{Disposed: layout.Refuse})
	aimed    = layout.NewComponent[uint32]("aimed")
	aiming   = NewQuery(Read(aimed))
)

// pairs returns a world of n objects and one that refers to each, by a relation.
func pairs(tb testing.TB, relation layout.Field[GameObject], n int) State {
	tb.Helper()
	s := closedLater(tb, sure(CreateState(Counts{
		GameObjects: 2 * n, Kinds: layout.Kinds(relation, aimed), Queries: []Query{aiming},
	})))
	targets := make([]GameObject, n)
	for i := range targets {
		s, targets[i] = made(CreateWith(s, aimed))
	}
	for _, target := range targets {
		var id GameObject
		s, id = made(CreateWith(s, relation))
		s = sure(Set(s, id, relation, target))
	}
	return s
}

// disposeEven disposes every second target that it sees.
func disposeEven(s State) State {
	for b := range aiming.In(s) {
		for i := range b.Len() {
			if b.ID(i).Index()%2 == 0 {
				b.Dispose(i)
			}
		}
	}
	return s
}

// A target that is disposed in a walk, or in tasks, is there until Apply. Then those that refer to
// it are what the policy says.
func TestTargetsThatDieInWalksAndTasks(t *testing.T) {
	const n = 300
	for relation, want := range map[layout.Field[GameObject]]struct{ targets, referrers, aims int }{
		aimsAt:   {n / 2, n, n / 2},
		hangsOn:  {n / 2, n / 2, n / 2},
		standsOn: {n, n, n},
	} {
		for _, workers := range []int{0, 1, 2, 16} {
			t.Run(fmt.Sprint(relation.Spec(), workers), func(t *testing.T) {
				s := disposedBy(pairs(t, relation, n), workers)
				require.Equal(t, 2*n, Len(s), "nobody has gone yet")
				s, err := Apply(s)
				require.Equal(t, want.targets == n, err != nil)
				if err != nil {
					require.ErrorIs(t, err, ErrReferred)
				}
				require.Equal(t, want.targets, aiming.Count(s))
				require.Equal(t, want.targets+want.referrers, Len(s))
				aims := 0
				for id := range GameObjects(s) {
					if target, _ := Get(s, id, relation); target != 0 {
						require.True(t, Alive(s, target))
						aims++
					}
				}
				require.Equal(t, want.aims, aims)
			})
		}
	}
}

// disposedBy disposes every second target in a walk, or in tasks of so many workers.
func disposedBy(s State, workers int) State {
	if workers == 0 {
		return disposeEven(s)
	}
	pool := NewWorkers(workers)
	defer pool.Close()
	var tasks []Task
	for first := range uint32(5) {
		tasks = append(tasks, Task{
			Run:     []func(State) State{disposeEven},
			Queries: []Query{aiming}, First: first, End: first + 1,
		})
	}
	return RunTasks(s, pool, tasks)
}

// TestMessagesOfRelations: fields named like their kind are named once, and who refuses is counted.
func TestMessagesOfRelations(t *testing.T) {
	require.Equal(t, "childOf", childOf.Spec().String())
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	ids := make([]GameObject, 5)
	for i := range ids {
		s, ids[i], _ = Spawn(s, related)
		if i > 1 {
			s = sure(Set(s, ids[i], carried, ids[1]))
		}
	}
	s = sure(Set(s, ids[1], childOf, ids[0]))
	s, err := Dispose(s, ids[1], ids[3])
	require.ErrorContains(t, err, "object 1 is not disposed: 2 refer to 1 by carried, the first is 2: ")
	s, err = Dispose(s, ids[0])
	require.ErrorContains(t, err, "1 goes with it, and 3 refer to 1 by carried, the first is 2: ")
	for b := range NewQuery(With(childOf)).ChildrenOf(s, childOf, ids[0]) {
		mustPanic(t, "fieldA of parents is asked for in a walk that knows no parents; "+
			"walk by Down, Up or AtDepth", func() { Parents(b, fieldA) })
	}
	Close(s)
}

// A ring of recorded creations is refused where it closes.
func TestRingsOfCreations(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 9, Recipes: []Recipe{node}, Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	first := Record(s).Spawn(node)
	for n := GameObject(1); n < 4; n++ {
		Record(s).Spawn(node, childOf.Value(first+n%3+1)) // 1 → 2 → 3 → 1
	}
	Record(s).Spawn(node)
	s, err := Apply(s)
	refused := new(CommandError)
	require.ErrorAs(t, err, &refused)
	require.ErrorIs(t, refused, ErrRing)
	require.Equal(t, 3, refused.Number)
	require.Equal(t, 5, Len(s))
	Close(s)
}

func TestRingsOfKeptCreations(t *testing.T) {
	counts := Counts{
		GameObjects: 1, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf, local, global, burden),
	}
	s := sure(CreateState(counts))
	s, child := made(Spawn(s, node))
	parent := Record(s).Spawn(node)
	Put(Record(s), child, childOf, parent)
	s, err := ApplyKeeping(s)
	require.ErrorIs(t, err, ErrTooMany)
	require.True(t, sure(Get(s, child, childOf)).Recorded())
	require.NoError(t, ArenaOf(s).Verify(), "it may still be created")
	counts.GameObjects = 10
	larger := sure(Resized(s, counts))
	Close(s)
	s = larger
	require.NoError(t, ArenaOf(s).Verify())
	Put(Record(s), parent, childOf, child)
	s, err = Apply(s)
	require.ErrorIs(t, err, ErrRing)
	made := sure(Applied(s, parent))
	require.Equal(t, made, sure(Get(s, child, childOf)))
	require.Equal(t, []GameObject{child}, slices.Collect(Children(s, childOf, made)))
	require.Zero(t, sure(Get(s, made, childOf)))
	Close(s)
}

// Children goes on with the right one wherever its loop changes the world, in worlds with and
// without room for so many objects that ids are fetched ahead.
func TestChildrenOfManyMayBeChangedInTheirLoop(t *testing.T) {
	for _, room := range []int{400, 300_000} {
		for _, at := range []int{0, 1, 31, 32, 33, 63, 64, 95, 127, 128, 199} {
			for _, before := range []bool{false, true} {
				t.Run(fmt.Sprint(room, " ", at, " ", before), func(t *testing.T) {
					changeInLoop(t, room, at, before)
				})
			}
		}
	}
}

// changeInLoop disposes the child after the one at a place, and adds one at the end, and perhaps one
// before those that were visited, while it goes over 200.
func changeInLoop(t *testing.T, room, at int, before bool) {
	t.Helper()
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: room, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf.Count(400), local.Count(400), global.Count(400),
			burden.Count(400)),
	})))
	ids := make([]GameObject, 300)
	for i := range ids {
		s, ids[i] = made(Spawn(s, node))
	}
	want := ids[50:250]
	for _, id := range want {
		s = sure(Set(s, id, childOf, ids[0]))
	}
	require.Equal(t, want, slices.Collect(Children(s, childOf, ids[0])))
	var got []GameObject
	for c := range Children(s, childOf, ids[0]) {
		if got = append(got, c); len(got) == at+1 {
			if at+1 < len(want) {
				s = sure(Dispose(s, want[at+1]))
			}
			if before {
				s = sure(Set(s, ids[1], childOf, ids[0]))
			}
			s = sure(Set(s, ids[299], childOf, ids[0]))
			ChildCount(s, childOf, ids[0]) // derives the lists anew
		}
	}
	want = append(slices.Clone(want), ids[299])
	if at < 199 {
		want = slices.Delete(want, at+1, at+2)
	}
	assert.Equal(t, want, got)
}
