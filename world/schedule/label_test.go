//go:build !js

package schedule_test

import (
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// labels returns the goroutine profile, which tells the labels of each.
func labels(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, pprof.Lookup("goroutine").WriteTo(&text, 1))
	return text.String()
}

// Each job carries its name, whether it lists its queries or may do anything, and only while it runs.
func TestScheduleLabelsJobs(t *testing.T) {
	const listed, free = `labels: {"system":"listed"}`, `labels: {"system":"free"}`
	var during []string
	sched := schedule.New(1)
	defer sched.Close()
	require.NoError(t, sched.Register(schedule.Pipeline{
		Name:   "step",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"listed", "free"}}},
		Jobs: []schedule.Job{
			{Name: "listed", Queries: []world.Query{heroes.MoveQuery}, Run: func(s world.State) world.State {
				during = append(during, labels(t))
				return s
			}},
			{Name: "free", Do: func(s world.State) (world.State, error) {
				during = append(during, labels(t))
				return s, nil
			}},
		},
	}))
	state, err := sched.Run(world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(9), heroes.Velocity.Count(9))})), "step")
	require.NoError(t, err)
	world.Close(state)
	require.Len(t, during, 2)
	assert.Contains(t, during[0], listed)
	assert.NotContains(t, during[0], free)
	assert.Contains(t, during[1], free)
	assert.NotContains(t, during[1], listed)
	assert.NotContains(t, labels(t), `"system"`)
}
