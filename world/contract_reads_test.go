package world_test

import (
	"bytes"
	"io"

	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// describeContracts are those of what tools ask.
func describeContracts() map[string]contract {
	spec := busyCount.Spec()
	return map[string]contract{
		"tool.KindUses":  reads(func(_ *exhibit, s world.State) { tool.KindUses(s) }),
		"tool.Capacity":  reads(func(_ *exhibit, s world.State) { tool.Capacity(s) }),
		"tool.QualityOf": reads(func(_ *exhibit, s world.State) { tool.QualityOf(s, busyMixed) }),
		"tool.RowUseOf":  reads(func(_ *exhibit, s world.State) { tool.RowUseOf(s, busyMixed, 0) }),
		"tool.ComponentsOf": reads(func(x *exhibit, s world.State) {
			world.Must(tool.ComponentsOf(s, x.full))
		}),
		"tool.Runs": reads(func(_ *exhibit, s world.State) {
			for range tool.Runs(s, busyMixed) {
			}
		}),
		"tool.Text": knowsNone(func() { tool.Text(spec, spec.Default) }),
		"tool.TextNaming": knowsNone(func() {
			tool.TextNaming(spec, spec.Default, world.GameObject.String)
		}),
		"tool.ParseText": knowsNone(func() {
			value := bytes.Clone(spec.Default)
			_ = tool.ParseText(value, spec, tool.Text(spec, value), noReference)
		}),
		"tool.AnyValueOf": reads(func(_ *exhibit, s world.State) {
			tool.AnyValueOf(s, busyNames.Kind(), 0)
		}),
		"tool.WatcherUses": reads(func(_ *exhibit, s world.State) { tool.WatcherUses(s) }),
		"tool.NumberOf":    reads(func(_ *exhibit, s world.State) { world.Must(tool.NumberOf(s, busyMixed)) }),
		"tool.KindNames":   reads(func(_ *exhibit, s world.State) { tool.KindNames(s) }),
		"tool.MaskOf":      reads(func(x *exhibit, s world.State) { world.Must(tool.MaskOf(s, x.full)) }),
		"tool.FillMask": reads(func(x *exhibit, s world.State) {
			var m mask.Mask
			_ = tool.FillMask(&m, s, x.full)
		}),
		"CountsOf":           reads(func(_ *exhibit, s world.State) { world.CountsOf(s) }),
		"tool.ElementTypes":  knowsNone(func() { tool.ElementTypes() }),
		"tool.CheckCounters": reads(func(_ *exhibit, s world.State) { _ = tool.CheckCounters(s) }),
		"tool.ShapeOf":       reads(func(_ *exhibit, s world.State) { tool.ShapeOf(s) }),
		"tool.ValueColumn":   reads(func(_ *exhibit, s world.State) { tool.ValueColumn(s, busyNames.Kind()) }),
		"tool.Verify":        reads(func(_ *exhibit, s world.State) { _ = tool.Verify(s) }),
		"Dangling":           reads(func(_ *exhibit, s world.State) { _ = systems.Dangling(s) }),
		"Size":               reads(func(_ *exhibit, s world.State) { world.Size(s) }),
		"Used":               reads(func(_ *exhibit, s world.State) { world.Used(s) }),
		"Bytes":              reads(func(_ *exhibit, s world.State) { world.Bytes(s) }),
		"tool.Parts":         reads(func(_ *exhibit, s world.State) { tool.Parts(s) }),
		"tool.Used": reads(func(_ *exhibit, s world.State) {
			for _, p := range tool.Parts(s) {
				tool.Used(s, &p)
			}
		}),
		"tool.Ranges": reads(func(_ *exhibit, s world.State) {
			for _, p := range tool.Parts(s) {
				for range tool.Ranges(s, &p, 3) {
					continue
				}
			}
		}),
		"tool.PrintLayout": reads(func(_ *exhibit, s world.State) {
			_ = tool.PrintLayout(io.Discard, s, tool.LayoutOptions{})
		}),
		"tool.Title":   knowsNone(func() { tool.Title(&tool.Part{}) }),
		"tool.Walking": reads(func(_ *exhibit, s world.State) { tool.Walking(s) }),
		"tool.Settled": reads(func(_ *exhibit, s world.State) { _ = tool.Settled(s) }),
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
		"Query.Key":     reads(func(_ *exhibit, s world.State) { world.Must(exhibited.Key(s)) }),
		"Query.Kinds":   reads(func(_ *exhibit, s world.State) { world.Must(exhibited.Kinds(s)) }),
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
		"Must":          knowsNone(func() { world.Must(1, nil) }),
		"NewRecipe":     knowsNone(func() { world.NewRecipe("contract recipe", busyMixed) }),
		"RecipeOf":      knowsNone(func() { systems.RecipeOf(exhibitCrew) }),
		"ForeignRecipe": knowsNone(func() { systems.ForeignRecipe(0, "contract recipe") }),
		"Recipe.With":   knowsNone(func() { busyBoats.With(busyCount.Value(4)) }),
		"Recipe.String": knowsNone(func() { _ = busyBoats.String() }),
		"tool.Memory":   knowsNone(func() { tool.Memory() }),
		"Counts.Clone":  knowsNone(func() { exhibitCounts().Clone() }),
		"Counts.Room":   knowsNone(func() { _, _, _ = exhibitCounts().Room() }),
		"CreateState": func() contract {
			c := knowsNone(func() { world.Must(world.CreateState(exhibitCounts())) })
			c.makes = true
			return c
		}(),
	}
}

// snapshotContracts are those of snapshots, copies and comparisons.
func snapshotContracts() map[string]contract {
	return map[string]contract{
		"Clone": makes(func(_ *exhibit, s world.State) { world.Must(world.Clone(s)) }),
		"Resized": makes(func(_ *exhibit, s world.State) {
			world.Must(world.Resized(s, exhibitCounts()))
		}),
		"Close": {class: ender, call: func(_ *exhibit, s world.State) (world.State, error) {
			world.Close(s)
			return s, nil
		}},
		"NewSnapshotIn": reads(func(_ *exhibit, s world.State) {
			_, _ = systems.NewSnapshotIn(s, nil)
		}),
		"Anew":          makes(func(_ *exhibit, s world.State) { systems.Anew(s) }),
		"CreateStateIn": handedIn(func(b []byte) { _, _ = systems.CreateStateIn(exhibitCounts(), b) }),
		"StateOver":     handedIn(func(b []byte) { _, _ = systems.StateOver(exhibitCounts(), b, true) }),
		"Unwritten":     handedIn(func([]byte) { _, _ = systems.Unwritten(exhibitCounts()) }),
		"tool.Bytes":    knowsNone(func() { tool.Bytes(3) }),
		"Discard": {class: discarder, call: func(_ *exhibit, s world.State) (world.State, error) {
			systems.Discard(s)
			return s, nil
		}},
		"NewSnapshot":     reads(func(_ *exhibit, s world.State) { world.Must(world.NewSnapshot(s)) }),
		"Snapshot.Take":   reads(func(_ *exhibit, s world.State) { taken(s) }),
		"Snapshot.State":  makes(func(_ *exhibit, s world.State) { taken(s).State() }),
		"Snapshot.Digest": reads(func(_ *exhibit, s world.State) { taken(s).Digest() }),
		"Snapshot.Close":  reads(func(_ *exhibit, s world.State) { taken(s).Close() }),
		"Restore": changes(func(x *exhibit, s world.State) (world.State, error) {
			return world.Restore(s, x.kept)
		}),
		"Digest": reads(func(_ *exhibit, s world.State) { world.Digest(s) }),
		"Equal":  reads(func(x *exhibit, s world.State) { world.Equal(s, x.kept.State()) }),
		"tool.FirstDifference": reads(func(x *exhibit, s world.State) {
			_, _, _ = tool.FirstDifference(s, x.kept.State())
		}),
		"tool.Rebuild": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return tool.Rebuild(s)
		}),
		"tool.Empty": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return tool.Empty(s, func(*tool.Part) int { return 0 })
		}),
		"tool.ResetIdle": steps(func(_ *exhibit, s world.State) world.State {
			return tool.ResetIdle(s, busyMixed)
		}),
		"tool.FillNew": steps(func(_ *exhibit, s world.State) world.State {
			return tool.FillNew(s, busyPair.Spec())
		}),
		"Resimulating": reads(func(_ *exhibit, s world.State) { systems.Resimulating(s) }),
		"tool.SetResimulating": steps(func(_ *exhibit, s world.State) world.State {
			return tool.SetResimulating(s, true)
		}),
	}
}

// handedIn is the contract of a function that makes a world of bytes.
func handedIn(f func(b []byte)) contract {
	c := knowsNone(func() { f(tool.Bytes(100)) })
	c.makes = true
	return c
}

// taken returns a snapshot of a State.
func taken(s world.State) *world.Snapshot {
	p := world.Must(world.NewSnapshot(s))
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}

// arenaContracts are those of what package tool is built on.
func arenaContracts() map[string]contract {
	arena := systems.ArenaOf
	return map[string]contract{
		"ArenaOf":         reads(func(_ *exhibit, s world.State) { arena(s) }),
		"Arena.Walking":   reads(func(_ *exhibit, s world.State) { arena(s).Walking() }),
		"Arena.Unapplied": reads(func(_ *exhibit, s world.State) { arena(s).Unapplied() }),
		"Arena.Verify":    reads(func(_ *exhibit, s world.State) { _ = arena(s).Verify() }),
		"Arena.Living":    reads(func(x *exhibit, s world.State) { _ = arena(s).Living(x.full) }),
		"Arena.Mask": reads(func(x *exhibit, s world.State) {
			_ = arena(s).Mask(new(mask.Mask), x.full)
		}),
		"Arena.OnObjects": reads(func(_ *exhibit, s world.State) { arena(s).OnObjects() }),
		"Arena.Rules":     reads(func(_ *exhibit, s world.State) { arena(s).Rules() }),
		"Arena.Renewed": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return arena(s).Renewed(func(*tool.Part) int { return 0 })
		}),
		"Arena.Derived": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return arena(s).Derived()
		}),
		"Arena.Resimulate": steps(func(_ *exhibit, s world.State) world.State {
			return arena(s).Resimulate(true)
		}),
		"Written": steps(func(_ *exhibit, s world.State) world.State {
			return systems.Written(s, busyMixed, func(*manager.Manager) {})
		}),
	}
}
