package schedule_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/schedule"
)

// regions are worlds that the jobs of a group step side by side.
type regions []world.State

func newRegions(t *testing.T, n int) regions {
	t.Helper()
	r := make(regions, n)
	for i := range r {
		var err error
		r[i], err = world.CreateState(world.Counts{
			Kinds: layout.Kinds(
				jobKind.Count(8000), heroes.Position.Count(8000), heroes.Velocity.Count(8000),
			),
			Recipes: []world.Recipe{jobRecipe},
		})
		require.NoError(t, err)
		r[i], err = world.SpawnN(r[i], jobRecipe, 8000, nil)
		require.NoError(t, err)
	}
	return r
}

// register adds the pipeline of a region, and one of a world whose jobs step the regions by it.
func (r regions) register(t *testing.T, s *schedule.Schedule) {
	t.Helper()
	all := schedule.Group{Name: "regions", Link: schedule.Merge}
	var jobs []schedule.Job
	for i := range r {
		job := schedule.Job{Name: fmt.Sprint("region ", i), Run: func(whole world.State) world.State {
			var err error
			if r[i], err = s.Run(r[i], "region"); err != nil {
				panic(err)
			}
			return whole
		}}
		all.Elements, jobs = append(all.Elements, job.Name), append(jobs, job)
	}
	require.NoError(t, s.Register(
		schedule.Pipeline{Name: "world", Groups: []schedule.Group{all}, Jobs: jobs},
		schedule.Pipeline{
			Name:   "region",
			Groups: []schedule.Group{{Name: "weather", Link: schedule.Merge, Elements: []string{"warm", "chill"}}},
			Jobs: []schedule.Job{
				{Name: "warm", Run: heat, Queries: []world.Query{heating}},
				{Name: "chill", Run: cool, Queries: []world.Query{cooling}},
			},
		}))
}

// TestJobsRunOtherWorldsByTheirSchedule: side by side, more of them than there are workers, with
// the same bytes for any number of workers, and with all of their times.
func TestJobsRunOtherWorldsByTheirSchedule(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 2, 3, 8} {
		sched := schedule.New(workers)
		sched.Clock = func() time.Duration { return 0 }
		r := newRegions(t, 5)
		r.register(t, sched)
		s, err := world.CreateState(world.Counts{GameObjects: 1})
		require.NoError(t, err)
		for range 4 {
			s, err = sched.Run(s, "world")
			require.NoError(t, err)
		}
		if want == 0 {
			want = world.Digest(r[0])
		}
		for i := range r {
			assert.Equal(t, want, world.Digest(r[i]), "region %d, %d workers", i, workers)
		}
		for _, job := range sched.Times("region") {
			assert.Equal(t, 20, job.Runs, "%s, %d workers", job.Name, workers)
		}
		sched.Close()
	}
}
