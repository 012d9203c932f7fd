//go:build browser

package server_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
)

// script is what the pilot presses in a game without a browser.
func script(t *testing.T, o scene.Options, steps int) (inputs []scene.Input) {
	t.Helper()
	p, err := flappy.Scene.Open(o)
	require.NoError(t, err)
	s := p.First
	for range steps {
		inputs = append(inputs, flappy.Scene.Pilot(s))
		s = p.Step(s, inputs[len(inputs)-1])
	}
	p.Close(s)
	return inputs
}

func TestAScriptedGame(t *testing.T) {
	const steps = 900
	b := visit(t, serving(t, start("flappy"))+"?paused&variant=passed", spying, 960, 640)
	o := scene.Options{Seed: 1, Variant: flappy.Passed}
	inputs := script(t, o, steps)
	text, err := json.Marshal(asInts(inputs))
	require.NoError(t, err)
	value[bool](b, fmt.Sprintf(`(flatecs.step(%s), true)`, text))
	change := func(to *scene.Options) { *to = o }
	pressed := func(step int) scene.Input { return inputs[step] }
	assert.Equal(t, played(t, "flappy", change, steps, pressed), b.digest())
	assert.Equal(t, "Score 7", b.report().Words)
	assert.Equal(t, 1, b.report().Texts)
	b.frames(2)
	flying := b.Shot("flappy")
	assert.Greater(t, lit(flying), 100_000)
	b.fine()

	value[bool](b, `(flatecs.step(300), true)`)
	assert.Contains(t, b.report().Words, "GAME OVER", "nobody flaps")
	b.frames(2)
	over := b.Shot("flappy-over")
	assert.Greater(t, differing(flying, over), 10_000)
	digest := b.digest()
	value[bool](b, `(flatecs.step(30), true)`)
	shown := b.report().Words

	require.NoError(t, chromedp.Do(b.Ctx, chromedp.KeyEvent(" ")))
	value[bool](b, `(flatecs.step(2), true)`)
	assert.NotEqual(t, digest, b.digest())
	assert.NotEqual(t, shown, b.report().Words)
	assert.Contains(t, b.report().Words, "Score 0\nGET READY", "another game, by the space bar")
	b.frames(2)
	b.Shot("flappy-again")
}

// The document's own text is a variant.
func TestTheVariantOfTheDocument(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused&variant=document", spying, 960, 640)
	value[bool](b, `(flatecs.step(8), true)`)
	assert.Equal(t, "【ECS实现】得分:7", b.report().Words)
	assert.Contains(t, value[string](b, `document.getElementById("seen").textContent`), "Chinese")
	b.frames(2)
	b.Shot("flappy-document")
}

func asInts(inputs []scene.Input) (all []int) {
	for _, i := range inputs {
		all = append(all, int(i))
	}
	return all
}

func TestTheSpaceBarAndTheMouseFlapOnce(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused", spying, 960, 640)
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.KeyEvent(" ")))
	value[bool](b, `(flatecs.step(10), true)`)
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.MouseClickXY(480, 320)))
	value[bool](b, `(flatecs.step(10), true)`)
	twice := func(step int) scene.Input {
		if step == 0 || step == 10 {
			return flappy.Flap
		}
		return 0
	}
	assert.Equal(t, played(t, "flappy", func(*scene.Options) {}, 20, twice), b.digest())
}
