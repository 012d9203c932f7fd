package render_test

import (
	"encoding/binary"
	"image/color"
	"math"
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

func positions(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

// on returns where a place lies on a picture from -1 to 1 each way, y up.
func on(v *render.View, x, y, z float32) (sx, sy float32) {
	cx, cy, w := v.Project([3]float32{x, y, z})
	return cx / w, cy / w
}

func TestFlat(t *testing.T) {
	camera := render.Flat{W: 20, H: 10}
	for name, test := range map[string]struct {
		width, height int
		x, y          float32 // of the plane's top left corner on the picture
	}{
		"same proportions": {200, 100, -1, 1},
		"wider":            {400, 100, -.5, 1},
		"higher":           {200, 200, -1, .5},
	} {
		t.Run(name, func(t *testing.T) {
			v := camera.View(test.width, test.height)
			x, y := on(&v, 0, 0, 0)
			assert.InDelta(t, test.x, x, 1e-6)
			assert.InDelta(t, test.y, y, 1e-6)
			x, y = on(&v, 20, 10, 7)
			assert.InDelta(t, -test.x, x, 1e-6)
			assert.InDelta(t, -test.y, y, 1e-6)
		})
	}
}

func TestOrbitLooksAtItsTarget(t *testing.T) {
	o := render.Orbit{Yaw: 1, Pitch: .5, Target: [3]float32{3, 4, 5}, Radius: 2, Height: 1}
	v := o.View(160, 90)
	x, y := on(&v, 3, 4, 5)
	assert.InDelta(t, 0, x, 1e-5)
	assert.InDelta(t, 0, y, 1e-5)
	assert.Equal(t, [3]float32{3, 4, 5}, v.Centre)
	_, y = on(&v, 3, 5, 5)
	assert.Positive(t, y, "up is up")

	ahead := render.Orbit{Radius: 2} // stands at positive z
	v = ahead.View(100, 100)
	x, _ = on(&v, 1, 0, 0)
	assert.Positive(t, x, "x is to the right")
	_, _, near := v.Project([3]float32{0, 0, 1})
	_, _, far := v.Project([3]float32{0, 0, -1})
	assert.Less(t, near, far)
}

// Everything within the cylinder fits, and there is not much room around it.
func TestOrbitFitsItsCylinder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		o := render.Orbit{
			Yaw: r.Float32() * 6, Pitch: r.Float32()*3 - 1.5,
			Target: [3]float32{r.Float32() * 100, 0, 0},
			Radius: .1 + 20*r.Float32(), Height: 20 * r.Float32(),
		}
		v := o.View(10+r.IntN(400), 10+r.IntN(400))
		reach := float32(0)
		for i := range 64 {
			s, c := math.Sincos(float64(i) * math.Pi / 32)
			for _, h := range []float32{-o.Height, o.Height} {
				x, y := on(&v, o.Target[0]+o.Radius*float32(c), h, o.Radius*float32(s))
				reach = max(reach, x, -x, y, -y)
			}
		}
		require.LessOrEqual(t, reach, float32(1.001), "%+v", o)
		require.Greater(t, reach, float32(.75), "%+v", o)
	}
}

func TestOrbitZooms(t *testing.T) {
	near, far := render.Orbit{Radius: 2, Zoom: 2}, render.Orbit{Radius: 2}
	a, b := near.View(100, 100), far.View(100, 100)
	_, _, nearDepth := a.Project([3]float32{})
	_, _, farDepth := b.Project([3]float32{})
	assert.InDelta(t, 2, farDepth/nearDepth, 1e-5)
}

func TestOrbitFollows(t *testing.T) {
	o := render.Orbit{Fit: true}
	o.See(positions(9, 0, 9, 11, 0, 9, 9, 0, 11, 11, 0, 11))
	v := o.View(100, 100)
	assert.Equal(t, [3]float32{10, 0, 10}, v.Centre, "at once, the first time")
	assert.InDelta(t, math.Sqrt2, v.Radius, 1e-5)

	moved := positions(19, 0, 9, 21, 0, 9, 19, 0, 11, 21, 0, 11)
	o.See(moved)
	first := o.View(100, 100).Centre[0]
	assert.Greater(t, first, float32(10))
	assert.Less(t, first, float32(12), "smoothly then")
	for range 200 {
		o.See(moved)
		o.View(100, 100)
	}
	assert.InDelta(t, 20, o.Target[0], .01)
	before := o
	o.View(100, 100)
	assert.Equal(t, before, o, "nothing seen, nothing changed")
}

func TestOrbitLetsOutliersGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []byte
	for range 5000 {
		all = append(all, positions(r.Float64()*2-1, 0, r.Float64()*2-1)...)
	}
	o := render.Orbit{Fit: true}
	o.See(all)
	o.View(100, 100)
	assert.InDelta(t, math.Sqrt2, o.Radius, .06, "all of a square")

	o = render.Orbit{Fit: true}
	o.See(append(positions(500, 0, 0, math.NaN(), 0, 0, 0, math.Inf(1), 0), all[:200*12]...))
	o.View(100, 100)
	assert.Less(t, o.Radius, float32(200))
	assert.Greater(t, o.Radius, float32(1))
}

func TestAllocsOrbit(t *testing.T) {
	o := &render.Orbit{Fit: true}
	all := make([]byte, 12*10_000)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		o.See(all)
		o.View(100, 100)
	}))
}
