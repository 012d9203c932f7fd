package render_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
)

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
	square := positions(9, 0, 9, 11, 0, 9, 9, 0, 11, 11, 0, 11)
	o.See(square)
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
