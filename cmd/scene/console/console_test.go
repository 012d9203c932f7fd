package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/heroes"
	"github.com/flatecs/flatecs/world"
)

// A seen is a canvas that draws nothing, with a camera.
type seen struct {
	render.Ledger
	look render.Look
}

func (s *seen) Look() *render.Look { return &s.look }

// typed returns a console of a scene, and where keys are typed.
func typed(sc *scene.Scene) (*Console, chan<- term.Key) {
	keys := make(chan term.Key, 16)
	c := &Console{
		View: scene.NewView(sc, &seen{look: sc.Look()}), Plays: true,
		scene: sc, keys: keys, timer: time.NewTimer(0),
	}
	c.Times.console = c
	return c, keys
}

func TestAFlapIsOfOneStep(t *testing.T) {
	c, keys := typed(flappy.Scene)
	keys <- term.Click
	input := world.Must(c.Wait(t.Context()))
	assert.Equal(t, flappy.Flap, input)
	input = world.Must(c.Wait(t.Context()))
	assert.Zero(t, input)
}

func TestNothingIsDuePaused(t *testing.T) {
	c, keys := typed(cubes.Scene)
	c.pace.due = time.Now().Add(time.Minute)
	keys <- 'p'
	end, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	time.AfterFunc(100*time.Millisecond, func() { cancel(gone) })
	_, err := c.Wait(end)
	require.ErrorIs(t, err, gone)
	c.pace.due = time.Now()
	_, err = c.Wait(t.Context())
	require.ErrorIs(t, err, ErrPaused)
	assert.Contains(t, c.Footer(), "cubes, paused\nq ends · p goes on")
	keys <- 'q'
	_, err = c.Wait(t.Context())
	require.ErrorIs(t, err, io.EOF)
}

func TestTheFooterSaysWhatKeysDo(t *testing.T) {
	for want, sc := range map[string]*scene.Scene{
		"heroes\nq ends · p pauses · l lines · a d w s turn · + − 0 zoom":  heroes.Scene,
		"flappy\nspace or a click: flap · q ends · p pauses · a autopilot": flappy.Scene,
	} {
		assert.Equal(t, want, Footer(sc))
	}
	c, _ := typed(flappy.Scene)
	c.Plays = false
	assert.Equal(t, "flappy\nq ends · p pauses", c.Footer(), "a recording plays")
	for _, key := range []term.Key{'a', term.Space, term.Up} {
		c.press(key)
	}
	assert.False(t, c.Pilot)
	assert.Zero(t, c.input)
}

func TestTheStatusLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which no time passes by itself
		p := world.Must(cubes.Scene.Open(scene.Options{Count: 1233}))
		defer p.Close(p.First)
		c, keys := typed(cubes.Scene)
		for range 4 {
			c.Stepped(p.First, 3*time.Millisecond)
			assert.False(t, c.Late() && c.pace.drawn.IsZero())
		}
		assert.NotContains(t, c.Footer(), "objects", "a second is not over")
		c.status.since, c.status.frames = c.status.since.Add(-2*time.Second), 8
		c.Stepped(p.First, 8*time.Millisecond)
		line := fmt.Sprintf(" · 1,234 objects · 4.0 ms/step · 4 fps · digest %016x\n",
			world.Digest(p.First))
		assert.Contains(t, c.Footer(), "cubes"+line)
		assert.Less(t, len([]rune(line)), 79-len("heroes"))
		keys <- 'p'
		c.drain()
		assert.Contains(t, c.Footer(), "cubes, paused"+line)
	})
}

func TestThePilotPresses(t *testing.T) {
	p := world.Must(flappy.Scene.Open(scene.Options{}))
	defer p.Close(p.First)
	c, _ := typed(flappy.Scene)
	assert.Zero(t, c.Pressed(0, p.First))
	c.press('a')
	assert.Equal(t, flappy.Flap, c.Pressed(0, p.First), "a game that waits")
	assert.Contains(t, c.Footer(), "a autopilot off")
	c.press('a')
	assert.Zero(t, c.Pressed(0, p.First))
}

// Keys turn the view on top of where the scene aims it, and back.
func TestKeysTurnTheView(t *testing.T) {
	p := world.Must(heroes.Scene.Open(scene.Options{Count: 10}))
	defer func() { p.Close(p.First) }()
	c, _ := typed(heroes.Scene)
	canvas := &seen{look: heroes.Scene.Look()}
	c.View = scene.NewView(heroes.Scene, canvas)
	draw := func() render.Bearing {
		p.First, _ = world.Must2(c.Draw(p.First))
		return canvas.look.Camera.(*render.Orbit).Bearing()
	}
	before := draw()
	assert.Equal(t, before, draw(), "it does not add up")
	for _, key := range []term.Key{term.Right, term.Right, term.Down, '+'} {
		c.press(key)
	}
	for range 2 {
		now := draw()
		assert.InDelta(t, before.Yaw+2*turns, now.Yaw, 1e-6)
		assert.InDelta(t, before.Pitch-turns, now.Pitch, 1e-6)
		assert.InDelta(t, before.Zoom*nearer, now.Zoom, 1e-6)
	}
	c.press('0')
	assert.Equal(t, before, draw())
}

// A scene whose steps take longer than they stand for is drawn all the same, now and then.
func TestLateStepsAreDrawnNowAndThen(t *testing.T) {
	c := &Console{scene: cubes.Scene, pace: pace{due: time.Now().Add(-time.Hour)}}
	assert.False(t, c.Late(), "nothing was drawn yet")
	c.pace.drawn = time.Now().Add(time.Hour)
	assert.True(t, c.Late(), "one was drawn just now")
	c.pace.drawn = time.Now().Add(-unseen)
	assert.False(t, c.Late())
	c.pace.due, c.pace.drawn = time.Now().Add(time.Hour), time.Now().Add(time.Hour)
	assert.False(t, c.Late(), "it is in time")
}

// While ← is held each scene runs backwards through the digests that it came by, to the first step;
// from there it takes the same steps again. A fork comes to another world, and goes with a rewind.
func TestEverySceneRewindsAndForks(t *testing.T) {
	for _, sc := range gallery.All() {
		t.Run(sc.Name, func(t *testing.T) {
			p := world.Must(sc.Open(scene.Options{Count: 200, Supers: 5, Seed: 1}))
			c, _ := typed(sc)
			c.Pilot = true
			c.Times.Remember(p, p.First)
			s, digests := p.First, []uint64{world.Digest(p.First)}
			defer func() { c.Times.Close(); p.Close(s) }()
			step := func() { s = c.Times.Step(s, c.Pressed(0, s)) }
			for range 100 {
				step()
				digests = append(digests, world.Digest(s))
			}
			for i := 99; i >= 0; i-- {
				c.press(term.Left)
				step()
				require.Equal(t, digests[i], world.Digest(s), "step %d", i)
			}
			step()
			require.Equal(t, digests[0], world.Digest(s), "before the first step")
			c.Times.pressed = time.Time{}
			for i := 1; i <= 100; i++ {
				step()
				require.Equal(t, digests[i], world.Digest(s), "step %d again", i)
			}
			c.press('f')
			for range 60 {
				step()
			}
			assert.NotEqual(t, world.Digest(s), world.Digest(*c.Times.other))
			assert.Contains(t, c.Times.digests(s), "digests ")
			s, _ = world.Must2(c.Times.Draw(s))
			c.press(term.Left)
			step()
			assert.Nil(t, c.Times.other)
			steps, forks := c.Times.Rewound()
			assert.Equal(t, []int{101, 1}, []int{steps, forks})
		})
	}
}

// A terminal reports no release of a key: time goes on a while after its last repeat.
func TestTimeGoesOnAfterTheKey(t *testing.T) {
	c, keys := typed(cubes.Scene)
	p := world.Must(cubes.Scene.Open(scene.Options{Count: 10}))
	c.Times.Remember(p, p.First)
	s := p.First
	defer func() { c.Times.Close(); p.Close(s) }()
	for range 3 {
		s = c.Times.Step(s, 0)
	}
	keys <- 'p'
	keys <- term.Left
	_, err := c.Wait(t.Context())
	require.NoError(t, err, "it rewinds while it is paused, too")
	s = c.Times.Step(s, 0)
	assert.Contains(t, c.Footer(), "cubes, rewinding · step 2 of 3 · ")
	c.Times.pressed = time.Now().Add(-released)
	_, err = c.Wait(t.Context())
	require.ErrorIs(t, err, ErrPaused)
}
