package systems

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestARefusedChangeLeavesWriters: what is refused changes nothing.
func TestARefusedChangeLeavesWriters(t *testing.T) {
	inRooms(t, 20, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		w := WriterOf(s, overPlace)
		s, err := Add(s, ids[0], overPlace.Kind())
		require.ErrorIs(t, err, ErrTwice)
		w.At(ids[0])[0] = 5
		s = changed(Ensure(s, ids[0], overPlace.Kind()))
		w.At(ids[0])[0] = 6
		assert.Equal(t, float32(6), sure(Get(s, ids[0], overPlace))[0])
	})
}

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

// TestWritersAreSets: many Writers of two fields, opened, used and ended at random, write what Set
// writes, stamps included.
func TestWritersAreSets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	inRooms(t, 130, func(t *testing.T, s State, ids []GameObject) {
		t.Helper()
		twin := closedLater(t, sure(Clone(s)))
		var places, speeds []Writer[[3]float32]
		for range 3000 {
			id, value := ids[r.IntN(len(ids))], [3]float32{r.Float32()}
			switch n := r.IntN(12); {
			case n == 0:
				s, twin = Advance(s), Advance(twin)
			case n == 1 && r.IntN(20) == 0:
				s, twin = sure(Dispose(s, id)), sure(Dispose(twin, id))
				s, id = made(Spawn(s, overBall))
				twin = changed(Spawn(twin, overBall))
				ids = append(ids[:0], ids...)
				for i := range ids {
					if !Alive(s, ids[i]) {
						ids[i] = id
					}
				}
				places, speeds = nil, nil
			case n < 4 && len(places) < 5:
				var w Writer[[3]float32]
				w = WriterOf(s, overPlace)
				places = append(places, w)
				w = WriterOf(s, overSpeed)
				speeds = append(speeds, w)
			case n < 8 && len(places) > 0:
				*places[r.IntN(len(places))].At(id) = value
				twin = sure(Set(twin, id, overPlace, value))
			case len(speeds) > 0:
				*speeds[r.IntN(len(speeds))].At(id) = value
				twin = sure(Set(twin, id, overSpeed, value))
			}
		}
		require.True(t, bytes.Equal(Bytes(twin), Bytes(s)))
	})
}
