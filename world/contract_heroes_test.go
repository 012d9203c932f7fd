package world_test

import "github.com/flatecs/flatecs/world"

// heroContracts are those of positions, velocities, flies and instances.
func heroContracts() map[string]contract {
	all := map[string]contract{
		"PositionAt":    reads(func(_ *exhibit, s world.State) { world.PositionAt(s, 0) }),
		"VelocityAt":    reads(func(_ *exhibit, s world.State) { world.VelocityAt(s, 0) }),
		"MaxVelocityAt": reads(func(_ *exhibit, s world.State) { world.MaxVelocityAt(s, 0) }),
		"SetPosition": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetPosition(s, 0, [3]float32{1, 2, 3})
		}),
		"SetVelocity": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetVelocity(s, 0, 1)
		}),
		"SetMaxVelocity": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetMaxVelocity(s, 0, 1)
		}),
		"Move":    steps(func(_ *exhibit, s world.State) world.State { return world.Move(s, 0, 0) }),
		"MoveAll": steps(func(_ *exhibit, s world.State) world.State { return world.MoveAll(s) }),
		"Fly":     steps(func(_ *exhibit, s world.State) world.State { return world.Fly(s, 0, 0, 0) }),
		"FlyAll":  steps(func(_ *exhibit, s world.State) world.State { return world.FlyAll(s) }),
		"Update":  steps(func(_ *exhibit, s world.State) world.State { return world.Update(s) }),
		"RenderOneByOne": shows(func(s world.State) world.State {
			return world.RenderOneByOne(s, silent{})
		}),
		"RenderInstances": shows(func(s world.State) world.State {
			return world.RenderInstances(s, silent{})
		}),
	}
	loose(all, "Position", world.PositionKind,
		world.CreatePosition, world.MountPosition, world.DisposePosition)
	loose(all, "Velocity", world.VelocityKind,
		world.CreateVelocity, world.MountVelocity, world.DisposeVelocity)
	loose(all, "Fly", world.FlyKind, world.CreateFly, world.MountFly, world.DisposeFly)
	loose(all, "Instance", world.InstanceKind,
		world.CreateInstance, world.MountInstance, world.DisposeInstance)
	mounted(all, "Position",
		world.AddPosition, world.PositionOf, world.HasPosition, world.RemovePosition)
	mounted(all, "Velocity",
		world.AddVelocity, world.VelocityOf, world.HasVelocity, world.RemoveVelocity)
	mounted(all, "Fly", world.AddFly, world.FlyOf, world.HasFly, world.RemoveFly)
	mounted(all, "Instance",
		world.AddInstance, world.InstanceOf, world.HasInstance, world.RemoveInstance)
	return all
}

// shows is steps for a function that draws, and serves a snapshot's State.
func shows(f func(s world.State) world.State) contract {
	c := steps(func(_ *exhibit, s world.State) world.State { return f(s) })
	c.shows = true
	return c
}

// loose adds the contracts of one kind's own functions for components that no object has yet.
func loose[R ~uint32](
	all map[string]contract, name string, k world.Kind,
	create func(world.State) (world.State, R, error),
	mount func(world.State, world.GameObject, R) (world.State, error),
	dispose func(world.State, R) world.State,
) {
	all["Create"+name] = changes(func(_ *exhibit, s world.State) (world.State, error) {
		return try(create(s))
	})
	all["Mount"+name] = changes(func(x *exhibit, s world.State) (world.State, error) {
		return mount(s, x.bare, R(x.loose[k]))
	})
	all["Dispose"+name] = steps(func(x *exhibit, s world.State) world.State {
		return dispose(s, R(x.loose[k]))
	})
}

// mounted adds the contracts of one kind's own functions for components of objects.
func mounted[R ~uint32](
	all map[string]contract, name string,
	add func(world.State, world.GameObject) (world.State, R, error),
	of func(world.State, world.GameObject) (R, error),
	has func(world.State, world.GameObject) bool,
	remove func(world.State, world.GameObject) (world.State, error),
) {
	all["Add"+name] = changes(func(x *exhibit, s world.State) (world.State, error) {
		return try(add(s, x.bare))
	})
	all[name+"Of"] = reads(func(x *exhibit, s world.State) { must(of(s, x.full)) })
	all["Has"+name] = reads(func(x *exhibit, s world.State) { has(s, x.full) })
	all["Remove"+name] = changes(func(x *exhibit, s world.State) (world.State, error) {
		return remove(s, x.full)
	})
}
