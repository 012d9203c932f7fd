package render_test

import (
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
)

func TestLookIsCompleted(t *testing.T) {
	l := render.Look{}.Complete()
	for name, c := range map[string]color.RGBA{
		"other": l.Other.Colour, "rim": l.Other.Rim, "single": l.Single.Colour, "line": l.Line,
		"top": l.Sky[0], "bottom": l.Sky[1],
	} {
		assert.Equal(t, uint8(255), c.A, name)
	}
	assert.NotNil(t, l.Camera)

	red := render.RGB(0xff0000)
	l = render.Look{
		Styles: map[string]render.Style{"a": {Colour: red}}, Single: render.Style{Colour: red},
		Camera: render.Flat{},
	}.Complete()
	assert.Equal(t, render.Flat{}, l.Camera)
	assert.Equal(t, red, l.Single.Colour)
	assert.Equal(t, render.Style{Colour: red, Rim: red}, l.Style("a"), "the rim follows")
	assert.Equal(t, l.Other, l.Style("b"))
	assert.Equal(t, color.RGBA{0x12, 0x34, 0x56, 0xff}, render.RGB(0x123456))
}

func TestPlane(t *testing.T) {
	for name, test := range map[string]struct {
		look             render.Look
		width, height    int
		scale, left, top float32
	}{
		"pixels": {render.Look{}, 80, 60, 1, 0, 0},
		"wider":  {render.Look{W: 10, H: 10}, 80, 60, 6, 10, 0},
		"higher": {render.Look{W: 10, H: 10}, 60, 80, 6, 0, 10},
		"exact":  {render.Look{W: 400, H: 300}, 800, 600, 2, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := test.look.Plane(test.width, test.height)
			assert.InDelta(t, test.scale, p.Scale, 1e-5)
			assert.InDelta(t, test.left, p.Left, 1e-5)
			assert.InDelta(t, test.top, p.Top, 1e-5)
		})
	}
}

// The naive model: one list, sorted.
func TestQueueIsAStableSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var q render.Queue
	for range 300 {
		q.Reset()
		type entry struct{ z, n int }
		var want, got []entry
		for n := range r.IntN(40) {
			z := r.IntN(5) - 2
			want = append(want, entry{z, n})
			if r.IntN(2) == 0 {
				q.Sprite(render.Sprite{Image: n, Z: z})
			} else {
				q.Text(render.Text{Text: "a", X: float32(n), Z: z})
				q.Text(render.Text{Z: -9})
			}
		}
		slices.SortStableFunc(want, func(a, b entry) int { return a.z - b.z })
		for _, m := range q.Marks() {
			if m.Text.Text == "" {
				got = append(got, entry{m.Sprite.Z, m.Sprite.Image})
			} else {
				got = append(got, entry{m.Text.Z, int(m.Text.X)})
			}
		}
		require.Equal(t, want, got)
	}
}

func TestAllocsQueue(t *testing.T) {
	var q render.Queue
	fill := func() {
		q.Reset()
		for i := range 50 {
			q.Sprite(render.Sprite{Z: -i})
			q.Text(render.Text{Text: "a", Z: i})
		}
		q.Marks()
	}
	fill()
	assert.Zero(t, testing.AllocsPerRun(10, fill))
}
