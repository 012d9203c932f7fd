//go:build !js

package world_test

import (
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
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
	schedule := world.NewSchedule(1)
	defer schedule.Close()
	require.NoError(t, schedule.Register(world.Pipeline{
		Name:   "step",
		Groups: []world.Group{{Name: "all", Elements: []string{"listed", "free"}}},
		Jobs: []world.Job{
			{Name: "listed", Queries: []world.Query{falling}, Run: func(s world.State) world.State {
				during = append(during, labels(t))
				return s
			}},
			{Name: "free", Do: func(s world.State) (world.State, error) {
				during = append(during, labels(t))
				return s, nil
			}},
		},
	}))
	state, err := schedule.Run(battle(), "step")
	require.NoError(t, err)
	world.Close(state)
	require.Len(t, during, 2)
	assert.Contains(t, during[0], listed)
	assert.NotContains(t, during[0], free)
	assert.Contains(t, during[1], free)
	assert.NotContains(t, during[1], listed)
	assert.NotContains(t, labels(t), `"system"`)
}
