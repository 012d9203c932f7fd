package schedule_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/schedule"
)

var (
	ballSpeed = layout.NewField[[3]float32]("speed") // world units per second; x, y, z
	ballKind  = layout.NewKind("ball", ballSpeed)
	ballHits  = layout.NewField[uint32]("hits")
	ballHit   = layout.NewKind("hit", ballHits)
	ball      = world.NewRecipe("ball", heroes.Position, ballKind, ballHit).
			With(heroes.Position.Value([3]float32{0, 1, 0}))

	dropping = world.NewQuery(world.Write(heroes.Position, ballSpeed))
	bouncing = world.NewQuery(world.Write(heroes.Position, ballSpeed, ballHits))
	counting = world.NewQuery(world.Read(ballHits))
)

// The physics module brings two jobs in a group of its own. Each touches only the object at hand, so
// that they may be split among workers, and fused.
var physics = schedule.Pipeline{
	Name:   "step",
	Groups: []schedule.Group{{Name: "physics", Elements: []string{"drop", "bounce"}}},
	Jobs: []schedule.Job{
		{Name: "drop", Run: drop, Queries: []world.Query{dropping}, Local: true},
		{Name: "bounce", Run: bounce, Queries: []world.Query{bouncing}, Local: true},
	},
	Inserts: []schedule.Insert{{Element: "physics", Before: "report"}},
}

func drop(s world.State) world.State {
	const dt = 0.25 // seconds
	for b := range dropping.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, ballSpeed)
		for i := range p {
			p[i][1] += float32(v[i][1] * dt)
			v[i][1] -= float32(8 * dt)
		}
	}
	return s
}

func bounce(s world.State) world.State {
	for b := range bouncing.In(s) {
		p, v, n := world.Column(b, heroes.Position), world.Column(b, ballSpeed), world.Column(b, ballHits)
		for i := range p {
			if p[i][1] < 0 {
				p[i][1], v[i][1] = -p[i][1], -v[i][1]
				n[i]++
			}
		}
	}
	return s
}

// Two modules make one pipeline: the game brings the frame, and physics puts itself before a job of
// it.
func Example_schedule() {
	game := schedule.Pipeline{
		Name:   "step",
		Groups: []schedule.Group{{Name: "frame", Elements: []string{"apply", "report"}}},
		Jobs: []schedule.Job{
			{Name: "apply", Do: world.Apply},
			{Name: "report", Do: func(s world.State) (world.State, error) {
				for b := range counting.In(s) {
					fmt.Println("hits", world.Column(b, ballHits))
				}
				return s, nil
			}},
		},
	}
	sched := schedule.New(2)
	defer sched.Close()
	if err := sched.Register(game, physics); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(sched)

	state, err := world.CreateState(world.Counts{
		Kinds:   layout.Kinds(ballKind.Count(100), ballHit.Count(100), heroes.Position.Count(100)),
		Recipes: []world.Recipe{ball},
	})
	if err == nil {
		state, err = world.SpawnN(state, ball, 3, nil)
	}
	for range 4 {
		if err == nil {
			state, err = sched.Run(state, "step")
		}
	}
	fmt.Println(err)
	// Output:
	// pipeline step
	//   frame (concat)
	//     apply, alone
	//     physics (concat)
	//       drop, local
	//       bounce, local
	//     report, alone
	// hits [0 0 0]
	// hits [0 0 0]
	// hits [1 1 1]
	// hits [1 1 1]
	// <nil>
}
