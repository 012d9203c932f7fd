package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// describeContracts are those of what tools ask.
func describeContracts() map[string]contract {
	spec := busyCount.Spec()
	return map[string]contract{
		"KindUses":  reads(func(_ *exhibit, s world.State) { world.KindUses(s) }),
		"Capacity":  reads(func(_ *exhibit, s world.State) { world.Capacity(s) }),
		"QualityOf": reads(func(_ *exhibit, s world.State) { world.QualityOf(s, busyMixed) }),
		"RowUseOf":  reads(func(_ *exhibit, s world.State) { world.RowUseOf(s, busyMixed, 0) }),
		"ComponentsOf": reads(func(x *exhibit, s world.State) {
			must(world.ComponentsOf(s, x.full))
		}),
		"Runs": reads(func(_ *exhibit, s world.State) {
			for range world.Runs(s, busyMixed) {
			}
		}),
		"Text":   knowsNone(func() { world.Text(spec, spec.Default) }),
		"TextOf": knowsNone(func() { world.TextOf(spec, spec.Default) }),
		"AnyValueOf": reads(func(_ *exhibit, s world.State) {
			world.AnyValueOf(s, busyNames.Kind(), 0)
		}),
		"WatcherUses": reads(func(_ *exhibit, s world.State) { world.WatcherUses(s) }),
		"NumberOf":    reads(func(_ *exhibit, s world.State) { must(world.NumberOf(s, busyMixed)) }),
		"KindNames":   reads(func(_ *exhibit, s world.State) { world.KindNames(s) }),
		"MaskOf":      reads(func(x *exhibit, s world.State) { must(world.MaskOf(s, x.full)) }),
		"FillMask": reads(func(x *exhibit, s world.State) {
			var m layout.Mask
			_ = world.FillMask(&m, s, x.full)
		}),
		"CountsOf":    reads(func(_ *exhibit, s world.State) { world.CountsOf(s) }),
		"ShapeOf":     reads(func(_ *exhibit, s world.State) { world.ShapeOf(s) }),
		"ValueColumn": reads(func(_ *exhibit, s world.State) { world.ValueColumn(s, busyNames.Kind()) }),
		"Verify":      reads(func(_ *exhibit, s world.State) { _ = world.Verify(s) }),
		"Size":        reads(func(_ *exhibit, s world.State) { world.Size(s) }),
		"Bytes":       reads(func(_ *exhibit, s world.State) { world.Bytes(s) }),
		"Parts":       reads(func(_ *exhibit, s world.State) { world.Parts(s) }),
		"Used": reads(func(_ *exhibit, s world.State) {
			for _, p := range world.Parts(s) {
				world.Used(s, &p)
			}
		}),
		"Walking": reads(func(_ *exhibit, s world.State) { world.Walking(s) }),
		"Settled": reads(func(_ *exhibit, s world.State) { _ = world.Settled(s) }),
	}
}

// queryContracts are those of queries.
func queryContracts() map[string]contract {
	return map[string]contract{
		"Read":          knowsNone(func() { world.Read(busyMixed) }),
		"Write":         knowsNone(func() { world.Write(busyMixed) }),
		"Optional":      knowsNone(func() { world.Optional(busyMixed) }),
		"With":          knowsNone(func() { world.With(busyMixed) }),
		"Without":       knowsNone(func() { world.Without(busyMixed) }),
		"Any":           knowsNone(func() { world.Any(busyMixed) }),
		"Only":          knowsNone(func() { world.Only(busyMixed) }),
		"Changed":       knowsNone(func() { world.Changed(busyMixed) }),
		"RowWise":       knowsNone(func() { _ = world.RowWise() }),
		"Term.String":   knowsNone(func() { _ = world.With(busyMixed).String() }),
		"NewQuery":      knowsNone(func() { world.NewQuery(world.With(busyMixed)) }),
		"Query.And":     knowsNone(func() { exhibited.And(world.With(busyMark)) }),
		"Query.String":  knowsNone(func() { _ = exhibited.String() }),
		"Query.Key":     reads(func(_ *exhibit, s world.State) { must(exhibited.Key(s)) }),
		"Query.Kinds":   reads(func(_ *exhibit, s world.State) { must(exhibited.Kinds(s)) }),
		"Query.In":      reads(func(_ *exhibit, s world.State) { all(exhibited.In(s)) }),
		"Query.Since":   reads(func(_ *exhibit, s world.State) { all(exhibitedSince.Since(s, 1)) }),
		"Query.Of":      reads(func(x *exhibit, s world.State) { all(exhibited.Of(s, x.full)) }),
		"Query.Matches": reads(func(x *exhibit, s world.State) { exhibited.Matches(s, x.full) }),
		"Query.Objects": reads(func(_ *exhibit, s world.State) { all(exhibited.Objects(s)) }),
		"Query.Count":   reads(func(_ *exhibit, s world.State) { exhibited.Count(s) }),
		"Query.First":   reads(func(_ *exhibit, s world.State) { exhibited.First(s) }),
	}
}

// declarationContracts are those of recipes and counts.
func declarationContracts() map[string]contract {
	return map[string]contract{
		"NewRecipe":      knowsNone(func() { world.NewRecipe("contract recipe", busyMixed) }),
		"ForeignRecipe":  knowsNone(func() { world.ForeignRecipe(0, "contract recipe") }),
		"Recipe.With":    knowsNone(func() { busyBoats.With(busyCount.Value(4)) }),
		"Recipe.String":  knowsNone(func() { _ = busyBoats.String() }),
		"Memory":         knowsNone(func() { world.Memory() }),
		"CopyCounts":     knowsNone(func() { world.CopyCounts(exhibitCounts()) }),
		"CountedKinds":   knowsNone(func() { must(world.CountedKinds(exhibitCounts())) }),
		"CountedObjects": knowsNone(func() { world.CountedObjects(exhibitCounts()) }),
		"CreateState": func() contract {
			c := knowsNone(func() { must(world.CreateState(exhibitCounts())) })
			c.makes = true
			return c
		}(),
	}
}

// snapshotContracts are those of snapshots, copies and comparisons.
func snapshotContracts() map[string]contract {
	return map[string]contract{
		"Clone": makes(func(_ *exhibit, s world.State) { must(world.Clone(s)) }),
		"Resized": makes(func(_ *exhibit, s world.State) {
			must(world.Resized(s, exhibitCounts()))
		}),
		"Close": {class: ender, call: func(_ *exhibit, s world.State) (world.State, error) {
			world.Close(s)
			return s, nil
		}},
		"NewSnapshot":     reads(func(_ *exhibit, s world.State) { must(world.NewSnapshot(s)) }),
		"Snapshot.Take":   reads(func(_ *exhibit, s world.State) { taken(s) }),
		"Snapshot.State":  makes(func(_ *exhibit, s world.State) { taken(s).State() }),
		"Snapshot.Digest": reads(func(_ *exhibit, s world.State) { taken(s).Digest() }),
		"Restore": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Restore(s, x.kept)
		}),
		"Digest": reads(func(_ *exhibit, s world.State) { world.Digest(s) }),
		"Equal":  reads(func(x *exhibit, s world.State) { world.Equal(s, x.kept.State()) }),
		"FirstDifference": reads(func(x *exhibit, s world.State) {
			_, _, _ = world.FirstDifference(s, x.kept.State())
		}),
		"Rebuild": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.Rebuild(s)
		}),
		"Empty": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return world.Empty(s, func(*world.Part) int { return 0 })
		}),
		"ResetIdle": steps(func(_ *exhibit, s world.State) world.State {
			return world.ResetIdle(s, busyMixed)
		}),
		"Resimulating": reads(func(_ *exhibit, s world.State) { world.Resimulating(s) }),
		"SetResimulating": steps(func(_ *exhibit, s world.State) world.State {
			return world.SetResimulating(s, true)
		}),
	}
}

// taken returns a snapshot of a State.
func taken(s world.State) *world.Snapshot {
	p := must(world.NewSnapshot(s))
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}
