package render

import (
	"image"
	"image/color"
)

// Paint returns a picture so many pixels large, each in the colour of the place in its middle.
func Paint(width, height int, colour func(x, y float64) color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, colour(float64(x)+.5, float64(y)+.5))
		}
	}
	return m
}
