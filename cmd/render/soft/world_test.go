package soft_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/render"
)

// brightest returns the brightest pixel.
func brightest(m *image.RGBA) (at image.Point, c color.RGBA) {
	most := -1
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			p := m.RGBAAt(x, y)
			if sum := int(p.R) + int(p.G) + int(p.B); sum > most {
				at, c, most = image.Pt(x, y), p, sum
			}
		}
	}
	return at, c
}

func TestDotsAreWhereTheyAre(t *testing.T) {
	look := render.Look{Camera: render.Flat{W: 100, H: 50}, Sky: night}
	c := canvas(t, look, 200, 100, 3)
	for _, p := range []image.Point{{10, 10}, {150, 30}, {199, 99}, {77, 50}} {
		x, y := float64(p.X)/2+.25, float64(p.Y)/2+.25
		frame(t, c, func() { c.DrawInstances("x", positions(x, y, 0)) })
		at, _ := brightest(c.Image())
		assert.Equal(t, p, at)
	}
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

func TestColoursChangeTowardsTheRim(t *testing.T) {
	look := render.Look{
		Sky: night, Other: render.Style{Colour: red, Rim: blue, Size: 6},
		Camera: render.Flat{W: 100, H: 100},
	}
	c := canvas(t, look, 100, 100, 1)
	frame(t, c, func() { c.DrawInstances("x", positions(50, 50, 0, 95, 50, 0)) })
	middle, rim := at(c, 50, 50), at(c, 94, 50)
	assert.Greater(t, middle.R, middle.B)
	assert.Greater(t, rim.B, rim.R)
}

func TestStylesByKind(t *testing.T) {
	look := render.Look{
		Sky:    night,
		Styles: map[string]render.Style{"hot": {Colour: red, Size: 8}},
		Other:  render.Style{Colour: green, Size: 8},
		Camera: render.Flat{W: 100, H: 100},
	}
	c := canvas(t, look, 100, 100, 1)
	frame(t, c, func() {
		c.DrawInstances("hot", positions(20, 50, 0))
		c.DrawInstances("cold", positions(80, 50, 0))
	})
	assert.Greater(t, at(c, 20, 50).R, at(c, 20, 50).G)
	assert.Greater(t, at(c, 80, 50).G, at(c, 80, 50).R)
}

func TestNearCubesHideFarOnes(t *testing.T) {
	look := func() render.Look {
		return render.Look{
			Sky: night,
			Styles: map[string]render.Style{
				"near": {Shape: render.Cube, Size: 1, Colour: red},
				"far":  {Shape: render.Cube, Size: 3, Colour: green},
			},
			Camera: &render.Orbit{Radius: 4}, // along z, from the positive end
		}
	}
	near, far := positions(0, 0, 2), positions(0, 0, -2)
	for name, order := range map[string][2]string{
		"near first": {"near", "far"}, "far first": {"far", "near"},
	} {
		t.Run(name, func(t *testing.T) {
			c := canvas(t, look(), 101, 101, 2)
			frame(t, c, func() {
				for _, kind := range order {
					if kind == "near" {
						c.DrawInstances(kind, near)
					} else {
						c.DrawInstances(kind, far)
					}
				}
			})
			middle := at(c, 50, 50)
			assert.Greater(t, middle.R, middle.G)
			edge := image.Rectangle{}
			for x := range 101 {
				if p := at(c, x, 50); p.G > p.R {
					edge = edge.Union(image.Rect(x, 50, x+1, 51))
				}
			}
			assert.Positive(t, edge.Dx(), "the far one is seen beside the near one")
		})
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

func TestSinglesStandOut(t *testing.T) {
	c := canvas(t, render.Look{Single: render.Style{Colour: red}}, 320, 180, 2)
	all := galaxy(50_000)
	frame(t, c, func() {
		c.DrawInstances("x", all)
		c.DrawOne(1, positions(0, 0, 0))
	})
	redder := 0
	for i := 0; i < len(c.Image().Pix); i += 4 {
		if p := c.Image().Pix[i:]; int(p[0]) > int(p[2])+60 {
			redder++
		}
	}
	assert.Greater(t, redder, 6, "in the brightest place")
}
