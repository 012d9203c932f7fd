package inspect_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// Who wrote a list, its elements too, is told as of any value, with the line of the job.
func TestWhoWroteAList(t *testing.T) {
	bag := layout.NewList[uint16]("bag")
	jobs := schedule.New(1)
	t.Cleanup(jobs.Close)
	var owner world.GameObject
	require.NoError(t, jobs.Register(schedule.Pipeline{
		Name: "day", Groups: []schedule.Group{{Name: "all", Elements: []string{"give"}}},
		Jobs: []schedule.Job{{Name: "give", Do: func(s world.State) (world.State, error) {
			return lists.Append(s, owner, bag, uint16(world.Tick(s)))
		}}},
	}))
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(bag)}))
	s, owner = world.Must2(world.CreateWith(s, bag))
	step := func(s world.State, _ []byte) world.State { return world.Must(jobs.Run(s, "day")) }
	past, err := timeline.New(s, timeline.Options{Step: step, Frames: 100})
	require.NoError(t, err)
	t.Cleanup(past.Close)
	i, err := inspect.New(s, inspect.Options{
		Clock: stage.Clock(time.Now), Past: past, Step: step,
		Why: why.Past{Timeline: past, Jobs: jobs}.Wrote,
	})
	require.NoError(t, err)
	t.Cleanup(i.Close)
	answers := make(chan map[string]any)
	go func() {
		code, found := get(t, i.Handler(), "/api/why?object=0&field=bag&writes=3")
		assert.Equal(t, http.StatusOK, code)
		answers <- found
	}()
	for {
		select {
		case found := <-answers:
			writes := found["writes"].([]any)
			require.Len(t, writes, 3)
			for _, w := range writes {
				w := w.(map[string]any)
				assert.Equal(t, "give", w["job"])
				assert.Contains(t, w["source"], "whylist_test.go:")
				before, after := fmt.Sprint(w["before"]), fmt.Sprint(w["after"])
				more := strings.TrimSuffix(before, "]]") + fmt.Sprintf(" %v]]", w["tick"])
				assert.Equal(t, more, after, "an element more")
			}
			world.Close(s)
			return
		default:
		}
		var n int
		s, n = i.Turn(s)
		if _, next := past.Frames(); n > 0 && next < 20 {
			require.NoError(t, past.Record(s, nil))
			s = step(s, nil)
		}
		require.NoError(t, i.Publish(s))
	}
}
