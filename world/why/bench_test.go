package why_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// Ten writes in a chain, each that before the last one, in a world of 1 MB after 10⁶ ticks, each of
// which writes one of 20,000 values in turn: what all ten take, and the slowest of them, steps that
// are taken again among it.
func BenchmarkWhyAfterAMillionTicks(b *testing.B) {
	const ticks, values = 1_000_000, 20_000
	account := layout.NewComponent[[5]uint64]("account")
	owner := world.NewRecipe("owner", account)
	jobs := schedule.New(1)
	defer jobs.Close()
	idle := func(s world.State) (world.State, error) { return s, nil }
	owners := make([]world.GameObject, 0, values)
	require.NoError(b, jobs.Register(schedule.Pipeline{
		Name:   "day",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"earn", "rest"}}},
		Jobs: []schedule.Job{
			{Name: "earn", Do: func(s world.State) (world.State, error) {
				n := world.Tick(s)
				return world.Set(s, owners[n/2%values], account, [5]uint64{n})
			}},
			{Name: "rest", Do: idle},
		},
	}))
	s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{owner}}))
	s = world.Must(world.SpawnN(s, owner, values, nil))
	for batch := range world.NewQuery(world.Read(account)).In(s) {
		for i := range batch.Len() {
			owners = append(owners, batch.ID(i))
		}
	}
	step := func(s world.State, _ []byte) world.State { return world.Must(jobs.Run(s, "day")) }
	past := world.Must(timeline.New(s, timeline.Options{Step: step, Frames: ticks}))
	defer past.Close()
	for range ticks {
		require.NoError(b, past.Record(s, nil))
		s = step(s, nil)
	}
	who := why.Past{Timeline: past, Jobs: jobs}
	var slowest time.Duration
	for b.Loop() {
		before := uint64(why.Now)
		for range 10 {
			begin := time.Now()
			w := world.Must(who.Wrote(owners[7], account, before))
			slowest = max(slowest, time.Since(begin))
			before = w.Tick
		}
	}
	b.ReportMetric(float64(past.Bytes())/1e6, "MB-past")
	b.ReportMetric(slowest.Seconds()*1e3, "slowest-ms")
}
