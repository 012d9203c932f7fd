package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

var (
	busyPair  = layout.NewField("pair", [2]float32{1, 2})
	busyCount = layout.NewField[uint16]("count", 3)
	busyMixed = layout.NewKind("busy mixed", busyPair, busyCount)
	busyMark  = layout.NewMark("busy mark")
	busyNames = layout.NewValues("busy name", "nobody")
	busyBoats = world.NewRecipe("busy boat", heroes.Position, busyMixed, busyMark)

	busyPairs = world.NewQuery(
		world.Write(busyMixed), world.Read(heroes.Position), world.Without(busyMark))
	busyEither   = world.NewQuery(world.Any(busyMixed, heroes.MaxVelocity), world.With(heroes.Velocity))
	busyUnmarked = world.NewQuery(world.With(busyMixed), world.Without(busyMark))
	busyAfloat   = world.NewQuery(world.With(busyMixed, busyMark))
	busyOuter    = world.NewQuery(world.Read(heroes.Velocity), world.With(busyMark))
)

// An operation is something that a program does to a world in a frame.
type operation struct {
	name string
	run  func(world.State) world.State
}

// operations returns repeatable operations on an exhibit.
func operations(x *exhibit) []operation {
	some := world.Must(tool.GameObjectAt(x.s, 4))
	list := []operation{
		{"Frame", func(s world.State) world.State { return worldtest.Frame(s, silent{}) }},
		{"objects", func(s world.State) world.State { return objectsComeAndGo(s, some) }},
		{"values", func(s world.State) world.State { return valuesAreSet(s, x.full) }},
		{"walks", walksOfBusy},
		{"lookups", func(s world.State) world.State { return looksUp(s, x) }},
	}
	for _, k := range busyKinds {
		if k == busyMark {
			continue
		}
		list = append(list, operation{"rows of " + k.String(), func(s world.State) world.State {
			s, row := world.Must2(world.CreateComponent(s, k))
			s, row = world.Must2(world.CreateComponent(world.DisposeComponent(s, k, row), k))
			s = world.Must(world.Remove(world.Must(world.Mount(s, x.bare, k, row)), x.bare, k))
			s, row = world.Must2(world.Ensure(s, x.bare, k))
			return world.DisposeComponent(s, k, row)
		}})
	}
	return list
}

// silent is a renderer that draws nothing.
type silent struct{}

func (silent) Init() {}

func (silent) DrawOne(uint32, []byte) {}

func (silent) DrawInstances(string, []byte) {}

var busyKinds = []layout.Kind{
	heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance, busyMixed, busyMark,
	busyNames.Kind(),
}

// objectsComeAndGo creates and disposes objects in each way, and marks some.
func objectsComeAndGo(s world.State, some world.GameObject) world.State {
	s, id := world.Must2(world.Create(s))
	for _, k := range busyKinds {
		s = world.Must(world.Add(s, id, k))
	}
	s, other := world.Must2(world.Copy(world.Must(world.Dispose(s, id)), some))
	s, id = world.Must2(world.Spawn(world.Must(world.Dispose(s, other)), busyBoats))
	s, other = world.Must2(world.Spawn(s, busyBoats, heroes.Position.Value([3]float32{1, 2, 3}), busyCount.Value(2)))
	s = world.Must(world.Dispose(world.Must(world.Dispose(s, id)), other))
	s = world.Must(world.Suspend(s, some, heroes.Velocity))
	s = world.Must(world.Add(s, some, heroes.Velocity))
	s = world.Must(busyUnmarked.AddAll(s, busyMark))
	return world.Must(busyAfloat.RemoveAll(s, busyMark))
}

func valuesAreSet(s world.State, id world.GameObject) world.State {
	s = world.Must(world.SetValue(s, id, busyNames, "thirty"))
	s = world.Must(world.Set(s, id, busyPair, [2]float32{3, 4}))
	s, p := world.Must2(world.Edit(s, id, busyPair))
	p[1]++
	world.WriterOf(s, busyPair).At(id)[1]++
	s = world.SetRow(s, busyCount, 0, world.GetRow(s, busyCount, 0)+1)
	world.View(s, busyCount)[0]++
	return tool.Touch(s, busyMixed, 0, 1)
}

// walksOfBusy walks, one walk inside the other, breaks off, and asks for ids and numbers.
func walksOfBusy(s world.State) world.State {
	for range busyOuter.In(s) {
		for b := range busyPairs.In(s) {
			pair, count := world.Column(b, busyPair), world.Column(b, busyCount)
			p := world.Column(b, heroes.Position)
			for i := range pair {
				pair[i][0] += p[i][1]
				count[i]++
			}
		}
	}
	for b := range busyEither.In(s) {
		_ = b.ID(0)
		saw(len(b.AppendIDs(busyFound[:0])) > 0)
		break
	}
	saw(busyEither.Count(s) > 0)
	return s
}

var (
	busySeen uint64 // sum of the values read, so that reading is not optimized away

	busyFew    [3]world.GameObject
	busyValues [3][3]float32
	busyPlaces [3]*[2]float32
	busyFound  = make([]world.GameObject, 0, 64)
)

func saw(yes bool) {
	if yes {
		busySeen++
	}
}

func looksUp(s world.State, x *exhibit) world.State {
	id := x.full
	for _, k := range busyKinds {
		saw(world.Has(s, id, k) || world.Has(s, x.dead, k))
	}
	busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Position)))
	owner, ok := world.ObjectOf(s, heroes.Position, 0)
	saw(ok && owner != 0 && world.Alive(s, owner))
	saw(world.Must(world.Get(s, id, busyPair))[0] > 0)
	saw(world.Must(world.ValueOf(s, id, busyNames)) != "")
	busyFew = [3]world.GameObject{x.full, x.bare, x.dead}
	r, w := world.ReaderOf(s, heroes.Position), world.WriterOf(s, busyPair)
	p, ok := r.Get(id)
	saw(ok && p[1] != 0)
	saw(r.AtN(busyValues[:], busyFew[:]) > 0)
	saw(w.AtN(busyPlaces[:], busyFew[:]) > 0)
	for id := range world.GameObjects(s) {
		busySeen += uint64(id)
	}
	for row := range world.All(s, heroes.Position) {
		busySeen += uint64(row)
	}
	saw(world.Len(s) > 0 && tool.MaxUID(s) > 0 && world.Tick(s) > 0)
	saw(world.Must(tool.GameObjectAt(s, 0)) == id)
	saw(tool.MaxIndex(s, busyMixed) < tool.Cap(s, busyMixed) && tool.Mounted(s, busyMixed) > 0)
	saw(len(tool.Buffer(s, busyMixed)) < len(world.Bytes(s)))
	return s
}

// Nothing that a frame does allocates, once each query has found its columns.
func TestAllocsOfEveryOperation(t *testing.T) {
	x := newExhibit()
	defer x.kept.Close()
	s := x.s
	for _, o := range operations(x) {
		t.Run(o.name, func(t *testing.T) {
			assert.Zero(t, testing.AllocsPerRun(20, func() { s = o.run(s) }))
		})
	}
}
