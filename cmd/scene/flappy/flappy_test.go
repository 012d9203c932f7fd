package flappy

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A game is a play and its state.
type game struct {
	*scene.Play
	state world.State
}

// opened opens the document's variant, if the options name none.
func opened(tb testing.TB, o scene.Options) *game {
	tb.Helper()
	if o.Variant == "" {
		o.Variant = Document
	}
	start := time.Now()
	o.Clock = func() time.Duration { return time.Since(start) }
	p := world.Must(Scene.Open(o))
	tb.Cleanup(p.Schedule.Close)
	return &game{p, p.First}
}

// step takes the game on, with an input for each step.
func (g *game) step(inputs ...scene.Input) {
	for _, i := range inputs {
		g.state = g.Step(g.state, i)
	}
}

// idle takes the game on by n steps in which nothing is pressed.
func (g *game) idle(n int) { g.step(make([]scene.Input, n)...) }

// fly lets the pilot play n steps.
func (g *game) fly(n int) {
	for range n {
		g.step(pilot(g.state))
	}
}

// crash lets the bird fall until the game is over.
func (g *game) crash(t *testing.T) {
	t.Helper()
	for n := 0; !g.over(); n++ {
		require.Less(t, n, 1000, "it never ends")
		g.idle(1)
	}
}

func (g *game) over() bool { return world.Resource(g.state, over) != 0 }

// named returns the only object of a name.
func (g *game) named(t *testing.T, name string) (id world.GameObject) {
	t.Helper()
	n := 0
	for id = range world.Named(g.state, name) {
		n++
	}
	require.Equal(t, 1, n, "objects named %s", name)
	return id
}

// value returns a field of the only object of a name.
func value[T any](t *testing.T, g *game, name string, f layout.Field[T]) T {
	t.Helper()
	v := world.Must(world.Get(g.state, g.named(t, name), f))
	return v
}

func (g *game) text(t *testing.T) string {
	t.Helper()
	text := value(t, g, "score", letters)
	return strings.TrimRight(string(text[:]), "\x00")
}

func TestSeed_E7_TheObjectsInOrder(t *testing.T) {
	g := opened(t, scene.Options{})
	var names []string
	kinds := map[string][]string{}
	for id := range world.GameObjects(g.state) {
		name := world.Must(world.NameOf(g.state, id))
		names = append(names, name)
		all := world.Must(tool.KindsOf(g.state, id))
		kinds[name] = all
	}
	assert.Equal(t, []string{"background", "floor", "score", "bird"}, names)
	assert.ElementsMatch(t, []string{"Position", "Size", "Image", "Render", "Background", "name"},
		kinds["background"])
	assert.ElementsMatch(t, []string{"Position", "Size", "Velocity", "Image", "Render", "Floor", "name"},
		kinds["floor"])
	assert.ElementsMatch(t, []string{"Position", "Text", "Score", "Render", "name"}, kinds["score"])
	assert.ElementsMatch(t, []string{
		"Position", "Size", "Velocity", "Rotate", "Image", "Render", "Bird", "name",
	}, kinds["bird"])

	g.idle(40)
	assert.Equal(t, 2, tool.Mounted(g.state, Obstacle))
	n := 0
	for id := range world.Named(g.state, "obstacle") {
		all := world.Must(tool.KindsOf(g.state, id))
		assert.ElementsMatch(t, []string{
			"Position", "Size", "Velocity", "Image", "Render", "Obstacle", "name",
		}, all)
		n++
	}
	assert.Equal(t, 2, n)
}

func TestSeed_E7_WhatTheObjectsBeginWith(t *testing.T) {
	g := opened(t, scene.Options{})
	w, h := float32(480), float32(320)
	assert.Equal(t, [2]float32{w, h}, world.Resource(g.state, canvas))
	assert.Equal(t, float32(h/4), world.Resource(g.state, gap))
	assert.Equal(t, float32(2), world.Resource(g.state, speed))
	assert.False(t, g.over())

	assert.Equal(t, [2]float32{0, 0}, value(t, g, "background", at))
	assert.Equal(t, [2]float32{w, h}, value(t, g, "background", extent))
	assert.Equal(t, int32(0), value(t, g, "background", zIndex))

	assert.Equal(t, "得分:0", g.text(t))
	assert.Equal(t, float32(1000), value(t, g, "score", maxWidth))
	assert.Equal(t, [10]uint8([]byte("18px Arial")), value(t, g, "score", font))
	assert.Equal(t, uint32(0x333333), value(t, g, "score", colour))
	assert.Equal(t, uint64(0), value(t, g, "score", points))
	assert.Equal(t, [2]float32{10, w / 10}, value(t, g, "score", at))
	assert.Equal(t, uint8(1), value(t, g, "score", asText))
	assert.Equal(t, int32(1), value(t, g, "score", zIndex))
}

func TestSeed_E7_TheSystemsInOrder(t *testing.T) {
	g := opened(t, scene.Options{})
	g.idle(1)
	var names []string
	for _, job := range g.Schedule.Times(scene.Pipeline) {
		names = append(names, job.Name)
	}
	assert.Equal(t, []string{
		"Event", "Obstacle", "Velocity", "Rotate", "Collision", "Score", "Render",
	}, names)
}

// Pipes come in pairs with the gap between them, and are gone when they have left the canvas.
func TestSeed_E7_ObstaclesComeAndGo(t *testing.T) {
	g := opened(t, scene.Options{Seed: 5})
	most, tops := 0, map[float32]bool{}
	for step := range 3000 {
		g.fly(1)
		require.False(t, g.over(), step)
		var found [][2]float32
		for b := range pipes.In(g.state) {
			found = append(found, world.Column(b, at)...)
		}
		require.Zero(t, len(found)%2)
		most = max(most, len(found))
		for _, p := range found {
			require.True(t, p[0] >= -pipeWidth-2 && p[0] <= width, p)
			if p[1] > 0 {
				tops[p[1]] = true
				require.Contains(t, found, [2]float32{p[0], p[1] - height/4 - height})
				require.True(t, p[1]-height/4 >= pipeMargin && p[1] <= floorTop-pipeMargin, p)
			}
		}
	}
	assert.Equal(t, 6, most)
	assert.GreaterOrEqual(t, len(tops), 3000*2/pipeDistance, "gaps at random heights")
	require.NoError(t, tool.Verify(g.state))
}

func TestSeed_E8_VelocityIsAddedBeforePosition(t *testing.T) {
	g := opened(t, scene.Options{})
	x, y, v := float32(birdX), float32(birdY), float32(0)
	for step := range 12 {
		g.idle(1)
		v += birdPull
		y += v
		require.Equal(t, [2]float32{x, y}, value(t, g, "bird", at), step)
		require.Equal(t, v, value(t, g, "bird", vy), step)
	}
	g.step(Flap)
	v = -birdFlap + birdPull
	assert.Equal(t, v, value(t, g, "bird", vy))
	assert.Equal(t, [2]float32{x, y + v}, value(t, g, "bird", at))
}

// The floor is drawn by two pixels farther left in each step, until its right end would be seen.
func TestSeed_E8_TheFloorJumpsBack(t *testing.T) {
	g := opened(t, scene.Options{Seed: 2})
	x, jumps := float32(0), 0
	for step := range 200 {
		g.fly(1)
		x -= 2
		if x < width-floorWidth {
			x = 0
			jumps++
		}
		require.Equal(t, [2]float32{x, floorTop}, value(t, g, "floor", at), step)
	}
	assert.Equal(t, 8, jumps)
}

func TestSeed_E10_AClickFlapsOnce(t *testing.T) {
	vyAfter := func(inputs ...scene.Input) float32 {
		g := opened(t, scene.Options{})
		g.idle(5)
		g.step(inputs...)
		return value(t, g, "bird", vy)
	}
	once := vyAfter(Flap, 0, 0)
	assert.Equal(t, once, vyAfter(Flap, Flap, Flap), "a button that stays down flaps once")
	assert.Equal(t, once, vyAfter(Flap, Flap, 0), "a touch, and the click that follows it")
	assert.Less(t, vyAfter(Flap, 0, Flap), once, "two clicks flap twice")
	assert.Positive(t, vyAfter(0, 0, 0))
}

func TestSeed_E10_TheGameEndsAtTheFloor(t *testing.T) {
	g := opened(t, scene.Options{})
	g.crash(t)
	assert.Equal(t, [2]float32{birdX, floorTop - birdHeight}, value(t, g, "bird", at))
	before := g.columns()
	g.idle(100)
	assert.Equal(t, before, g.columns(), "nothing moves, and no score rises")
}

// columns returns a copy of all that objects have.
func (g *game) columns() (all [][]byte) {
	for _, k := range []layout.Kind{Position, Velocity, Rotate, Image, Text, Score, Obstacle} {
		all = append(all, bytes.Clone(tool.Buffer(g.state, k)))
	}
	return all
}

func TestSeed_E10_TheGameEndsAtAPipe(t *testing.T) {
	g := opened(t, scene.Options{})
	for step := 0; !g.over(); step++ {
		require.Less(t, step, 1000)
		for b := range birds.In(g.state) { // it hovers at the top, where no gap is
			world.Column(b, at)[0][1] = 3
			world.Column(b, vy)[0] = 0
		}
		g.idle(1)
	}
	hit := false
	for b := range pipes.In(g.state) {
		for _, p := range world.Column(b, at) {
			hit = hit || p[0] < birdX+birdWidth && p[0]+pipeWidth > birdX
		}
	}
	assert.True(t, hit, "the first pipe has come to the bird")
	assert.Positive(t, world.Resource(g.state, flown))
}

func TestSeed_E10_TheGameCanStartAgain(t *testing.T) {
	g := opened(t, scene.Options{Seed: 3})
	g.fly(500)
	for range 3 {
		g.crash(t)
		assert.NotEqual(t, "【ECS实现】得分:0", g.text(t))
		for world.Resource(g.state, steps) < restartSteps {
			g.step(Flap, 0) // users who hammer the button still see game over
			require.True(t, g.over())
		}
		g.step(Flap)
		require.False(t, g.over())
		assert.Equal(t, "【ECS实现】得分:0", g.text(t))
		assert.Zero(t, tool.Mounted(g.state, Obstacle))
		assert.Equal(t, [2]float32{birdX, birdY + birdPull}, value(t, g, "bird", at),
			"the press that begins does not flap")
		g.step(0)
		g.fly(300)
		require.False(t, g.over())
	}
	require.NoError(t, tool.Verify(g.state))
}

// The score rises by 1 in each step, and is shown as it was before.
func TestSeed_E10_TheScoreIsShownBeforeItRises(t *testing.T) {
	g := opened(t, scene.Options{Seed: 4})
	for n := range 300 {
		g.fly(1)
		require.Equal(t, fmt.Sprintf("【ECS实现】得分:%d", n), g.text(t))
		require.Equal(t, uint64(n)+1, value(t, g, "score", points))
	}
}

func TestSeed_E10_PassedObstaclesAreCountedInstead(t *testing.T) {
	g := opened(t, scene.Options{Seed: 4, Variant: Passed})
	want, beyond := uint64(0), map[world.GameObject]bool{}
	for range 2000 {
		g.fly(1)
		for b := range pipes.In(g.state) {
			for i, p := range world.Column(b, at) {
				if p[0]+pipeWidth < birdX && p[1] > 0 && !beyond[b.ID(i)] {
					beyond[b.ID(i)] = true
					want++
				}
			}
		}
		require.Equal(t, want, value(t, g, "score", points))
	}
	assert.Greater(t, want, uint64(15))
	assert.Equal(t, fmt.Sprintf("Score %d", want), g.text(t))
}

func TestSeed_E8_TheBirdStaysOnTheCanvas(t *testing.T) {
	for pause := 1; pause < 16; pause++ {
		g := opened(t, scene.Options{})
		for step := 0; step < 80 && !g.over(); step++ {
			g.step(Flap &^ scene.Input(min(step%pause, 1)))
			require.GreaterOrEqual(t, value(t, g, "bird", at)[1], float32(0))
		}
	}
}

// A game depends on its seed and on what is pressed, and on nothing else.
func TestTheSameSeedAndInputsPlayTheSameGame(t *testing.T) {
	digest := func(seed uint64, press int) uint64 {
		g := opened(t, scene.Options{Seed: seed})
		for step := range 400 {
			if step%press == 0 {
				g.step(Flap)
			} else {
				g.step(0)
			}
		}
		return world.Digest(g.state)
	}
	first := digest(1, 25)
	assert.Equal(t, first, digest(1, 25))
	assert.NotEqual(t, first, digest(2, 25))
	assert.NotEqual(t, first, digest(1, 26))
}

func TestThePilotFliesForMinutes(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		g := opened(t, scene.Options{Seed: seed})
		g.fly(7200)
		assert.Equal(t, "【ECS实现】得分:7199", g.text(t), "seed %d", seed)
		english := opened(t, scene.Options{Seed: seed, Variant: Steps})
		english.fly(7200)
		assert.Equal(t, "Score 7199", english.text(t), "seed %d", seed)
	}
}

func TestThePilotBeginsAgain(t *testing.T) {
	g := opened(t, scene.Options{})
	g.crash(t)
	g.fly(3 * restartSteps)
	assert.False(t, g.over())
}

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
