package abm

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Colours of pictures.
var (
	nobody  = color.RGBA{R: 24, G: 28, B: 40, A: 255}
	meadow  = color.RGBA{R: 46, G: 96, B: 52, A: 255}
	leaf    = color.RGBA{R: 80, G: 180, B: 90, A: 255}
	flame   = color.RGBA{R: 255, G: 150, B: 30, A: 255}
	ash     = color.RGBA{R: 96, G: 84, B: 80, A: 255}
	wool    = color.RGBA{R: 240, G: 240, B: 245, A: 255}
	fur     = color.RGBA{R: 230, G: 60, B: 60, A: 255}
	peoples = []color.RGBA{
		nobody, {77, 150, 255, 255}, {255, 170, 50, 255}, {90, 210, 130, 255}, {230, 110, 200, 255},
	}
)

// Picture returns a function that draws a world of a model from above, for the Picture of a
// lab.Panel.
func Picture(m Model) func(world.State) image.Image {
	switch p := m.(type) {
	case Schelling:
		return picture(float64(p.Side), places(tenant, func(_ world.State, is uint8) color.RGBA {
			return peoples[min(int(is), len(peoples)-1)]
		}))
	case WolfSheep:
		at := func(a *animal) (x, y float64) { return float64(a.X) + .5, float64(a.Y) + .5 }
		return picture(float64(p.Side), places(grass, func(s world.State, from uint32) color.RGBA {
			if uint64(from) <= world.Tick(s) {
				return meadow
			}
			return nobody
		}), dots(sheep, wool, at), dots(wolf, fur, at))
	case Flocking:
		return picture(p.Extent, dots(flyers, wool, func(b *bird) (x, y float64) {
			return b.At[0], b.At[1]
		}))
	case ForestFire:
		return picture(float64(p.Side), places(tree, func(_ world.State, is uint8) color.RGBA {
			return []color.RGBA{nobody, leaf, flame, ash}[min(is, burnt)]
		}))
	}
	return nil
}

// A canvas is a square picture of a square space.
type canvas struct {
	*image.RGBA
	scale float64 // pixels per unit of the space
}

// paint fills a square around x, y that is wide pixels wide, clipped to the picture.
func (c *canvas) paint(x, y, wide float64, with color.RGBA) {
	left, top := int(float64(x*c.scale)-float64(wide/2)), int(float64(y*c.scale)-float64(wide/2))
	c.fill(image.Rect(left, top, left+int(wide), top+int(wide)), with)
}

func (c *canvas) fill(area image.Rectangle, with color.RGBA) {
	draw.Draw(c.RGBA, area, image.NewUniform(with), image.Point{}, draw.Src)
}

// A layer draws a part of a world.
type layer func(s world.State, c *canvas)

// picture returns a function that draws a space with side units along each axis, layer over layer.
// In a narrow space, a unit has an integer number of pixels.
func picture(side float64, layers ...layer) func(world.State) image.Image {
	const usual, most = 400, 1000 // pixels
	scale := max(1, float64(int(usual/side)))
	size := int(min(max(side*scale, 1), most))
	return func(s world.State) image.Image {
		c := &canvas{image.NewRGBA(image.Rect(0, 0, size, size)), scale}
		c.fill(c.Rect, nobody)
		for _, paint := range layers {
			paint(s, c)
		}
		return c
	}
}

// places draws a field with a row per place, line by line.
func places[T any](f layout.Field[T], colour func(world.State, T) color.RGBA) layer {
	return func(s world.State, c *canvas) {
		all := world.View(s, f)
		side := 1
		for side*side < len(all) {
			side++
		}
		for i, value := range all {
			x, y := float64(i%side)+.5, float64(i/side)+.5
			c.paint(x, y, c.scale, colour(s, value))
		}
	}
}

// dots draws each object that has a field, at its place.
func dots[T any](f layout.Field[T], with color.RGBA, at func(*T) (x, y float64)) layer {
	seen := world.NewQuery(world.Read(f))
	return func(s world.State, c *canvas) {
		for b := range seen.In(s) {
			values := world.Column(b, f)
			for i := range values {
				x, y := at(&values[i])
				c.paint(x, y, max(3, c.scale*.6), with)
			}
		}
	}
}
