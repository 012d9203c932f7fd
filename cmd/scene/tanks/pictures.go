package tanks

import (
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/flatecs/flatecs/cmd/render"
)

// The parts that [Sprite] draws, each with a picture per side.
const (
	Hulls = iota
	Turrets
	Guns
	Shells
	Blasts
	partCount

	Pictures = partCount * most // number of all pictures
)

// sizes are the sizes of the parts, in world units, and the areas they cover.
var sizes = [partCount]struct {
	w, h float32
	z    int
}{
	Hulls: {22, 16, 0}, Turrets: {13, 11, 2}, Guns: {11, 2, 1}, Shells: {4, 2, 3},
	Blasts: {34, 34, 4},
}

// colours of the sides.
var colours = [most]uint32{0xc9483a, 0x3d7fd0, 0xd9a62e, 0x8f5cc2}

// The names of parts and sides.
var (
	partNames = [partCount]string{"tank", "turret", "gun", "shell", "blast"}
	sideNames = [most]string{"red", "blue", "yellow", "violet"}
)

// pictures returns all pictures, which must not be changed. They are drawn once, with 4 × 4 pixels
// per world unit.
var pictures = sync.OnceValue(func() (all []*image.RGBA) {
	const dense = 4
	for p, size := range sizes {
		for _, hue := range colours {
			all = append(all, render.Paint(int(size.w)*dense, int(size.h)*dense,
				func(x, y float64) color.RGBA {
					x, y = float64(x/dense)-float64(size.w/2), float64(y/dense)-float64(size.h/2)
					return shade(p, x, y, hue)
				}))
		}
	}
	return all
})

// shade returns the colour of a part at an offset from its middle.
func shade(p int, x, y float64, colour uint32) color.RGBA {
	ax, ay := math.Abs(x), math.Abs(y)
	switch p {
	case Hulls:
		switch {
		case ay > 5.2: // tracks
			return tint(0x2b2b28, 1+float64(.5*math.Abs(math.Sin(x*2.2))))
		case ax > 9.6:
			return color.RGBA{}
		case x > 6 && x < 7 || ax > 9 || ay > 4.6:
			return tint(colour, .55)
		}
		return tint(colour, .8)
	case Turrets:
		d := max(math.Hypot(x, y)-5.4, 0)
		if x > 0 {
			d = max(ay-4+x/3, 0)
		}
		switch {
		case d > 0:
			return color.RGBA{}
		case math.Hypot(x+1.5, y-1) < 1.6: // hatch
			return tint(colour, .6)
		}
		return tint(colour, 1.15-float64(math.Hypot(x+1, y+1.5)*.05))
	case Guns:
		return tint(0x34342f, 1.6-ay)
	case Shells:
		return tint(0xfff0a0, 1)
	}
	return glow(math.Hypot(x, y) / float64(sizes[Blasts].w/2))
}

// tint returns a darker or lighter colour.
//
//go:noinline // a page is smaller so
func tint(colour uint32, by float64) color.RGBA {
	c := render.RGB(colour)
	for _, x := range [...]*uint8{&c.R, &c.G, &c.B} {
		*x = uint8(min(float64(*x)*by, 255))
	}
	return c
}

// glow returns the colour of a blast, at a distance from its middle in radii.
func glow(far float64) color.RGBA {
	a := min(max(2.5-float64(2.5*far), 0), 1)
	return color.RGBA{
		uint8(255 * a), uint8(255 * a * max(1-far, .15)),
		uint8(200 * a * max(1-float64(2.2*far), 0)), uint8(255 * a),
	}
}
