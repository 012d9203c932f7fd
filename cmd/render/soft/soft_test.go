package soft_test

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// night is a sky without light.
var night = [2]color.RGBA{black, black}

func positions(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

// galaxy returns n positions on a disc, the same every time.
func galaxy(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 0, n*render.PositionBytes)
	for range n {
		angle, far := r.Float64()*2*math.Pi, math.Abs(r.NormFloat64())
		high := r.NormFloat64() * math.Exp(-far)
		b = append(b, positions(10*far*math.Cos(angle), high, 10*far*math.Sin(angle))...)
	}
	return b
}

// waves returns side² positions on a waving square.
func waves(side int) (b []byte) {
	for i := range side {
		for j := range side {
			x, z := float64(i)-float64(side-1)/2, float64(j)-float64(side-1)/2
			b = append(b, positions(x, 2*math.Sin(math.Hypot(x, z)*.6), z)...)
		}
	}
	return b
}

func plain(c color.RGBA, w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func canvas(tb testing.TB, look render.Look, w, h, bands int) *soft.Canvas {
	tb.Helper()
	c := soft.New(look, soft.Options{Width: w, Height: h, Bands: bands})
	tb.Cleanup(func() { _ = c.Close() })
	c.Init()
	return c
}

// frame draws one frame.
func frame(tb testing.TB, c *soft.Canvas, draw func()) render.Report {
	tb.Helper()
	c.Begin()
	draw()
	report, err := c.End()
	require.NoError(tb, err)
	return report
}

func TestReport(t *testing.T) {
	c := canvas(t, render.Look{Images: []*image.RGBA{plain(red, 2, 2)}}, 32, 20, 1)
	want := render.Report{
		DrawCalls: 9, Batches: 2, Instances: 7, Singles: 2, Lines: 3, Sprites: 3, Texts: 1,
		Bytes: 7*12 + 2*12 + 3*24 + 3*20 + 17,
	}
	for range 2 {
		assert.Equal(t, want, frame(t, c, func() {
			c.DrawInstances("instance", galaxy(4))
			c.DrawInstances("instance", nil)
			c.DrawInstances("other", galaxy(3))
			c.DrawOne(1, galaxy(1))
			c.DrawOne(2, galaxy(1))
			c.DrawLines(galaxy(6))
			c.DrawLines(nil)
			c.DrawSprite(render.Sprite{W: 2, H: 2})
			c.DrawSprite(render.Sprite{Image: 1})
			c.DrawSprite(render.Sprite{Image: -1})
			c.DrawText(render.Text{})
			c.DrawText(render.Text{Text: "a", Size: 9})
		}))
	}
}

// Whatever bytes come, a canvas draws on.
func TestHostileBytes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	huge := positions(nan, 0, 0, inf, -inf, 0, 1e38, 1e38, 1e38, -1e38, 3, 1e38, 0, 0, 0, 1, 1, 1)
	for name, shape := range map[string]render.Shape{"dots": render.Dot, "cubes": render.Cube} {
		for camera, look := range map[string]render.Camera{
			"orbit": &render.Orbit{Fit: true}, "flat": render.Flat{W: 2, H: 2},
			"near": &render.Orbit{Zoom: 1e6}, "not a number": &render.Orbit{Yaw: float32(nan)},
			"nothing": render.Flat{},
		} {
			t.Run(name+" "+camera, func(t *testing.T) {
				c := canvas(t, render.Look{
					Other: render.Style{Shape: shape, Size: .5, Colour: red}, Camera: look,
				}, 40, 30, 2)
				for range 3 {
					frame(t, c, func() {
						c.DrawInstances("x", append(huge, 1, 2, 3))
						c.DrawLines(append(huge, 1))
						for i := range 6 {
							c.DrawOne(0, huge[i*12:])
						}
						c.DrawSprite(render.Sprite{X: float32(nan), W: float32(inf), H: 1, Angle: 1})
						c.DrawText(render.Text{Text: "a", X: float32(inf), Size: 20})
						c.DrawText(render.Text{Text: "a", Size: float32(inf)})
						c.DrawText(render.Text{Text: "a\xff", Y: -1e9, Size: 20, MaxWidth: 1e-9})
					})
				}
			})
		}
	}
}

func TestSizesDown(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {1, 40}, {40, 1}, {3, 7}, {17, 5}} {
		c := canvas(t, render.Look{Styles: map[string]render.Style{"cube": {Shape: render.Cube}}},
			size[0], size[1], 8)
		frame(t, c, func() {
			c.DrawInstances("dot", galaxy(50))
			c.DrawInstances("cube", galaxy(50))
			c.DrawOne(1, galaxy(1))
			c.DrawLines(galaxy(8))
		})
		c.Resize(size[0]+3, size[1]+2)
		frame(t, c, func() { c.DrawInstances("cube", galaxy(50)) })
		assert.Equal(t, image.Pt(max(size[0]+3, 1), max(size[1]+2, 1)), c.Image().Rect.Size())
	}
}

// everything draws some of all there is.
func everything(tb testing.TB, c *soft.Canvas, turn float32) {
	tb.Helper()
	frame(tb, c, func() {
		c.DrawInstances("dot", galaxy(3000))
		c.DrawInstances("cube", waves(9))
		for i := range 6 {
			c.DrawOne(uint32(i), galaxy(6)[i*12:])
		}
		c.DrawLines(galaxy(12))
		c.DrawSprite(render.Sprite{X: 5, Y: 60, W: 20, H: 16, Angle: turn, Z: 1})
		c.DrawText(render.Text{Text: "flatecs 得分:12", X: 4, Y: 16, Size: 12, Colour: white, Z: 2})
	})
}

func everythingLook() render.Look {
	return render.Look{
		Styles: map[string]render.Style{"cube": {
			Shape: render.Cube, Size: .6, Colour: render.RGB(0xff9d5c), Rim: render.RGB(0x5c7cff),
		}},
		Images: []*image.RGBA{checks(24, 20, 4)},
		Camera: &render.Orbit{Pitch: .5, Yaw: .4, Fit: true},
	}
}

// checks is a chequered image.
func checks(w, h, size int) *image.RGBA {
	m := plain(white, w, h)
	for y := range h {
		for x := range w {
			if x/size%2 == y/size%2 {
				m.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), 160, 255})
			}
		}
	}
	return m
}

func TestSamePictureForAnyBands(t *testing.T) {
	one := canvas(t, everythingLook(), 160, 90, 1)
	for _, bands := range []int{2, 3, 7, 64} {
		many := canvas(t, everythingLook(), 160, 90, bands)
		one := canvas(t, everythingLook(), 160, 90, 1)
		for i := range 3 {
			everything(t, one, float32(i)*.3)
			everything(t, many, float32(i)*.3)
			require.Equal(t, one.Image().Pix, many.Image().Pix, "%d bands, frame %d", bands, i)
		}
	}
	everything(t, one, 0)
	assert.Greater(t, colours(one.Image()), 1000, "something is seen")
}

func colours(m *image.RGBA) int {
	seen := map[[4]uint8]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[4]uint8(m.Pix[i:])] = true
	}
	return len(seen)
}

func TestAllocsFrame(t *testing.T) {
	c := canvas(t, everythingLook(), 160, 90, 2)
	dots, cubes, lines := galaxy(3000), waves(9), galaxy(12)
	draw := func() {
		c.Begin()
		c.DrawInstances("dot", dots)
		c.DrawInstances("cube", cubes)
		for i := range 6 {
			c.DrawOne(uint32(i), dots[i*12:])
		}
		c.DrawLines(lines)
		for z := range 5 {
			c.DrawSprite(render.Sprite{X: 5, Y: 60, W: 20, H: 16, Angle: .3, Z: 5 - z})
		}
		c.DrawText(render.Text{Text: "flatecs 得分:12", X: 4, Y: 16, Size: 12, Colour: white, Z: 2})
		if _, err := c.End(); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		draw()
	}
	assert.Zero(t, testing.AllocsPerRun(20, draw))
}

func TestWorkersPanicsReachTheCaller(t *testing.T) {
	c := canvas(t, render.Look{}, 32, 32, 4)
	c.Begin()
	c.Image().Pix = nil
	assert.Panics(t, func() { _, _ = c.End() })
}

// However many there are, and whatever their light adds up to, they are seen and not all white.
func TestExposureSuitsAnyNumber(t *testing.T) {
	for _, n := range []int{1, 30, 1000, 30_000, 1_000_000} {
		c := canvas(t, render.Look{Sky: night}, 320, 180, 2)
		all := galaxy(n)
		frame(t, c, func() { c.DrawInstances("x", all) })
		lit, blown := 0, 0
		for i := 0; i < len(c.Image().Pix); i += 4 {
			p := c.Image().Pix[i : i+3]
			if p[0] > 50 || p[2] > 50 {
				lit++
			}
			if p[0] > 250 && p[1] > 250 && p[2] > 250 {
				blown++
			}
		}
		assert.Positive(t, lit, n)
		assert.LessOrEqual(t, blown, lit/8+1, "of %d lit ones, with %d dots", lit, n)
	}
}

// Brightness follows slowly when much light comes at once.
func TestExposureIsSmooth(t *testing.T) {
	c := canvas(t, render.Look{Sky: night, Camera: render.Flat{W: 10, H: 10}}, 60, 60, 1)
	all := positions(2, 2, 0)
	for range 400 {
		all = append(all, positions(8, 8, 0)...)
	}
	frame(t, c, func() { c.DrawInstances("x", all[:12]) })
	before := at(c, 12, 12)
	frame(t, c, func() { c.DrawInstances("x", all) })
	after := at(c, 12, 12)
	for range 60 {
		frame(t, c, func() { c.DrawInstances("x", all) })
	}
	settled := at(c, 12, 12)
	assert.Greater(t, int(before.B), 100)
	assert.Greater(t, int(after.B), int(settled.B)+20)
}

// What lies behind the camera is not drawn, and lines that come from there are cut.
func TestBehindTheCamera(t *testing.T) {
	look := render.Look{Sky: night, Line: white, Camera: &render.Orbit{Radius: 1}}
	c := canvas(t, look, 101, 101, 1)
	frame(t, c, func() {
		c.DrawInstances("x", positions(0, 0, 50))
		c.DrawOne(0, positions(0, 0, 50))
	})
	assert.Equal(t, 1, colours(c.Image()))
	frame(t, c, func() { c.DrawLines(positions(.5, 0, 0, .5, 0, 50)) })
	assert.Greater(t, colours(c.Image()), 1)
	for x := range 50 {
		assert.Equal(t, black, at(c, x, 50), x)
	}
}

func TestLinesReachTheirEnds(t *testing.T) {
	look := render.Look{Sky: night, Line: white, Camera: render.Flat{W: 100, H: 100}}
	c := canvas(t, look, 100, 100, 3)
	for name, line := range map[string][4]int{
		"across": {10, 50, 90, 50}, "down": {30, 10, 30, 90}, "slanted": {10, 10, 90, 70},
		"back": {90, 70, 10, 10}, "steep": {40, 5, 60, 95}, "from outside": {-500, 50, 50, 50},
	} {
		t.Run(name, func(t *testing.T) {
			x0, y0, x1, y1 := line[0], line[1], line[2], line[3]
			frame(t, c, func() {
				c.DrawLines(positions(float64(x0), float64(y0), 0, float64(x1), float64(y1), 0))
			})
			for i := range 21 {
				x, y := x0+(x1-x0)*i/20, y0+(y1-y0)*i/20
				if x < 1 || x > 98 {
					continue
				}
				most := uint8(0)
				for dy := -1; dy < 1; dy++ {
					for dx := -1; dx < 1; dx++ {
						most = max(most, at(c, x+dx, y+dy).R)
					}
				}
				assert.Greater(t, most, uint8(90), "%d, %d", x, y)
			}
			assert.Equal(t, black, at(c, 97, 3))
			assert.Equal(t, black, at(c, 3, 97))
		})
	}
}
