package systems

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var apartQueries = []Query{
	overMoving, NewQuery(Read(overPlace)), NewQuery(Read(overSpeed)), NewQuery(Write(overSpeed)),
	NewQuery(With(overMark)), NewQuery(Changed(overPlace), With(overMark)),
	NewQuery(Optional(overSpeed)),
}

// TestTasksMeetAsPairsDo: whatever tasks there are, they are refused before anything runs if two of
// them conflict as a schedule sees it and have blocks in common; and the world is as usable as before.
func TestTasksMeetAsPairsDo(t *testing.T) {
	inRooms(t, 300, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		r, refused, ran := rand.New(rand.NewPCG(7, 8)), 0, 0
		for range 2000 {
			tasks := make([]Task, r.IntN(5))
			for i := range tasks {
				first := uint32(r.IntN(4))
				tasks[i] = Task{Run: doing(func(State) { ran++ }), First: first, End: first + 1 + uint32(r.IntN(2))}
				if r.IntN(4) == 0 {
					tasks[i].First, tasks[i].End = 0, 0
				}
				if i > 0 && r.IntN(2) == 0 {
					tasks[i].Queries = tasks[i-1].Queries
					continue
				}
				for range r.IntN(3) {
					tasks[i].Queries = append(tasks[i].Queries, apartQueries[r.IntN(len(apartQueries))])
				}
			}
			want := meetInPairs(tasks)
			ran = 0
			var got any
			func() {
				defer func() { got = recover() }()
				s = RunTasks(s, nil, tasks)
			}()
			require.Equal(t, want, got != nil, "%v: %v", got, tasks)
			if want {
				refused++
				require.Regexp(t, "RunTasks: the queries of tasks . and . ask for over .*; "+
					"run them one after the other, or on other blocks", got)
				require.Zero(t, ran)
			}
			_ = sure(Get(s, ids[0], overPlace))
		}
		assert.Greater(t, refused, 200)
	})
}

// meetInPairs is the rule, object by object.
func meetInPairs(tasks []Task) bool {
	on := func(t Task, block uint32) bool { return t.End == 0 || block >= t.First && block < t.End }
	for i := range tasks {
		for k := range i {
			for block := range uint32(8) {
				if on(tasks[i], block) && on(tasks[k], block) {
					if _, conflict := Conflict(tasks[i].Queries, tasks[k].Queries); conflict {
						return true
					}
				}
			}
		}
	}
	return false
}
