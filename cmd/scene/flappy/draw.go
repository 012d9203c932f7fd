package flappy

import (
	"bytes"
	"image/color"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/world"
)

var drawn = world.NewQuery(world.Read(at, asText, zIndex),
	world.Optional(extent, angle, source, clipCount, letters, maxWidth, colour, outline, size))

func look() render.Look {
	return render.Look{
		Sky:    [2]color.RGBA{render.RGB(skyTop), render.RGB(skyFoot)},
		Camera: render.Flat{W: width, H: height},
		Images: pictures(),
		W:      width, H: height,
		Margin: render.RGB(night),
	}
}

// draw draws every visible object, in the order of creation: the canvas draws higher z-indexes over
// lower ones. The hills belong to the background.
func draw(s world.State, c render.Canvas) world.State {
	for b := range drawn.In(s) {
		p, z, texts := world.Column(b, at), world.Column(b, zIndex), world.Column(b, asText)
		for i := range p {
			if texts[i] != 0 {
				drawText(c, b, i, p[i], int(z[i]))
				continue
			}
			drawImage(c, b, i, p[i], int(z[i]))
			if world.Has(s, b.ID(i), Background) {
				drawHills(c, world.Resource(s, flown), int(z[i]))
			}
		}
	}
	switch {
	case world.Resource(s, over) != 0:
		drawPanel(c, 108, words{"GAME OVER", 168, 0xd9483b},
			words{"Space, click or tap to play again", 134, scoreColour})
	case world.Resource(s, waits) != 0:
		drawPanel(c, 166, words{"GET READY", 173, 0x2f8f46},
			words{"Space, click or tap to flap", 154, scoreColour})
	}
	return s
}

// drawImage draws an object's clip. An object without a size is invisible; without an angle it is
// upright.
func drawImage(c render.Canvas, b world.Batch, i int, p [2]float32, z int) {
	images, sizes := world.Column(b, source), world.Column(b, extent)
	if images == nil || sizes == nil {
		return
	}
	sprite := render.Sprite{
		Image: int(images[i]) + int(world.Column(b, clipCount)[i]), Z: z,
		X: p[0], Y: p[1], W: sizes[i][0], H: sizes[i][1],
	}
	if angles := world.Column(b, angle); angles != nil {
		sprite.Angle = angles[i]
	}
	c.DrawSprite(sprite)
}

func drawText(c render.Canvas, b world.Batch, i int, p [2]float32, z int) {
	texts := world.Column(b, letters)
	if texts == nil {
		return
	}
	text := texts[i][:]
	if n := bytes.IndexByte(text, 0); n >= 0 {
		text = text[:n]
	}
	t := render.Text{
		Text: string(text), X: p[0], Y: p[1], Z: z, Size: world.Column(b, size)[i],
		MaxWidth: world.Column(b, maxWidth)[i], Colour: render.RGB(world.Column(b, colour)[i]),
	}
	if edge := world.Column(b, outline)[i]; edge != 0 {
		t.Outline = render.RGB(edge)
	}
	c.DrawText(t)
}

// drawHills draws the hills, which move more slowly than the pipes.
func drawHills(c render.Canvas, flown float32, z int) {
	for _, h := range []struct {
		image      int
		slow, high float32
	}{{pictureFar, farSlow, farHeight}, {pictureNear, nearSlow, nearHeight}} {
		shift := wrapped(flown) / h.slow
		shift -= float32(float32(int(shift/width)) * width)
		for x := -shift; x < width; x += width {
			c.DrawSprite(render.Sprite{
				Image: h.image, X: x, Y: floorTop - h.high, W: width, H: h.high, Z: z,
			})
		}
	}
}

// words are a line of a panel: its left end in pixels, and its colour.
type words struct {
	text   string
	x      float32
	colour uint32
}

// drawPanel draws the state of the game, and the possible action.
func drawPanel(c render.Canvas, top float32, state, cure words) {
	const z = 9
	c.DrawSprite(render.Sprite{Image: picturePanel, X: 110, Y: top, W: 260, H: 92, Z: z})
	for _, line := range []struct {
		words
		y, size float32
	}{{state, top + 43, 30}, {cure, top + 73, 15}} {
		c.DrawText(render.Text{
			Text: line.text, X: line.x, Y: line.y, MaxWidth: width - 2*line.x, Size: line.size,
			Colour: render.RGB(line.colour), Z: z,
		})
	}
}
