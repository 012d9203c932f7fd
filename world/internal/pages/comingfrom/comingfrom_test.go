// Package comingfrom_test holds the Go code of docs/COMING-FROM.md; cmd/check compares them.
//
//nolint:ineffassign,wastedassign // the page leaves out the checks of errors
package comingfrom_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

type Vec2 struct{ X, Y float32 } // world units

var (
	Position = layout.NewComponent[Vec2]("position")
	Velocity = layout.NewComponent("velocity", Vec2{X: 1}) // with a default
	Frozen   = layout.NewMark("frozen")                    // a tag: no data

	Drone  = world.NewRecipe("drone", Position, Velocity)
	moving = world.NewQuery(world.Write(Position), world.Read(Velocity), world.Without(Frozen))
)

// Move is a system. dt is in seconds.
func Move(s world.State, dt float32) world.State {
	for b := range moving.In(s) { // batches of matching objects
		p, v := world.Column(b, Position), world.Column(b, Velocity) // []Vec2, []Vec2
		for i := range p {
			p[i].X += float32(v[i].X * dt)
			p[i].Y += float32(v[i].Y * dt)
			if p[i].X > 100 {
				b.Dispose(i) // recorded, for Apply
			}
		}
	}
	return s
}

func Example_main() {
	state, err := world.CreateState(world.Counts{
		Recipes: []world.Recipe{Drone}, // and its kinds
		Kinds:   layout.Kinds(Frozen),  // further kinds of this world
	})
	check(err)
	state, drone, err := world.Spawn(state, Drone, Velocity.Value(Vec2{X: 60, Y: 2}))
	check(err)
	state, err = world.SpawnN(state, Drone, 999, nil) // many
	check(err)
	state, rock, err := world.CreateWith(state, Position, Frozen) // without a recipe
	check(err)

	for range 60 {
		state = Move(state, 1./30)
		state, err = world.Apply(state) // carries out what was recorded
		check(err)
	}
	state, err = world.Add(state, rock, Velocity)
	check(err)
	v, err := world.Get(state, rock, Velocity)
	check(err)
	fmt.Println(world.Alive(state, drone), world.Len(state), v.X, world.Has(state, rock, Frozen))
	world.Close(state)
	// Output: false 1000 1 true
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func small() world.State {
	return world.Must(world.CreateState(world.Counts{
		Kinds:     layout.Kinds(Position.Count(9), Velocity.Count(9), Frozen),
		Recipes:   []world.Recipe{Drone},
		Watchers:  []world.Watcher{drones},
		Resources: []world.ResourceKind{Wind},
	}))
}

var (
	drones = world.NewWatcher(world.NewQuery(world.With(Velocity)))

	Strength = layout.NewField[float32]("strength", 0.5)
	Wind     = world.NewResource("wind", Strength)
)

func Example_ark() {
	state := small()
	state, drone, err := world.CreateWith(state, Position, Velocity)
	for b := range moving.In(state) {
		p, v := world.Column(b, Position), world.Column(b, Velocity)
		for i := range p {
			p[i].X += v[i].X
		}
	}
	state, err = world.Dispose(state, drone)
	fmt.Println(world.Len(state), err)
	// Output: 0 <nil>
}

func Example_donburi() {
	state := small()
	state, drone, err := world.CreateWith(state, Position, Velocity)
	state, err = world.Set(state, drone, Velocity, Vec2{X: 2})
	for b := range moving.In(state) {
		p, v := world.Column(b, Position), world.Column(b, Velocity)
		for i := range p {
			p[i].X += v[i].X
		}
	}
	state, err = world.Add(state, drone, Frozen)
	fmt.Println(world.Must(world.Get(state, drone, Position)).X, err)
	// Output: 2 <nil>
}

func Example_bevy() {
	state := small()
	blow := func(s world.State) world.State {
		wind := world.Resource(s, Strength)
		for b := range moving.In(s) {
			p := world.Column(b, Position)
			for i := range p {
				p[i].X += wind
				b.Add(i, Frozen)
			}
		}
		return s
	}
	state, drone, err := world.Spawn(state, Drone)
	state, err = world.Apply(blow(state))
	fmt.Println(world.Must(world.Get(state, drone, Position)).X, world.Has(state, drone, Frozen), err)
	// Output: 0.5 true <nil>
}

func Example_flecs() {
	state := small()
	state, drone, err := world.CreateWith(state, Position, Velocity)
	world.WriterOf(state, Position).Must(drone).X = 10
	state, err = world.Add(state, drone, Frozen)
	state = drones.Look(state)
	for id := range drones.Entered(state) {
		fmt.Println("entered:", id, err)
	}
	// Output: entered: 0 <nil>
}

func Example_entt() {
	state := small()
	state, drone, err := world.CreateWith(state, Position, Velocity)
	if v, ok := world.ReaderOf(state, Velocity).Get(drone); ok { // try_get
		fmt.Println("flies with", v.X)
	}
	for b := range moving.In(state) {
		p, v := world.Column(b, Position), world.Column(b, Velocity)
		for i := range p {
			p[i].X += v[i].X
		}
	}
	state, err = world.Remove(state, drone, Velocity)
	fmt.Println(world.Must(world.Get(state, drone, Position)).X, err)
	// Output:
	// flies with 1
	// 1 <nil>
}

func Example_unity() {
	state := small()
	state, drone, err := world.Spawn(state, Drone)
	for b := range moving.In(state) {
		p, v := world.Column(b, Position), world.Column(b, Velocity)
		for i := range p {
			p[i].X += v[i].X
			b.Add(i, Frozen)
		}
	}
	state, err = world.Apply(state)
	fmt.Println(world.Has(state, drone, Frozen), err)
	// Output: true <nil>
}

func Example_atRunTime() {
	field, err := layout.ForeignField("armour", []layout.Part{ // as a mod's file describes it
		{Name: "Front", Type: "uint8", Lanes: 1},
		{Name: "Sides", Type: "uint8", Lanes: 2, Offset: 1},
	}, []byte{9, 4, 4}) // its default
	check(err)
	armour := layout.NewForeign(0, layout.KindSpec{Name: "armour"}, field) // the first of them
	counts := world.Counts{
		Kinds:   layout.Kinds(Position, Velocity, family.ChildOf, armour),
		Recipes: []world.Recipe{Drone},
	}
	trees, err := family.ParseTrees("tank: drone + armour\n\tarmour {Front:20}\n", counts)
	check(err)

	state := world.Must(world.CreateState(counts))
	state, tank, err := family.Spawn(state, trees[0])
	check(err)
	armoured := world.NewQuery(world.With(armour, Position))
	row, err := world.RowOf(state, tank, armour)
	check(err)
	bytes := tool.Buffer(state, armour)[3*row:][:3]
	fmt.Println(armoured.Count(state), tool.Text(field.Spec(), bytes)) // 1 {Front:20 Sides:[4 4]}
	world.Close(state)
	// Output: 1 {Front:20 Sides:[4 4]}
}
