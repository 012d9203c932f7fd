// Package howto_test holds the Go code of docs/HOWTO.md; cmd/check compares them.
package howto_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/session"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// 2D

type Vec2 struct{ X, Y float32 } // world units

type Sprite struct {
	Image uint16 // index into the program's pictures
	Layer uint16 // higher layers cover lower ones
}

var (
	Place = layout.NewComponent[Vec2]("place")
	Speed = layout.NewComponent[Vec2]("speed") // world units per second
	Look  = layout.NewComponent[Sprite]("look")

	moving  = world.NewQuery(world.Write(Place), world.Read(Speed))
	visible = world.NewQuery(world.Read(Place, Look))
)

// Move moves all objects that have a speed. dt is in seconds.
func Move(s world.State, dt float32) world.State {
	for b := range moving.In(s) {
		p, v := world.Column(b, Place), world.Column(b, Speed)
		for i := range p {
			p[i].X += float32(v[i].X * dt)
			p[i].Y += float32(v[i].Y * dt)
		}
	}
	return s
}

// Canvas is what you draw on: an ebiten.Image, a gg.Context, a terminal.
type Canvas interface {
	DrawImage(image int, x, y float32)
}

// Sketch draws a world, the lowest layer first, objects of one layer in the order of their ids.
type Sketch struct{ list []drawn }

type drawn struct {
	Sprite
	at Vec2
}

func (k *Sketch) Draw(s world.State, c Canvas) {
	k.list = k.list[:0]
	for b := range visible.In(s) {
		p, look := world.Column(b, Place), world.Column(b, Look)
		for i := range p {
			k.list = append(k.list, drawn{look[i], p[i]})
		}
	}
	slices.SortStableFunc(k.list, func(a, b drawn) int { return int(a.Layer) - int(b.Layer) })
	for _, d := range k.list {
		c.DrawImage(int(d.Image), d.at.X, d.at.Y)
	}
}

type printer struct{}

func (printer) DrawImage(image int, x, y float32) { fmt.Println("image", image, "at", x, y) }

func Example_draw() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place, Speed, Look)}))
	state, ball, err := world.CreateWith(state, Place, Speed, Look)
	check(err)
	state, err = world.Set(state, ball, Look, Sprite{Image: 7, Layer: 1})
	check(err)
	state, err = world.Set(state, ball, Speed, Vec2{X: 2})
	check(err)
	state, _, err = world.CreateWith(state, Place, Look) // behind the ball
	check(err)

	state = Move(state, 0.5)
	var sketch Sketch
	sketch.Draw(state, printer{})
	world.Close(state)
	// Output:
	// image 0 at 0 0
	// image 7 at 1 0
}

// A state machine

type Mood uint8

const (
	Idle Mood = iota
	Chasing
	Fleeing
)

var (
	Feeling  = layout.NewComponent[Mood]("mood")
	Health   = layout.NewComponent("health", float32(100))
	thinking = world.NewQuery(world.Write(Feeling), world.Read(Health))
)

// Think moves every guard to its next mood.
func Think(s world.State) world.State {
	for b := range thinking.In(s) {
		mood, health := world.Column(b, Feeling), world.Column(b, Health)
		for i := range mood {
			switch {
			case health[i] < 20:
				mood[i] = Fleeing
			case mood[i] == Idle:
				mood[i] = Chasing
			}
		}
	}
	return s
}

var (
	Left    = layout.NewField("left", float32(3)) // seconds
	Burning = layout.NewKind("burning", Left)     // only burning guards have it
	hurting = world.NewQuery(world.Write(Left, Health))
)

// Burn hurts burning guards, and puts out old fires. dt is in seconds.
func Burn(s world.State, dt float32) world.State {
	for b := range hurting.In(s) {
		left, health := world.Column(b, Left), world.Column(b, Health)
		for i := range left {
			health[i] -= float32(30 * dt)
			if left[i] -= dt; left[i] <= 0 {
				b.Remove(i, Burning) // Apply removes it
			}
		}
	}
	return s
}

func Example_states() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Feeling, Health, Burning)}))
	state, guard, err := world.CreateWith(state, Feeling, Health)
	check(err)
	state, err = world.Add(state, guard, Burning) // enters the state, for 3 seconds
	check(err)
	for range 3 {
		state, err = world.Apply(Burn(Think(state), 1))
		check(err)
	}
	state = Think(state)
	mood, err := world.Get(state, guard, Feeling)
	fmt.Println(mood == Fleeing, world.Has(state, guard, Burning), err)
	world.Close(state)
	// Output: true false <nil>
}

// A full world

func Example_full() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place.Count(2))}))
	for range 2 {
		var err error
		state, _, err = world.CreateWith(state, Place)
		check(err)
	}
	state, _, err := world.CreateWith(state, Place)
	fmt.Println(errors.Is(err, world.ErrFull), err)

	counts := world.CountsOf(state)
	counts.Kinds[0] = Place.Count(4)
	larger, err := world.Resized(state, counts) // the same ids and rows
	check(err)
	world.Close(state)
	larger, id, err := world.CreateWith(larger, Place)
	fmt.Println(id, err)
	world.Close(larger)
	// Output:
	// true flatecs: place: all 2 rows in use; raise its Count in Counts.Kinds at creation
	// 2 <nil>
}

// Wave spawns as many as there is room for. The others wait for the next call.
func Wave(s world.State, n int) (world.State, error) {
	c := world.Record(s)
	for range n {
		c.Spawn(Runner, Speed.Value(Vec2{X: 1}))
	}
	s, err := world.ApplyKeeping(s)
	if errors.Is(err, world.ErrFull) || errors.Is(err, world.ErrTooMany) {
		err = nil // kept: the next Apply retries them
	}
	return s, err
}

var Runner = world.NewRecipe("runner", Place, Speed)

func Example_keeping() {
	state := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Kinds: layout.Kinds(Place.Count(100), Speed.Count(100)),
		Recipes: []world.Recipe{Runner},
	}))
	state, err := Wave(state, 150)
	check(err)
	fmt.Println(world.Len(state))
	state, err = moving.DisposeAll(state)
	check(err)
	state, err = Wave(state, 0)
	check(err)
	fmt.Println(world.Len(state))
	world.Close(state)
	// Output:
	// 100
	// 50
}

// Many small worlds

// Play is a tick of a room.
func Play(_ int, s world.State) (world.State, error) { return Move(world.Advance(s), 1), nil }

func Example_pool() {
	room, err := smallRoom()
	check(err)
	defer world.Close(room)
	rooms, err := pool.New(room, 1_000) // 1,000 copies of room
	check(err)
	defer rooms.Close()
	match, err := rooms.Take()
	check(err)
	futures, err := rooms.Fork(nil, match, 100) // 100 copies of match
	check(err)
	err = rooms.Step(futures, 0, Play) // on all processors; a panic in one world spares the others
	check(err)
	for _, s := range append(futures, match) {
		rooms.Put(s)
	}
	fmt.Println(rooms.Left())
	// Output: 1000
}

// Many spawns

func Example_many() {
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(Place, Speed), Recipes: []world.Recipe{Runner},
	}))
	state, err := world.SpawnN(state, Runner, 10_000, func(b world.Batch) {
		p, v := world.Column(b, Place), world.Column(b, Speed)
		for i := range p {
			id := b.ID(i)
			p[i].X, v[i].Y = float32(id.Index()%100), 1
		}
	})
	check(err)
	fmt.Println(moving.Count(state), world.View(state, Place)[199])
	world.Close(state)
	// Output: 10000 {99 0}
}

// Unit tests of systems

func TestMove(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place.Count(4), Speed.Count(4))}))
	t.Cleanup(func() { world.Close(s) })
	s, ball, err := world.CreateWith(s, Place, Speed)
	require.NoError(t, err)
	s, rock, err := world.CreateWith(s, Place)
	require.NoError(t, err)
	s, err = world.Set(s, ball, Speed, Vec2{X: 3, Y: -1})
	require.NoError(t, err)

	s = Move(s, 0.5)

	at, err := world.Get(s, ball, Place)
	require.NoError(t, err)
	assert.Equal(t, Vec2{X: 1.5, Y: -0.5}, at)
	at, err = world.Get(s, rock, Place)
	require.NoError(t, err)
	assert.Zero(t, at, "objects without a speed stay")
}

// Determinism

// step is all that a frame does to the world.
func step(s world.State, _ []byte) world.State {
	return world.Advance(Move(s, 0.5))
}

func TestStepIsDeterministic(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place.Count(4), Speed.Count(4))}))
	t.Cleanup(func() { world.Close(s) })
	s, ball, err := world.CreateWith(s, Place, Speed)
	require.NoError(t, err)
	s, err = world.Set(s, ball, Speed, Vec2{X: 0.1})
	require.NoError(t, err)

	again := world.Must(world.Clone(s))
	t.Cleanup(func() { world.Close(again) })
	s, again = step(s, nil), step(again, nil)
	difference, differ, err := tool.FirstDifference(s, again)
	require.NoError(t, err)
	assert.False(t, differ, "%v", difference)

	sync, err := session.NewSyncTest(s, 4, 0, step) // rolls back 4 frames in every step
	require.NoError(t, err)
	t.Cleanup(sync.Close)
	for range 10 {
		s, err = sync.Advance(s, nil)
		require.NoError(t, err)
	}
}
