// Package guide_test holds the Go code of docs/GUIDE.md; cmd/check compares them. More of it is in
// the examples of world and of the packages below it.
package guide_test

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	Position = layout.NewComponent[[3]float32]("position")           // world units; x, y, z
	Velocity = layout.NewComponent[[3]float32]("velocity")           // world units per second
	Gravity  = layout.NewComponent("gravity", [3]float32{0, -10, 0}) // with a default
	Frozen   = layout.NewMark("frozen")                              // no data

	falling = world.NewQuery(
		world.Write(Position, Velocity), world.Read(Gravity), world.Without(Frozen))
)

// Fall moves all bodies and accelerates them downwards. dt is in seconds.
func Fall(s world.State, dt float32) world.State {
	for b := range falling.In(s) {
		p, v, g := world.Column(b, Position), world.Column(b, Velocity), world.Column(b, Gravity)
		for i := range p {
			for axis := range p[i] {
				p[i][axis] += float32(v[i][axis] * dt)
				v[i][axis] += float32(g[i][axis] * dt)
			}
		}
	}
	return s
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func Example_fall() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(Position, Velocity, Gravity, Frozen),
	})
	check(err)
	state, stone, err := world.CreateWith(state, Position, Velocity, Gravity)
	check(err)
	state, err = world.Set(state, stone, Position, [3]float32{0, 100, 0})
	check(err)
	for range 4 {
		state = Fall(state, 0.5)
	}
	at, err := world.Get(state, stone, Position)
	check(err)
	fmt.Println("stone", stone, "is at", at)

	state, err = world.Add(state, stone, Frozen)
	check(err)
	fmt.Println(falling.Count(state), "objects fall")
	world.Close(state)
	// Output:
	// stone 0 is at [0 85 0]
	// 0 objects fall
}

var landing = world.NewQuery(world.Write(Position))

// Land keeps all objects above the ground.
func Land(s world.State) world.State {
	for b := range landing.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			p[i][1] = max(p[i][1], 0) // y
		}
	}
	return s
}

var (
	Jumper  = layout.NewMark("jumper")
	jumping = world.NewQuery(world.Read(Position), world.Write(Velocity), world.With(Jumper))
)

// Jump makes the jumpers on the ground jump. speed is in world units per second.
func Jump(s world.State, speed float32) world.State {
	for b := range jumping.In(s) {
		p, v := world.Column(b, Position), world.Column(b, Velocity)
		for i := range p {
			if p[i][1] <= 0 { // y
				v[i][1] = speed
			}
		}
	}
	return s
}

func Example_errors() {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(Position.Count(1), Velocity)})
	check(err)
	state, stone, err := world.CreateWith(state, Position)
	check(err)
	state, _, err = world.CreateWith(state, Position)
	fmt.Println(errors.Is(err, world.ErrFull), err)
	_, err = world.Get(state, stone, Velocity)
	fmt.Println(err)
	// Output:
	// true flatecs: position: all 1 rows in use; raise its Count in Counts.Kinds at creation
	// flatecs: velocity of game object 0: Retrieving non-existent component. Ask with Has first, or add it.
}

var (
	TimeLeft = layout.NewComponent[float32]("timeLeft") // seconds

	// Shot is a bullet that flies for two seconds.
	Shot = world.NewRecipe("shot", Position, Velocity, TimeLeft).With(TimeLeft.Value(2))

	aging = world.NewQuery(world.Write(TimeLeft))
)

// ExpireBullets disposes bullets whose time is up. dt is in seconds.
func ExpireBullets(s world.State, dt float32) world.State {
	for b := range aging.In(s) {
		left := world.Column(b, TimeLeft)
		for i := range left {
			if left[i] -= dt; left[i] <= 0 {
				b.Dispose(i) // recorded, for Apply
			}
		}
	}
	return s
}

var bullets = world.NewWatcher(world.NewQuery(world.With(TimeLeft)))

func battle() world.State {
	state, err := world.CreateState(world.Counts{
		Queries:  []world.Query{falling, jumping},
		Recipes:  []world.Recipe{Shot},
		Watchers: []world.Watcher{bullets},
	})
	check(err)
	return state
}

func Example_spawn() {
	state := battle()
	state, first, err := world.Spawn(state, Shot, Position.Value([3]float32{0, 2, 0}))
	check(err)
	state, err = world.SpawnN(state, Shot, 100, func(b world.Batch) {
		v := world.Column(b, Velocity)
		for i := range v {
			v[i] = [3]float32{0, 0, 50}
		}
	})
	check(err)
	state = ExpireBullets(state, 1.5)
	state, second, err := world.Spawn(state, Shot)
	check(err)
	state, err = world.Apply(ExpireBullets(state, 1))
	check(err)
	fmt.Println(world.Alive(state, first), world.Alive(state, second), world.Len(state))
	// Output: false true 1
}

func Example_commands() {
	state := battle()
	c := world.Record(state)
	bullet := c.Spawn(Shot, Position.Value([3]float32{1, 2, 3})) // with a first value
	world.Put(c, bullet, Gravity, [3]float32{0, -5, 0})          // adds the component
	state, err := world.Apply(state)
	check(err)
	bullet, err = world.Applied(state, bullet) // the object that it became, until the next Apply
	check(err)
	fmt.Println(world.Get(state, bullet, Position))
	// Output: [1 2 3] <nil>
}

func Example_watch() {
	state := battle()
	world.Record(state).Spawn(Shot, Position.Value([3]float32{1, 2, 3}))
	state, err := world.Apply(state)
	check(err)
	state = bullets.Look(state)
	for id := range bullets.Entered(state) {
		at, err := world.Get(state, id, Position)
		fmt.Println("fired:", id, "at", at, err)
	}
	state, err = bullets.Query().DisposeAll(state)
	check(err)
	state = bullets.Look(state)
	for id := range bullets.Left(state) {
		fmt.Println("gone:", id, world.Alive(state, id))
	}
	// Output:
	// fired: 0 at [1 2 3] <nil>
	// gone: 0 false
}

// halves makes a job of a system: its steps are half a second.
func halves(f func(world.State, float32) world.State) func(world.State) world.State {
	return func(s world.State) world.State { return f(s, 0.5) }
}

func Example_schedule() {
	state := battle()
	sched := schedule.New(2) // goroutines
	check(sched.Register(schedule.Pipeline{
		Name: "step",
		Groups: []schedule.Group{
			{Name: "all", Elements: []string{"move", "apply"}},
			{Name: "move", Link: schedule.Merge, Elements: []string{"fall", "expire"}},
		},
		Jobs: []schedule.Job{
			{Name: "fall", Run: halves(Fall), Queries: []world.Query{falling}},
			{Name: "expire", Run: halves(ExpireBullets), Queries: []world.Query{aging}},
			{Name: "apply", Do: world.Apply},
		},
	}))
	state, err := sched.Run(state, "step")
	check(err)
	check(sched.Register(schedule.Pipeline{ // another module adds to it
		Name:    "step",
		Jobs:    []schedule.Job{{Name: "jump", Run: halves(Jump), Queries: []world.Query{jumping}}},
		Inserts: []schedule.Insert{{Element: "jump", Before: "move"}},
	}))
	fmt.Print(sched)
	sched.Close()
	world.Close(state)
	// Output:
	// pipeline step
	//   all (concat)
	//     jump
	//     move (merge)
	//       fall
	//       expire
	//     apply, alone
}

func Example_hooks() {
	jump := func(s world.State, _ float32) world.State { return Jump(s, 5) }
	var root stage.Root
	check(root.Add(
		stage.System{Name: "move", Parts: []stage.System{{Update: jump}, {Update: Fall}}},
		stage.System{Name: "sound", Watcher: bullets, Enter: func(s world.State) world.State {
			fmt.Println("bang")
			return s
		}},
	))
	state, _, err := world.CreateWith(battle(), Position, Velocity, Gravity, Jumper)
	check(err)
	state, _, _ = world.Spawn(state, Shot)
	for range 3 { // up with 5 for half a second, then with 0, then down
		state = Land(root.Update(state, 0.5))
		fmt.Print(world.View(state, Position)[0])
	}
	// Output:
	// bang
	// [0 2.5 0][0 2.5 0][0 0 0]
}

var (
	Volume  = layout.NewField[float32]("volume", 0.5) // 0…1
	Options = world.NewResource("options", Volume)

	Victim = layout.NewField[world.GameObject]("victim")
	Hits   = world.NewEvents("hits", Victim)
	sound  = Hits.NewReader("sound")
)

func Example_beside() {
	state, err := world.CreateState(world.Counts{
		GameObjects: 10, Names: 10, Seed: 2026,
		Resources: []world.ResourceKind{Options},
		Events:    []world.EventCount{Hits.Count(100, sound)}, // the last hundred
	})
	check(err)
	state, boss, _ := world.Create(state)
	state = world.Must(world.SetName(state, boss, "boss"))
	state, hit := Hits.Send(state)
	world.EventColumn(hit, Victim)[0] = boss
	state, hits, missed := sound.Receive(state)
	for _, b := range hits.Batches() {
		for _, id := range world.EventColumn(b, Victim) {
			name, _ := world.NameOf(state, id)
			fmt.Println(name, "was hit, at volume", world.Resource(state, Volume), missed)
		}
	}
	// Output: boss was hit, at volume 0.5 0
}

func Example_profiling() {
	state, stone, err := world.CreateWith(battle(), Position, Velocity, Gravity)
	check(err)
	for range 2 {
		pprof.Do(context.Background(), pprof.Labels("system", "fall"), func(context.Context) {
			state = Fall(state, 0.5)
		})
	}
	fmt.Println(world.Get(state, stone, Position))
	// Output: [0 -2.5 0] <nil>
}
