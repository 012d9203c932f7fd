package soft_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/render"
)

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
