package world_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// The code of README.md and docs/GUIDE.md. cmd/check holds the pages to it.

type Vector struct{ X, Y, Z float32 }

var (
	Position = layout.NewComponent[Vector]("position")
	Velocity = layout.NewComponent("velocity", Vector{Y: 5}) // of a new balloon, per second
	Balloon  = world.NewRecipe("balloon", Position, Velocity)
	moving   = world.NewQuery(world.Write(Position), world.Read(Velocity))
)

func Move(s world.State, seconds float32) world.State {
	for b := range moving.In(s) { // batches of plain slices
		positions, velocities := world.Column(b, Position), world.Column(b, Velocity)
		for i, v := range velocities {
			positions[i].Y += float32(v.Y * seconds)
		}
	}
	return s
}

func Example_readmeBalloons() {
	state := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{Balloon}}))
	state = world.Must(world.SpawnN(state, Balloon, 1_000, nil))
	for range 60 {
		state = Move(state, 0.5)
	}
	fmt.Println(moving.Count(state), "balloons at a height of", world.View(state, Position)[0].Y)
	// Output: 1000 balloons at a height of 150
}

func Example_readmeHero() {
	state, err := world.CreateState(world.Counts{
		GameObjects: 1_000, Kinds: layout.Kinds(world.Position, world.Velocity),
	})
	check(err)
	state, hero, err := world.CreateWith(state, world.Position, world.Velocity)
	check(err)
	state, err = world.Set(state, hero, world.Velocity, 2) // world units per step
	check(err)

	state = world.MoveAll(state) // every object that has both: p += v
	at, err := world.Get(state, hero, world.Position)
	check(err)
	fmt.Println("hero", hero, "is at", at)
	world.Close(state)
	// Output: hero 0 is at [2 2 2]
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var (
	Velocity3 = layout.NewField[[3]float32]("velocity")         // world units per second; x, y, z
	Force     = layout.NewField("force", [3]float32{0, -10, 0}) // the default
	Body      = layout.NewKind("body", Velocity3)
	Gravity   = layout.NewKind("gravity", Force)
	Frozen    = layout.NewMark("frozen") // no data: an object has it or not

	falling = systems.NewQuery(
		systems.Write(systems.Position, Velocity3), systems.Read(Force), systems.Without(Frozen))
)

// Fall moves every body and pulls it down. dt is in seconds.
func Fall(s systems.State, dt float32) systems.State {
	for b := range falling.In(s) {
		p, v, g := systems.Column(b, systems.Position), systems.Column(b, Velocity3), systems.Column(b, Force)
		for i := range p {
			for axis := range p[i] {
				p[i][axis] += float32(v[i][axis] * dt)
				v[i][axis] += float32(g[i][axis] * dt)
			}
		}
	}
	return s
}

func Example_readmeFall() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			world.Position.Count(1_000), Body.Count(1_000), Gravity.Count(1_000), Frozen,
		),
	})
	check(err)
	state, stone, err := world.CreateWith(state, world.Position, Body, Gravity)
	check(err)
	for range 4 {
		state = Fall(state, 0.5)
	}
	at, err := world.Get(state, stone, world.Position)
	check(err)
	fmt.Println("stone", stone, "is at", at)

	state, err = world.Add(state, stone, Frozen)
	check(err)
	fmt.Println(falling.Count(state), "objects fall")
	// Output:
	// stone 0 is at [0 -15 0]
	// 0 objects fall
}

func Example_readmeErrors() {
	state, err := world.CreateState(world.Counts{GameObjects: 2, Kinds: layout.Kinds(
		world.Position.Count(1), world.Velocity.Count(1),
	)})
	check(err)
	state, _, err = world.CreateWith(state, world.Position)
	check(err)
	state, b, err := world.CreateGameObject(state)
	check(err)
	state, err = world.Add(state, b, world.Position.Kind())
	fmt.Println(errors.Is(err, world.ErrFull), err)
	_, err = world.RowOf(state, b, world.Velocity.Kind())
	fmt.Println(err)
	// Output:
	// true flatecs: position: all 1 rows in use; raise its Count in Counts.Kinds (a large enough count at creation is all that position needs)
	// flatecs: velocity of game object 1: Retrieving non-existent component. Ask with Has first, or add it.
}

var (
	Jumper  = layout.NewMark("jumper")
	jumping = systems.NewQuery(
		systems.Read(systems.Position), systems.Write(Velocity3), systems.With(Jumper))
)

// Jump pushes off every jumper on the ground. speed is in world units per second.
func Jump(s systems.State, speed float32) systems.State {
	for b := range jumping.In(s) {
		p, v := systems.Column(b, systems.Position), systems.Column(b, Velocity3)
		for i := range p {
			if p[i][1] <= 0 { // y
				v[i][1] = speed
			}
		}
	}
	return s
}

var (
	TimeLeft = layout.NewField[float32]("timeLeft") // seconds
	Bullet   = layout.NewKind("bullet", TimeLeft)
	aging    = systems.NewQuery(systems.Write(TimeLeft))
)

// ExpireBullets has those disposed whose time is up. dt is in seconds.
func ExpireBullets(s systems.State, dt float32) systems.State {
	for b := range aging.In(s) {
		left := systems.Column(b, TimeLeft)
		for i := range left {
			if left[i] -= dt; left[i] <= 0 {
				b.Dispose(i)
			}
		}
	}
	return s
}

// Shot is a bullet that flies for two seconds.
var Shot = world.NewRecipe("shot", world.Position, Body, Bullet).With(TimeLeft.Value(2))

func battle() world.State {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			world.Position.Count(1_000), Body.Count(1_000), Gravity.Count(1_000),
			Bullet.Count(1_000), Frozen, Jumper,
		),
		Recipes:  []world.Recipe{Shot},
		Watchers: []world.Watcher{bullets},
	})
	check(err)
	return state
}

func Example_readmeSpawn() {
	state := battle()
	state, first, err := world.Spawn(state, Shot)
	check(err)
	state, err = world.SpawnN(state, Shot, 100, func(b world.Batch) {
		v := world.Column(b, Velocity3)
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
	fmt.Println(world.Alive(state, first), world.Alive(state, second), world.Live(state))
	// Output: false true 1
}

// halves makes a job of a system: its steps are half a second.
func halves(f func(world.State, float32) world.State) func(world.State) world.State {
	return func(s world.State) world.State { return f(s, 0.5) }
}

func Example_readmeSchedule() {
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

var bullets = world.NewWatcher(world.NewQuery(world.With(Bullet)))

func Example_guideCommands() {
	state := battle()
	c := world.Record(state)
	bullet := c.Spawn(Shot, world.Position.Value([3]float32{1, 2, 3})) // with a first value
	world.Put(c, bullet, Force, [3]float32{0, -5, 0})                  // adds gravity
	state, err := world.Apply(state)
	check(err)
	bullet, err = world.Applied(state, bullet) // the object that it became, until the next Apply
	check(err)
	fmt.Println(world.Get(state, bullet, world.Position))
	// Output: [1 2 3] <nil>
}

// shadowed is what the GUIDE warns of.
//
//flatecs:allow usedup this is the mistake that the GUIDE shows
func shadowed(state world.State, bullet world.GameObject) (_ world.State, err error) {
	if state, err := world.DisposeGameObject(state, bullet); err != nil { // wrong: a second state
		return state, err
	}
	state, err = world.Apply(state) // panics: this State was used up by an earlier call
	return state, err
}

func Example_guideWatch() {
	state := battle()
	world.Record(state).Spawn(Shot, world.Position.Value([3]float32{1, 2, 3}))
	state, err := world.Apply(state)
	check(err)
	state = bullets.Look(state)
	for id := range bullets.Entered(state) {
		at, err := world.Get(state, id, world.Position)
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

var landing = systems.NewQuery(systems.Write(systems.Position))

// Land keeps everybody above the ground.
func Land(s systems.State) systems.State {
	for b := range landing.In(s) {
		p := systems.Column(b, systems.Position)
		for i := range p {
			p[i][1] = max(p[i][1], 0) // y
		}
	}
	return s
}

func Example_guideHooks() {
	jump := func(s world.State, _ float32) world.State { return Jump(s, 5) }
	var root stage.Root
	check(root.Add(
		stage.System{Name: "move", Parts: []stage.System{{Update: jump}, {Update: Fall}}},
		stage.System{Name: "sound", Watcher: bullets, Enter: func(s world.State) world.State {
			fmt.Println("bang")
			return s
		}},
	))
	state, _, err := world.CreateWith(battle(), world.Position, Body, Gravity, Jumper)
	check(err)
	state, _, _ = world.Spawn(state, Shot)
	for range 3 { // up with 5 for half a second, then with 0, then down
		state = Land(root.Update(state, 0.5))
		fmt.Print(world.View(state, world.Position)[0])
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

func Example_guideBeside() {
	state, err := world.CreateState(world.Counts{
		Names: 10, Seed: 2026, Resources: []world.ResourceKind{Options}, GameObjects: 10,
		Events: []world.EventCount{Hits.Count(100, sound)}, // the last hundred
	})
	check(err)
	state, boss, _ := world.CreateGameObject(state)
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
