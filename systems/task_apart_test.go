package systems

import (
	"fmt"
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

// TestTasksThatMeetAreRefused: two that write a field of the same objects, or of which one reads it,
// before anything runs; and the world is as usable as before.
func TestTasksThatMeetAreRefused(t *testing.T) {
	inRooms(t, 200, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		for name, c := range map[string]struct {
			a, b    Task
			refused bool
		}{
			"one list, all objects":  {Task{Queries: apartQueries[:1]}, Task{Queries: apartQueries[:1]}, true},
			"two lists, all objects": {Task{Queries: apartQueries[3:4]}, Task{Queries: apartQueries[2:4]}, true},
			"a reader":               {Task{Queries: apartQueries[:1]}, Task{Queries: apartQueries[1:2]}, true},
			"a look for changes":     {Task{Queries: apartQueries[:1]}, Task{Queries: apartQueries[5:6]}, true},
			"two readers":            {Task{Queries: apartQueries[1:2]}, Task{Queries: apartQueries[1:2]}, false},
			"other fields":           {Task{Queries: apartQueries[1:2]}, Task{Queries: apartQueries[3:4]}, false},
			"other objects":          {Task{Queries: apartQueries[:1], End: 2}, Task{Queries: apartQueries[:1], First: 2}, false},
			"shared objects":         {Task{Queries: apartQueries[:1], End: 3}, Task{Queries: apartQueries[:1], First: 2}, true},
			"of two lists":           {Task{Queries: apartQueries[:1], First: 2}, Task{Queries: apartQueries[1:2], End: 2}, false},
		} {
			t.Run(name, func(t *testing.T) {
				ran := 0
				c.a.Run, c.b.Run = doing(func(State) { ran++ }), doing(func(State) { ran++ })
				run := func() { s = RunTasks(s, nil, []Task{c.a, c.b}) }
				if c.refused {
					panicsWith(t, run, "RunTasks: the queries of tasks 0 and 1 ask for over ",
						"one after the other, or on other blocks")
					assert.Zero(t, ran)
				} else {
					run()
					assert.Equal(t, 2, ran)
				}
				s = Advance(s)
				_ = sure(Get(s, ids[0], overPlace))
			})
		}
	})
}

// TestTasksMeetAsPairsDo: whatever tasks there are, they are refused if two of them conflict as
// a schedule sees it and have blocks in common.
func TestTasksMeetAsPairsDo(t *testing.T) {
	inRooms(t, 300, func(t *testing.T, s State, _ []GameObject) {
		t.Helper()
		r, refused := rand.New(rand.NewPCG(7, 8)), 0
		for range 2000 {
			tasks := make([]Task, r.IntN(5))
			for i := range tasks {
				first := uint32(r.IntN(4))
				tasks[i] = Task{Run: doing(func(State) {}), First: first, End: first + 1 + uint32(r.IntN(2))}
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
			var got any
			func() {
				defer func() { got = recover() }()
				s = RunTasks(s, nil, tasks)
			}()
			require.Equal(t, want, got != nil, "%v: %v", got, tasks)
			if want {
				refused++
				require.Contains(t, fmt.Sprint(got), "RunTasks: the queries of tasks")
			}
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
