package flappy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

func TestTheGameWaitsForTheFirstFlap(t *testing.T) {
	for _, variant := range []string{Steps, Passed} {
		g := opened(t, scene.Options{Variant: variant})
		for range 2 {
			clips := map[int]bool{}
			for range 200 {
				g.idle(1)
				clips[g.drawnBird(t).Image] = true
			}
			assert.Equal(t, [2]float32{birdX, birdY}, value(t, g, "bird", at))
			assert.Equal(t, "Score 0", g.text(t))
			assert.Equal(t, "GET READY", g.marks()[len(g.marks())-2].Text.Text)
			assert.Len(t, clips, birdClips, "it beats its wings")

			g.step(Flap)
			assert.Equal(t, float32(-birdFlap+birdPull), value(t, g, "bird", vy), "at once")
			g.idle(20)
			assert.Positive(t, value(t, g, "bird", vy))
			assert.NotContains(t, g.marks()[len(g.marks())-1].Text.Text, "flap")
			g.crash(t)
			g.idle(restartSteps)
			g.step(Flap)
			require.False(t, g.over(), "and waits again")
		}
	}
}

// The score is outlined, so that it can be read over pipes and clouds.
func TestTheScoreInEnglish(t *testing.T) {
	g := opened(t, scene.Options{Variant: Steps, Seed: 4})
	g.fly(101)
	assert.Equal(t, "Score 100", g.text(t), "as it was before the step")
	for _, m := range g.marks() {
		if m.Text.Text != "" {
			assert.Equal(t, render.RGB(0xffffff), m.Text.Colour)
			assert.Equal(t, render.RGB(scoreOutline), m.Text.Outline)
			assert.Equal(t, float32(scoreLetters), m.Text.Size)
		}
	}
}

func TestTheFirstVariantIsTheUsualOne(t *testing.T) {
	p := world.Must(Scene.Open(scene.Options{}))
	assert.Equal(t, Steps, p.Options.Variant)
	assert.Equal(t, uint8(1), world.Resource(p.First, waits))
	p.Close(p.First)
}
