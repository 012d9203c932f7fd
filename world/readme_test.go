package world_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// The code of README.md and docs/GUIDE.md. TestPagesShowTestedCode holds the pages to it.

var (
	Lift    = layout.NewComponent[float32]("lift", 5) // world units per second
	Balloon = world.NewRecipe("balloon", world.PositionKind, Lift.Kind())
	rising  = world.NewQuery(world.Write(world.XYZ), world.Read(Lift))
)

// Rise moves all that is lifted. dt is in seconds.
func Rise(s world.State, dt float32) world.State {
	for b := range rising.In(s) { // batches of plain slices
		at, lift := world.Column(b, world.XYZ), world.Column(b, Lift)
		for i := range at {
			at[i][1] += float32(lift[i] * dt) // y
		}
	}
	return s
}

func Example_readmeBalloons() {
	state, err := world.CreateState(world.Counts{
		Positions: 1_000,
		Kinds:     []layout.Count{Lift.Kind().Count(1_000)},
		Recipes:   []world.Recipe{Balloon},
	})
	if err != nil {
		panic(err)
	}
	state, err = world.SpawnN(state, Balloon, 1_000, nil)
	if err != nil {
		panic(err)
	}
	for range 60 {
		state = Rise(state, 0.5)
	}
	fmt.Println(rising.Count(state), "balloons at a height of", world.View(state, world.XYZ)[0][1])
	// Output: 1000 balloons at a height of 150
}

func Example_readmeHero() {
	state, err := world.CreateState(world.Counts{Positions: 1_000, Velocities: 1_000})
	check(err)
	state, hero, err := world.CreateGameObject(state)
	check(err)
	state, position, err := world.AddPosition(state, hero) // create and mount
	check(err)
	state, velocity, err := world.AddVelocity(state, hero)
	check(err)

	state = world.SetVelocity(state, velocity, 2) // world units per step
	state = world.Move(state, position, velocity) // this hero: p += v
	state = world.MoveAll(state)                  // every object that has both, in one pass
	fmt.Println("hero", hero, "is at", world.PositionAt(state, position))
	world.Close(state)
	// Output: hero 0 is at [4 4 4]
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
		systems.Write(systems.XYZ, Velocity3), systems.Read(Force), systems.Without(Frozen))
)

// Fall moves every body and pulls it down. dt is in seconds.
func Fall(s systems.State, dt float32) systems.State {
	for b := range falling.In(s) {
		p, v, g := systems.Column(b, systems.XYZ), systems.Column(b, Velocity3), systems.Column(b, Force)
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
		Positions: 1_000,
		Kinds:     []layout.Count{Body.Count(1_000), Gravity.Count(1_000), Frozen.Count(0)},
	})
	check(err)
	state, stone, err := world.CreateGameObject(state)
	check(err)
	for _, kind := range []layout.Kind{world.PositionKind, Body, Gravity} {
		state, _, err = world.Add(state, stone, kind)
		check(err)
	}
	for range 4 {
		state = Fall(state, 0.5)
	}
	at, err := world.Get(state, stone, world.XYZ)
	check(err)
	fmt.Println("stone", stone, "is at", at)

	state, _, err = world.Add(state, stone, Frozen)
	check(err)
	fmt.Println(falling.Count(state), "objects fall")
	// Output:
	// stone 0 is at [0 -15 0]
	// 0 objects fall
}

func Example_readmeErrors() {
	state, err := world.CreateState(world.Counts{GameObjects: 2, Positions: 1})
	check(err)
	state, _, err = world.CreateWith(state, world.PositionKind)
	check(err)
	state, b, err := world.CreateGameObject(state)
	check(err)
	state, _, err = world.AddPosition(state, b)
	fmt.Println(errors.Is(err, world.ErrFull), err)
	_, err = world.VelocityOf(state, b)
	fmt.Println(err)
	// Output:
	// true manager: position: all 1 rows in use; raise Counts.Positions
	// manager: velocity of game object 1: Retrieving non-existent component. Ask with Has first, or add it.
}

var (
	Jumper  = layout.NewMark("jumper")
	jumping = systems.NewQuery(
		systems.Read(systems.XYZ), systems.Write(Velocity3), systems.With(Jumper))
)

// Jump pushes off every jumper on the ground. speed is in world units per second.
func Jump(s systems.State, speed float32) systems.State {
	for b := range jumping.In(s) {
		p, v := systems.Column(b, systems.XYZ), systems.Column(b, Velocity3)
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
var Shot = world.NewRecipe("shot", world.PositionKind, Body, Bullet).With(TimeLeft.Value(2))

func battle() world.State {
	state, err := world.CreateState(world.Counts{
		Positions: 1_000,
		Kinds: []layout.Count{
			Body.Count(1_000), Gravity.Count(1_000), Bullet.Count(1_000),
			Frozen.Count(0), Jumper.Count(0),
		},
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
	schedule := world.NewSchedule(2) // goroutines
	check(schedule.Register(world.Pipeline{
		Name: "step",
		Groups: []world.Group{
			{Name: "all", Elements: []string{"move", "apply"}},
			{Name: "move", Link: world.Merge, Elements: []string{"fall", "expire"}},
		},
		Jobs: []world.Job{
			{Name: "fall", Run: halves(Fall), Queries: []world.Query{falling}},
			{Name: "expire", Run: halves(ExpireBullets), Queries: []world.Query{aging}},
			{Name: "apply", Do: world.Apply},
		},
	}))
	state, err := schedule.Run(state, "step")
	check(err)
	check(schedule.Register(world.Pipeline{ // another module adds to it
		Name:    "step",
		Jobs:    []world.Job{{Name: "jump", Run: halves(Jump), Queries: []world.Query{jumping}}},
		Inserts: []world.Insert{{Element: "jump", Before: "move"}},
	}))
	fmt.Print(schedule)
	schedule.Close()
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
	bullet := c.Spawn(Shot, world.XYZ.Value([3]float32{1, 2, 3})) // with a first value
	world.Put(c, bullet, Force, [3]float32{0, -5, 0})             // adds gravity
	state, err := world.Apply(state)
	check(err)
	bullet, err = world.Applied(state, bullet) // the object that it became, until the next Apply
	check(err)
	fmt.Println(world.Get(state, bullet, world.XYZ))
	// Output: [1 2 3] <nil>
}

// shadowed is what the GUIDE warns of.
func shadowed(state world.State, bullet world.GameObject) (_ world.State, err error) {
	if state, err := world.DisposeGameObject(state, bullet); err != nil { // wrong: a second state
		return state, err
	}
	state, err = world.Apply(state) // panics: this State was used up by an earlier call
	return state, err
}

func Example_guideWatch() {
	state := battle()
	world.Record(state).Spawn(Shot, world.XYZ.Value([3]float32{1, 2, 3}))
	state, err := world.Apply(state)
	check(err)
	state = world.Look(state, bullets)
	for id := range world.Entered(state, bullets) {
		at, err := world.Get(state, id, world.XYZ)
		fmt.Println("fired:", id, "at", at, err)
	}
	state, err = world.DisposeAll(state, bullets.Query())
	check(err)
	state = world.Look(state, bullets)
	for id := range world.Left(state, bullets) {
		fmt.Println("gone:", id, world.Alive(state, id))
	}
	// Output:
	// fired: 0 at [1 2 3] <nil>
	// gone: 0 false
}

var landing = systems.NewQuery(systems.Write(systems.XYZ))

// Land keeps everybody above the ground.
func Land(s systems.State) systems.State {
	for b := range landing.In(s) {
		p := systems.Column(b, systems.XYZ)
		for i := range p {
			p[i][1] = max(p[i][1], 0) // y
		}
	}
	return s
}

func Example_guideHooks() {
	jump := func(s world.State, _ float32) world.State { return Jump(s, 5) }
	var root world.Root
	check(root.Add(
		world.Hooks{Name: "move", Parts: []world.Hooks{{Update: jump}, {Update: Fall}}},
		world.Hooks{Name: "sound", Watcher: bullets, Enter: func(s world.State) world.State {
			fmt.Println("bang")
			return s
		}},
	))
	state, _, err := world.CreateWith(battle(), world.PositionKind, Body, Gravity, Jumper)
	check(err)
	state, _, _ = world.Spawn(state, Shot)
	for range 3 { // up with 5 for half a second, then with 0, then down
		state = Land(root.Update(state, 0.5))
		fmt.Print(world.View(state, world.XYZ)[0])
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
	state, boss, _ := world.CreateNamed(state, "boss")
	state, hit := world.Send(state, Hits)
	world.EventColumn(hit, Victim)[0] = boss
	state, hits, missed := world.Receive(state, sound)
	for _, b := range hits.Batches() {
		for _, id := range world.EventColumn(b, Victim) {
			name, _ := world.NameOf(state, id)
			fmt.Println(name, "was hit, at volume", world.Resource(state, Volume), missed)
		}
	}
	// Output: boss was hit, at volume 0.5 0
}
