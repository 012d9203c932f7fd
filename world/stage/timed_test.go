package stage_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

const (
	ms       = time.Millisecond
	quarter  = 250 * ms
	startNow = "start"
	pauseNow = "pause"
	stopNow  = "stop"
	onceNow  = "once"
)

// A journal writes down what runs, in order.
type journal []string

func (j *journal) write(words ...any) { *j = append(*j, strings.TrimSpace(fmt.Sprintln(words...))) }

// read returns what was written since the last call.
func (j *journal) read() string {
	text := strings.Join(*j, ", ")
	*j = nil
	return text
}

func (j *journal) fixed(name string) func(world.State, float32) world.State {
	return func(s world.State, dt float32) world.State {
		j.write(name, dt)
		return s
	}
}

func (j *journal) update(name string) func(world.State, float32, float32) world.State {
	return func(s world.State, dt, alpha float32) world.State {
		j.write(name, dt, alpha)
		return s
	}
}

// tell tells a loop the words of what, which stand one after the other.
func tell(l *stage.Timed, what string) {
	for what != "" {
		for word, method := range map[string]func(){
			startNow: l.Start, pauseNow: l.Pause, stopNow: l.Stop, onceNow: l.StepOnce,
		} {
			if rest, ok := strings.CutPrefix(what, word); ok {
				method()
				what = rest
			}
		}
	}
}

// A moment is what a loop is told, at what time its next frame comes, and what that runs.
type moment struct {
	tell string
	now  time.Duration
	want string
}

var loopCases = []struct {
	name    string
	loop    stage.Timed
	moments []moment
	dropped time.Duration
}{
	{"never started", stage.Timed{Step: quarter, DrawPaused: true}, []moment{
		{"", 0, ""},
		{pauseNow, 300 * ms, ""},
		{onceNow, 600 * ms, ""},
	}, 0},
	{"the first frame has no time", stage.Timed{Step: quarter}, []moment{
		{startNow, 400 * time.Hour, "update 0 0"},
		{"", 400*time.Hour + quarter, "step 0.25, update 0.25 0"},
	}, 0},
	{"a clock that begins below zero", stage.Timed{Step: quarter}, []moment{
		{startNow, -time.Hour, "update 0 0"},
		{"", -time.Hour + quarter, "step 0.25, update 0.25 0"},
	}, 0},
	{"steps and what is left of them", stage.Timed{Step: quarter}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{"", 625 * ms, "step 0.25, step 0.25, update 0.5 0.5"},
		{"", 750 * ms, "step 0.25, update 0.125 0"},
		{startNow, 875 * ms, "update 0.125 0.5"},
	}, 0},
	{"a clock that stands", stage.Timed{Step: quarter}, []moment{
		{startNow, 5 * ms, "update 0 0"},
		{"", 130 * ms, "update 0.125 0.5"},
		{"", 130 * ms, "update 0 0.5"},
		{"", 130 * ms, "update 0 0.5"},
		{"", 255 * ms, "step 0.25, update 0.125 0"},
	}, 0},
	{"a clock that jumps back", stage.Timed{Step: quarter}, []moment{
		{startNow, time.Hour, "update 0 0"},
		{"", time.Hour + 125*ms, "update 0.125 0.5"},
		{"", 0, "update 0 0.5"},
		{"", 125 * ms, "step 0.25, update 0.125 0"},
		{"", -time.Hour, "update 0 0"},
		{"", math.MinInt64, "update 0 0"},
	}, 0},
	{"the cap", stage.Timed{Step: quarter, MaxSteps: 2}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{"", 1250 * ms, "step 0.25, step 0.25, update 0.375 0"},
		{"", 1875 * ms, "step 0.25, step 0.25, update 0.625 0.5"},
	}, 750 * ms},
	{"the usual cap", stage.Timed{Step: quarter}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 10 * quarter, strings.Repeat("step 0.25, ", 8) + "update 2 0"},
	}, 2 * quarter},
	{"a clock that jumps ahead", stage.Timed{Step: quarter, MaxSteps: 1}, []moment{
		{startNow, math.MinInt64, "update 0 0"},
		{"", math.MinInt64 + 125*ms, "update 0.125 0.5"},
		{"", math.MaxInt64, "step 0.25, update 0.2297758 0.41910324"},
		{"", 0, "update 0 0.41910324"},
	}, (math.MaxInt64/quarter - 1) * quarter},
	{"a pause", stage.Timed{Step: quarter}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{pauseNow, 10 * time.Second, ""},
		{pauseNow, 20 * time.Second, ""},
		{startNow, 30 * time.Second, "update 0 0.5"},
		{"", 30*time.Second + 125*ms, "step 0.25, update 0.125 0"},
	}, 0},
	{"a pause without frames", stage.Timed{Step: quarter}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{pauseNow + startNow, 20 * time.Second, "update 0 0.5"},
	}, 0},
	{"a pause before the first frame", stage.Timed{Step: quarter}, []moment{
		{startNow + pauseNow, time.Second, ""},
		{startNow, 2 * time.Second, "update 0 0"},
	}, 0},
	{"a pause that is drawn", stage.Timed{Step: quarter, DrawPaused: true}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{pauseNow, 10 * time.Second, "update 0 0.5"},
		{startNow, 20 * time.Second, "update 0 0.5"},
	}, 0},
	{"single steps", stage.Timed{Step: quarter}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 125 * ms, "update 0.125 0.5"},
		{onceNow, 10 * time.Second, "step 0.25, update 0.25 0.5"},
		{"", 20 * time.Second, ""},
		{onceNow + onceNow, 30 * time.Second, "step 0.25, update 0.25 0.5"},
		{"", 40 * time.Second, "step 0.25, update 0.25 0.5"},
		{"", 50 * time.Second, ""},
		{onceNow + startNow, 60 * time.Second, "update 0 0.5"},
		{"", 60*time.Second + 125*ms, "step 0.25, update 0.125 0"},
	}, 0},
	{"single steps that are forgotten", stage.Timed{Step: quarter}, []moment{
		{startNow + onceNow + stopNow, 0, ""},
		{startNow + onceNow + startNow + pauseNow, time.Second, ""},
	}, 0},
	{"stop and start", stage.Timed{Step: quarter, MaxSteps: 1, DrawPaused: true}, []moment{
		{startNow, 0, "update 0 0"},
		{"", 625 * ms, "step 0.25, update 0.375 0.5"},
		{stopNow, 10 * time.Second, ""},
		{pauseNow, 11 * time.Second, ""},
		{onceNow, 12 * time.Second, ""},
		{startNow, 20 * time.Second, "update 0 0"},
		{"", 20*time.Second + 125*ms, "update 0.125 0.5"},
		{stopNow + startNow + pauseNow, 30 * time.Second, "update 0 0"},
		{startNow, 40 * time.Second, "update 0 0"},
	}, 0},
	{"no fixed steps", stage.Timed{}, []moment{
		{startNow, time.Hour, "update 0 0"},
		{"", time.Hour + 100*time.Second, "update 100 0"},
		{"", 0, "update 0 0"},
		{onceNow, 3 * time.Second, "update 0 0"},
		{"", 4 * time.Second, ""},
	}, 0},
}

func TestTimed(t *testing.T) {
	for i := range loopCases {
		c := &loopCases[i]
		t.Run(c.name, func(t *testing.T) {
			var j journal
			l := &stage.Timed{
				Step: c.loop.Step, MaxSteps: c.loop.MaxSteps, DrawPaused: c.loop.DrawPaused,
				Update: j.update("update"),
			}
			if l.Step > 0 {
				l.Fixed = j.fixed("step")
			}
			for n, m := range c.moments {
				tell(l, m.tell)
				l.Frame(world.State{}, m.now)
				require.Equal(t, m.want, j.read(), "moment %d, at %v", n, m.now)
			}
			assert.Equal(t, c.dropped, l.Dropped())
		})
	}
}
