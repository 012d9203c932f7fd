package world_test

import (
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

const busyObjects = 300

// busyWorld returns a world with a bit of everything: objects in lockstep and scattered ones,
// marks, values, rows on the free lists and rows that are on no object.
func busyWorld() (world.State, []world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: busyObjects + 50, Kinds: layout.Kinds(
			busyMixed.Count(busyObjects), busyMark.Count(0), busyNames.Count(40),
			heroes.Position.Count(busyObjects+20), heroes.Velocity.Count(busyObjects+20),
			heroes.MaxVelocity.Count(120), heroes.Instance.Count(busyObjects+50),
		),
		Recipes: []world.Recipe{busyBoats},
	}))
	s, ids := worldtest.Create(s, busyObjects)
	for i := range ids {
		if j := i; i < 192 || i%2 == 0 {
			if i >= 192 && i < 256 {
				j = 446 - i // the other way round
			}
			s = world.Must(world.Add(s, ids[j], heroes.Position))
		}
		s = world.Must(world.Add(s, ids[i*7%busyObjects], heroes.Velocity))
	}
	add := func(every int, kind layout.Kind) {
		for i, id := range ids {
			if i%every == 0 {
				s = world.Must(world.Add(s, id, kind))
			}
		}
	}
	add(4, heroes.MaxVelocity.Kind())
	add(5, heroes.Instance)
	add(2, busyMixed)
	add(3, busyMark)
	add(10, busyNames.Kind())
	for _, i := range []int{0, 17, 100, 250} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	s, ids[100] = world.Must2(world.Create(s))
	s, _ = world.Must2(world.CreateComponent(s, heroes.Position))
	s, _ = world.Must2(world.CreateComponent(s, heroes.MaxVelocity))
	for row := range world.All(s, heroes.Velocity) {
		s = world.SetRow(s, heroes.Velocity, row, world.GetRow(s, heroes.Velocity, row)+float32(row)/8)
	}
	for row := range world.All(s, heroes.Position) {
		var at [3]float32
		for i := range at {
			at[i] = float32(3*int(row)+i)/4 - 50
		}
		s = world.SetRow(s, heroes.Position, row, at)
	}
	return s, ids
}

// An operation is something that a program does to a world in a frame.
type operation struct {
	name string
	run  func(world.State) world.State
}

// operations returns what is done to a busy world. Each leaves it so that it can be done again.
func operations(ids []world.GameObject) []operation {
	list := []operation{
		{"Frame", func(s world.State) world.State { return worldtest.Frame(s, silent{}) }},
		{"objects", func(s world.State) world.State { return objectsComeAndGo(s, ids) }},
		{"values", func(s world.State) world.State { return valuesAreSet(s, ids) }},
		{"walks", walksOfBusy},
		{"lookups", func(s world.State) world.State { return looksUp(s, ids) }},
		{"Tidy", func(s world.State) world.State { return world.Must(world.Tidy(world.Advance(s))) }},
	}
	for _, k := range busyKinds {
		if k == busyMark {
			continue
		}
		list = append(list, operation{"rows of " + k.String(), func(s world.State) world.State {
			s, row := world.Must2(world.CreateComponent(s, k))
			s, row = world.Must2(world.CreateComponent(world.DisposeComponent(s, k, row), k))
			s = world.Must(world.Remove(world.Must(world.Mount(s, ids[100], k, row)), ids[100], k))
			s, row = world.Must2(world.Ensure(s, ids[100], k))
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
func objectsComeAndGo(s world.State, ids []world.GameObject) world.State {
	s, id := world.Must2(world.Create(s))
	for _, k := range busyKinds {
		s = world.Must(world.Add(s, id, k))
	}
	s, other := world.Must2(world.Copy(world.Must(world.Dispose(s, id)), ids[40]))
	s, id = world.Must2(world.Spawn(world.Must(world.Dispose(s, other)), busyBoats))
	s, other = world.Must2(world.Spawn(s, busyBoats, heroes.Position.Value([3]float32{1, 2, 3}), busyCount.Value(2)))
	s = world.Must(world.Dispose(world.Must(world.Dispose(s, id)), other))
	s = world.Must(world.Suspend(s, ids[1], heroes.Velocity))
	s = world.Must(world.Add(s, ids[1], heroes.Velocity))
	s = world.Must(busyUnmarked.AddAll(s, busyMark))
	return world.Must(busyAfloat.RemoveAll(s, busyMark))
}

func valuesAreSet(s world.State, ids []world.GameObject) world.State {
	s = world.Must(world.SetValue(s, ids[30], busyNames, "thirty"))
	s = world.Must(world.Set(s, ids[30], busyPair, [2]float32{3, 4}))
	s, p := world.Must2(world.Edit(s, ids[30], busyPair))
	p[1]++
	world.WriterOf(s, busyPair).At(ids[30])[1]++
	s = world.SetRow(s, busyCount, 5, world.GetRow(s, busyCount, 5)+1)
	world.View(s, busyCount)[7]++
	return tool.Touch(s, busyMixed, 7, 1)
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
	busySeen uint64 // what is read, so that the reading is not left out

	busyValues [9][3]float32
	busyPlaces [9]*[2]float32
	busyFound  = make([]world.GameObject, 0, busyObjects)
)

func saw(yes bool) {
	if yes {
		busySeen++
	}
}

func looksUp(s world.State, ids []world.GameObject) world.State {
	id := ids[40]
	for _, k := range busyKinds {
		saw(world.Has(s, id, k) || world.Has(s, ids[17], k)) // which is dead
	}
	busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Position)))
	owner, ok := world.ObjectOf(s, heroes.Position, 9)
	saw(ok && owner != 0 && world.Alive(s, owner))
	saw(world.Must(world.Get(s, id, busyPair))[0] > 0)
	saw(world.Must(world.ValueOf(s, ids[30], busyNames)) != "")
	r, w := world.ReaderOf(s, heroes.Position), world.WriterOf(s, busyPair)
	p, ok := r.Get(id)
	saw(ok && p[1] != 0)
	saw(r.AtN(busyValues[:], ids[:9]) > 0)
	saw(w.AtN(busyPlaces[:], ids[:9]) > 0)
	for id := range world.GameObjects(s) {
		busySeen += uint64(id)
	}
	for row := range world.All(s, heroes.Position) {
		busySeen += uint64(row)
	}
	saw(world.Len(s) > 0 && tool.MaxUID(s) > 0 && world.Tick(s) > 0)
	saw(world.Must(tool.GameObjectAt(s, 40)) == id)
	saw(tool.MaxIndex(s, busyMixed) < tool.Cap(s, busyMixed) && tool.Mounted(s, busyMixed) > 0)
	saw(len(tool.Buffer(s, busyMixed)) < len(world.Bytes(s)))
	return s
}
