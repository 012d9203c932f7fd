package systems

import (
	"fmt"
	"testing"

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
				require.Equal(t, 2*n, Live(s), "nobody has gone yet")
				s, err := Apply(s)
				require.Equal(t, want.targets == n, err != nil)
				if err != nil {
					require.ErrorIs(t, err, ErrReferred)
				}
				require.Equal(t, want.targets, aiming.Count(s))
				require.Equal(t, want.targets+want.referrers, Live(s))
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
