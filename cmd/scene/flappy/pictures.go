package flappy

import (
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/flatecs/flatecs/cmd/render"
)

// Numbers of the pictures.
const (
	pictureSky = iota
	pictureFar
	pictureNear
	pictureFloor
	picturePipeAbove
	picturePipeBelow
	picturePanel
	pictureBird  // its first clip
	pictureCount = pictureBird + birdClips
)

const (
	farHeight, nearHeight = 120, 70
	farSlow, nearSlow     = 8, 3 // times slower than the pipes
	skyTop, skyFoot       = 0x3fa9e0, 0xd9f3f4
	night                 = 0x0b1020 // around the canvas
)

// pictures returns all pictures, which must not be changed. They are drawn once.
var pictures = sync.OnceValue(paintAll)

// paintAll draws the pictures. Each picture is a function of a place, in pixels of the canvas.
func paintAll() []*image.RGBA {
	all := make([]*image.RGBA, pictureCount)
	all[pictureSky] = paint(width, height, 1, sky)
	all[pictureFar] = paint(width, farHeight, 2, farHills)
	all[pictureNear] = paint(width, nearHeight, 2, nearHills)
	all[pictureFloor] = paint(floorWidth, floorHeight, 2, ground)
	all[picturePipeBelow] = paint(pipeWidth, height, 3, pipeBelow)
	all[picturePipeAbove] = paint(pipeWidth, height, 3, func(x, y float64) paints {
		return pipeBelow(x, height-y)
	})
	all[picturePanel] = paint(260, 92, 2, panel)
	for clip := range birdClips {
		all[pictureBird+clip] = paint(birdWidth, birdHeight, 4, birdClip(clip))
	}
	return all
}

// A paints is a colour with an opacity: red, green, blue, from 0 to 1, not premultiplied.
type paints struct{ r, g, b, a float64 }

// paint draws a picture of w × h pixels of the canvas, with dense × dense pixels for each.
func paint(w, h, dense int, at func(x, y float64) paints) *image.RGBA {
	return render.Paint(w*dense, h*dense, func(x, y float64) color.RGBA {
		p := at(x/float64(dense), y/float64(dense))
		return color.RGBA{byteOf(p.r * p.a), byteOf(p.g * p.a), byteOf(p.b * p.a), byteOf(p.a)}
	})
}

func byteOf(x float64) uint8 { return uint8(math.Round(255 * min(max(x, 0), 1))) }

// ink is the opaque colour 0xrrggbb.
func ink(hex uint32) paints {
	c := render.RGB(hex)
	return paints{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255, 1}
}

// mix interpolates from p to q as t goes from 0 to 1.
//
//go:noinline // as those below: a page is smaller so, and pictures are painted once
func (p paints) mix(q paints, t float64) paints {
	t = min(max(t, 0), 1)
	part := func(p, q float64) float64 { return p + float64((q-p)*t) }
	return paints{part(p.r, q.r), part(p.g, q.g), part(p.b, q.b), part(p.a, q.a)}
}

// over blends q over p with the opacity cover.
//
//go:noinline
func (p paints) over(q paints, cover float64) paints {
	t := float64(min(max(cover, 0), 1) * q.a)
	a := t + float64(p.a*(1-t))
	if a == 0 {
		return p
	}
	under := p.a * (1 - t) / a
	part := func(p, q float64) float64 { return float64(q*(1-under)) + float64(p*under) }
	return paints{part(p.r, q.r), part(p.g, q.g), part(p.b, q.b), a}
}

// inside is the part of a small pixel inside a shape, given its distance from the edge; negative
// inside.
//
//go:noinline
func inside(distance float64) float64 { return min(max(.5-float64(distance*3), 0), 1) }

// ellipse is the approximate distance of a place from an ellipse around (cx, cy).
//
//go:noinline
func ellipse(x, y, cx, cy, rx, ry float64) float64 {
	return (math.Hypot((x-cx)/rx, (y-cy)/ry) - 1) * min(rx, ry)
}

// box is the distance of a place from a rectangle with round corners.
func box(x, y, left, top, right, bottom, round float64) float64 {
	dx := math.Abs(x-float64((left+right)/2)) - float64((right-left)/2) + round
	dy := math.Abs(y-float64((top+bottom)/2)) - float64((bottom-top)/2) + round
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - round
}
