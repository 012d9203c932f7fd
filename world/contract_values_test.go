package world_test

import "github.com/flatecs/flatecs/world"

// valueContracts are those of what reads and writes values by id and by row.
func valueContracts() map[string]contract {
	return map[string]contract{
		"Values": places(func(x *exhibit, s world.State) { must(world.Values(s, x.full, busyPair)) }),
		"Value":  reads(func(x *exhibit, s world.State) { must(world.Value(s, x.full, busyPair)) }),
		"Lanes":  places(func(_ *exhibit, s world.State) { world.Lanes(s, busyCount, 0) }),
		"View":   reads(func(_ *exhibit, s world.State) { world.View(s, busyCount) }),
		"Open":   reads(func(_ *exhibit, s world.State) { world.Open(s, busyCount) }),
		"Reader.At": reads(func(x *exhibit, s world.State) {
			r := world.Open(s, busyCount)
			r.At(x.full)
		}),
		"Touch": steps(func(_ *exhibit, s world.State) world.State {
			return world.Touch(s, busyMixed, 0, 2)
		}),
		"ValueOf": reads(func(x *exhibit, s world.State) {
			must(world.ValueOf(s, x.full, busyNames))
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

// places is reads for a function that hands out a place, which counts as written.
func places(f func(x *exhibit, s world.State)) contract {
	c := reads(f)
	c.places = true
	return c
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
		"Batch.Len": batch(func(_ *exhibit, b world.Batch) { b.Len() }),
		"Batch.ID":  batch(func(_ *exhibit, b world.Batch) { b.ID(0) }),
		"Batch.Row": batch(func(_ *exhibit, b world.Batch) { b.Row(0, busyMixed) }),
		"Column":    batch(func(_ *exhibit, b world.Batch) { world.Column(b, busyCount) }),
		"Column2":   batch(func(_ *exhibit, b world.Batch) { world.Column2(b, busyPair) }),
		"Column3":   batch(func(_ *exhibit, b world.Batch) { world.Column3(b, world.XYZ) }),
		"Column4": reads(func(_ *exhibit, s world.State) {
			defer func() { // no field has four lanes
				if text, _ := recover().(string); text == usedUpState {
					panic(text)
				}
			}()
			inBatch(s, func(b world.Batch) { world.Column4(b, busyPair) })
		}),
		"Batch.Add":     recording(func(b world.Batch) { b.Add(0, busyMark) }),
		"Batch.Remove":  recording(func(b world.Batch) { b.Remove(0, busyMixed) }),
		"Batch.Spawn":   recording(func(b world.Batch) { b.Spawn(busyBoats) }),
		"Batch.Dispose": recording(func(b world.Batch) { b.Dispose(0) }),
	}
}
