package flappy

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// marks draws a game, and returns what is drawn, the lowest first.
func (g *game) marks() []render.Mark {
	f := render.NewFrame(render.Look{})
	g.state = draw(g.state, &f)
	return f.Over.Marks()
}

func (g *game) drawnBird(t *testing.T) render.Sprite {
	t.Helper()
	for _, m := range g.marks() {
		if m.Sprite.Image >= pictureBird && m.Text.Text == "" {
			return m.Sprite
		}
	}
	t.Fatal("no bird is drawn")
	return render.Sprite{}
}

func TestSeed_E9_TheOrderByZIndex(t *testing.T) {
	g := opened(t, scene.Options{Seed: 5})
	g.fly(400)
	var got []int
	for _, m := range g.marks() {
		if m.Text.Text != "" {
			assert.Equal(t, "【ECS实现】得分:399", m.Text.Text)
			m.Sprite.Image = -1
		}
		got = append(got, min(m.Sprite.Image, pictureBird))
	}
	n := tool.Mounted(g.state, Obstacle)
	hills := []int{pictureFar, pictureFar, pictureNear, pictureNear}
	slices.Sort(got[5:][:n]) // by their ids, which are used again
	pipes := slices.Repeat([]int{picturePipeAbove, picturePipeBelow}, n/2)
	slices.Sort(pipes)
	want := slices.Concat([]int{pictureSky}, hills, pipes, []int{pictureFloor, -1, pictureBird})
	assert.Equal(t, want, got, "z 0: background, pipes; z 1: floor, score, bird, as they were made")

	g.crash(t)
	last := g.marks()
	assert.Equal(t, "GAME OVER", last[len(last)-2].Text.Text, "over everything")
}

// Every clip is shown, the last one too, for as many steps as the others.
func TestSeed_E9_EveryClipIsShown(t *testing.T) {
	g := opened(t, scene.Options{Seed: 5})
	shown, count := map[int]int{}, float32(0)
	for step := range 10 * birdClips * 5 {
		g.fly(1)
		count += .2
		if count >= birdClips {
			count = 0
		}
		require.Equal(t, float32(count), value(t, g, "bird", clipCount), step)
		bird := g.drawnBird(t)
		require.Equal(t, pictureBird+int(count), bird.Image)
		shown[bird.Image-pictureBird]++
	}
	assert.Len(t, shown, birdClips)
	for clip, n := range shown {
		assert.InDelta(t, 50, n, 6, "clip %d", clip)
	}
}

func TestSeed_E9_TheBirdIsTurnedAboutItsCentre(t *testing.T) {
	g := opened(t, scene.Options{})
	g.step(0, Flap, 0)
	bird := g.drawnBird(t)
	assert.Negative(t, bird.Angle, "upward")
	at, angle := value(t, g, "bird", at), value(t, g, "bird", angle)
	assert.Equal(t, render.Sprite{
		Image: bird.Image, X: at[0], Y: at[1], W: birdWidth, H: birdHeight, Angle: angle, Z: 1,
	}, bird, "canvases turn sprites about their middle")
	g.idle(40)
	assert.Positive(t, g.drawnBird(t).Angle, "downward")
}

// What has no size, no angle or no text is drawn without, or not at all; never as NaN.
func TestSeed_E9_WhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		name string
		kind layout.Kind
		less int
	}{
		"no size":  {"bird", Size, 1},
		"no angle": {"bird", Rotate, 0},
		"no image": {"bird", Image, 1},
		"no text":  {"score", Text, 1},
		"no score": {"score", Score, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := opened(t, scene.Options{})
			g.idle(5)
			all := len(g.marks())
			g.state = world.Must(world.Remove(g.state, g.named(t, c.name), c.kind))
			g.idle(5)
			marks := g.marks()
			assert.Len(t, marks, all-c.less)
			for _, m := range marks {
				for _, x := range []float32{m.Sprite.X, m.Sprite.Y, m.Sprite.W, m.Sprite.H, m.Sprite.Angle} {
					require.False(t, math.IsNaN(float64(x)), "%+v", m)
				}
			}
		})
	}
}

func TestPicturesForEveryNumber(t *testing.T) {
	images := look().Images
	require.Len(t, images, pictureCount)
	for n, m := range images {
		lit := slices.ContainsFunc(m.Pix, func(x uint8) bool { return x != 0 })
		assert.True(t, lit, "picture %d", n)
		for i := 0; i < len(m.Pix); i += 4 {
			require.LessOrEqual(t, max(m.Pix[i], m.Pix[i+1], m.Pix[i+2]), m.Pix[i+3],
				"picture %d: its colours are multiplied by their opacity", n)
		}
	}
	g := opened(t, scene.Options{Seed: 9})
	for range 200 {
		g.fly(10)
		for _, m := range g.marks() {
			require.Less(t, m.Sprite.Image, pictureCount)
		}
	}
}

// Hills, and the stripes of the floor, go on without a seam where they begin again.
func TestNoSeams(t *testing.T) {
	images := look().Images
	for _, n := range []int{pictureFar, pictureNear} {
		m := images[n]
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		differ := func(x int) (sum int) {
			for y := range h {
				d := int(m.RGBAAt(x, y).A) - int(m.RGBAAt((x+1)%w, y).A)
				sum += max(d, -d)
			}
			return sum
		}
		most := 0
		for x := range w - 1 {
			most = max(most, differ(x))
		}
		assert.LessOrEqual(t, differ(w-1), most, "picture %d", n)
	}
	m := images[pictureFloor]
	for y := range m.Bounds().Dy() {
		for x := range 50 * 2 {
			require.Equal(t, m.RGBAAt(x, y), m.RGBAAt(x+50*2, y), "50 pixels on")
		}
	}
}
