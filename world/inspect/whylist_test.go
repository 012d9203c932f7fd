package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
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
	for range 10 {
		require.NoError(t, past.Record(s, nil))
		s = step(s, nil)
	}
	answers := make(chan *httptest.ResponseRecorder)
	go func() {
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet,
			"http://localhost/debug/ecs/api/why?object=0&field=bag&writes=3", nil))
		answers <- w
	}()
	for {
		select {
		case answer := <-answers:
			var found struct {
				Writes []struct {
					Job, Source   string
					Tick          int
					Before, After []string
				}
			}
			require.NoError(t, json.NewDecoder(answer.Body).Decode(&found))
			require.Len(t, found.Writes, 3)
			for _, w := range found.Writes {
				assert.Equal(t, "give", w.Job)
				assert.Contains(t, w.Source, "whylist_test.go:")
				more := fmt.Sprintf("%s %d]", strings.TrimSuffix(w.Before[0], "]"), w.Tick)
				assert.Equal(t, []string{more}, w.After, "an element more")
			}
			world.Close(s)
			return
		default:
		}
		s, _ = i.Turn(s)
		require.NoError(t, i.Publish(s))
	}
}
