package systems

import (
	"fmt"
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
