package systems

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamedWalks(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{5, 3, 1, 8, 6} {
		s = christen(t, s, ids[i], "a")
	}
	s = sure(Remove(s, ids[5], NameKind))
	s = christen(t, s, ids[5], "a") // its row is the first again, and its turn the last
	order := []GameObject{ids[3], ids[1], ids[8], ids[6], ids[5]}
	var want, got [][2]GameObject
	for _, a := range order {
		for _, b := range order {
			want = append(want, [2]GameObject{a, b})
		}
	}
	for a := range Named(s, "a") {
		for b := range Named(s, "a") {
			got = append(got, [2]GameObject{a, b})
		}
		for range Named(s, "a") {
			break
		}
	}
	assert.Equal(t, want, got)

	var turns []GameObject
	for id := range Named(s, "a") {
		turns = append(turns, id)
		switch id {
		case ids[3]:
			s = sure(Dispose(s, ids[1]))
			s = christen(t, s, ids[8], "b")
			s = christen(t, s, ids[2], "a")
		case ids[6]:
			s = christen(t, s, ids[8], "a")
		}
	}
	assert.Equal(t, []GameObject{ids[3], ids[6], ids[5]}, turns)
	whole(t, s)
}

func TestNamedInATask(t *testing.T) {
	s, ids := fullWorld(t)
	s = christen(t, s, ids[3], "a")
	s = christen(t, s, ids[1], "a")
	w := NewWorkers(3)
	defer w.Close()
	task := Task{Run: []func(State) State{func(s State) State {
		for range 100 {
			assert.Equal(t, []GameObject{ids[3], ids[1]}, slices.Collect(Named(s, "a")))
		}
		_, err := SetName(s, ids[1], "b")
		assert.ErrorIs(t, err, ErrWalking)
		return s
	}}}
	s = RunTasks(s, w, []Task{task, task, task, task})
	whole(t, s)
}

// TestReadersByNameAndOfWatchers: several goroutines at once, and each finds all.
func TestReadersByNameAndOfWatchers(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{7, 2, 5} { // not in the order of their rows
		s = christen(t, s, ids[i], "a")
		s = christen(t, s, ids[i+1], "b")
	}
	s = sure(Remove(s, ids[7], NameKind))
	s = christen(t, s, ids[7], "a")
	want := []GameObject{ids[2], ids[5], ids[7]}
	w := NewWatcher(NewQuery(With(NameKind)))
	watched := sure(CreateState(Counts{GameObjects: 200, Names: 100, Watchers: []Watcher{w}}))
	for range 100 {
		watched = changed(createNamed(watched, "c"))
	}
	watched = w.Look(watched)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				for range Named(s, "b") {
					assert.Equal(t, want, slices.Collect(Named(s, "a")))
				}
				n := 0
				for range w.Members(watched) {
					n++
				}
				for range w.Entered(watched) {
					n++
				}
				for range w.Left(watched) {
					n++
				}
				assert.Equal(t, 200, n)
			}
		})
	}
	all.Wait()
	w.Look(watched) // nobody is in a loop any more
}
