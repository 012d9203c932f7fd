package stage_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// Kinds of a village: its people walk in every frame, and some of them work, now and then.
var (
	villagePosition = layout.NewField[[3]float32]("position")
	villageKind     = layout.NewKind("Transform", villagePosition)
	villageWorker   = layout.NewMark("Worker")
	villageServant  = layout.NewMark("Servant")
	villageStatusA  = layout.NewMark("StatusA")
	villageStatusB  = layout.NewMark("StatusB")

	walking = world.NewQuery(world.Write(villagePosition), world.Without(villageStatusB))
	working = world.NewWatcher(world.NewQuery(world.Any(villageWorker, villageServant)))
)

// walkSystem moves all objects that may walk by one world unit per second.
var walkSystem = stage.System{
	Name: "walk",
	Update: func(s world.State, dt float32) world.State {
		for b := range walking.In(s) {
			positions := world.Column(b, villagePosition)
			for i := range positions {
				positions[i][0] += dt
			}
		}
		return s
	},
}

// villageWork is called for all objects that start or stop working.
var villageWork = stage.System{
	Name:    "work",
	Watcher: working,
	Init: func(s world.State) world.State {
		fmt.Println("init")
		return s
	},
	Enter: func(s world.State) world.State {
		for id := range working.Entered(s) {
			s, _ = world.Add(s, id, villageStatusA)
			fmt.Println("enter", id)
		}
		return s
	},
	FirstUpdate: func(s world.State) world.State {
		fmt.Println("first update")
		return s
	},
	Update: func(s world.State, dt float32) world.State {
		fmt.Println("update after", dt, "s:", working.Count(s), "at work")
		return s
	},
	Leave: func(s world.State) world.State {
		for id := range working.Left(s) {
			fmt.Println("leave", id)
		}
		return s
	},
	Destroy: func(s world.State) world.State {
		fmt.Println("destroy")
		return s
	},
}

// Two roots over one state: the fast one runs in every frame, the slow one in every fourth.
func ExampleRoot() {
	// awake
	var fast, slow stage.Root
	if err := fast.Add(walkSystem); err != nil {
		fmt.Println(err)
	}
	if err := slow.Add(stage.System{Name: "slow", Parts: []stage.System{villageWork}}); err != nil {
		fmt.Println(err)
	}
	s, err := world.CreateState(world.Counts{
		Kinds: []layout.Count{
			villageKind.Count(10), villageWorker.Count(0), villageServant.Count(0),
			villageStatusA.Count(0), villageStatusB.Count(0),
		},
		Watchers: slow.Watchers(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s = slow.Init(fast.Init(s))
	s, worker, _ := world.CreateWith(s, villageKind, villageWorker)
	s, _, _ = world.CreateWith(s, villageKind, villageServant, villageStatusB)
	s, _, _ = world.CreateWith(s, villageKind)

	// update
	const delta = 0.25 // seconds
	for frame := 1; frame <= 8; frame++ {
		s = fast.Update(s, delta)
		if frame%4 == 0 {
			s = slow.Update(s, 4*delta)
		}
		if frame == 6 {
			s, _ = world.Remove(s, worker, villageWorker)
		}
	}
	position, _ := world.Get(s, worker, villagePosition)
	fmt.Println("the worker is at", position)

	// disable
	s = slow.Clear(s)
	world.Close(fast.Clear(s))
	// Output:
	// init
	// enter 0
	// enter 1
	// first update
	// update after 1 s: 2 at work
	// leave 0
	// update after 1 s: 1 at work
	// the worker is at [2 0 0]
	// destroy
}
