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

// operations returns each kind of operation on a busy world. Each leaves it so that it can be done
// again.
func operations(ids []world.GameObject) []operation {
	var all []operation
	for _, list := range [][]operation{
		systemOperations(), structuralOperations(ids), bulkOperations(ids),
		valueOperations(ids), queryOperations(), lookupOperations(ids),
	} {
		all = append(all, list...)
	}
	return all
}

func systemOperations() []operation {
	return []operation{
		{"Move", func(s world.State) world.State { return heroes.Move(s, 3, 4) }},
		{"MoveAll", heroes.MoveAll},
		{"Fly", func(s world.State) world.State { return heroes.Fly(s, 3, 4, 5) }},
		{"FlyAll", heroes.FlyAll},
		{"Update", heroes.Update},
		{"RenderOneByOne", func(s world.State) world.State { return heroes.RenderOneByOne(s, silent{}) }},
		{"RenderInstances", func(s world.State) world.State { return heroes.RenderInstances(s, silent{}) }},
		{"Init", func(s world.State) world.State { return heroes.Init(s, silent{}) }},
		{"Frame", silentFrame},
		{"Loop", func(s world.State) world.State { return heroes.Loop(s, 2, silentFrame) }},
		{"a system of one's own", worldtest.Jump},
		{"Advance", world.Advance},
		{"Touch", func(s world.State) world.State { return tool.Touch(s, heroes.Position.Kind(), 3, 100) }},
	}
}

// silent is a renderer that draws nothing.
type silent struct{}

func (silent) Init() {}

func (silent) DrawOne(uint32, []byte) {}

func (silent) DrawInstances(string, []byte) {}

func silentFrame(s world.State) world.State { return worldtest.Frame(s, silent{}) }

func structuralOperations(ids []world.GameObject) []operation {
	list := []operation{
		{"create and dispose an object", func(s world.State) world.State {
			s, id := world.Must2(world.Create(s))
			return world.Must(world.Dispose(s, id))
		}},
		{"dispose an object with eight kinds", func(s world.State) world.State {
			s, id := world.Must2(world.Create(s))
			for _, k := range busyKinds {
				s = world.Must(world.Add(s, id, k))
			}
			return world.Must(world.Dispose(s, id))
		}},
		{"add and remove a mark", func(s world.State) world.State {
			s = world.Must(world.Add(s, ids[100], busyMark))
			return world.Must(world.Remove(s, ids[100], busyMark))
		}},
	}
	for _, k := range []layout.Kind{
		heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance, busyMixed,
		busyNames.Kind(),
	} {
		list = append(list, operation{"create and dispose " + k.String(), func(s world.State) world.State {
			s, row := world.Must2(world.CreateComponent(s, k))
			return world.DisposeComponent(s, k, row)
		}}, operation{"create, mount and remove " + k.String(), func(s world.State) world.State {
			s, row := world.Must2(world.CreateComponent(s, k))
			s = world.Must(world.Mount(s, ids[100], k, row))
			return world.Must(world.Remove(s, ids[100], k))
		}}, operation{"add and dispose " + k.String(), func(s world.State) world.State {
			s, row := world.Must2(world.Ensure(s, ids[100], k))
			return world.DisposeComponent(s, k, row)
		}})
	}
	return list
}

func bulkOperations(ids []world.GameObject) []operation {
	few := []world.GameObject{ids[1], ids[2]}
	return []operation{
		{"copy and dispose an object", func(s world.State) world.State {
			s, id := world.Must2(world.Copy(s, ids[40]))
			return world.Must(world.Dispose(s, id))
		}},
		{"spawn and dispose", func(s world.State) world.State {
			s, id := world.Must2(world.Spawn(s, busyBoats))
			return world.Must(world.Dispose(s, id))
		}},
		{"spawn with values and dispose", func(s world.State) world.State {
			s, id := world.Must2(world.Spawn(s, busyBoats, heroes.Position.Value([3]float32{1, 2, 3}), busyCount.Value(2)))
			return world.Must(world.Dispose(s, id))
		}},
		{"suspend and add", func(s world.State) world.State {
			for _, id := range few {
				s = world.Must(world.Suspend(s, id, heroes.Velocity))
				s = world.Must(world.Add(s, id, heroes.Velocity))
			}
			return s
		}},
		{"add and remove all", func(s world.State) world.State {
			s = world.Must(busyUnmarked.AddAll(s, busyMark))
			return world.Must(busyAfloat.RemoveAll(s, busyMark))
		}},
		{"Tidy", func(s world.State) world.State { return world.Must(world.Tidy(s)) }},
	}
}

var busyKinds = []layout.Kind{
	heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance, busyMixed, busyMark,
	busyNames.Kind(),
}

func valueOperations(ids []world.GameObject) []operation {
	return []operation{
		{"SetValue", func(s world.State) world.State {
			return world.Must(world.SetValue(s, ids[30], busyNames, "thirty"))
		}},
		{"ValueOf", func(s world.State) world.State {
			world.Must(world.ValueOf(s, ids[30], busyNames))
			return s
		}},
		{"set the first hero's", func(s world.State) world.State {
			s = world.SetRow(s, heroes.Position, 7, [3]float32{4, 5, 6})
			s = world.SetRow(s, heroes.Velocity, 7, 7)
			return world.SetRow(s, heroes.MaxVelocity, 7, 8)
		}},
		{"Set", func(s world.State) world.State {
			return world.Must(world.Set(s, ids[30], busyPair, [2]float32{3, 4}))
		}},
		{"Edit", func(s world.State) world.State {
			s, p := world.Must2(world.Edit(s, ids[30], busyPair))
			p[1]++
			return s
		}},
		{"WriterOf", func(s world.State) world.State {
			w := world.WriterOf(s, busyPair)
			w.At(ids[30])[1]++
			return s
		}},
		{"SetRow", func(s world.State) world.State {
			return world.SetRow(s, busyCount, 5, world.GetRow(s, busyCount, 5)+1)
		}},
		{"Touch", func(s world.State) world.State {
			world.View(s, busyCount)[7]++
			return tool.Touch(s, busyMixed, 7, 1)
		}},
	}
}

func queryOperations() []operation {
	return []operation{
		{"walk", func(s world.State) world.State {
			for b := range busyPairs.In(s) {
				pair, count := world.Column(b, busyPair), world.Column(b, busyCount)
				p := world.Column(b, heroes.Position)
				for i := range pair {
					pair[i][0] += p[i][1]
					count[i]++
				}
			}
			return s
		}},
		{"walk, and break", func(s world.State) world.State {
			for b := range busyPairs.In(s) {
				layout.Flat[float32](busyPair, world.Column(b, busyPair))[0] = 9
				break
			}
			return s
		}},
		{"walks one inside the other", func(s world.State) world.State {
			for range busyOuter.In(s) {
				for b := range busyPairs.In(s) {
					world.Column(b, busyCount)[0]++
				}
			}
			return s
		}},
		{"ids of a walk", func(s world.State) world.State {
			for b := range busyEither.In(s) {
				for i := range b.Len() {
					_ = b.ID(i)
				}
			}
			return s
		}},
		{"Count", func(s world.State) world.State {
			_ = busyEither.Count(s)
			return s
		}},
	}
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

func lookupOperations(ids []world.GameObject) []operation {
	id := ids[40]
	return []operation{
		{"rows by id", func(s world.State) world.State {
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Position)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Velocity)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.MaxVelocity)))
			busySeen += uint64(world.Must(world.RowOf(s, id, heroes.Instance)))
			busySeen += uint64(world.Must(world.RowOf(s, id, busyMixed)))
			return s
		}},
		{"Has", func(s world.State) world.State {
			saw(world.Has(s, id, busyMixed))
			saw(world.Has(s, id, heroes.Position) && world.Has(s, id, heroes.Velocity))
			saw(world.Has(s, id, heroes.MaxVelocity) && world.Has(s, id, heroes.Instance))
			saw(world.Has(s, ids[17], busyMixed)) // dead
			return s
		}},
		{"ObjectOf", func(s world.State) world.State {
			owner, ok := world.ObjectOf(s, heroes.Position, 9)
			saw(ok && owner != 0)
			return s
		}},
		{"Get", func(s world.State) world.State {
			saw(world.Must(world.Get(s, id, busyPair))[0] > 0)
			return s
		}},
		{"Reader", func(s world.State) world.State {
			r := world.ReaderOf(s, heroes.Position)
			for _, id := range ids {
				p, ok := r.Get(id)
				saw(ok && p[1] != 0)
			}
			return s
		}},
		{"many by id", func(s world.State) world.State {
			r, w := world.ReaderOf(s, heroes.Position), world.WriterOf(s, busyPair)
			saw(r.AtN(busyValues[:], ids[:9]) > 0)
			saw(w.AtN(busyPlaces[:], ids[:9]) > 0)
			return s
		}},
		{"ids of batches", func(s world.State) world.State {
			for b := range busyPairs.In(s) {
				saw(len(b.AppendIDs(busyFound[:0])) > 0)
			}
			return s
		}},
		{"GameObjects", func(s world.State) world.State {
			for id := range world.GameObjects(s) {
				busySeen += uint64(id)
			}
			return s
		}},
		{"All", func(s world.State) world.State {
			for row := range world.All(s, heroes.Position) {
				busySeen += uint64(row)
			}
			return s
		}},
		{"numbers", func(s world.State) world.State {
			saw(world.Alive(s, id) && world.Len(s) > 0 && tool.MaxUID(s) > 0)
			saw(world.Must(tool.GameObjectAt(s, 40)) == id)
			saw(tool.MaxIndex(s, busyMixed) < tool.Cap(s, busyMixed))
			saw(tool.Mounted(s, busyMixed) > 0 && world.Tick(s) > 0)
			saw(len(tool.Buffer(s, busyMixed)) < len(world.Bytes(s)) && len(world.Bytes(s)) > 0)
			return s
		}},
	}
}
