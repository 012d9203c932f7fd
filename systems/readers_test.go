package systems

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
