package world_test

import (
	"iter"
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/space"
	"github.com/flatecs/flatecs/world/stage"
)

// A room is where one call is made: a world, and what belongs to it.
type room struct {
	*exhibit
	t    *testing.T
	ends []func()
}

func newRoom(t *testing.T) *room {
	t.Helper()
	return &room{exhibitOf(exhibitCounts()), t, nil}
}

func (g *room) close() {
	for _, end := range g.ends {
		end()
	}
}

// keeping returns a snapshot of the world when it was made.
func (g *room) keeping() *world.Snapshot {
	if g.kept == nil {
		g.kept = taken(g.s)
	}
	return g.kept
}

// later has f called when the room is not needed any more.
func (g *room) later(f func()) { g.ends = append(g.ends, f) }

// A listing is a good value of a type, and bad ones by what they are.
type listing struct {
	good func(g *room) any
	bad  bads
}

// bads are bad values by what they are: the values, or functions that make them in a room.
type bads = map[string]any

// list notes values of type T.
func list[T any](all map[reflect.Type]listing, good func(g *room) T, bad bads) {
	all[reflect.TypeFor[T]()] = listing{func(g *room) any { return good(g) }, bad}
}

// listed returns the values of every type that needs some of its own.
var listed = sync.OnceValue(func() map[reflect.Type]listing {
	all := map[reflect.Type]listing{}
	listWorlds(all)
	listDeclarations(all)
	listRelations(all)
	listSpace(all)
	listNetwork(all)
	listHandles(all)
	listPrograms(all)
	listFiles(all)
	listPacks(all)
	listHands(all)
	listSessions(all)
	listReplica(all)
	return all
})

// Handles that the worlds of rooms know nothing of.
var (
	foreignField   = layout.NewField[float32]("foreign")
	foreignKind    = layout.NewKind("foreign kind", foreignField)
	kindlessField  = layout.NewField[float32]("kindless")
	foreignNames   = layout.NewValues("foreign names", "")
	foreignRecipe  = world.NewRecipe("foreign recipe", foreignKind)
	foreignQuery   = world.NewQuery(world.Read(foreignKind))
	foreignWatcher = world.NewWatcher(foreignQuery)
	foreignEvents  = world.NewEvents("foreign events")
	foreignReader  = foreignEvents.NewReader("foreign reader")
	foreignScreen  = world.NewResource("foreign resource", layout.NewField[uint8]("foreign"))
	foreignShared  = world.NewShared("foreign shared", "")
	foreignSeen    = stage.NewSeen("foreign seen")
)

// foreign returns a world that has nothing of the room's.
func foreign() world.State { return world.Must(world.CreateState(world.Counts{GameObjects: 1})) }

// closed returns what f makes of a world that is closed then.
func closed[T any](f func(s world.State) T) func(*room) any {
	return func(*room) any {
		s := exhibitOf(exhibitCounts()).s
		v := f(s)
		world.Close(s)
		return v
	}
}

func listWorlds(all map[reflect.Type]listing) {
	list(all, func(g *room) world.State { return g.s }, bads{
		"of a closed world": closed(func(s world.State) world.State { return s }),
		"a foreign world":   func(*room) any { return foreign() },
		"a snapshot's":      func(g *room) any { return taken(g.s).State() },
	})
	list(all, func(g *room) world.GameObject { return g.full }, bads{
		"bare":     func(g *room) any { return g.bare },
		"full":     func(g *room) any { return g.full },
		"dead":     func(g *room) any { return g.dead },
		"former":   func(g *room) any { return g.former },
		"unborn":   world.GameObject(1<<32 | 300),
		"foreign":  func(g *room) any { return g.full + 1<<32 },
		"far":      world.GameObject(1<<32 | 1<<31),
		"recorded": func(*room) any { return world.Record(exhibitOf(exhibitCounts()).s).Create() },
	})
	list(all, func(g *room) *world.Snapshot {
		p := taken(g.s)
		g.later(p.Close)
		return p
	}, bads{
		"empty":            func(g *room) any { return world.Must(world.NewSnapshot(g.s)) },
		"of another world": func(*room) any { return taken(foreign()) },
	})
	counted := func(c world.Counts) world.Counts {
		if c.GameObjects == 0 {
			c.GameObjects = 1
		}
		return c
	}
	list(all, func(*room) world.Counts { return exhibitCounts() }, bads{
		"negative":        counted(world.Counts{GameObjects: -1}),
		"huge":            counted(world.Counts{GameObjects: min(1<<40, math.MaxInt)}),
		"kind zero":       counted(world.Counts{Kinds: []layout.Count{{Rows: 1}}}),
		"recipe zero":     counted(world.Counts{Recipes: make([]world.Recipe, 1)}),
		"recipe foreign":  counted(world.Counts{Recipes: []world.Recipe{foreignRecipe}}),
		"query zero":      counted(world.Counts{Queries: make([]world.Query, 1)}),
		"query foreign":   counted(world.Counts{Queries: []world.Query{foreignQuery}}),
		"watcher zero":    counted(world.Counts{Watchers: make([]world.Watcher, 1)}),
		"watcher foreign": counted(world.Counts{Watchers: []world.Watcher{foreignWatcher}}),
		"resource zero":   counted(world.Counts{Resources: make([]world.ResourceKind, 1)}),
		"events zero":     counted(world.Counts{Events: make([]world.EventCount, 1)}),
		"walks negative":  counted(world.Counts{Walks: -1}),
		"walks huge":      counted(world.Counts{Walks: min(1<<40, math.MaxInt)}),
		"tasks negative":  counted(world.Counts{Tasks: -1}),
		"tasks huge":      counted(world.Counts{Tasks: min(1<<40, math.MaxInt)}),
		"commands huge":   counted(world.Counts{Commands: min(1<<60, math.MaxInt)}),
		"names negative":  counted(world.Counts{Names: -1}),
	})
}

func listDeclarations(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Typed[[2]float32] { return busyPair }, bads{
		"a zero field":     layout.Field[[2]float32]{},
		"zero values":      layout.Values[[2]float32]{},
		"a field not kept": func(*room) any { return layout.NewComponent[[2]float32]("elsewhere") },
	})
	list(all, func(*room) layout.Kind { return busyMixed }, bads{
		"foreign":    foreignKind,
		"a mark":     busyMark,
		"of values":  busyNames.Kind(),
		"of a field": exhibitPicture.Values().Kind(),
		"names":      world.NameKind,
	})
	list(all, func(*room) layout.Field[float32] { return heroes.Velocity }, bads{
		"foreign":  foreignField,
		"kindless": kindlessField,
		"event's":  exhibitPower,
	})
	list(all, func(*room) layout.Countable { return layout.NewComponent[uint8]("good") }, bads{
		"a zero kind":  layout.Kind{},
		"a zero field": layout.Field[uint8]{},
	})
	list(all, func(*room) layout.AnyKind { return heroes.Velocity }, bads{
		"a zero field":   layout.Field[float32]{},
		"a zero kind":    layout.Kind{},
		"a mark":         busyMark,
		"a foreign kind": foreignKind,
		"kindless":       kindlessField,
		"a nil pointer":  (*layout.Kind)(nil),
	})
	list(all, func(*room) layout.AnyField { return layout.NewField[uint8]("good") }, bads{
		"a zero field": layout.Field[float32]{},
		"taken":        foreignField,
	})
	list(all, func(*room) layout.Access { return busyMixed }, bads{
		"a zero field":   layout.Field[float32]{},
		"a zero kind":    layout.Kind{},
		"a mark":         busyMark,
		"kindless":       kindlessField,
		"not comparable": accesses{},
	})
	list(all, func(*room) layout.FieldValue { return busyCount.Value(2) }, bads{
		"foreign": foreignField.Value(2),
	})
	list(all, func(*room) layout.Row { return 1 }, bads{
		"disposed": layout.Row(7),
		"new":      layout.Row(8),
		"beyond":   layout.Row(70),
	})
	list(all, func(*room) layout.Count { return busyMixed.Count(1) }, bads{
		"negative": busyMixed.Count(-1),
	})
	list(all, func(*room) layout.Values[string] { return busyNames }, bads{
		"foreign": foreignNames,
	})
	list(all, func(*room) *layout.FieldSpec { return busyCount.Spec() }, nil)
	list(all, func(*room) *layout.KindSpec { return busyMixed.Spec() }, nil)
	list(all, func(*room) *layout.ValueSlice[string] {
		return foreignNames.Kind().Spec().Values.Make(3).(*layout.ValueSlice[string])
	}, nil)
	list(all, func(*room) layout.ValueColumn {
		return foreignNames.Kind().Spec().Values.Make(3)
	}, bads{"of bytes": func(*room) any { return layout.NewValues[[]byte]("bytes", nil).Kind().Spec().Values.Make(1) }})
	list(all, func(*room) mask.Mask { return mask.New(1, 70) }, nil)
}

// accesses are a layout.Access that cannot be compared.
type accesses []int

func (accesses) Fields() []*layout.FieldSpec { return nil }

func listHandles(all map[reflect.Type]listing) {
	list(all, func(*room) world.Recipe { return busyBoats }, bads{"foreign": foreignRecipe})
	list(all, func(*room) world.Query { return exhibitedSince }, bads{
		"foreign":       foreignQuery,
		"contradictory": func(*room) any { return exhibited.And(world.Without(busyMixed)) },
		"of zero kinds": func(*room) any { return world.NewQuery(world.With(layout.Kind{})) },
		"of zero fields": func(*room) any {
			return world.NewQuery(world.Read(layout.Field[float32]{}))
		},
		"of nothing that can be read": func(*room) any {
			return world.NewQuery(world.Read(busyMark))
		},
		"of nil": func(*room) any { return world.NewQuery(world.Read(nil)) },
		"of what cannot be compared": func(*room) any {
			return world.NewQuery(world.Write(accesses{}))
		},
		"row-wise": func(*room) any { return exhibited.And(world.RowWise()) },
	})
	list(all, func(*room) world.Term { return world.With(busyMixed) }, bads{
		"of zero kinds":  func(*room) any { return world.With(layout.Kind{}) },
		"of zero fields": func(*room) any { return world.Read(layout.Field[float32]{}) },
		"of nil":         func(*room) any { return world.Read(nil) },
	})
	listBeside(all)
	listViews(all)
}

// listBeside lists handles of data not attached to objects.
func listBeside(all map[reflect.Type]listing) {
	list(all, func(*room) world.Watcher { return exhibitWatcher }, bads{
		"foreign":      foreignWatcher,
		"of no query":  func(*room) any { return world.NewWatcher(world.Query{}) },
		"not of world": func(*room) any { return world.NewWatcher(exhibited) },
	})
	list(all, func(*room) world.Events { return exhibitHits }, bads{
		"foreign": foreignEvents,
	})
	list(all, func(*room) world.EventReader { return exhibitReader }, bads{
		"foreign": foreignReader,
	})
	unread := func(s world.State) world.Received {
		r, _ := exhibitReader.Unread(s)
		return r
	}
	list(all, func(g *room) world.Received { return unread(g.s) }, bads{
		"of a closed world": closed(unread),
	})
	list(all, func(g *room) world.EventBatch { return unread(g.s).Batches()[0] }, bads{
		"of a closed world": closed(func(s world.State) world.EventBatch {
			return unread(s).Batches()[0]
		}),
	})
	list(all, func(*room) world.ResourceKind { return exhibitScreen }, bads{
		"foreign": foreignScreen,
	})
	list(all, func(*room) stage.Seen { return exhibitSeen }, bads{"foreign": foreignSeen})
	list(all, func(*room) world.Shared[string] { return exhibitPicture }, bads{
		"foreign": foreignShared,
	})
}

// listViews lists what calls and walks hand out.
func listViews(all map[reflect.Type]listing) {
	list(all, func(g *room) world.Commands { return world.Record(g.s) }, bads{
		"of a closed world": closed(world.Record),
		"of another world":  func(*room) any { return world.Record(foreign()) },
	})
	list(all, func(g *room) world.Reader[float32] { return world.ReaderOf(g.s, heroes.Velocity) }, bads{
		"of a closed world": closed(func(s world.State) world.Reader[float32] {
			return world.ReaderOf(s, heroes.Velocity)
		}),
	})
	list(all, func(g *room) world.Writer[float32] {
		return world.WriterOf(g.s, heroes.Velocity)
	}, bads{
		"of a closed world": closed(func(s world.State) world.Writer[float32] {
			return world.WriterOf(s, heroes.Velocity)
		}),
		"of a changed world": func(*room) any {
			s := foreign()
			w := world.WriterOf(s, heroes.Velocity)
			_ = world.Advance(s)
			return w
		},
	})
	list(all, func(g *room) world.Batch { return g.batch(g.s) }, bads{
		"over": func(g *room) any {
			var last world.Batch
			inBatch(g.s, func(b world.Batch) { last = b })
			return last
		},
		"of a closed world": closed(func(s world.State) (last world.Batch) {
			inBatch(s, func(b world.Batch) { last = b })
			return last
		}),
		"of a snapshot": func(g *room) any { return g.batch(taken(g.s).State()) },
	})
	list(all, func(g *room) *tool.Part { return &tool.Parts(g.s)[1] }, bads{
		"foreign": func(*room) any { return &tool.Parts(foreign())[2] },
	})
}

var roomQuery = world.NewQuery(
	world.Read(busyMixed), world.Read(heroes.Velocity), world.Optional(heroes.Position))

// batch returns the first batch of a walk that is open.
func (g *room) batch(s world.State) world.Batch { return g.first(roomQuery.In(s)) }

// first returns the first batch of a walk that stays open as long as the room.
func (g *room) first(walk iter.Seq[world.Batch]) world.Batch {
	next, stop := iter.Pull(walk)
	g.later(stop)
	b, _ := next()
	return b
}

// noReference finds no object.
func noReference(string, int, int) (world.GameObject, error) { return 0, nil }

var foreignParent = layout.NewRelation("foreign parent", layout.Relation{Tree: true})

// listRelations lists what functions of relations take.
func listRelations(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[world.GameObject] { return exhibitParent }, bads{
		"foreign":     foreignParent,
		"no relation": func(*room) any { return layout.NewComponent[world.GameObject]("plain") },
		"kindless":    func(*room) any { return layout.NewField[world.GameObject]("kindless") },
	})
	list(all, func(*room) systems.Tree { return exhibitTree }, bads{
		"foreign": systems.Tree{Recipe: foreignRecipe},
		"of recipes that lack the relation": systems.Tree{
			Recipe: busyBoats, Children: []systems.Tree{{Recipe: busyBoats}},
		},
		"with foreign values": systems.Tree{
			Recipe: exhibitCrew, Values: []layout.FieldValue{foreignField.Value(1)},
		},
		"with itself as its parent": systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
			exhibitParent.Value(systems.Member(0)),
		}},
		"with a kind that is nil": systems.Tree{Kinds: []layout.AnyKind{nil}},
		"with a kind of no world": systems.Tree{Kinds: []layout.AnyKind{foreignField}},
		"with a kind twice": systems.Tree{
			Recipe: exhibitCrew, Kinds: []layout.AnyKind{exhibitParent},
		},
		"with a zero value": systems.Tree{Values: []layout.FieldValue{{}}},
		"with a member that is none": systems.Tree{Recipe: exhibitCrew, Values: []layout.FieldValue{
			exhibitParent.Value(systems.Member(9)),
		}},
	})
	list(all, func(g *room) systems.Ordered {
		return systems.OrderedBy(g.s, exhibitParent.Spec())
	}, nil)
	list(all, func(*room) exhibitIndex { return index.New(exhibitParent) }, bads{
		"of a kind that the world does not have": index.New(foreignParent),
	})
	list(all, func(*room) *family.TextError { return &family.TextError{Line: 1, Column: 1} }, nil)
	list(all, func(*room) *tool.TextError { return &tool.TextError{} }, nil)
	list(all, func(*room) func(string, int, int) (world.GameObject, error) {
		return noReference
	}, nil)
	list(all, func(*room) func(world.GameObject) string { return world.GameObject.String }, nil)
	list(all, func(*room) *layout.RelationSpec { return exhibitParent.Spec().Relation }, nil)
	list(all, func(*room) layout.Relation { return layout.Relation{} }, bads{
		"of no policy":             layout.Relation{Disposed: 9},
		"of a field that is taken": layout.Relation{Fields: []layout.AnyField{foreignField}},
		"of a field that is nil":   layout.Relation{Fields: []layout.AnyField{nil}},
	})
}

type (
	exhibitIndex = index.Index[world.GameObject]

	roomCells = space.Cells[[3]float32]
	roomView  = space.View[[3]float32]
)

var roomGrid = space.NewGrid("room", space.GridOptions{Width: 5, Height: 4, Wrap: true, Limit: 2})

// listSpace lists what functions of space take.
func listSpace(all map[reflect.Type]listing) {
	list(all, func(*room) layout.Field[[3]float32] { return heroes.Position }, bads{
		"kindless": func(*room) any { return layout.NewField[[3]float32]("kindless") },
		"foreign":  func(*room) any { return layout.NewComponent[[3]float32]("foreign") },
	})
	list(all, func(*room) layout.Axis[[3]float32] { return heroes.Position.Axis("[1]") }, nil)
	list(all, func(*room) *[3]float32 { return &[3]float32{1, 2, 3} }, nil)
	list(all, func(g *room) *roomCells { return g.cells }, bads{
		"not built": func(g *room) any {
			return world.Must(space.NewCells(g.s, heroes.Position, space.Options{Size: 1}))
		},
	})
	list(all, func(g *room) roomView { return g.cells.In(g.s) }, nil)
	list(all, func(*room) space.Options { return space.Options{Size: 1} }, bads{
		"of a box inside out": space.Options{
			Size: 1, Low: []float64{1, 1, 1}, High: []float64{0, 0, 0},
		},
		"of too many cells": space.Options{
			Size: 1, Low: make([]float64, 3), High: []float64{1e9, 1e9, 1e9},
		},
		"of an axis that is none":     space.Options{Size: 1, Axes: []string{"[0]", "[3]"}},
		"of nothing carried":          space.Options{Size: 1, Carry: make([]space.Carried, 1)},
		"of a size that is no number": space.Options{Size: math.NaN()},
	})
	list(all, func(*room) []space.Hit { return make([]space.Hit, 3) }, nil)
	list(all, func(*room) *space.Grid { return exhibitBoard }, bads{"foreign": roomGrid})
	list(all, func(*room) space.GridOptions {
		return space.GridOptions{Width: 2, Height: 2, Limit: 1}
	}, bads{
		"huge":     space.GridOptions{Width: 1 << 30, Height: 1 << 30},
		"negative": space.GridOptions{Width: -1, Height: -1},
	})
}

var roomNetwork = network.New("roads")

// listNetwork lists what functions of network take.
func listNetwork(all map[reflect.Type]listing) {
	list(all, func(*room) *network.Network { return roomNetwork }, bads{
		"foreign": func(*room) any { return network.New("foreign") },
	})
	list(all, func(*room) []network.Pair { return []network.Pair{{From: 0, To: 0}} }, bads{
		"of none": []network.Pair{{From: -1, To: 1 << 20}},
	})
}

func listPacks(all map[reflect.Type]listing) {
	list(all, func(*room) *pack.Packer { return exhibitPacker() }, bads{
		"without codecs": func(*room) any { return &pack.Packer{} },
	})
	sorted := func(g *room) *tool.Groups {
		var groups tool.Groups
		if err := groups.Sort(g.s, []world.GameObject{g.full}); err != nil {
			panic(err)
		}
		return &groups
	}
	list(all, sorted, bads{
		"open": func(g *room) any {
			var groups tool.Groups
			groups.Begin(g.s)
			groups.Create(nil, 1)
			return &groups
		},
		"of a closed world": func(*room) any {
			g := &room{exhibit: exhibitOf(exhibitCounts())}
			groups := sorted(g)
			world.Close(g.s)
			return groups
		},
	})
	list(all, func(g *room) *tool.Components {
		c := sorted(g).Components(0, 0)
		return &c
	}, nil)
}
