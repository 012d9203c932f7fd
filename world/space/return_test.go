package space_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

// giveAll returns so many values to the first objects of a batch.
func giveAll(s world.State, v space.View[[2]float32], objects, values int) {
	for b := range give.In(s) {
		space.Return(world.Column(b, speed)[:objects], v, b, make([][2]float32, values))
	}
}

// Values per entry go back to their objects, in batches of every shape, and to no others.
func TestValuesReturnToTheirObjects(t *testing.T) {
	const n = 1500
	s := crowd(t, n)
	r := rand.New(rand.NewPCG(5, 6))
	nan := float32(math.NaN())
	for i, id := range slices.Collect(all.Objects(s)) {
		var err error
		at := [2]float32{r.Float32() * 90, r.Float32() * 90}
		switch lot := r.IntN(9); {
		case i%300 < 90 && lot%2 == 0: // holes
			s, err = world.Dispose(s, id)
		case lot == 7:
			s, err = world.Set(s, id, flat2, [2]float32{nan, 0})
		case lot == 8:
			s, err = world.Add(s, id, ghost)
		default:
			s, err = world.Set(s, id, flat2, at)
		}
		require.NoError(t, err)
	}
	for range 5 { // with a speed, but no position
		s, _ = world.Must2(world.CreateWith(s, speed))
	}
	o := space.Options{Query: world.NewQuery(world.With(flat2), world.Without(ghost)), Parts: 3}
	c := cellsOf(t, s, o)
	for round := range 3 {
		s = c.Build(s, nil)
		v := c.In(s)
		turns, want := make([][2]float32, v.Len()), map[world.GameObject][2]float32{}
		for id := range give.Objects(s) {
			want[id] = world.Must(world.Get(s, id, speed))
		}
		for e, id := range v.IDs() {
			turns[e] = [2]float32{float32(e), float32(round + 1)}
			want[id] = turns[e]
		}
		for b := range give.In(s) {
			space.Return(world.Column(b, speed), v, b, turns)
		}
		for id, turn := range want {
			require.Equal(t, turn, world.Must(world.Get(s, id, speed)), "object %v", id)
		}
		for id := range all.Objects(s) { // others are in the cells the next time
			if r.IntN(10) == 0 {
				s = world.Must(world.Set(s, id, flat2, [2]float32{nan, nan}))
			}
		}
	}
}

// Tasks that share the entries come to the same bytes, for any number of workers.
func TestTasksSearchInParts(t *testing.T) {
	const n = 1000 // in a single cell, each looks at all
	s := crowd(t, n)
	digests := map[uint64]bool{}
	for name, o := range boxes(2) {
		c := cellsOf(t, s, o)
		for _, workers := range []int{1, 2, 16} {
			w := systems.NewWorkers(workers)
			s = c.Build(s, w)
			turns := make([][2]float32, n)
			var tasks []systems.Task
			for part := range workers {
				tasks = append(tasks, systems.Task{Run: []func(world.State) world.State{
					func(s world.State) world.State {
						v := c.In(s)
						points := v.Points()
						for e := n * part / workers; e < n*(part+1)/workers; e++ {
							for o := range v.Near(points[e], 1.5) {
								turns[e][0] += points[o][0]
							}
						}
						return s
					},
				}})
			}
			s = systems.RunTasks(s, w, tasks)
			for b := range give.In(s) {
				space.Return(world.Column(b, speed), c.In(s), b, turns)
			}
			w.Close()
			digests[world.Digest(s)] = true
		}
		assert.Len(t, digests, 1, name)
		clear(digests)
	}
}
