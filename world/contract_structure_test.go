package world_test

import "github.com/flatecs/flatecs/world"

// commandContracts are those of recorded commands.
func commandContracts() map[string]contract {
	recording := func(f func(x *exhibit, c world.Commands)) contract {
		return records(func(x *exhibit, s world.State) { f(x, world.Record(s)) })
	}
	return map[string]contract{
		"Record":          recording(func(*exhibit, world.Commands) {}),
		"Commands.Create": recording(func(_ *exhibit, c world.Commands) { c.Create() }),
		"Commands.Spawn":  recording(func(_ *exhibit, c world.Commands) { c.Spawn(busyBoats) }),
		"Commands.Copy":   recording(func(x *exhibit, c world.Commands) { c.Copy(x.full) }),
		"Commands.Dispose": recording(func(x *exhibit, c world.Commands) {
			c.Dispose(x.full)
		}),
		"Commands.Add": recording(func(x *exhibit, c world.Commands) { c.Add(x.bare, busyMark) }),
		"Commands.Remove": recording(func(x *exhibit, c world.Commands) {
			c.Remove(x.full, busyMark)
		}),
		"Put": recording(func(x *exhibit, c world.Commands) { world.Put(c, x.full, busyCount, 4) }),
		"Replace": recording(func(x *exhibit, c world.Commands) {
			world.Replace(c, x.full, busyCount, 4)
		}),
		"Applied": reads(func(x *exhibit, s world.State) {
			_, _ = world.Applied(s, x.full)
		}),
		"Apply":        changes(applied(world.Apply)),
		"ApplyKeeping": changes(applied(world.ApplyKeeping)),
		"ApplyError.Error": knowsNone(func() {
			_ = (&world.ApplyError{Refused: []*world.CommandError{{Err: world.ErrDead}}}).Error()
		}),
		"ApplyError.Unwrap":   knowsNone(func() { (&world.ApplyError{}).Unwrap() }),
		"CommandError.Error":  knowsNone(func() { _ = (&world.CommandError{}).Error() }),
		"CommandError.Unwrap": knowsNone(func() { _ = (&world.CommandError{}).Unwrap() }),
	}
}

// applied records a command, and applies it.
func applied(
	apply func(world.State) (world.State, error),
) func(*exhibit, world.State) (world.State, error) {
	return func(_ *exhibit, s world.State) (world.State, error) {
		world.Record(s).Create()
		return apply(s)
	}
}

// componentContracts are those of what is done to components of any kind.
func componentContracts() map[string]contract {
	return map[string]contract{
		"Create": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return try(world.Create(s, busyMixed))
		}),
		"Mount": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Mount(s, x.bare, busyMixed, x.loose[busyMixed])
		}),
		"Add": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.Add(s, x.bare, busyMixed))
		}),
		"Ensure": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.Ensure(s, x.bare, busyMixed))
		}),
		"Renew": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.Renew(s, x.full, busyMixed))
		}),
		"Remove": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Remove(s, x.full, busyMixed)
		}),
		"Suspend": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Suspend(s, x.full, busyMixed)
		}),
		"Dispose": steps(func(x *exhibit, s world.State) world.State {
			return world.Dispose(s, busyMixed, x.loose[busyMixed])
		}),
		"AddKinds": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.AddKinds(s, x.bare, busyMixed, busyMark)
		}),
		"RemoveKinds": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.RemoveKinds(s, x.full, busyMixed, busyMark)
		}),
		"Has":      reads(func(x *exhibit, s world.State) { world.Has(s, x.full, busyMixed) }),
		"RowOf":    reads(func(x *exhibit, s world.State) { must(world.RowOf(s, x.full, busyMixed)) }),
		"ObjectOf": reads(func(_ *exhibit, s world.State) { world.ObjectOf(s, busyMixed, 0) }),
		"All":      reads(func(_ *exhibit, s world.State) { all(world.All(s, busyMixed)) }),
		"MaxIndex": reads(func(_ *exhibit, s world.State) { world.MaxIndex(s, busyMixed) }),
		"Cap":      reads(func(_ *exhibit, s world.State) { world.Cap(s, busyMixed) }),
		"Mounted":  reads(func(_ *exhibit, s world.State) { world.Mounted(s, busyMixed) }),
		"Buffer":   reads(func(_ *exhibit, s world.State) { world.Buffer(s, busyMixed) }),
	}
}

// all goes through a list.
func all[T any](list func(func(T) bool)) { list(func(T) bool { return true }) }

// objectContracts are those of what is done to objects.
func objectContracts() map[string]contract {
	return map[string]contract{
		"CreateGameObject": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return try(world.CreateGameObject(s))
		}),
		"CreateWith": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return try(world.CreateWith(s, busyMixed))
		}),
		"CopyGameObject": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.CopyGameObject(s, x.full))
		}),
		"DisposeGameObject": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.DisposeGameObject(s, x.full)
		}),
		"Spawn": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return try(world.Spawn(s, busyBoats))
		}),
		"Alive":       reads(func(x *exhibit, s world.State) { world.Alive(s, x.full) }),
		"Live":        reads(func(_ *exhibit, s world.State) { world.Live(s) }),
		"MaxUID":      reads(func(_ *exhibit, s world.State) { world.MaxUID(s) }),
		"GameObjects": reads(func(_ *exhibit, s world.State) { all(world.GameObjects(s)) }),
		"GameObjectAt": reads(func(_ *exhibit, s world.State) {
			must(world.GameObjectAt(s, 0))
		}),
		"ParseGameObject": knowsNone(func() { must(world.ParseGameObject("7v3")) }),
		"KindsOf":         reads(func(x *exhibit, s world.State) { must(world.KindsOf(s, x.full)) }),
		"Tick":            reads(func(_ *exhibit, s world.State) { world.Tick(s) }),
		"Advance":         steps(func(_ *exhibit, s world.State) world.State { return world.Advance(s) }),
	}
}

// bulkContracts are those of changes of many objects.
func bulkContracts() map[string]contract {
	return map[string]contract{
		"DisposeN": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.DisposeN(s, x.full, x.bare)
		}),
		"DisposeAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.DisposeAll(s, exhibited)
		}),
		"AddAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.AddAll(s, exhibitBare, busyMark)
		}),
		"RemoveAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.RemoveAll(s, exhibitMarked, busyMark)
		}),
		"SpawnN": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.SpawnN(s, busyBoats, 3, func(world.Batch) {})
		}),
		"Tidy": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.Tidy(s)
		}),
	}
}
