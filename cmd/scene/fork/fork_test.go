package fork_test

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/scene/fork"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/world"
)

// A watcher is a canvas that keeps the marks of all frames.
type watcher struct {
	render.Frame
	look   render.Look
	frames [][]render.Mark
	closed int
}

func (w *watcher) Close() error { w.closed++; return nil }

func (w *watcher) End() (render.Report, error) {
	w.frames = append(w.frames, append([]render.Mark{}, w.Over.Marks()...))
	return render.Report{}, nil
}

func drawn(t *testing.T, sc *scene.Scene, o fork.Options) *watcher {
	t.Helper()
	w := &watcher{}
	require.NoError(t, fork.Draw(sc, o, func(look render.Look) render.Canvas {
		w.look = look
		return w
	}))
	assert.Equal(t, 1, w.closed)
	return w
}

// says is what the texts of a frame say.
func says(frame []render.Mark) string {
	var all []string
	for _, m := range frame {
		if m.Text.Text != "" {
			all = append(all, m.Text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// sprites returns the sprites of a frame whose images have numbers in a range.
func sprites(frame []render.Mark, from, to int) (all []render.Sprite) {
	for _, m := range frame {
		if m.Text.Text == "" && m.Sprite.Image >= from && m.Sprite.Image < to {
			all = append(all, m.Sprite)
		}
	}
	return all
}

func options(at int, o scene.Options) fork.Options {
	return fork.Options{Options: o, At: at, Steps: 180, Every: 5}
}

func TestTheDeadBirdStaysAsAGhost(t *testing.T) {
	w := drawn(t, flappy.Scene, options(465, flappy.Scene.Defaults))
	const first, back, second = 180/5 + 1, 180/20 + 1, 270/5 + 1
	require.Len(t, w.frames, first+back+second)
	ghosts := func(frame []render.Mark) []render.Sprite {
		n := len(flappy.Scene.Look().Images)
		return sprites(frame, n, 2*n)
	}
	for n, frame := range w.frames {
		dead := strings.Contains(says(frame), "GAME OVER")
		switch again := n - first - back; {
		case again < 0:
			assert.Empty(t, ghosts(frame), n)
		case again < 60/5:
			assert.Empty(t, ghosts(frame), "both are the same: %d", n)
			fallthrough
		default:
			assert.False(t, dead, "somebody plays: %d", n)
		}
		if n == first-1 {
			assert.True(t, dead, "nobody plays")
		}
	}
	last := ghosts(w.frames[len(w.frames)-1])
	require.Len(t, last, 1, "the bird")
	falls := ghosts(w.frames[first+back+85/5])
	require.Len(t, falls, 1)
	assert.Greater(t, last[0].Y, falls[0].Y+20)
	assert.Equal(t, last, ghosts(w.frames[len(w.frames)-20]), "it stays")
}

// Digests equal those of the world's own steps.
func TestDigestsAreTheWorlds(t *testing.T) {
	w := drawn(t, flappy.Scene, options(100, flappy.Scene.Defaults))
	play := world.Must(flappy.Scene.Open(flappy.Scene.Defaults))
	s := play.First
	defer func() { play.Close(s) }()
	for range 100 + 270 {
		s = play.Step(s, flappy.Scene.Pilot(s))
	}
	want := fmt.Sprintf("digest %016x", world.Digest(s))
	assert.Contains(t, says(w.frames[len(w.frames)-1]), want)
	assert.Contains(t, says(w.frames[len(w.frames)-1]), "step 370")
}

func TestWhatDiffersHasARing(t *testing.T) {
	o := tanks.Scene.Defaults
	o.Count = 20
	w := drawn(t, tanks.Scene, options(465, o))
	rings := func(frame []render.Mark) []render.Sprite {
		n := len(w.look.Images)
		return sprites(frame, n-1, n)
	}
	require.Len(t, w.frames, 180/5+1)
	assert.Empty(t, rings(w.frames[0]), "nothing that is seen")
	assert.Contains(t, says(w.frames[0]), "they look the same, and will draw other random numbers")
	for _, frame := range w.frames {
		assert.Contains(t, says(frame), "PAST\n")
		assert.Contains(t, says(frame), "ANOTHER FUTURE\n")
	}
	assert.Regexp(t, `step 645: the first difference is (a|the [a-z]+ of a) (red|blue) [a-z]+`,
		says(w.frames[36]))
	assert.Greater(t, len(rings(w.frames[36])), 40)
	both := image.Pt(int(w.look.W), int(w.look.H))
	assert.Greater(t, both.X, 2*both.Y, "side by side")
}
