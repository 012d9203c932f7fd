package stage_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
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

// read returns the lines written since the last call.
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

// tell calls the methods of a loop named in what, one after the other.
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

// A moment is the calls on a loop, the time of its next frame, and the calls that the frame makes.
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

// Calls on a loop from within a step or an update.
func TestTimedIsToldFromWithin(t *testing.T) {
	const all = "step 0.25, step 0.25, step 0.25, update 0.75 0.5"
	const one = "step 0.25, update 0.25 0.5"
	for _, c := range []struct{ in, tell, want, next string }{
		{"step", startNow, all, "step 0.25, update 0.125 0"},
		{"step", pauseNow, one, ""},
		{"step", stopNow, "step 0.25", ""},
		{"step", onceNow, one, one},
		{"step", pauseNow + startNow, one, "update 0 0.5"},
		{"step", stopNow + startNow, "step 0.25", "update 0 0"},
		{"update", pauseNow, all, ""},
		{"update", stopNow, all, ""},
		{"update", onceNow, all, one},
	} {
		t.Run(c.tell+" in "+c.in, func(t *testing.T) {
			var j journal
			var l *stage.Timed
			told := c.tell
			say := func(in string) {
				if in == c.in {
					tell(l, told)
					told = "" // once
				}
			}
			l = &stage.Timed{Step: quarter, Fixed: func(s world.State, dt float32) world.State {
				j.write("step", dt)
				say("step")
				return s
			}}
			l.Start()
			l.Frame(world.State{}, 0)
			l.Frame(world.State{}, 125*ms)
			l.Update = func(s world.State, dt, alpha float32) world.State {
				j.write("update", dt, alpha)
				say("update")
				return s
			}
			l.Frame(world.State{}, 875*ms)
			assert.Equal(t, c.want, j.read())
			l.Frame(world.State{}, 1000*ms)
			assert.Equal(t, c.next, j.read())
		})
	}
}

func TestTimedMisuse(t *testing.T) {
	fixed := func(s world.State, _ float32) world.State { return s }
	for _, c := range []struct {
		name string
		loop *stage.Timed
		want string
	}{
		{"negative step", &stage.Timed{Step: -1}, "Step or MaxSteps is negative"},
		{"negative cap", &stage.Timed{Step: 1, MaxSteps: -1}, "Step or MaxSteps is negative"},
		{"no step", &stage.Timed{Fixed: fixed}, "Fixed without a Step; set Step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			worldtest.PanicsWith(t, func() { c.loop.Frame(world.State{}, 0) }, c.want)
		})
	}
}

// flock returns a world of ten objects that fly.
func flock(t *testing.T) world.State {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(10), heroes.MaxVelocity.Count(10),
	)}))
	t.Cleanup(func() { systems.Discard(s) })
	for range 10 {
		s, _ = world.Must2(world.CreateWith(s, heroes.Position, heroes.Velocity, heroes.MaxVelocity))
	}
	return s
}

// TestTimedAllocatesNothing: nor do the stages that it runs.
func TestTimedAllocatesNothing(t *testing.T) {
	s := flock(t)
	move := func(s world.State, _ float32) world.State { return heroes.MoveAll(s) }
	stages := stage.Launcher{Stages: []stage.Stage{
		{Fixed: move, DrawGizmos: heroes.Update},
		{Fixed: move, DrawGizmos: heroes.Update},
		{Update: func(s world.State, _, _ float32) world.State { return heroes.FlyAll(s) }},
	}}
	l := stage.Timed{Step: quarter, Fixed: stages.FixedUpdate, Update: stages.Update}
	l.Start()
	now := time.Duration(0)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		now += 600 * ms
		s = l.Frame(s, now)
		l.Pause()
		l.StepOnce()
		s = stages.DrawGizmos(l.Frame(s, now))
		l.Start()
	}))
}

func TestClock(t *testing.T) {
	now := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
	clock := stage.Clock(func() time.Time { return now })
	assert.Zero(t, clock())
	now = now.Add(3 * time.Second)
	assert.Equal(t, 3*time.Second, clock())
	now = now.Add(-5 * time.Second)
	assert.Equal(t, -2*time.Second, clock(), "as it is told")

	clock = stage.Clock(time.Now)
	first := clock()
	assert.LessOrEqual(t, first, clock())
}

// logicState returns a world with one object of some kinds.
func logicState(kinds ...layout.AnyKind) (world.State, world.GameObject) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 4,
		Kinds: []layout.Count{
			logicTransform.Count(4), logicMoving.Count(4), logicClimb.Count(4),
			logicClimbUp.Count(0),
		},
	}))
	return world.Must2(world.CreateWith(s, kinds...))
}

func TestSeed_B7_Move(t *testing.T) {
	type vector = [3]float32
	forward, before := vector{0, 0, 2}, vector{7, 8, 9}
	direction := vector{3, 4, 5} // fixedForward before the step: where a climb leads
	for _, c := range []struct {
		name             string
		input            vector
		kinds            []layout.AnyKind
		isClimb          uint8
		climbJump        float32
		cur, fixed, next vector
	}{
		{name: "nobody steers", cur: before, fixed: direction, next: before},
		{
			name: "on the ground", input: vector{0, 0, -1},
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "has a Climb, and does not climb", input: vector{0, 0, -1},
			kinds: []layout.AnyKind{logicClimb}, climbJump: 1,
			cur: forward, fixed: vector{2, 0, 0}, next: vector{8, 8, 9},
		},
		{
			name: "climbs", input: vector{1, 0, 0}, kinds: []layout.AnyKind{logicClimb}, isClimb: 1,
			cur: vector{1, 0, 0}, fixed: direction, next: vector{8.5, 10, 11.5},
		},
		{
			name: "leaps in a climb", input: vector{1, 0, 0},
			kinds: []layout.AnyKind{logicClimb}, isClimb: 1, climbJump: 0.25,
			cur: before, fixed: direction, next: before,
		},
		{
			name: "pulls itself up", input: vector{1, 0, 0}, kinds: []layout.AnyKind{logicClimbUp},
			cur: before, fixed: direction, next: before,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, id := logicState(append(c.kinds, logicTransform, logicMoving)...)
			for f, v := range map[layout.Field[vector]]vector{
				logicInput: c.input, logicAhead: forward, logicCur: before, logicFixed: direction,
				logicNext: before,
			} {
				s = world.Must(world.Set(s, id, f, v))
			}
			quarter := [4]float32{0, 0.70710677, 0, 0.70710677} // about y
			s = world.Must(world.Set(s, id, logicUp, quarter))
			s = world.Must(world.Set(s, id, logicSpeed, 0.5))
			s, _ = world.Set(s, id, logicIsClimb, c.isClimb)
			s, _ = world.Set(s, id, logicClimbJump, c.climbJump)
			s = moveLogic(s, 0.02)
			for f, want := range map[layout.Field[vector]]vector{
				logicCur: c.cur, logicFixed: c.fixed, logicNext: c.next,
			} {
				got := world.Must(world.Get(s, id, f))
				assert.InDeltaSlice(t, want[:], got[:], 1e-5, "%v", f)
			}
		})
	}
}

var (
	physicsVelocity = layout.NewField[[3]float32]("velocity") // world units per second
	physicsForce    = layout.NewField[[3]float32]("force")    // world units per second, each second
	physicsBody     = layout.NewKind("rigid body", physicsVelocity)
	physicsGravity  = layout.NewKind("gravity", physicsForce)
	physicsQuery    = world.NewQuery(
		world.Write(heroes.Position, physicsVelocity), world.Read(physicsForce))
)

// fallBy lets everything fall for dt seconds: position first, by the velocity it had.
func fallBy(s world.State, dt float32) world.State {
	for b := range physicsQuery.In(s) {
		p := layout.Flat[float32](heroes.Position, world.Column(b, heroes.Position))
		v := layout.Flat[float32](physicsVelocity, world.Column(b, physicsVelocity))
		g := layout.Flat[float32](physicsForce, world.Column(b, physicsForce))
		for i := range p {
			p[i] = float32(v[i]*dt) + p[i]
			v[i] = float32(g[i]*dt) + v[i]
		}
	}
	return s
}

func TestSeed_C6_PositionFirst(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(physicsBody, physicsGravity, heroes.Position),
	}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.CreateWith(s, heroes.Position, physicsBody, physicsGravity))
	s = world.Must(world.Set(s, id, physicsForce, [3]float32{0, -8, 0}))
	root := rootOf(t, stage.LeaveEnterUpdate, stage.System{Name: "physics", Update: fallBy})
	for i, want := range []struct{ y, velocity float32 }{
		{0, -4}, {-2, -8}, {-6, -12}, {-12, -16}, // semi-implicit would give -2, -6, -12, -20
	} {
		s = root.Update(s, 0.5)
		assert.Equal(t, [3]float32{0, want.y, 0}, world.Must(world.Get(s, id, heroes.Position)), i)
		v := world.Must(world.Get(s, id, physicsVelocity))
		assert.Equal(t, [3]float32{0, want.velocity, 0}, v, i)
	}
}
