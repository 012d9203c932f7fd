//go:build ecsdebug

package list_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

// TestWritesToListsOfBeforeAreFound: a list that was kept until it grew, shrank or was disposed is
// not to be written to; the next list that would get these rows finds out.
func TestWritesToListsOfBeforeAreFound(t *testing.T) {
	for name, end := range map[string]func(s world.State, id world.GameObject) world.State{
		"it grew": func(s world.State, id world.GameObject) world.State {
			return world.Must(list.Append(s, id, numbers, make([]uint64, 30)...))
		},
		"it was disposed": func(s world.State, id world.GameObject) world.State {
			return world.Must(world.Dispose(s, id))
		},
		"it grew in a walk": func(s world.State, _ world.GameObject) world.State {
			for b := range stocking.In(s) {
				lists := list.Column(b, numbers)
				old := lists.At(0)
				for range 30 {
					world.Must(lists.Append(0, 1))
				}
				old[2] = 7
				break
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids := owners(t, 10, 5, 60)
			s = world.Must(list.Set(s, ids[0], numbers))
			s = world.Must(list.Shrink(s, ids[0], numbers))
			s = world.Must(list.Set(s, ids[0], numbers, 1, 2, 3))
			old := world.Must(list.Of(s, ids[0], numbers))
			s = end(s, ids[0])
			if name != "it grew in a walk" {
				old[1] = 9
			}
			assert.PanicsWithValue(t, "flatecs: elements of numbers were written in rows 0 to 0, which are "+
				"no list's: a list was kept until it grew, or until its object was disposed: look it up "+
				"again after each change", func() {
				for _, id := range ids[2:] {
					s = world.Must(list.Set(s, id, numbers))
					s = world.Must(list.Shrink(s, id, numbers))
					s = world.Must(list.Set(s, id, numbers, 1))
				}
			})
		})
	}
}
