package world_test

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	busyPair  = layout.NewField("pair", [2]float32{1, 2})
	busyCount = layout.NewField[uint16]("count", 3)
	busyMixed = layout.NewKind("busy mixed", busyPair, busyCount)
	busyMark  = layout.NewMark("busy mark")
	busyNames = layout.NewValues("busy name", "nobody")
	busyBoats = world.NewRecipe("busy boat", world.PositionKind, busyMixed, busyMark)

	busyPairs = world.NewQuery(
		world.Write(busyMixed), world.Read(world.XYZ), world.Without(busyMark))
	busyEither   = world.NewQuery(world.Any(busyMixed, world.FlyKind), world.With(world.VelocityKind))
	busyUnmarked = world.NewQuery(world.With(busyMixed), world.Without(busyMark))
	busyAfloat   = world.NewQuery(world.With(busyMixed, busyMark))
	busyOuter    = world.NewQuery(world.Read(world.Speed), world.With(busyMark))
)

const busyObjects = 300

// busyWorld returns a world with a bit of everything: objects in lockstep and scattered ones,
// marks, values, rows on the free lists and rows that are on no object.
func busyWorld() (world.State, []world.GameObject) {
	s := must(world.CreateState(world.Counts{
		GameObjects: busyObjects + 50, Positions: busyObjects + 20, Velocities: busyObjects + 20,
		Flies: 120, Kinds: []layout.Count{
			busyMixed.Count(busyObjects), busyMark.Count(0), busyNames.Count(40),
		},
		Recipes: []world.Recipe{busyBoats},
	}))
	s, ids := create(s, busyObjects)
	for i := range ids {
		if j := i; i < 192 || i%2 == 0 {
			if i >= 192 && i < 256 {
				j = 446 - i // the other way round
			}
			s, _ = made(world.AddPosition(s, ids[j]))
		}
		s, _ = made(world.AddVelocity(s, ids[i*7%busyObjects]))
	}
	add := func(every int, kind layout.Kind) {
		for i, id := range ids {
			if i%every == 0 {
				s, _ = made(world.Add(s, id, kind))
			}
		}
	}
	add(4, world.FlyKind)
	add(5, world.InstanceKind)
	add(2, busyMixed)
	add(3, busyMark)
	add(10, busyNames.Kind())
	for _, i := range []int{0, 17, 100, 250} {
		s = must(world.DisposeGameObject(s, ids[i]))
	}
	s, ids[100] = made(world.CreateGameObject(s))
	s, _ = made(world.CreatePosition(s))
	s, _ = made(world.CreateFly(s))
	for row := range world.All(s, world.VelocityKind) {
		s = world.SetRow(s, world.Speed, row, world.GetRow(s, world.Speed, row)+float32(row)/8)
	}
	for row := range world.All(s, world.PositionKind) {
		var at [3]float32
		for i := range at {
			at[i] = float32(3*int(row)+i)/4 - 50
		}
		s = world.SetRow(s, world.XYZ, row, at)
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
		systemOperations(), structuralOperations(ids), bulkOperations(ids), heroOperations(ids),
		valueOperations(ids), queryOperations(), lookupOperations(ids),
	} {
		all = append(all, list...)
	}
	return all
}

func systemOperations() []operation {
	return []operation{
		{"Move", func(s world.State) world.State { return world.Move(s, 3, 4) }},
		{"MoveAll", world.MoveAll},
		{"Fly", func(s world.State) world.State { return world.Fly(s, 3, 4, 5) }},
		{"FlyAll", world.FlyAll},
		{"Update", world.Update},
		{"RenderOneByOne", func(s world.State) world.State { return world.RenderOneByOne(s, silent{}) }},
		{"RenderInstances", func(s world.State) world.State { return world.RenderInstances(s, silent{}) }},
		{"Init", func(s world.State) world.State { return world.Init(s, silent{}) }},
		{"Frame", silentFrame},
		{"Loop", func(s world.State) world.State { return world.Loop(s, 2, silentFrame) }},
		{"a system of one's own", jump},
		{"Advance", world.Advance},
		{"Touch", func(s world.State) world.State { return world.Touch(s, world.PositionKind, 3, 100) }},
	}
}

// silent is a renderer that draws nothing.
type silent struct{}

func (silent) Init()                        {}
func (silent) DrawOne(uint32, []byte)       {}
func (silent) DrawInstances(string, []byte) {}
func silentFrame(s world.State) world.State { return world.Frame(s, silent{}) }

func structuralOperations(ids []world.GameObject) []operation {
	list := []operation{
		{"create and dispose an object", func(s world.State) world.State {
			s, id := made(world.CreateGameObject(s))
			return must(world.DisposeGameObject(s, id))
		}},
		{"dispose an object with eight kinds", func(s world.State) world.State {
			s, id := made(world.CreateGameObject(s))
			for _, k := range busyKinds {
				s, _ = made(world.Add(s, id, k))
			}
			return must(world.DisposeGameObject(s, id))
		}},
		{"add and remove a mark", func(s world.State) world.State {
			s, _ = made(world.Add(s, ids[100], busyMark))
			return must(world.Remove(s, ids[100], busyMark))
		}},
	}
	for _, k := range []layout.Kind{
		world.PositionKind, world.VelocityKind, world.FlyKind, world.InstanceKind, busyMixed,
		busyNames.Kind(),
	} {
		list = append(list, operation{"create and dispose " + k.String(), func(s world.State) world.State {
			s, row := made(world.Create(s, k))
			return world.Dispose(s, k, row)
		}}, operation{"create, mount and remove " + k.String(), func(s world.State) world.State {
			s, row := made(world.Create(s, k))
			s = must(world.Mount(s, ids[100], k, row))
			return must(world.Remove(s, ids[100], k))
		}}, operation{"add and dispose " + k.String(), func(s world.State) world.State {
			s, row := made(world.Add(s, ids[100], k))
			return world.Dispose(s, k, row)
		}})
	}
	return list
}

func bulkOperations(ids []world.GameObject) []operation {
	few := []world.GameObject{ids[1], ids[2]}
	return []operation{
		{"copy and dispose an object", func(s world.State) world.State {
			s, id := made(world.CopyGameObject(s, ids[40]))
			return must(world.DisposeN(s, id))
		}},
		{"spawn and dispose", func(s world.State) world.State {
			s, id := made(world.Spawn(s, busyBoats))
			return must(world.DisposeGameObject(s, id))
		}},
		{"suspend and add", func(s world.State) world.State {
			for _, id := range few {
				s = must(world.Suspend(s, id, world.VelocityKind))
				s, _ = made(world.Add(s, id, world.VelocityKind))
			}
			return s
		}},
		{"add and remove all", func(s world.State) world.State {
			s = must(world.AddAll(s, busyUnmarked, busyMark))
			return must(world.RemoveAll(s, busyAfloat, busyMark))
		}},
		{"Tidy", func(s world.State) world.State { return must(world.Tidy(s)) }},
	}
}

var busyKinds = []layout.Kind{
	world.PositionKind, world.VelocityKind, world.FlyKind, world.InstanceKind, busyMixed, busyMark,
	busyNames.Kind(),
}

func heroOperations(ids []world.GameObject) []operation {
	id := ids[100]
	return []operation{
		{"position", func(s world.State) world.State {
			s, row := made(world.CreatePosition(s))
			s = world.SetPosition(s, row, [3]float32{1, 2, 3})
			s = must(world.RemovePosition(must(world.MountPosition(s, id, row)), id))
			s, row = made(world.AddPosition(s, id))
			_ = world.PositionAt(s, row)
			return world.DisposePosition(s, row)
		}},
		{"velocity", func(s world.State) world.State {
			s, row := made(world.CreateVelocity(s))
			s = world.SetVelocity(s, row, 2)
			s = must(world.RemoveVelocity(must(world.MountVelocity(s, id, row)), id))
			s, row = made(world.AddVelocity(s, id))
			_ = world.VelocityAt(s, row)
			return world.DisposeVelocity(s, row)
		}},
		{"fly", func(s world.State) world.State {
			s, row := made(world.CreateFly(s))
			s = world.SetMaxVelocity(s, row, 2)
			s = must(world.RemoveFly(must(world.MountFly(s, id, row)), id))
			s, row = made(world.AddFly(s, id))
			_ = world.MaxVelocityAt(s, row)
			return world.DisposeFly(s, row)
		}},
		{"instance", func(s world.State) world.State {
			s, row := made(world.CreateInstance(s))
			s = must(world.RemoveInstance(must(world.MountInstance(s, id, row)), id))
			s, row = made(world.AddInstance(s, id))
			return world.DisposeInstance(s, row)
		}},
		{"set the first hero's", func(s world.State) world.State {
			s = world.SetPosition(s, 7, [3]float32{4, 5, 6})
			s = world.SetVelocity(s, 7, 7)
			return world.SetMaxVelocity(s, 7, 8)
		}},
	}
}

func shout(name string) string {
	if name == "nobody" {
		return "somebody"
	}
	return "nobody"
}

func valueOperations(ids []world.GameObject) []operation {
	return []operation{
		{"SetValue", func(s world.State) world.State {
			return must(world.SetValue(s, ids[30], busyNames, "thirty"))
		}},
		{"ValueOf", func(s world.State) world.State {
			must(world.ValueOf(s, ids[30], busyNames))
			return s
		}},
		{"UpdateValues", func(s world.State) world.State {
			return world.UpdateValues(s, busyNames, shout)
		}},
		{"Set", func(s world.State) world.State {
			return must(world.Set(s, ids[30], busyPair, [2]float32{3, 4}))
		}},
		{"Edit", func(s world.State) world.State {
			s, p := made(world.Edit(s, ids[30], busyPair))
			p[1]++
			return s
		}},
		{"OpenWrite", func(s world.State) world.State {
			s, w := world.OpenWrite(s, busyPair)
			w.At(ids[30])[1]++
			return s
		}},
		{"SetRow", func(s world.State) world.State {
			return world.SetRow(s, busyCount, 5, world.GetRow(s, busyCount, 5)+1)
		}},
		{"Touch", func(s world.State) world.State {
			world.View(s, busyCount)[7]++
			return world.Touch(s, busyMixed, 7, 1)
		}},
	}
}
