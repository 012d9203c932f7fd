package stage_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// Workers and servants work, a few times a second. A view of an object is a struct with its fields
// by their names, good until the next change of structure.
func Example_workers() {
	type view struct {
		Position *[3]float32
		Hours    *float32 // nil for a servant
	}
	look := func(s world.State, id world.GameObject) (world.State, view) {
		var v view
		s, v.Position, _ = world.Edit(s, id, placePosition)
		s, v.Hours, _ = world.Edit(s, id, workerHours)
		return s, v
	}
	var slow stage.Root
	err := slow.Add(stage.System{
		Name: "work", Watcher: staff,
		Enter: func(s world.State) world.State {
			for id := range staff.Entered(s) {
				fmt.Println(id, "begins")
			}
			return s
		},
		Update: func(s world.State, dt float32) world.State {
			for id := range staff.Members(s) {
				var v view
				s, v = look(s, id)
				v.Position[0] += dt
				if v.Hours != nil {
					*v.Hours += dt
				}
			}
			return s
		},
	})
	state := world.Must(world.CreateState(world.Counts{
		Kinds:    layout.Kinds(placeKind, workerKind, servantKind),
		Watchers: []world.Watcher{staff},
	}))
	state = slow.Init(state)
	state, worker, _ := world.CreateWith(state, placeKind, workerKind)
	state, servant, _ := world.CreateWith(state, placeKind, servantKind)
	for range 4 {
		state = slow.Update(state, .25)
	}
	state, w := look(state, worker)
	state, v := look(state, servant)
	fmt.Println(*w.Position, *w.Hours, *v.Position, v.Hours == nil, err)
	slow.Clear(state)
	// Output:
	// 0 begins
	// 1 begins
	// [1 0 0] 1 [1 0 0] true <nil>
}
