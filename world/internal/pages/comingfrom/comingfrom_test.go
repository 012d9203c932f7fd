// Package comingfrom_test holds the Go code of docs/COMING-FROM.md; cmd/check compares them.
//
//nolint:ineffassign,wastedassign // the page leaves out the checks of errors
package comingfrom_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/save"
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

	DockedAt = layout.NewRelation("docked at", layout.Relation{Disposed: layout.Clear})
	OwnedBy  = layout.NewRelation("owned by", layout.Relation{Disposed: layout.Clear})
	owned    = world.NewQuery(world.Read(OwnedBy))
	Due      = layout.NewComponent[uint64]("due") // a tick
	byDue    = index.New(Due)
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

func Example_targets() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(DockedAt, OwnedBy, Due)}))
	state, planet := world.Must2(world.Create(state))
	state, empire := world.Must2(world.Create(state))
	state, ship := world.Must2(world.CreateWith(state, DockedAt, OwnedBy, Due))
	state = world.Must(world.Set(state, ship, DockedAt, planet))
	state = world.Must(world.Set(state, ship, OwnedBy, empire))
	for b := range owned.ChildrenOf(state, DockedAt, planet) {
		for i, owner := range world.Column(b, OwnedBy) {
			if owner == empire {
				fmt.Println("docked here, owned by the empire:", b.ID(i))
			}
		}
	}
	for id := range byDue.Between(state, 0, world.Tick(state)) {
		state = world.Must(world.Dispose(state, id)) // its time is up
	}
	fmt.Println(world.Alive(state, ship))
	// Output:
	// docked here, owned by the empire: 2
	// false
}

// foreign returns a kind of one uint8, of which no Go type knows.
func foreign(t *testing.T, place int, name string) layout.Kind {
	t.Helper()
	f, err := layout.FieldSpec{Name: name, Parts: []layout.Part{{Type: "uint8", Lanes: 1}}, Default: []byte{7}}.Foreign()
	require.NoError(t, err)
	return layout.KindSpec{Name: name}.Foreign(place, f)
}

// Kinds at run time are like others: in structure, saves, deltas, digests, Resized.
func TestKindsAtRunTimeAreLikeOthers(t *testing.T) {
	armour, shield := foreign(t, 0, "armour"), foreign(t, 1, "shield")
	counts := world.Counts{
		Kinds: layout.Kinds(Position, Velocity, family.ChildOf, armour), Recipes: []world.Recipe{Drone},
	}
	s := world.Must(world.CreateState(counts))
	defer func() { world.Close(s) }()
	s, drone, err := world.Spawn(s, Drone)
	require.NoError(t, err)
	empty := world.Must(world.Clone(s))
	defer func() { world.Close(empty) }()
	s, err = world.Add(s, drone, armour)
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	back, report, err := save.Load(path, counts, save.Options{})
	require.NoError(t, err)
	defer func() { world.Close(back) }()
	assert.Empty(t, report.Kept)
	assert.Equal(t, world.Digest(s), world.Digest(back))

	empty = world.Must(delta.Apply(empty, world.Must(delta.Append(nil, empty, s))))
	assert.True(t, world.Equal(s, empty))

	counts.Kinds = append(counts.Kinds, layout.Kinds(shield)...)
	more := world.Must(world.Resized(s, counts))
	defer func() { world.Close(more) }()
	more, err = world.Add(more, drone, shield)
	require.NoError(t, err)
	assert.Equal(t, 1, world.NewQuery(world.With(armour, shield)).Count(more))
	s, err = world.Remove(s, drone, armour)
	require.NoError(t, err)
	assert.False(t, world.Has(s, drone, armour))
}
