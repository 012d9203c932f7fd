package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWritersAndTasks: one of before is refused in a task and valid after it; one of a task ends
// with it, also when it panics.
func TestWritersAndTasks(t *testing.T) {
	if !statesChecked {
		return
	}
	inRooms(t, 100, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		before := WriterOf(s, overPlace)
		var own Writer[[3]float32]
		open := func(s State) State {
			own = WriterOf(s, overPlace)
			own.At(ids[1])[0] = 9
			return s
		}
		use := func(s State) State {
			own.At(ids[1])[0]++ // by the next system of the task
			return s
		}
		list := []Query{overMoving}
		s = RunTasks(s, nil, []Task{{Run: []func(State) State{open, use}, Queries: list}})
		panicsWith(t, func() { own.At(ids[1]) }, "the task that opened this Writer has ended")
		fault := panicOf(t, func() {
			RunTasks(s, nil, []Task{{Run: doing(func(State) { before.At(ids[1]) }), Queries: list}})
		})
		assert.Contains(t, fault.Cause(), "opened before the tasks")
		_ = panicOf(t, func() {
			RunTasks(s, nil, []Task{{Queries: list, Run: []func(State) State{open, func(State) State {
				panic("on purpose")
			}}}})
		})
		panicsWith(t, func() { own.At(ids[1]) }, "the task that opened this Writer has ended")
		before.At(ids[1])[0] += 2
		assert.Equal(t, float32(11), sure(Get(s, ids[1], overPlace))[0])
		Close(s)
		panicsWith(t, func() { before.At(ids[1]) }, "closed")
	})
}
