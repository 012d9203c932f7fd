package world_test

import (
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// valueContracts are those of what reads and writes values by id and by row.
func valueContracts() map[string]contract {
	return map[string]contract{
		"Get": reads(func(x *exhibit, s world.State) { world.Must(world.Get(s, x.full, busyPair)) }),
		"Set": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Set(s, x.full, busyCount, 4)
		}).refuses(func(x *exhibit, s world.State) (world.State, error) {
			return world.Set(s, x.bare, busyCount, 4)
		}),
		"Edit": changes(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.Edit(s, x.full, busyCount))
		}).refuses(func(x *exhibit, s world.State) (world.State, error) {
			return try(world.Edit(s, x.bare, busyCount))
		}),
		"GetRow": reads(func(_ *exhibit, s world.State) { world.GetRow(s, busyCount, 0) }),
		"SetRow": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetRow(s, busyCount, 0, 4)
		}),
		"OpenWrite": steps(func(_ *exhibit, s world.State) world.State {
			return leave(world.OpenWrite(s, busyCount))
		}),
		"Writer.At": steps(func(x *exhibit, s world.State) world.State {
			s, w := world.OpenWrite(s, busyCount)
			*w.At(x.full) = 4
			return s
		}),
		"Writer.AtN": steps(func(x *exhibit, s world.State) world.State {
			s, w := world.OpenWrite(s, busyCount)
			found := make([]*uint16, 2)
			w.AtN(found, []world.GameObject{x.bare, x.full})
			*found[1] = 4
			return s
		}),
		"View": reads(func(_ *exhibit, s world.State) { world.View(s, busyCount) }),
		"Open": reads(func(_ *exhibit, s world.State) { world.Open(s, busyCount) }),
		"Reader.At": reads(func(x *exhibit, s world.State) {
			r := world.Open(s, busyCount)
			r.At(x.full)
		}),
		"Reader.AtN": reads(func(x *exhibit, s world.State) {
			r := world.Open(s, busyCount)
			r.AtN(make([]uint16, 2), []world.GameObject{x.bare, x.full})
		}),
		"Gather": reads(func(_ *exhibit, s world.State) {
			world.Gather(nil, s, exhibited, busyCount)
		}),
		"tool.Touch": steps(func(_ *exhibit, s world.State) world.State {
			return tool.Touch(s, busyMixed, 0, 2)
		}),
		"ValueOf": reads(func(x *exhibit, s world.State) {
			world.Must(world.ValueOf(s, x.full, busyNames))
		}),
		"SetValue": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.SetValue(s, x.full, busyNames, "somebody")
		}).refuses(func(x *exhibit, s world.State) (world.State, error) {
			return world.SetValue(s, x.bare, busyNames, "somebody")
		}),
		"UpdateValues": steps(func(_ *exhibit, s world.State) world.State {
			return world.UpdateValues(s, busyNames, shout)
		}),
	}
}

// inBatch calls f with a batch of every exhibited object.
func inBatch(s world.State, f func(b world.Batch)) {
	for b := range exhibited.In(s) {
		f(b)
	}
}

// batchContracts are those of what is done with the batches of a walk.
func batchContracts() map[string]contract {
	batch := func(f func(x *exhibit, b world.Batch)) contract {
		return reads(func(x *exhibit, s world.State) {
			inBatch(s, func(b world.Batch) { f(x, b) })
		})
	}
	recording := func(f func(b world.Batch)) contract {
		return records(func(_ *exhibit, s world.State) { inBatch(s, f) })
	}
	return map[string]contract{
		"Batch.Len":       batch(func(_ *exhibit, b world.Batch) { b.Len() }),
		"Batch.ID":        batch(func(_ *exhibit, b world.Batch) { b.ID(0) }),
		"Batch.AppendIDs": batch(func(_ *exhibit, b world.Batch) { b.AppendIDs(nil) }),
		"Batch.Row":       batch(func(_ *exhibit, b world.Batch) { b.Row(0, busyMixed) }),
		"Column":          batch(func(_ *exhibit, b world.Batch) { world.Column(b, busyCount) }),
		"Overwrite": knowsNone(func() {
			defer func() { _ = recover() }() // it is of no walk
			world.Overwrite(world.Batch{}, busyCount)
		}),
		"Flat":          batch(func(_ *exhibit, b world.Batch) { world.Flat[float32](b, busyPair) }),
		"Batch.Add":     recording(func(b world.Batch) { b.Add(0, busyMark) }),
		"Batch.Remove":  recording(func(b world.Batch) { b.Remove(0, busyMixed) }),
		"Batch.Spawn":   recording(func(b world.Batch) { b.Spawn(busyBoats) }),
		"Batch.Dispose": recording(func(b world.Batch) { b.Dispose(0) }),
	}
}
