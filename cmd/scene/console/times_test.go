package console

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
)

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
