package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

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
		"Has":           reads(func(x *exhibit, s world.State) { world.Has(s, x.full, busyMixed) }),
		"RowOf":         reads(func(x *exhibit, s world.State) { world.Must(world.RowOf(s, x.full, busyMixed)) }),
		"ObjectOf":      reads(func(_ *exhibit, s world.State) { world.ObjectOf(s, busyMixed, 0) }),
		"All":           reads(func(_ *exhibit, s world.State) { all(world.All(s, busyMixed)) }),
		"tool.MaxIndex": reads(func(_ *exhibit, s world.State) { tool.MaxIndex(s, busyMixed) }),
		"tool.Cap":      reads(func(_ *exhibit, s world.State) { tool.Cap(s, busyMixed) }),
		"tool.Mounted":  reads(func(_ *exhibit, s world.State) { tool.Mounted(s, busyMixed) }),
		"tool.Buffer":   reads(func(_ *exhibit, s world.State) { tool.Buffer(s, busyMixed) }),
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
		"tool.MaxUID": reads(func(_ *exhibit, s world.State) { tool.MaxUID(s) }),
		"FindRing": knowsNone(func() {
			systems.FindRing(make([]uint32, 2), func(uint32) (uint32, bool) { return 0, false })
		}),
		"tool.MomentOf": reads(func(_ *exhibit, s world.State) { tool.MomentOf(s, busyMixed) }),
		"GameObjects":   reads(func(_ *exhibit, s world.State) { all(world.GameObjects(s)) }),
		"tool.GameObjectAt": reads(func(_ *exhibit, s world.State) {
			world.Must(tool.GameObjectAt(s, 0))
		}),
		"tool.TextError.Error":  knowsNone(func() { _ = (&tool.TextError{}).Error() }),
		"tool.TextError.Unwrap": knowsNone(func() { _ = (&tool.TextError{}).Unwrap() }),
		"tool.ParseElement":     knowsNone(func() { world.Must(tool.ParseElement("int8", "-3")) }),
		"tool.ParseGameObject":  knowsNone(func() { world.Must(tool.ParseGameObject("7v3")) }),
		"tool.KindsOf":          reads(func(x *exhibit, s world.State) { world.Must(tool.KindsOf(s, x.full)) }),
		"Tick":                  reads(func(_ *exhibit, s world.State) { world.Tick(s) }),
		"Advance":               steps(func(_ *exhibit, s world.State) world.State { return world.Advance(s) }),
	}
}

// bulkContracts are those of changes of many objects.
func bulkContracts() map[string]contract {
	return map[string]contract{
		"Query.DisposeAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return exhibited.DisposeAll(s)
		}),
		"Query.AddAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return exhibitBare.AddAll(s, busyMark)
		}),
		"Query.RemoveAll": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return exhibitMarked.RemoveAll(s, busyMark)
		}),
		"SpawnN": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.SpawnN(s, busyBoats, 3, func(world.Batch) {})
		}),
		"Tidy": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.Tidy(s)
		}),
	}
}
