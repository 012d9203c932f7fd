package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// nameContracts are those of names.
func nameContracts() map[string]contract {
	return map[string]contract{
		"SetName": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.SetName(s, x.bare, "bare")
		}),
		"NameOf": reads(func(x *exhibit, s world.State) { world.Must(world.NameOf(s, x.full)) }),
		"AppendName": reads(func(x *exhibit, s world.State) {
			world.Must(systems.AppendName(nil, s, x.full))
		}),
		"Named": reads(func(_ *exhibit, s world.State) { all(world.Named(s, "full")) }),
	}
}

// eventContracts are those of events.
func eventContracts() map[string]contract {
	events := func(s world.State) world.Received {
		r, _ := exhibitReader.Unread(s)
		return r
	}
	return map[string]contract{
		"NewEvents":          knowsNone(func() { world.NewEvents("contract events") }),
		"Events.NewReader":   knowsNone(func() { exhibitHits.NewReader("contract reader") }),
		"Events.Count":       knowsNone(func() { exhibitHits.Count(3, exhibitReader) }),
		"Events.String":      knowsNone(func() { _ = exhibitHits.String() }),
		"EventReader.String": knowsNone(func() { _ = exhibitReader.String() }),
		"Events.Send": steps(func(_ *exhibit, s world.State) world.State {
			return leave(exhibitHits.Send(s))
		}),
		"EventReader.Receive": steps(func(_ *exhibit, s world.State) world.State {
			return leaveTwo(exhibitReader.Receive(s))
		}),
		"EventReader.Unread": reads(func(_ *exhibit, s world.State) { events(s) }),
		"Received.Len":       reads(func(_ *exhibit, s world.State) { events(s).Len() }),
		"Received.Batches":   reads(func(_ *exhibit, s world.State) { events(s).Batches() }),
		"EventBatch.Len":     reads(func(_ *exhibit, s world.State) { events(s).Batches()[0].Len() }),
		"EventColumn": reads(func(_ *exhibit, s world.State) {
			world.EventColumn(events(s).Batches()[0], exhibitPower)
		}),
	}
}

// resourceContracts are those of resources.
func resourceContracts() map[string]contract {
	return map[string]contract{
		"NewResource": knowsNone(func() {
			world.NewResource("contract resource", layout.NewField[uint8]("contract"))
		}),
		"ResourceKind.String": knowsNone(func() { _ = exhibitScreen.String() }),
		"Resource": reads(func(_ *exhibit, s world.State) {
			world.Resource(s, exhibitWidth)
		}),
		"SetResource": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetResource(s, exhibitWidth, 320)
		}),
		"NewShared":     knowsNone(func() { world.NewShared("contract shared", 1) }),
		"Shared.Values": knowsNone(func() { exhibitPicture.Values() }),
		"Shared.Kind":   knowsNone(func() { exhibitPicture.Kind() }),
		"Shared.Of":     reads(func(_ *exhibit, s world.State) { exhibitPicture.Of(s) }),
		"Shared.Set": steps(func(_ *exhibit, s world.State) world.State {
			return exhibitPicture.Set(s, "a tree")
		}),
	}
}

// randomContracts are those of random numbers.
func randomContracts() map[string]contract {
	stream := func() *world.Stream { r := systems.NewStream(1, 2); return &r }
	return map[string]contract{
		"NewStream":      knowsNone(func() { _ = systems.NewStream(1, 2) }),
		"Stream.Uint64":  knowsNone(func() { stream().Uint64() }),
		"Stream.Uint64N": knowsNone(func() { stream().Uint64N(3) }),
		"Stream.IntN":    knowsNone(func() { stream().IntN(3) }),
		"Stream.Float32": knowsNone(func() { stream().Float32() }),
		"Stream.Range":   knowsNone(func() { stream().Range(1, 2) }),
		"Stream.Float64": knowsNone(func() { stream().Float64() }),
		"Stream.Norm":    knowsNone(func() { stream().Norm() }),
		"Stream.Exp":     knowsNone(func() { stream().Exp() }),
		"Random":         reads(func(_ *exhibit, s world.State) { world.Random(s, 1, 2) }),
		"NextStream": steps(func(_ *exhibit, s world.State) world.State {
			return leave(world.NextStream(s))
		}),
		"SetSeed": steps(func(_ *exhibit, s world.State) world.State { return systems.SetSeed(s, 9) }),
	}
}

// watchContracts are those of watchers and listeners.
func watchContracts() map[string]contract {
	heard := func(s world.State, _ world.GameObject) world.State { return s }
	listen := func(s world.State) world.Listener {
		return exhibitWatcher.Listen(s, heard, heard)
	}
	return map[string]contract{
		"NewWatcher":    knowsNone(func() { world.NewWatcher(exhibited) }),
		"Watcher.Query": knowsNone(func() { exhibitWatcher.Query() }),
		"Watcher.Keep":  knowsNone(func() { exhibitWatcher.Keep(busyPair) }),
		"LastOf": reads(func(x *exhibit, s world.State) {
			_, _ = world.LastOf(s, exhibitWatcher, x.full, busyPair)
		}),
		"Watcher.Look": steps(func(_ *exhibit, s world.State) world.State {
			return exhibitWatcher.Look(s)
		}),
		"Watcher.Notify": steps(func(_ *exhibit, s world.State) world.State {
			return exhibitWatcher.Notify(s)
		}),
		"Watcher.Once": steps(func(_ *exhibit, s world.State) world.State {
			return leave(exhibitWatcher.Once(s))
		}),
		"Watcher.Forget": steps(func(_ *exhibit, s world.State) world.State {
			return exhibitWatcher.Forget(s)
		}),
		"Watcher.Left":    reads(func(_ *exhibit, s world.State) { all(exhibitWatcher.Left(s)) }),
		"Watcher.Entered": reads(func(_ *exhibit, s world.State) { all(exhibitWatcher.Entered(s)) }),
		"Watcher.Members": reads(func(_ *exhibit, s world.State) { all(exhibitWatcher.Members(s)) }),
		"Watcher.Count":   reads(func(_ *exhibit, s world.State) { exhibitWatcher.Count(s) }),
		"Watcher.Listen":  reads(func(_ *exhibit, s world.State) { listen(s) }),
		"Listener.Stop":   reads(func(_ *exhibit, s world.State) { listen(s).Stop(s) }),
	}
}
