package systems

import (
	"fmt"
	"iter"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// cutShort calls f on a goroutine that f may end, and recovers from its panic.
func cutShort(f func()) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	<-done
}

// TestSpawnNLeavesNothingOfACutShortFill: whichever batch is the last one, however fill ends.
func TestSpawnNLeavesNothingOfACutShortFill(t *testing.T) {
	for _, r := range []Recipe{rootless, node} {
		for _, n := range []int{1, 3, 200} {
			for last := range 8 {
				for _, end := range []func(){func() { panic("out") }, runtime.Goexit} {
					s, ids := forest(t, 1, 300)
					for i := 1; i < 300; i += 2 {
						if Alive(s, ids[i]) {
							s = sure(Dispose(s, ids[i]))
						}
					}
					before, has := Len(s), ChildCount(s, childOf, ids[0])
					calls := 0
					cutShort(func() {
						s = sure(SpawnN(s, r, n, func(b Batch) {
							if r == node {
								for i := range Column(b, childOf) {
									Column(b, childOf)[i] = ids[0]
								}
							}
							if calls == 0 { // a walk that is not stopped
								next, _ := iter.Pull(NewQuery(Without(markX)).In(s))
								next()
							}
							if calls++; calls > last {
								end()
							}
						}))
					})
					if calls <= last {
						s = sure(Recovered(s)) // of the walks that fill began
						require.Equal(t, before+n, Len(s))
						Close(s)
						continue
					}
					require.NoError(t, ToolsOf(s).Verify())
					require.Equal(t, before, Len(s))
					require.Equal(t, has, ChildCount(s, childOf, ids[0]))
					s = sure(SpawnN(s, r, n, nil))
					require.Equal(t, before+n, Len(s))
					Close(s)
				}
			}
		}
	}
}

// TestWhatTasksWroteIsStampedHoweverTheyEnd: what a snapshot takes afterwards is the world.
func TestWhatTasksWroteIsStampedHoweverTheyEnd(t *testing.T) {
	moving := NewQuery(Write(local))
	for name, end := range map[string]func(){
		"panic": func() { panic("out") }, "Goexit": runtime.Goexit,
	} {
		for last := range 3 {
			t.Run(fmt.Sprint(name, last), func(t *testing.T) {
				s, _ := forest(t, 1, 2000)
				p := sure(NewSnapshot(s))
				s = Advance(s)
				require.NoError(t, p.Take(s))
				s = Advance(s)
				var tasks []Task
				for i := range 3 {
					tasks = append(tasks, Task{
						Queries: []Query{moving}, First: uint32(i), End: uint32(i + 1),
						Run: []func(State) State{func(s State) State {
							Record(s).Create()
							for b := range moving.In(s) {
								for row := range Column(b, local) {
									Column(b, local)[row][0]++
								}
							}
							if i == last {
								end()
							}
							return s
						}},
					})
				}
				cutShort(func() { RunTasks(s, nil, tasks) })
				require.NoError(t, p.Take(s))
				require.Equal(t, Digest(s), p.Digest())
				require.Positive(t, ToolsOf(s).Unapplied())
				s = sure(Recovered(s))
				require.Zero(t, ToolsOf(s).Unapplied())
				p.Close()
				Close(s)
			})
		}
	}
}
